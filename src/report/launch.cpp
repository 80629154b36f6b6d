#include "report/launch.h"

#include <algorithm>
#include <string_view>

#include "core/ascii.h"
#include "report/launch_parts.h"

namespace vramscope::report {

/// Plain decimal without trailing zeros, as command lines want it whatever the locale.
std::string plain_number(double value) {
    const auto hundredths = static_cast<std::int64_t>(value * 100 + 0.5);
    std::string text = std::to_string(hundredths / 100);
    if (hundredths % 100 == 0)
        return text;
    const std::string digits = std::to_string(hundredths % 100 + 100).substr(1);
    text += '.';
    text += digits[1] == '0' ? digits.substr(0, 1) : digits;
    return text;
}

bool is_gguf(const LaunchInput& input) {
    if (input.artifact != nullptr)
        return input.artifact->format == "gguf";
    return input.quantization != nullptr && input.quantization->mixture != Mixture::count_;
}

std::string quantization_name(const LaunchInput& input) {
    return input.quantization != nullptr ? input.quantization->name : std::string();
}

/// The GGUF as a file beside the command: the recorded name, or the usual one.
std::string gguf_file(const LaunchInput& input) {
    if (input.artifact != nullptr && is_gguf(input) && !input.artifact->files.empty()) {
        return input.artifact->files.front().name;
    }
    std::string name = input.model.hf_repo.empty() ? input.model.name : input.model.hf_repo;
    if (const auto slash = name.rfind('/'); slash != std::string::npos)
        name.erase(0, slash + 1);
    return name + '-' + quantization_name(input) + ".gguf";
}

/// "unsloth/GLM-4-9B-0414-GGUF:Q4_K_M", or "" when no repository is recorded.
std::string gguf_reference(const LaunchInput& input) {
    if (input.artifact == nullptr || !is_gguf(input) || input.artifact->repo.empty())
        return {};
    return input.artifact->repo + ':' + quantization_name(input);
}

bool sixteen_bit(const LaunchInput& input) {
    return input.quantization != nullptr && input.quantization->sixteen_bit;
}

std::int32_t device_count(const LaunchInput& input) {
    return static_cast<std::int32_t>(input.request.devices.size());
}

Ranks ranks_of(const LaunchInput& input) {
    const Options& options = input.request.options;
    Ranks ranks;
    ranks.stages = std::max(1, options.pipeline_parallel);
    ranks.shards = std::max(options.tensor_parallel, device_count(input) / ranks.stages);
    return ranks;
}

std::string memory_share(const LaunchInput& input, double usual) {
    double share = input.request.options.gpu_memory_utilization.value_or(usual);
    for (const Device& device : input.request.devices) {
        if (device.memory_bytes <= 0)
            continue;
        share = std::min(share, static_cast<double>(device.free_bytes()) /
                                    static_cast<double>(device.memory_bytes));
    }
    return plain_number(static_cast<double>(static_cast<std::int64_t>(share * 100 + 1e-9)) / 100);
}

namespace {

Launch llama_cpp(const LaunchInput& input, const Locale& locale) {
    Launch launch{"llama.cpp", "llama.cpp · llama-server", {}, {}};
    if (!is_gguf(input) && !sixteen_bit(input)) {
        launch.note = locale.format("launch.note.no_gguf", {quantization_name(input)});
        return launch;
    }
    const Options& options = input.request.options;
    const std::string reference = gguf_reference(input);
    CommandLine line("llama-server");
    if (reference.empty()) {
        line.option("-m", gguf_file(input));
        launch.note = locale.format("launch.note.no_recorded_file", {gguf_file(input)});
    } else {
        line.option("-hf", reference);
    }
    line.option("-c", input.context_per_sequence * input.sequences);
    line.option("-np", input.sequences);
    if (input.request.devices.empty()) {
        line.option("-ngl", 0);
    } else if (options.n_gpu_layers) {
        line.option("-ngl", *options.n_gpu_layers);
    } else {
        line.option("-ngl", "all");
    }
    if (options.flash_attn == FlashAttention::on)
        line.option("-fa", "on");
    if (options.flash_attn == FlashAttention::off)
        line.option("-fa", "off");
    if (options.type_k != StorageType::f16)
        line.option("-ctk", name(options.type_k));
    if (options.type_v != StorageType::f16)
        line.option("-ctv", name(options.type_v));
    if (options.n_batch)
        line.option("-b", *options.n_batch);
    if (options.n_ubatch)
        line.option("-ub", *options.n_ubatch);
    if (options.kv_unified)
        line.add(*options.kv_unified ? "--kv-unified" : "--no-kv-unified");
    if (options.swa_full)
        line.add("--swa-full");
    if (options.cpu_moe) {
        line.add("--cpu-moe");
    } else if (options.n_cpu_moe > 0) {
        line.option("--n-cpu-moe", options.n_cpu_moe);
    }
    if (!options.offload_kqv)
        line.add("--no-kv-offload");
    if (!options.op_offload)
        line.add("--no-op-offload");
    if (options.embeddings)
        line.add("--embeddings");
    if (!input.request.architecture->towers.empty()) {
        // -hf takes the projector of the repository along unless told not to.
        const bool wanted = options.mmproj != StorageType::count_;
        if (!wanted && !reference.empty())
            line.add("--no-mmproj");
        if (wanted && reference.empty())
            line.option("--mmproj", "mmproj.gguf");
        if (wanted && !options.mmproj_offload)
            line.add("--no-mmproj-offload");
        if (wanted && options.image_max_tokens)
            line.option("--image-max-tokens", *options.image_max_tokens);
    }
    if (device_count(input) > 1) {
        constexpr std::string_view modes[] = {"layer", "row", "none", "tensor"};
        line.option("--split-mode", modes[static_cast<std::size_t>(options.split_mode)]);
        std::string shares;
        for (const double share : options.tensor_split) {
            shares += (shares.empty() ? "" : ",") + plain_number(share);
        }
        if (!shares.empty())
            line.option("--tensor-split", shares);
    }
    launch.text = line.option("--port", 8080).text();
    return launch;
}

/// Ollama knows three cache types, for keys and values alike.
std::string_view ollama_cache_type(const LaunchInput& input) {
    const StorageTypeTable& types = *input.request.storage_types;
    const double bits = std::max(types.bits_per_element(input.request.options.type_k),
                                 types.bits_per_element(input.request.options.type_v));
    if (bits > types.bits_per_element(StorageType::q8_0))
        return "f16";
    return bits > types.bits_per_element(StorageType::q4_0) ? "q8_0" : "q4_0";
}

Launch ollama(const LaunchInput& input, const Locale& locale) {
    Launch launch{"ollama", "Ollama · Modelfile", {}, {}};
    if (!is_gguf(input) && !sixteen_bit(input)) {
        launch.note = locale.format("launch.note.no_gguf", {quantization_name(input)});
        return launch;
    }
    const Options& options = input.request.options;
    const std::string reference = gguf_reference(input);
    const std::string own_name = input.model.id + ':' + ascii::lowered(quantization_name(input));
    std::string& text = launch.text;
    text = "# " +
           locale.format("launch.ollama.create", {"ollama create " + own_name + " -f Modelfile"});
    text += "\nFROM " + (reference.empty() ? "./" + gguf_file(input) : "hf.co/" + reference);
    text += "\nPARAMETER num_ctx " + std::to_string(input.context_per_sequence);
    if (options.n_ubatch)
        text += "\nPARAMETER num_batch " + std::to_string(*options.n_ubatch);
    if (options.n_gpu_layers)
        text += "\nPARAMETER num_gpu " + std::to_string(*options.n_gpu_layers);

    const std::string_view cache_type = ollama_cache_type(input);
    text += "\n\n# " + std::string(locale.text("launch.ollama.environment")) + "\n# ";
    text += "OLLAMA_NUM_PARALLEL=" + std::to_string(input.sequences);
    if (cache_type != "f16" || options.flash_attn == FlashAttention::on) {
        text += " OLLAMA_FLASH_ATTENTION=1";
    } else if (options.flash_attn == FlashAttention::off) {
        text += " OLLAMA_FLASH_ATTENTION=0";
    }
    if (cache_type != "f16")
        text += " OLLAMA_KV_CACHE_TYPE=" + std::string(cache_type);
    text += " ollama serve";

    if (reference.empty()) {
        launch.note = locale.format("launch.note.no_recorded_file", {gguf_file(input)});
    } else if (input.artifact->files.size() > 1) {
        launch.note = locale.text("launch.note.ollama_split_files");
    }
    return launch;
}

Launch vllm(const LaunchInput& input, const Locale& locale) {
    Launch launch{"vllm", "vLLM", {}, {}};
    const EstimateRequest& request = input.request;
    const Options& options = request.options;
    const std::string reference = gguf_reference(input);
    const bool fp8 = input.quantization != nullptr && input.quantization->id == "fp8";
    const bool own_repository =
        input.artifact != nullptr && !is_gguf(input) && !input.artifact->repo.empty();
    const bool has_origin = !input.model.hf_repo.empty();
    CommandLine line("vllm serve");
    if (is_gguf(input) && !sixteen_bit(input)) {
        line.add(reference.empty() ? "./" + gguf_file(input) : reference);
        if (!input.model.hf_repo.empty())
            line.option("--tokenizer", input.model.hf_repo);
        launch.note = locale.text("launch.note.vllm_gguf");
    } else if (own_repository || (has_origin && (sixteen_bit(input) || fp8))) {
        const std::string& repo = own_repository ? input.artifact->repo : input.model.hf_repo;
        line.add(repo);
        if (repo == input.model.hf_repo && !input.model.hf_revision.empty()) {
            line.option("--revision", input.model.hf_revision);
        }
        // FP8 without files of its own: vLLM converts the 16-bit weights while it loads them.
        if (fp8 && !own_repository)
            line.option("--quantization", "fp8");
    } else {
        launch.note = locale.format("launch.note.vllm_no_files", {quantization_name(input)});
        return launch;
    }
    line.option("--max-model-len", input.context_per_sequence);
    line.option("--max-num-seqs",
                options.max_num_seqs.value_or(static_cast<std::int32_t>(input.sequences)));
    if (options.max_num_batched_tokens) {
        line.option("--max-num-batched-tokens", *options.max_num_batched_tokens);
    }
    if (request.storage_types->bits_per_element(options.type_k) < 16) {
        line.option("--kv-cache-dtype", "fp8");
    }
    const Ranks ranks = ranks_of(input);
    if (ranks.shards > 1)
        line.option("--tensor-parallel-size", ranks.shards);
    if (ranks.stages > 1)
        line.option("--pipeline-parallel-size", ranks.stages);
    if (!request.devices.empty())
        line.option("--gpu-memory-utilization", memory_share(input, 0.9));
    launch.text = line.option("--port", 8000).text();
    const bool no_gpu =
        request.devices.empty() || request.devices[0].hardware_class == HardwareClass::apple;
    if (no_gpu)
        launch.note = locale.text("launch.note.vllm_needs_gpu");
    return launch;
}

[[gnu::noinline]] Launch tensorrt_llm(const LaunchInput& input, const Locale& locale) {
    Launch launch{"tensorrt-llm", "TensorRT-LLM", {}, {}};
    const EstimateRequest& request = input.request;
    const Options& options = request.options;
    const bool own_repository =
        input.artifact != nullptr && !is_gguf(input) && !input.artifact->repo.empty();
    if (!own_repository && (input.model.hf_repo.empty() || !sixteen_bit(input))) {
        launch.note = locale.format("launch.note.tensorrt_no_files", {quantization_name(input)});
        return launch;
    }
    CommandLine line("trtllm-serve");
    line.add(own_repository ? input.artifact->repo : input.model.hf_repo);
    line.option("--max_seq_len", input.context_per_sequence);
    line.option("--max_batch_size",
                options.max_num_seqs.value_or(static_cast<std::int32_t>(input.sequences)));
    if (options.max_num_batched_tokens)
        line.option("--max_num_tokens", *options.max_num_batched_tokens);
    const Ranks ranks = ranks_of(input);
    if (ranks.shards > 1)
        line.option("--tp_size", ranks.shards);
    if (ranks.stages > 1)
        line.option("--pp_size", ranks.stages);
    line.option("--kv_cache_free_gpu_memory_fraction",
                plain_number(options.gpu_memory_utilization.value_or(
                    request.constants->tensorrt.free_share)));
    launch.text = line.option("--port", 8000).text();
    if (request.devices.empty() || request.devices[0].backend != Backend::cuda)
        launch.note = locale.text("launch.note.tensorrt_needs_nvidia");
    return launch;
}

} // namespace

std::vector<Launch> launch_commands(const LaunchInput& input, const Locale& locale) {
    std::vector<Launch> all = {llama_cpp(input, locale), ollama(input, locale),
                               vllm(input, locale)};
    if (input.request.engine == EngineId::tensorrt_llm)
        all.push_back(tensorrt_llm(input, locale));
    return all;
}

} // namespace vramscope::report
