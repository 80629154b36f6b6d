#include "bindings/catalog_json.h"

#include "catalog/architecture_json.h"
#include "catalog/engines_json.h"
#include "core/engines/engine.h"
#include "core/tensors.h"
#include "report/architecture_text.h"

namespace vramscope::bindings {

using catalog::Artifact;
using catalog::Catalog;
using catalog::EngineEntry;
using catalog::Error;
using catalog::HardwareEntry;
using catalog::Json;
using catalog::Model;
using catalog::QuantizationFormat;
using catalog::Result;

namespace {

const char* name_of(catalog::Evidence evidence) {
    switch (evidence) {
    case catalog::Evidence::verified:
        return "verified";
    case catalog::Evidence::derived:
        return "derived";
    case catalog::Evidence::reported:
        break;
    }
    return "reported";
}

/// "gqa" of "attention.gqa", "dense" of "topology.dense".
std::string last_word(std::string_view key) {
    return std::string(key.substr(key.rfind('.') + 1));
}

Json artifact_json(const Artifact& artifact) {
    Json object = {{"id", artifact.id},
                   {"name", artifact.name},
                   {"format", artifact.format},
                   {"quantization", artifact.quantization},
                   {"publisher", artifact.publisher},
                   {"repo", artifact.repo}};
    Json files = Json::array();
    for (const catalog::WeightFile& file : artifact.files)
        files.push_back(file.name);
    object["files"] = std::move(files);
    object["bytes"] = artifact.bytes;
    object["bytes_are"] = artifact.bytes_are_tensors ? "tensors" : "files";
    object["theoretical"] = artifact.theoretical;
    object["engines"] = artifact.engines;
    object["evidence"] = artifact.evidence;
    object["source"] = artifact.source;
    return object;
}

Json model_summary(const Model& model) {
    return {{"id", model.id},
            {"name", model.name},
            {"provider", model.provider},
            {"family", model.family},
            {"parameters", count_parameters(model.architecture).total()},
            {"native_context", model.architecture.native_context},
            {"license", model.license},
            {"evidence", name_of(model.evidence)}};
}

/// The facts that tables of models print, beside the exact architecture.
void add_architecture_facts(Json& object, const Architecture& architecture) {
    const ParameterCount count = count_parameters(architecture);
    object["parameters"] = count.total();
    object["parameters_text"] = count.text;
    object["parameters_mtp"] = count.mtp;
    object["parameters_towers"] = count.towers;
    object["parameters_active"] = count.active;
    object["layers"] = architecture.n_layer();
    object["hidden_size"] = architecture.n_embd;
    object["vocab_size"] = architecture.n_vocab;
    object["max_position"] = architecture.native_context;
    object["topology"] = last_word(report::topology_key(architecture));
    const auto attention = report::attention_keys(architecture);
    object["attention"] = attention.empty() ? Json(nullptr) : Json(last_word(attention.front()));
    if (const Mixer* mixer = report::global_attention(architecture)) {
        object["query_heads"] = mixer->q_heads;
        object["kv_heads"] = mixer->kv_heads;
        object["head_dim"] = mixer->head_dim_k;
    }
    object["architecture"] = catalog::write_architecture(architecture);
}

Json model_json(const Model& model) {
    Json object = model_summary(model);
    object["hf_repo"] = model.hf_repo;
    object["hf_repo_old"] = model.hf_repo_old;
    object["hf_revision"] = model.hf_revision;
    object["ollama_tag"] = model.ollama_tag;
    object["release"] = model.release;
    object["params_exact"] = model.published_parameters;
    object["params_rounded"] = model.rounded_parameters;
    object["aliases"] = model.aliases;
    add_architecture_facts(object, model.architecture);
    Json differences = Json::array();
    for (const catalog::NamedDifference& difference : model.differences) {
        differences.push_back({{"group", difference.group}, {"parameters", difference.parameters}});
    }
    object["differences"] = std::move(differences);
    object["evidence_note"] = model.evidence_note;
    Json artifacts = Json::array();
    for (const Artifact& artifact : model.artifacts)
        artifacts.push_back(artifact_json(artifact));
    object["artifacts"] = std::move(artifacts);
    object["sources"] = model.sources;
    return object;
}

Json hardware_json(const HardwareEntry& entry) {
    const Device& device = entry.device;
    return {{"id", entry.id},
            {"name", device.name},
            {"vendor", entry.vendor},
            {"class", catalog::key_of(device.hardware_class)},
            {"count", entry.count},
            {"unified", device.unified},
            {"memory_bytes", device.memory_bytes},
            {"memory_gib", to_gib(device.memory_bytes)},
            {"usable_bytes", device.usable_bytes},
            {"bandwidth_gb_per_s", device.bandwidth_gb_per_s},
            {"fp16_tflops", device.fp16_tflops},
            {"link_gb_per_s", device.link_gb_per_s},
            {"release", entry.release},
            {"aliases", entry.aliases},
            {"sources", entry.sources}};
}

Json engine_json(const EngineEntry& entry) {
    return {{"id", entry.id},
            {"name", entry.name},
            {"modelled", find_engine(entry.engine) != nullptr},
            {"source", entry.source}};
}

Json quantization_json(const QuantizationFormat& format) {
    return {{"id", format.id},
            {"name", format.name},
            {"bits_per_weight", format.bits_per_weight},
            {"gguf_mixture", format.mixture != Mixture::count_},
            {"quality", format.quality},
            {"aliases", format.aliases},
            {"source", format.source}};
}

template <typename Entries, typename Write>
Json list_of(const Entries& entries, Write write) {
    Json list = Json::array();
    for (const auto& entry : entries)
        list.push_back(write(entry));
    return list;
}

} // namespace

Result<Json> list_json(const Catalog& catalog, std::string_view kind) {
    if (kind == "models")
        return list_of(catalog.models, model_summary);
    if (kind == "hardware")
        return list_of(catalog.hardware, hardware_json);
    if (kind == "engines")
        return list_of(catalog.engines, engine_json);
    if (kind == "quantizations")
        return list_of(catalog.quantizations, quantization_json);
    if (kind == "artifacts") {
        Json list = Json::array();
        for (const Model& model : catalog.models) {
            for (const Artifact& artifact : model.artifacts) {
                Json object = artifact_json(artifact);
                object["model"] = model.id;
                list.push_back(std::move(object));
            }
        }
        return list;
    }
    return Error{"unknown-kind", "kind",
                 "there is no list \"" + std::string(kind.substr(0, 60)) +
                     "\"; choose models, artifacts, hardware, engines or quantizations"};
}

Result<Json> show_json(const Catalog& catalog, std::string_view id) {
    if (const Model* model = catalog.find_model(id))
        return model_json(*model);
    if (const HardwareEntry* hardware = catalog.find_hardware(id))
        return hardware_json(*hardware);
    if (const EngineEntry* engine = catalog.find_engine(id))
        return engine_json(*engine);
    if (const QuantizationFormat* format = catalog.find_quantization(id)) {
        return quantization_json(*format);
    }
    // "model/artifact" names an artifact.
    const std::size_t slash = id.rfind('/');
    if (slash != std::string_view::npos) {
        const Model* model = catalog.find_model(id.substr(0, slash));
        const Artifact* artifact =
            model != nullptr ? catalog::find_artifact(*model, id.substr(slash + 1)) : nullptr;
        if (artifact != nullptr)
            return artifact_json(*artifact);
    }
    std::vector<std::string_view> ids;
    for (const Model& model : catalog.models)
        ids.push_back(model.id);
    for (const HardwareEntry& hardware : catalog.hardware)
        ids.push_back(hardware.id);
    const std::string_view meant = catalog::closest_name(id, ids);
    std::string message =
        "nothing in the catalog has the id \"" + std::string(id.substr(0, 60)) + "\"";
    message += meant.empty()
                   ? "; `catalog list models` and `catalog list hardware` show what there is"
                   : "; did you mean \"" + std::string(meant) + "\"?";
    return Error{"unknown-id", "id", message};
}

} // namespace vramscope::bindings
