#include "catalog/source_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/model_check.h"
#include "core/ascii.h"

namespace vramscope::catalog {
namespace {

/// "12,345"
std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number < 0 ? -number : number);
    for (std::size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, 1, ',');
    return number < 0 ? "-" + text : text;
}

/// Where a fault of a model is: "models/glm.json: models[glm-4-9b-0414].bytes".
class Place {
public:
    Place(const std::string& file, const std::string& id) : text_(file + ": models[" + id + "]") {}
    std::string field(std::string_view name) const { return text_ + "." + std::string(name); }
    std::string artifact(const Artifact& artifact, std::string_view name) const {
        return text_ + ".artifacts[" + artifact.id + "]." + std::string(name);
    }

private:
    std::string text_;
};

/// Names that must lead to one entry only, with the entry each belongs to.
class NameRegister {
public:
    explicit NameRegister(JsonFaults& faults) : faults_(faults) {}

    void claim(const std::string& name, const std::string& owner, const std::string& place,
               std::string_view what) {
        if (name.empty())
            return;
        const auto [known, is_new] = owners_.emplace(ascii::lowered(name), owner);
        if (is_new)
            return;
        const bool itself = known->second == owner;
        faults_.add("duplicate-name", place,
                    std::string(what) + " \"" + name + "\" " +
                        (itself ? "is given twice" : "already leads to \"" + known->second + "\""));
    }

private:
    JsonFaults& faults_;
    std::map<std::string, std::string> owners_;
};

/// Ids, aliases and repositories find a model, so each may belong to one model only.
void check_model_names(const ReadSources& sources, JsonFaults& faults) {
    NameRegister ids(faults);
    NameRegister repos(faults);
    NameRegister names(faults);
    const auto& models = sources.catalog.models;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Place place(sources.model_files[i], models[i].id);
        ids.claim(models[i].id, models[i].id, place.field("id"), "id");
        names.claim(models[i].name, models[i].id, place.field("name"), "name");
        repos.claim(models[i].hf_repo, models[i].id, place.field("hf_repo"), "repository");
        repos.claim(models[i].hf_repo_old, models[i].id, place.field("hf_repo_old"), "repository");
    }
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Place place(sources.model_files[i], models[i].id);
        for (const std::string& alias : models[i].aliases) {
            ids.claim(alias, models[i].id, place.field("aliases"), "alias");
        }
    }
}

/// A source is a key of sources.json, with a detail behind '#' or not, a web address, or a note.
class SourceRule {
public:
    SourceRule(const ReadSources& sources, JsonFaults& faults) : faults_(faults) {
        const Json& document = sources.documents.sources;
        if (document.is_object() && document.contains("sources"))
            table_ = &document["sources"];
    }

    void check(const std::string& source, const std::string& place) const {
        if (source.starts_with("https://") || source.starts_with("note: "))
            return;
        const std::string key = source.substr(0, source.find('#'));
        if (table_ != nullptr && table_->is_object() && table_->contains(key))
            return;
        faults_.add("unknown-source", place,
                    "\"" + source +
                        "\" is neither a key of sources.json nor a web address nor \"note: …\"");
    }
    void check_all(const std::vector<std::string>& sources, const std::string& place) const {
        if (sources.empty()) {
            faults_.add("missing-field", place, "is missing: every entry says where it is from");
        }
        for (const std::string& source : sources)
            check(source, place);
    }

private:
    const Json* table_ = nullptr;
    JsonFaults& faults_;
};

void check_artifact_references(const Artifact& artifact, const Place& place, const Catalog& catalog,
                               JsonFaults& faults) {
    if (!artifact.quantization.empty() &&
        catalog.find_quantization(artifact.quantization) == nullptr) {
        faults.add("unknown-reference", place.artifact(artifact, "quantization"),
                   "\"" + artifact.quantization + "\" is not in quantization.json");
    }
    for (const std::string& engine : artifact.engines) {
        if (engine == "unspecified" || catalog.find_engine(engine) != nullptr)
            continue;
        faults.add("unknown-reference", place.artifact(artifact, "engines"),
                   "\"" + engine + "\" is not in engines.json");
    }
    // Only what somebody states, such as the size of a download, has neither.
    const bool stated = artifact.theoretical || artifact.evidence == "reported";
    if (!stated && artifact.repo.empty() && artifact.files.empty()) {
        faults.add("missing-field", place.artifact(artifact, "repo"),
                   "is missing: name the repository or the files");
    }
}

/// Bytes that no file of that quantisation can have are a slip of units or of the model.
void check_artifact_bytes(const Artifact& artifact, const Place& place, std::int64_t parameters,
                          const Catalog& catalog, JsonFaults& faults) {
    const QuantizationFormat* format = catalog.find_quantization(artifact.quantization);
    if (format == nullptr || parameters <= 0 || artifact.bytes <= 0)
        return;
    const double bits = 8.0 * static_cast<double>(artifact.bytes) / static_cast<double>(parameters);
    // Small models keep a large embedding at more bits, and 4-bit checkpoints some layers.
    if (bits > 0.7 * format->bits_per_weight && bits < 2.2 * format->bits_per_weight)
        return;
    std::string rounded = std::to_string(bits);
    rounded.resize(rounded.find('.') + 3);
    faults.add("implausible", place.artifact(artifact, "bytes"),
               grouped(artifact.bytes) + " bytes are " + rounded + " bits for each of the " +
                   grouped(parameters) + " parameters; " + format->name + " usually has " +
                   Json(format->bits_per_weight).dump());
}

/// A model without a count of its own may have the shape of one whose count is proven.
bool has_verified_relative(const Model& model, const Catalog& catalog) {
    for (const Model& other : catalog.models) {
        if (other.published_parameters > 0 && same_shape(model.architecture, other.architecture) &&
            check_count(other).evidence == Evidence::verified) {
            return true;
        }
    }
    return false;
}

/// The published count against the tensors; sets the evidence.
void check_parameters(Model& model, const Json& entry, const Place& place, const Catalog& catalog,
                      JsonFaults& faults) {
    CountCheck check = check_count(model);
    if (check.evidence == Evidence::reported && model.published_parameters == 0 &&
        has_verified_relative(model, catalog)) {
        check.evidence = Evidence::derived;
    }
    const Evidence said = model.evidence;
    const bool is_said = entry.is_object() && entry.contains("evidence");
    model.evidence = check.evidence;
    for (const NamedDifference& difference : model.differences) {
        if (is_difference_group(difference.group))
            continue;
        faults.add("invalid-value", place.field("published_difference"),
                   "there is no group \"" + difference.group + "\"; README.md lists them");
    }
    if (is_said && said < check.evidence) {
        faults.add("unproven", place.field("evidence"),
                   "says more than the figures: the tensors have " + grouped(check.computed) +
                       " parameters, " + grouped(check.named) +
                       " more are named, the published count is " +
                       grouped(model.published_parameters));
        return;
    }
    if (is_said) {
        model.evidence = said;
        if (said == Evidence::reported && model.evidence_note.empty()) {
            faults.add("missing-field", place.field("evidence_note"),
                       "is missing: say what is not known about this entry");
        }
        return;
    }
    if (check.evidence == Evidence::reported) {
        const bool published = model.published_parameters > 0;
        faults.add(
            "count-differs", place.field(published ? "published_parameters" : "architecture"),
            published
                ? "the published count is " + grouped(model.published_parameters) +
                      ", but the tensors of this architecture have " + grouped(check.computed) +
                      " and " + grouped(check.named) +
                      " more are named: " + grouped(check.unexplained) +
                      " are unexplained. Correct the shape, name the tensors in "
                      "published_difference, or say \"evidence\": \"reported\" and why"
                : "nothing shows that this shape is right: give published_parameters or "
                  "rounded_parameters near " +
                      grouped(check.computed) + ", or say \"evidence\": \"reported\" and why");
    }
}

/// A count to three digits, where neither name nor card gives a size: 30,532,122,624 is 30.5e9.
double rounded_size(std::int64_t parameters) {
    std::int64_t step = 1;
    while (parameters / step >= 1000)
        step *= 10;
    return static_cast<double>((parameters + step / 2) / step * step);
}

/// Recurrent models have no context to run out of, and their publishers name none.
bool has_attention(const Architecture& architecture) {
    return std::any_of(architecture.mixers.begin(), architecture.mixers.end(),
                       [](const Mixer& mixer) { return attends(mixer.kind); });
}

void check_models(ReadSources& sources, JsonFaults& faults) {
    const SourceRule rule(sources, faults);
    std::map<std::string, const Json*> entries;
    for (const Json& entry : sources.documents.models) {
        if (entry.is_object() && entry.contains("id") && entry["id"].is_string()) {
            entries.emplace(entry["id"].get<std::string>(), &entry);
        }
    }
    for (std::size_t i = 0; i < sources.catalog.models.size(); ++i) {
        Model& model = sources.catalog.models[i];
        const Place place(sources.model_files[i], model.id);
        const auto entry = entries.find(model.id);
        check_parameters(model, entry == entries.end() ? Json() : *entry->second, place,
                         sources.catalog, faults);
        rule.check_all(model.sources, place.field("sources"));
        if (model.architecture.native_context <= 0 && has_attention(model.architecture)) {
            faults.add("missing-field", place.field("architecture.native_context"),
                       "is missing: how many tokens the model was trained on");
        }
        const std::int64_t parameters = check_count(model).computed;
        if (model.rounded_parameters <= 0)
            model.rounded_parameters = rounded_size(parameters);
        for (const Artifact& artifact : model.artifacts) {
            check_artifact_references(artifact, place, sources.catalog, faults);
            check_artifact_bytes(artifact, place, parameters, sources.catalog, faults);
            if (artifact.source.empty()) {
                faults.add("missing-field", place.artifact(artifact, "source"), "is missing");
            } else {
                rule.check(artifact.source, place.artifact(artifact, "source"));
            }
        }
    }
}

void check_hardware(const ReadSources& sources, JsonFaults& faults) {
    const SourceRule rule(sources, faults);
    for (const HardwareEntry& entry : sources.catalog.hardware) {
        rule.check_all(entry.sources, "hardware.json: " + entry.id + ".sources");
    }
    for (const FileFormat& format : sources.catalog.formats) {
        for (const std::string& engine : format.engines) {
            if (engine == "unspecified" || sources.catalog.find_engine(engine) != nullptr)
                continue;
            faults.add("unknown-reference", "formats.json: formats[" + format.id + "].engines",
                       "\"" + engine + "\" is not in engines.json");
        }
    }
}

/// The placeholders of a text: "{0}" and kin, sorted.
std::vector<std::string> placeholders(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t open = text.find('{'); open != std::string::npos;
         open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close != std::string::npos)
            found.push_back(text.substr(open, close - open + 1));
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Every language has the texts that English has, with the same placeholders.
void check_locales(const ReadSources& sources, JsonFaults& faults) {
    if (sources.locales.empty())
        return; // the caller asks about data only
    const Json* english = nullptr;
    for (const auto& [path, texts] : sources.locales) {
        if (path == "locales/en.json")
            english = &texts;
    }
    if (english == nullptr) {
        faults.add("missing-file", "locales/en.json",
                   "is missing: other languages are checked against it");
        return;
    }
    for (const auto& [path, texts] : sources.locales) {
        if (!texts.is_object()) {
            faults.add("wrong-type", path, "expected an object of texts, got " + describe(texts));
            continue;
        }
        for (auto it = texts.begin(); it != texts.end(); ++it) {
            if (!it->is_string()) {
                faults.add("wrong-type", path + ": " + it.key(),
                           "expected a text, got " + describe(*it));
            } else if (english->is_object() && !english->contains(it.key())) {
                faults.add("unknown-field", path + ": " + it.key(),
                           "is not a key of locales/en.json");
            }
        }
        if (!english->is_object())
            continue;
        for (auto it = english->begin(); it != english->end(); ++it) {
            const auto translated = texts.find(it.key());
            if (translated == texts.end()) {
                faults.add("missing-field", path + ": " + it.key(),
                           "is missing; the English text is " + describe(*it));
            } else if (it->is_string() && translated->is_string() &&
                       placeholders(*it) != placeholders(*translated)) {
                faults.add("invalid-value", path + ": " + it.key(),
                           "has other placeholders than the English text " + describe(*it));
            }
        }
    }
}

} // namespace

void check_all(ReadSources& sources, JsonFaults& faults) {
    check_model_names(sources, faults);
    check_models(sources, faults);
    check_hardware(sources, faults);
    check_locales(sources, faults);
}

} // namespace vramscope::catalog
