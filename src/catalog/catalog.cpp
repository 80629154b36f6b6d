#include "catalog/catalog.h"

#include "core/ascii.h"

namespace vramscope::catalog {
namespace {

/// The entry whose id, else one of whose other names, is that text.
template <typename Entry, typename OtherNames>
const Entry* find(const std::vector<Entry>& entries, std::string_view text, OtherNames has_name) {
    if (text.empty())
        return nullptr;
    for (const Entry& entry : entries) {
        if (ascii::equal_ignoring_case(entry.id, text))
            return &entry;
    }
    for (const Entry& entry : entries) {
        if (has_name(entry))
            return &entry;
    }
    return nullptr;
}

bool contains(const std::vector<std::string>& names, std::string_view text) {
    for (const std::string& name : names) {
        if (ascii::equal_ignoring_case(name, text))
            return true;
    }
    return false;
}

} // namespace

const Model* Catalog::find_model(std::string_view id) const {
    return find(models, id, [id](const Model& model) {
        return contains(model.aliases, id) || ascii::equal_ignoring_case(model.hf_repo, id) ||
               ascii::equal_ignoring_case(model.hf_repo_old, id) ||
               ascii::equal_ignoring_case(model.ollama_tag, id) ||
               ascii::equal_ignoring_case(model.name, id);
    });
}

const HardwareEntry* Catalog::find_hardware(std::string_view id) const {
    return find(hardware, id, [id](const HardwareEntry& entry) {
        return contains(entry.aliases, id) || ascii::equal_ignoring_case(entry.device.name, id);
    });
}

const EngineEntry* Catalog::find_engine(std::string_view id) const {
    return find(engines, id, [id](const EngineEntry& entry) {
        return ascii::equal_ignoring_case(entry.name, id);
    });
}

const QuantizationFormat* Catalog::find_quantization(std::string_view id) const {
    return find(quantizations, id, [id](const QuantizationFormat& format) {
        return contains(format.aliases, id) || ascii::equal_ignoring_case(format.name, id);
    });
}

const FileFormat* Catalog::find_format(std::string_view id) const {
    return find(formats, id, [id](const FileFormat& format) {
        return ascii::equal_ignoring_case(format.name, id);
    });
}

const Artifact* find_artifact(const Model& model, std::string_view id) {
    return find(model.artifacts, id, [id](const Artifact& artifact) {
        return ascii::equal_ignoring_case(artifact.name, id);
    });
}

} // namespace vramscope::catalog
