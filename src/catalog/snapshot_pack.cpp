// Writing a snapshot; only the command line does that.
#include <map>
#include <utility>

#include "catalog/packed_table.h"
#include "catalog/sha256.h"
#include "catalog/snapshot.h"

namespace vramscope::catalog {
namespace {

/// Takes texts about sources out of a document and keeps them by their path ("driver.cuda").
void strip_sources(Json& value, const std::string& path, Json& kept) {
    if (!value.is_structured())
        return;
    if (value.is_object()) {
        for (const char* key : {"$schema", "about", "note"})
            value.erase(key);
        for (const char* key : {"source", "sources"}) {
            const auto found = value.find(key);
            if (found == value.end())
                continue;
            kept[path] = *found;
            value.erase(found);
        }
    }
    std::size_t index = 0;
    for (auto it = value.begin(); it != value.end(); ++it, ++index) {
        std::string name = value.is_object() ? it.key() : std::to_string(index);
        if (it->is_object() && it->contains("id") && (*it)["id"].is_string()) {
            name = (*it)["id"].get<std::string>();
        }
        strip_sources(*it, path.empty() ? name : path + "." + name, kept);
    }
}

struct PackedModels {
    std::vector<Json> models;
    std::vector<Json> artifacts;
    std::vector<std::string> architectures; ///< compact JSON, each once
    Json sources = Json::object();
};

/// Splits the entries into what the page needs at once and where it comes from. Evidence and
/// rounded size are the computed ones.
PackedModels split_models(const SourceDocuments& documents, const Catalog& catalog) {
    PackedModels packed;
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < documents.models.size(); ++i) {
        Json model = documents.models[i];
        constexpr const char* names[] = {"verified", "derived", "reported"};
        model["evidence"] = names[static_cast<std::size_t>(catalog.models[i].evidence)];
        model["rounded_parameters"] =
            static_cast<std::int64_t>(catalog.models[i].rounded_parameters);

        std::string shape = model["architecture"].dump();
        const auto [place, is_new] = known.emplace(shape, packed.architectures.size());
        if (is_new)
            packed.architectures.push_back(std::move(shape));
        model["architecture"] = place->second;

        Json& sources = packed.sources[model["id"].get<std::string>()];
        if (model.contains("sources"))
            sources["sources"] = std::move(model["sources"]);
        if (model.contains("artifacts")) {
            for (Json& artifact : model["artifacts"]) {
                if (artifact.contains("source")) {
                    sources["artifacts"][artifact["id"].get<std::string>()] =
                        std::move(artifact["source"]);
                }
                artifact["model"] = i;
                packed.artifacts.push_back(std::move(artifact));
            }
        }
        packed.models.push_back(std::move(model));
    }
    return packed;
}

std::string lines_of(const std::vector<std::string>& parts) {
    std::string text = "[";
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i > 0 ? ",\n" : "") + parts[i];
    return text + "]";
}

std::string header(const Catalog& catalog, std::string_view body) {
    const Json version = catalog.version;
    const Json date = catalog.date;
    return "{\"schema\":" + std::to_string(snapshot_schema) + ",\"version\":" + version.dump() +
           ",\"date\":" + date.dump() + ",\"hash\":\"" + sha256(body) + "\",\n";
}

std::string hardware_text(const SourceDocuments& documents) {
    Json hardware = documents.hardware;
    Json ignored;
    strip_sources(hardware, "", ignored);
    const std::vector<Json> devices(hardware["devices"].begin(), hardware["devices"].end());
    hardware.erase("devices");
    std::string text = hardware.dump();
    text.back() = ',';
    return text + "\n\"devices\":" +
           pack_table(devices, {"id", "name", "vendor", "class", "backend", "memory_gib",
                                "bandwidth_gb_per_s", "link", "release", "tflops", "unified",
                                "usable", "devices", "aliases"}) +
           "}";
}

Json hardware_sources(const Catalog& catalog) {
    Json sources = Json::object();
    for (const HardwareEntry& entry : catalog.hardware) {
        // A preset has those of its device.
        if (!entry.sources.empty() && !sources.contains(entry.id))
            sources[entry.id] = entry.sources;
    }
    return sources;
}

} // namespace

Snapshot pack_snapshot(const SourceDocuments& documents, const Catalog& catalog) {
    const PackedModels packed = split_models(documents, catalog);
    Json engines = documents.engines;
    Json constants_sources = Json::object();
    strip_sources(engines, "", constants_sources);
    Json formats = documents.formats;
    for (const char* key : {"$schema", "about"})
        formats.erase(key);

    std::string body = "\"formats\":" + formats.dump();
    body += ",\n\"quantization\":" + documents.quantization.dump();
    body += ",\n\"engines\":" + engines.dump();
    body += ",\n\"hardware\":" + hardware_text(documents);
    body += ",\n\"architectures\":" + lines_of(packed.architectures);
    body += ",\n\"models\":" +
            pack_table(packed.models,
                       {"id", "name", "provider", "family", "hf_repo", "architecture", "license",
                        "release", "evidence", "published_parameters", "rounded_parameters",
                        "published_difference", "ollama_tag", "hf_repo_old", "hf_revision",
                        "license_checked", "aliases", "evidence_note"});
    body += ",\n\"artifacts\":" +
            pack_table(packed.artifacts,
                       {"model", "id", "format", "quantization", "repo", "bytes", "evidence",
                        "files", "publisher", "name", "bytes_are_tensors", "engines"});
    body += "}\n";

    const std::string first_line = header(catalog, body);
    Json sources = Json::object();
    sources["schema"] = snapshot_schema;
    sources["hash"] = sha256(body);
    sources["sources"] = documents.sources["sources"];
    sources["models"] = packed.sources;
    sources["hardware"] = hardware_sources(catalog);
    sources["engines"] = std::move(constants_sources);
    return {first_line + body, sources.dump() + "\n"};
}

} // namespace vramscope::catalog
