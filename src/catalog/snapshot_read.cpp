// Reading a snapshot and its sources.
#include <utility>

#include "catalog/artifact_json.h"
#include "catalog/engines_json.h"
#include "catalog/hardware_json.h"
#include "catalog/model_json.h"
#include "catalog/packed_table.h"
#include "catalog/quantization_json.h"
#include "catalog/snapshot.h"

namespace vramscope::catalog {
namespace {

/// Nothing when this build can read the file.
std::optional<Error> schema_error(const Json& document) {
    const auto schema = document.is_object() ? document.find("schema") : document.end();
    if (!document.is_object() || schema == document.end() || !schema->is_number_integer()) {
        return Error{"not-a-catalog", "catalog.json",
                     "is no catalog: it has no \"schema\" number at its start"};
    }
    if (*schema == snapshot_schema)
        return std::nullopt;
    const bool newer = *schema > snapshot_schema;
    return Error{newer ? "catalog-newer" : "catalog-older", "catalog.json",
                 "has format " + schema->dump() + ", but this build reads format " +
                     std::to_string(snapshot_schema) +
                     (newer
                          ? ": the page or tool is older than its catalog; reload or update it"
                          : ": the catalog is older than the page or tool; rebuild or reload it")};
}

/// The models of the snapshot in the form of a source file.
Json models_document(const JsonReader& root) {
    Json document = Json::object();
    document["models"] = Json::array();
    const auto architectures = root.array("architectures", Need::required);
    const auto models = root.object("models", Need::required);
    const auto artifacts = root.object("artifacts", Need::required);
    if (!architectures || !models || !artifacts)
        return document;
    Json& entries = document["models"];
    for (Json& model : unpack_table(*models)) {
        const Json place = model.value("architecture", Json());
        if (place.is_number_unsigned() && place < architectures->value().size()) {
            model["architecture"] = architectures->value()[place.get<std::size_t>()];
        } else {
            models->fault("an entry's architecture points outside the list", "unknown-reference");
            model.erase("architecture");
        }
        entries.push_back(std::move(model));
    }
    for (Json& artifact : unpack_table(*artifacts)) {
        const Json place = artifact.value("model", Json());
        if (!place.is_number_unsigned() || place >= entries.size()) {
            artifacts->fault("an entry's model points outside the list", "unknown-reference");
            continue;
        }
        artifact.erase("model");
        entries[place.get<std::size_t>()]["artifacts"].push_back(std::move(artifact));
    }
    return document;
}

void read_packed_hardware(const JsonReader& packed, Catalog& catalog) {
    Json document = packed.value();
    const auto devices = packed.object("devices", Need::required);
    document["devices"] = devices ? Json(unpack_table(*devices)) : Json::array();
    read_hardware(JsonReader(document, packed.path(), packed.faults()), catalog);
}

void read_sections(const JsonReader& root, Catalog& catalog) {
    root.no_other_fields({"schema", "version", "date", "hash", "formats", "quantization", "engines",
                          "hardware", "architectures", "models", "artifacts"});
    root.field("version", catalog.version, Need::required);
    root.field("date", catalog.date, Need::required);
    root.field("hash", catalog.hash, Need::required);
    if (const auto formats = root.object("formats", Need::required))
        read_formats(*formats, catalog);
    if (const auto quantization = root.object("quantization", Need::required)) {
        read_quantization(*quantization, catalog.storage_types, catalog.quantizations);
    }
    if (const auto engines = root.object("engines", Need::required))
        read_engines(*engines, catalog);
    if (const auto hardware = root.object("hardware", Need::required)) {
        read_packed_hardware(*hardware, catalog);
    }
    const Json document = models_document(root);
    read_models(JsonReader(document, "catalog.json", root.faults()), catalog);
}

void read_model_sources(const JsonReader& models, Catalog& catalog) {
    for (Model& model : catalog.models) {
        const auto entry = models.object(model.id);
        if (!entry)
            continue;
        entry->field("sources", model.sources);
        const auto artifacts = entry->object("artifacts");
        if (!artifacts)
            continue;
        for (Artifact& artifact : model.artifacts)
            artifacts->field(artifact.id, artifact.source);
    }
}

void read_hardware_sources(const JsonReader& hardware, Catalog& catalog) {
    for (HardwareEntry& entry : catalog.hardware)
        hardware.field(entry.id, entry.sources);
}

} // namespace

Result<Catalog> read_snapshot(std::string_view json) {
    Result<Json> document = parse_json(json, "catalog.json");
    if (!document)
        return document.error();
    if (auto error = schema_error(*document))
        return std::move(*error);
    JsonFaults faults;
    Catalog catalog;
    read_sections(JsonReader(*document, "catalog.json", faults), catalog);
    if (!faults.empty())
        return std::move(faults.errors.front());
    return catalog;
}

Result<bool> read_snapshot_sources(std::string_view json, Catalog& catalog) {
    constexpr std::string_view file = "catalog-sources.json";
    Result<Json> document = parse_json(json, file);
    if (!document)
        return document.error();
    JsonFaults faults;
    const JsonReader root(*document, file, faults);
    std::string hash;
    root.field("hash", hash, Need::required);
    if (faults.empty() && hash != catalog.hash) {
        return Error{"other-catalog", std::string(file),
                     "belongs to another build of catalog.json"};
    }
    if (const auto models = root.object("models", Need::required))
        read_model_sources(*models, catalog);
    if (const auto hardware = root.object("hardware", Need::required)) {
        read_hardware_sources(*hardware, catalog);
    }
    if (const auto engines = root.object("engines", Need::required)) {
        for (EngineEntry& engine : catalog.engines) {
            engines->field("engines." + engine.id, engine.source);
        }
    }
    if (!faults.empty())
        return std::move(faults.errors.front());
    return true;
}

} // namespace vramscope::catalog
