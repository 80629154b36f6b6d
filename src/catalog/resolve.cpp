#include "catalog/resolve.h"

#include <algorithm>

#include "catalog/engines_json.h"
#include "catalog/hardware_text.h"
#include "core/ascii.h"
#include "core/engines/engine.h"
#include "core/tensors.h"

namespace vramscope::catalog {
namespace {

Error unknown(std::string_view code, std::string_view where, std::string_view what,
              std::string_view given, std::span<const std::string_view> known) {
    std::string message = "there is no " + std::string(what) + " \"" +
                          std::string(given.substr(0, 60)) + "\" in the catalog";
    const std::string_view meant = closest_name(given, known);
    if (!meant.empty())
        message += "; did you mean \"" + std::string(meant) + "\"?";
    return {std::string(code), std::string(where), message};
}

template <typename Entries>
std::vector<std::string_view> ids_of(const Entries& entries) {
    std::vector<std::string_view> ids;
    for (const auto& entry : entries)
        ids.push_back(entry.id);
    return ids;
}

double number(const Query& query, Field field) {
    return std::strtod(std::string(query.value(field)).c_str(), nullptr);
}
std::int32_t whole(const Query& query, Field field) {
    return static_cast<std::int32_t>(number(query, field));
}
std::optional<std::int32_t> optional_whole(const Query& query, Field field) {
    if (query.value(field).empty())
        return std::nullopt;
    return whole(query, field);
}
std::optional<double> optional_number(const Query& query, Field field) {
    if (query.value(field).empty())
        return std::nullopt;
    return number(query, field);
}
bool flag(const Query& query, Field field) {
    return query.value(field) == "true";
}
std::optional<bool> optional_flag(const Query& query, Field field) {
    if (query.value(field).empty())
        return std::nullopt;
    return flag(query, field);
}
/// Position of a choice in its field's list.
std::size_t choice(const Query& query, Field field) {
    const auto& choices = info(field).choices;
    const auto found = std::ranges::find(choices, query.value(field));
    return static_cast<std::size_t>(found - choices.begin());
}

Options read_options(const Query& query) {
    Options options;
    options.n_ctx = static_cast<std::int64_t>(number(query, Field::n_ctx));
    options.n_seq = optional_whole(query, Field::n_seq);
    options.type_k = storage_type_from_name(query.value(Field::type_k));
    options.type_v = storage_type_from_name(query.value(Field::type_v));
    options.flash_attn = static_cast<FlashAttention>(choice(query, Field::flash_attn));
    options.n_batch = optional_whole(query, Field::n_batch);
    options.n_ubatch = optional_whole(query, Field::n_ubatch);
    options.n_outputs_max = optional_whole(query, Field::n_outputs_max);
    options.n_gpu_layers = optional_whole(query, Field::n_gpu_layers);
    options.cpu_moe = flag(query, Field::cpu_moe);
    options.n_cpu_moe = whole(query, Field::n_cpu_moe);
    options.kv_unified = optional_flag(query, Field::kv_unified);
    options.swa_full = flag(query, Field::swa_full);
    options.offload_kqv = flag(query, Field::offload_kqv);
    options.op_offload = flag(query, Field::op_offload);
    options.embeddings = flag(query, Field::embeddings);
    // "file" holds for towers that were read from one; the catalog's are taken in 16 bits then.
    const std::string_view towers = query.value(Field::mmproj);
    options.mmproj = storage_type_from_name(towers == "file" ? "f16" : towers);
    options.mmproj_offload = flag(query, Field::mmproj_offload);
    options.image_max_tokens = optional_whole(query, Field::image_max_tokens);
    options.split_mode = static_cast<SplitMode>(choice(query, Field::split_mode));
    std::string_view shares = query.value(Field::tensor_split);
    while (!shares.empty()) {
        const std::size_t comma = std::min(shares.find(','), shares.size());
        options.tensor_split.push_back(
            std::strtod(std::string(shares.substr(0, comma)).c_str(), nullptr));
        shares.remove_prefix(std::min(comma + 1, shares.size()));
    }
    options.tensor_parallel = whole(query, Field::tensor_parallel);
    options.pipeline_parallel = whole(query, Field::pipeline_parallel);
    options.gpu_memory_utilization = optional_number(query, Field::gpu_memory_utilization);
    options.max_num_seqs = optional_whole(query, Field::max_num_seqs);
    options.max_num_batched_tokens = optional_whole(query, Field::max_num_batched_tokens);
    options.prefix_caching = flag(query, Field::prefix_caching);
    options.speculative_tokens = whole(query, Field::speculative_tokens);
    options.acceptance_rate = number(query, Field::acceptance_rate);
    options.user_rate = number(query, Field::user_rate);
    return options;
}

/// The engine, when it is known and modelled.
std::optional<Error> set_engine(const Query& query, const Catalog& catalog, EstimateRequest& out) {
    const std::string_view key = query.value(Field::engine);
    out.engine = engine_from_key(key);
    if (find_engine(out.engine) == nullptr) {
        std::string modelled;
        for (const EngineEntry& entry : catalog.engines) {
            if (find_engine(entry.engine) == nullptr)
                continue;
            if (!modelled.empty())
                modelled += ", ";
            modelled += entry.id;
        }
        return Error{"engine-not-modelled", "engine",
                     "the memory of " + std::string(key) + " is not modelled yet; choose one of " +
                         modelled};
    }
    if (query.is_set(Field::engine_version)) {
        // The first choices are llama.cpp's, the others vLLM's.
        constexpr std::size_t llama_cpp_versions = 5;
        const std::size_t version = choice(query, Field::engine_version);
        const bool of_vllm = version >= llama_cpp_versions;
        if (of_vllm != (out.engine == EngineId::vllm)) {
            return Error{"invalid-value", "engine_version",
                         "engine_version: " + std::string(query.value(Field::engine_version)) +
                             " is no version of " + std::string(key)};
        }
        if (of_vllm) {
            out.vllm_version = static_cast<VllmVersion>(version - llama_cpp_versions);
        } else {
            out.llama_cpp_version = static_cast<LlamaCppVersion>(version);
        }
    }
    out.tool_given = query.is_set(Field::tool);
    out.tool = out.tool_given ? static_cast<Tool>(choice(query, Field::tool)) : Tool::server;
    return std::nullopt;
}

/// Model by id, or an inline architecture.
std::optional<Error> set_model(const Query& query, const Catalog& catalog, ResolvedRequest& out) {
    const std::string_view text = query.value(Field::model);
    if (is_inline_model(text)) {
        const auto own = read_inline_model(text, catalog);
        if (!own)
            return own.error();
        out.own_model = *own;
        out.model = &out.own_model->model;
        return std::nullopt;
    }
    out.model = catalog.find_model(text);
    if (out.model != nullptr)
        return std::nullopt;
    return unknown("unknown-model", "model", "model", text, ids_of(catalog.models));
}

/// Parameters as people write them ("9.4B"), else as the tensors count.
double published_or_counted(const Model& model) {
    if (model.rounded_parameters > 0)
        return model.rounded_parameters;
    return static_cast<double>(count_parameters(model.architecture).total());
}

bool loads(const Artifact& artifact, EngineId engine) {
    return std::ranges::find(artifact.engines, key_of(engine)) != artifact.engines.end();
}

/// The recorded files of a quantisation that the engine loads; any real ones; theoretical ones
/// last.
const Artifact* recorded(const Model& model, const QuantizationFormat& format, EngineId engine) {
    const Artifact* best = nullptr;
    int best_rank = 0;
    for (const Artifact& artifact : model.artifacts) {
        if (artifact.quantization != format.id || artifact.theoretical)
            continue;
        const int rank = loads(artifact, engine) ? 2 : 1;
        if (rank > best_rank) {
            best = &artifact;
            best_rank = rank;
        }
    }
    return best;
}

std::optional<Error> set_artifact(const Query& query, const Catalog& catalog,
                                  ResolvedRequest& out) {
    std::string_view text = query.value(Field::artifact);
    const bool recipe_only = ascii::starts_with_ignoring_case(text, "recipe:");
    if (recipe_only)
        text.remove_prefix(7);
    if (!recipe_only)
        out.artifact = find_artifact(*out.model, text);
    out.quantization = catalog.find_quantization(
        out.artifact != nullptr ? std::string_view(out.artifact->quantization) : text);
    if (out.artifact != nullptr && out.own_model != nullptr && out.own_model->quantization)
        out.quantization = &*out.own_model->quantization;
    if (out.quantization == nullptr && out.artifact == nullptr) {
        std::vector<std::string_view> known = ids_of(catalog.quantizations);
        for (const Artifact& artifact : out.model->artifacts)
            known.push_back(artifact.id);
        return unknown("unknown-artifact", "artifact", "artifact or quantisation", text, known);
    }
    const bool nominal = out.request.engine == EngineId::quick;
    if (out.artifact == nullptr && !recipe_only && !nominal) {
        out.artifact = recorded(*out.model, *out.quantization, out.request.engine);
    }
    return std::nullopt;
}

} // namespace

void set_model_and_weights(const Model& model, const Artifact* artifact,
                           const QuantizationFormat* quantization, bool artifact_names_evidence,
                           EstimateRequest& out) {
    out.architecture = &model.architecture;
    out.rounded_parameters = published_or_counted(model);
    Weights weights;
    if (quantization != nullptr) {
        weights.mixture = quantization->mixture;
        weights.nominal_bits_per_weight = quantization->bits_per_weight;
        weights.matrix_bits = quantization->matrix_bits;
        weights.padded_experts = quantization->padded_experts;
        weights.sixteen_bit = quantization->sixteen_bit;
    }
    if (artifact != nullptr && out.engine != EngineId::quick) {
        weights.file_bytes = artifact->bytes;
        if (artifact->bytes_are_tensors)
            weights.tensor_bytes = artifact->bytes;
    }
    out.weights = weights;
    if (artifact_names_evidence) {
        const bool named = artifact != nullptr && !artifact->engines.empty();
        out.evidence_engine = named ? engine_from_key(artifact->engines.front()) : EngineId::count_;
    }
}

Result<ResolvedRequest> resolve(const Query& query, const Catalog& catalog) {
    ResolvedRequest out;
    EstimateRequest& request = out.request;
    request.storage_types = &catalog.storage_types;
    request.constants = &catalog.constants;
    if (auto error = set_engine(query, catalog, request))
        return *error;
    if (auto error = set_model(query, catalog, out))
        return *error;
    if (auto error = set_artifact(query, catalog, out))
        return *error;
    if (query.is_set(Field::evidence_engine)) {
        request.evidence_engine = engine_from_key(query.value(Field::evidence_engine));
    }
    set_model_and_weights(*out.model, out.artifact, out.quantization,
                          !query.is_set(Field::evidence_engine), request);

    Result<std::vector<ChosenDevice>> devices =
        read_hardware(query.value(Field::hardware), catalog);
    if (!devices)
        return devices.error();
    for (ChosenDevice& chosen : *devices) {
        chosen.device.reserved_bytes = from_gib(number(query, Field::reserved_gib));
        request.devices.push_back(std::move(chosen.device));
        out.hardware.push_back(chosen.entry);
    }
    request.host.memory_bytes = from_gib(number(query, Field::host_memory_gib));
    request.host.usable_bytes = static_cast<Bytes>(catalog.constants.host_usable_share *
                                                   static_cast<double>(request.host.memory_bytes));
    request.host.bandwidth_gb_per_s = catalog.constants.host_bandwidth_gb_per_s;
    request.options = read_options(query);
    return out;
}

} // namespace vramscope::catalog
