// SGLang, MLX, Transformers and Docker Compose. The page's first answer does without them.
#include <algorithm>

#include "report/launch.h"
#include "report/launch_parts.h"

namespace vramscope::report {
namespace {

/// The repository of weights in one of the formats, else of the 16-bit original where that is what
/// is asked for; "" when there is none.
std::string repository(const LaunchInput& input, std::string_view format) {
    const catalog::Artifact* artifact = input.artifact;
    if (artifact != nullptr && artifact->format == format && !artifact->repo.empty())
        return artifact->repo;
    const bool converts = input.quantization != nullptr && input.quantization->id == "fp8";
    return sixteen_bit(input) || (converts && format == "safetensors") ? input.model.hf_repo
                                                                       : std::string();
}

bool is_fp8(const LaunchInput& input) {
    return input.quantization != nullptr && input.quantization->id == "fp8";
}

bool has_class(const LaunchInput& input, HardwareClass first, HardwareClass last) {
    return !input.request.devices.empty() && input.request.devices[0].hardware_class >= first &&
           input.request.devices[0].hardware_class <= last;
}
bool on_apple(const LaunchInput& input) {
    return has_class(input, HardwareClass::apple, HardwareClass::apple);
}
bool on_amd(const LaunchInput& input) {
    return has_class(input, HardwareClass::amd_consumer, HardwareClass::amd_datacenter);
}

std::string tokens(const LaunchInput& input, const Locale& locale) {
    return locale.format("number.tokens", {locale.integer(input.context_per_sequence)});
}

Launch sglang(const LaunchInput& input, const Locale& locale) {
    Launch launch{"sglang", "SGLang", {}, {}};
    const Options& options = input.request.options;
    const std::string repo = repository(input, "safetensors");
    CommandLine line("python -m sglang.launch_server");
    if (!repo.empty()) {
        line.option("--model-path", repo);
        if (repo == input.model.hf_repo && !input.model.hf_revision.empty())
            line.option("--revision", input.model.hf_revision);
        if (is_fp8(input) && repo == input.model.hf_repo)
            line.option("--quantization", "fp8");
    } else if (is_gguf(input)) {
        // GGUF comes as a file of one's own, with the original's tokenizer.
        line.option("--model-path", gguf_file(input)).option("--load-format", "gguf");
        line.option("--quantization", "gguf");
        if (!input.model.hf_repo.empty())
            line.option("--tokenizer-path", input.model.hf_repo);
        launch.note = locale.format("launch.note.no_recorded_file", {gguf_file(input)});
    } else {
        launch.note = locale.format("launch.note.no_weights", {quantization_name(input)});
        return launch;
    }
    line.option("--context-length", input.context_per_sequence);
    line.option("--max-running-requests",
                options.max_num_seqs.value_or(static_cast<std::int32_t>(input.sequences)));
    if (input.request.storage_types->bits_per_element(options.type_k) < 16)
        line.option("--kv-cache-dtype", "fp8_e5m2");
    const Ranks ranks = ranks_of(input);
    if (ranks.shards > 1)
        line.option("--tp-size", ranks.shards);
    if (ranks.stages > 1)
        line.option("--pp-size", ranks.stages);
    // Without it SGLang chooses by device; only a wish of the request is passed on.
    if (options.gpu_memory_utilization)
        line.option("--mem-fraction-static", memory_share(input, 0.9));
    launch.text = line.option("--port", 30000).text();
    if (input.request.devices.empty() || on_apple(input))
        launch.note = locale.text("launch.note.vllm_needs_gpu");
    return launch;
}

Launch mlx(const LaunchInput& input, const Locale& locale) {
    Launch launch{"mlx", "MLX", {}, {}};
    const std::string repo = repository(input, "mlx");
    if (repo.empty()) {
        launch.note = locale.format("launch.note.no_weights", {quantization_name(input)});
        return launch;
    }
    CommandLine line("mlx_lm.server");
    line.option("--model", repo);
    line.option("--decode-concurrency", input.sequences);
    line.option("--prompt-concurrency", input.sequences);
    launch.text = line.option("--port", 8080).text();
    launch.note = on_apple(input)
                      ? locale.format("launch.note.mlx_context", {tokens(input, locale)})
                      : std::string(locale.text("launch.note.mlx_apple"));
    return launch;
}

/// Runtime quantisation of `transformers serve`, "" for none, nullptr when it has none such.
const char* runtime_quantization(const LaunchInput& input) {
    if (sixteen_bit(input))
        return "";
    if (input.quantization == nullptr)
        return nullptr;
    if (input.quantization->id == "bnb-nf4")
        return "bnb-4bit";
    return input.quantization->id == "bnb-int8" ? "bnb-8bit" : nullptr;
}

Launch transformers(const LaunchInput& input, const Locale& locale) {
    Launch launch{"transformers", "Transformers", {}, {}};
    const std::string own = repository(input, "safetensors");
    const char* quantization = runtime_quantization(input);
    const std::string& repo = own.empty() ? input.model.hf_repo : own;
    if (repo.empty() || (own.empty() && quantization == nullptr)) {
        launch.note = locale.format("launch.note.no_weights", {quantization_name(input)});
        return launch;
    }
    CommandLine line("transformers serve");
    if (input.sequences > 1)
        line.add("--continuous-batching").option("--attn-implementation", "sdpa");
    if (quantization != nullptr && *quantization != '\0')
        line.option("--quantization", quantization);
    launch.text = "# " + locale.format("launch.transformers.model", {repo}) + '\n' +
                  line.option("--port", 8000).text();
    launch.note = locale.format("launch.note.transformers", {tokens(input, locale)});
    return launch;
}

/// The arguments behind the program's name, on one line.
std::string arguments_of(std::string_view command, std::string_view program) {
    std::string text(command.substr(std::min(program.size() + 1, command.size())));
    for (std::size_t at = 0; (at = text.find(" \\\n ", at)) != std::string::npos;)
        text.replace(at, 4, "");
    return text;
}

/// One service of the engine that the request is about, else of the one that loads the weights.
Launch compose(const LaunchInput& input, const std::vector<Launch>& usual, const Locale& locale) {
    Launch launch{"compose", "Docker Compose", {}, {}};
    const Launch& llama = usual[0];
    const Launch& vllm = usual[2];
    const bool wants_vllm = input.request.engine == EngineId::vllm || llama.text.empty();
    const Launch& chosen = wants_vllm && !vllm.text.empty() ? vllm : llama;
    if (chosen.text.empty()) {
        launch.note = llama.note;
        return launch;
    }
    const bool serves_vllm = &chosen == &vllm;
    const bool gpu = !input.request.devices.empty() && !on_apple(input);
    const bool amd = on_amd(input);
    std::string image = "vllm/vllm-openai:latest";
    if (serves_vllm && amd)
        image = "rocm/vllm:latest";
    if (!serves_vllm) {
        image = "ghcr.io/ggml-org/llama.cpp:server";
        image += !gpu                                                           ? ""
                 : amd                                                          ? "-rocm"
                 : has_class(input, HardwareClass::intel, HardwareClass::intel) ? "-intel"
                                                                                : "-cuda";
    }
    const char* port = serves_vllm ? "8000" : "8080";
    const char* cache = serves_vllm ? "/root/.cache/huggingface" : "/models";
    std::string arguments = arguments_of(chosen.text, serves_vllm ? "vllm serve" : "llama-server");
    // Both images start the server themselves; vLLM's takes the model as an option.
    if (serves_vllm)
        arguments = "--model " + arguments;
    std::string& text = launch.text;
    text = "# compose.yaml\nservices:\n  llm:\n    image: " + image;
    text += "\n    command: >-\n      " + arguments + " --host 0.0.0.0";
    text += std::string("\n    ports:\n      - \"") + port + ":" + port + "\"";
    text += std::string("\n    volumes:\n      - models:") + cache;
    if (!serves_vllm)
        text += "\n    environment:\n      LLAMA_CACHE: /models";
    if (serves_vllm)
        text += "\n    ipc: host";
    if (gpu && amd) {
        text += "\n    devices:\n      - /dev/kfd\n      - /dev/dri\n    group_add:\n      - video";
    } else if (gpu && image.ends_with("-intel")) {
        text += "\n    devices:\n      - /dev/dri";
    } else if (gpu) {
        text += "\n    deploy:\n      resources:\n        reservations:\n          devices:"
                "\n            - driver: nvidia\n              count: " +
                std::to_string(device_count(input)) + "\n              capabilities: [gpu]";
    }
    text += "\nvolumes:\n  models:\n";
    if (on_apple(input))
        launch.note = locale.text("launch.note.compose_apple");
    else if (gpu)
        launch.note = locale.text("launch.note.compose");
    return launch;
}

} // namespace

[[gnu::noinline]] std::vector<Launch> more_launch_commands(const LaunchInput& input,
                                                           const Locale& locale) {
    return {sglang(input, locale), mlx(input, locale), transformers(input, locale),
            compose(input, launch_commands(input, locale), locale)};
}

} // namespace vramscope::report
