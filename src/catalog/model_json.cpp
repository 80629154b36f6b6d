#include "catalog/model_json.h"

#include <array>
#include <string>
#include <utility>

#include "catalog/architecture_json.h"
#include "catalog/artifact_json.h"
#include "catalog/text_match.h"

namespace vramscope::catalog {
namespace {

constexpr std::int64_t most_parameters = std::int64_t{1} << 50;

/// What an entry takes over from its base.
constexpr std::array<std::string_view, 5> inherited = {"provider", "family", "license",
                                                       "license_checked", "architecture"};

void merge_base(const Json& base, Json& entry) {
    for (const std::string_view key : inherited) {
        const auto common = base.find(key);
        if (common == base.end())
            continue;
        const auto own = entry.find(key);
        if (own == entry.end()) {
            entry[std::string(key)] = *common;
        } else if (common->is_object() && own->is_object()) {
            Json merged = *common;
            merged.merge_patch(*own);
            *own = std::move(merged);
        }
    }
    entry.erase("base");
}

bool digits_in(std::string_view text, std::size_t first, std::size_t count, int low, int high) {
    int number = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        number = number * 10 + (text[i] - '0');
    }
    return number >= low && number <= high;
}

/// "owner/name" as Hugging Face spells it.
bool is_repo(std::string_view text) {
    const std::size_t slash = text.find('/');
    return slash != std::string_view::npos && slash > 0 && slash + 1 < text.size() &&
           text.find('/', slash + 1) == std::string_view::npos &&
           text.find_first_of(" :?#\\") == std::string_view::npos;
}

void read_repo(const JsonReader& entry, std::string_view key, std::string& out) {
    if (entry.field(key, out) && !is_repo(out)) {
        entry.field_fault(key, "expected \"owner/name\" of a Hugging Face repository, got \"" +
                                   out + "\"");
    }
}

void read_identity(const JsonReader& entry, Model& model) {
    if (entry.field("id", model.id, Need::required) && !is_id(model.id)) {
        entry.field_fault("id", "\"" + model.id +
                                    "\" must be lower-case letters, digits, dots and dashes");
    }
    entry.field("name", model.name, Need::required);
    entry.field("provider", model.provider, Need::required);
    entry.field("family", model.family, Need::required);
    read_repo(entry, "hf_repo", model.hf_repo);
    read_repo(entry, "hf_repo_old", model.hf_repo_old);
    if (entry.field("hf_revision", model.hf_revision) &&
        (model.hf_revision.size() != 40 ||
         model.hf_revision.find_first_not_of("0123456789abcdef") != std::string::npos)) {
        entry.field_fault("hf_revision", "expected a commit of 40 hexadecimal digits, got \"" +
                                             model.hf_revision + "\"");
    }
    entry.field("ollama_tag", model.ollama_tag);
    entry.field("license", model.license, Need::required);
    entry.field("license_checked", model.license_checked);
    if (entry.field("release", model.release) && !is_release_date(model.release)) {
        entry.field_fault("release",
                          "expected a year, \"2025-Q2\", \"2025-04\" or \"2025-04-14\", got \"" +
                              model.release + "\"");
    }
    entry.field("aliases", model.aliases);
    entry.field("sources", model.sources);
}

void read_counts(const JsonReader& entry, Model& model) {
    entry.field("published_parameters", model.published_parameters, 1, most_parameters);
    entry.field("rounded_parameters", model.rounded_parameters, 1e6, 1e14);
    if (const auto list = entry.array("published_difference")) {
        list->for_each_element([&](const JsonReader& element) {
            element.no_other_fields({"group", "parameters"});
            NamedDifference difference;
            element.field("group", difference.group, Need::required);
            element.field("parameters", difference.parameters, -most_parameters, most_parameters,
                          Need::required);
            model.differences.push_back(std::move(difference));
        });
    }
    entry.field("evidence", model.evidence, {"verified", "derived", "reported"});
    entry.field("evidence_note", model.evidence_note);
}

bool read_shape(const JsonReader& entry, Model& model) {
    const auto shape = entry.object("architecture", Need::required);
    return shape && read_architecture(*shape, model.architecture);
}

void read_artifacts(const JsonReader& entry, const Catalog& catalog, Model& model) {
    const auto list = entry.array("artifacts");
    if (!list)
        return;
    list->for_each_element([&](const JsonReader& element) {
        Artifact artifact = read_artifact(element, catalog);
        if (find_artifact(model, artifact.id) != nullptr) {
            element.field_fault("id", "\"" + artifact.id + "\" occurs twice in this model",
                                "duplicate-id");
            return;
        }
        model.artifacts.push_back(std::move(artifact));
    });
}

} // namespace

bool is_release_date(std::string_view text) {
    if (text.size() < 4 || !digits_in(text, 0, 4, 2015, 2035))
        return false;
    if (text.size() == 4)
        return true;
    if (text[4] != '-')
        return false;
    if (text.size() == 7 && text[5] == 'Q')
        return text[6] >= '1' && text[6] <= '4';
    if (text.size() < 7 || !digits_in(text, 5, 2, 1, 12))
        return false;
    if (text.size() == 7)
        return true;
    return text.size() == 10 && text[7] == '-' && digits_in(text, 8, 2, 1, 31);
}

Json without_bases(const JsonReader& file) {
    Json complete = file.value();
    const auto models = complete.is_object() ? complete.find("models") : complete.end();
    if (!complete.is_object() || models == complete.end() || !models->is_array())
        return complete;
    // Entries are read in order, so a base is complete before it is used.
    const JsonReader reader(complete, file.path(), file.faults());
    for (std::size_t i = 0; i < models->size(); ++i) {
        Json& entry = (*models)[i];
        if (!entry.is_object() || !entry.contains("base"))
            continue;
        const Json* base = nullptr;
        for (std::size_t j = 0; j < i; ++j) {
            const Json& earlier = (*models)[j];
            if (!earlier.is_object())
                continue;
            const auto id = earlier.find("id");
            if (id != earlier.end() && *id == entry["base"])
                base = &earlier;
        }
        if (base == nullptr) {
            const Json& id = entry.contains("id") ? entry["id"] : Json();
            file.faults().add(
                "unknown-reference",
                file.path() + ": models[" +
                    (id.is_string() ? id.get<std::string>() : std::to_string(i)) + "].base",
                "no earlier entry of this file has the id " + describe(entry["base"]));
            entry.erase("base");
            continue;
        }
        merge_base(*base, entry);
    }
    return complete;
}

void read_models(const JsonReader& file, Catalog& catalog) {
    file.no_other_fields({"$schema", "about", "models"});
    const auto list = file.array("models", Need::required);
    if (!list)
        return;
    list->for_each_element([&](const JsonReader& entry) {
        if (!entry.is_object()) {
            entry.fault("expected an object, got " + describe(entry.value()), "wrong-type");
            return;
        }
        entry.no_other_fields({"id",
                               "name",
                               "provider",
                               "family",
                               "hf_repo",
                               "hf_repo_old",
                               "hf_revision",
                               "ollama_tag",
                               "license",
                               "license_checked",
                               "release",
                               "aliases",
                               "architecture",
                               "published_parameters",
                               "published_difference",
                               "rounded_parameters",
                               "evidence",
                               "evidence_note",
                               "sources",
                               "artifacts"});
        Model model;
        read_identity(entry, model);
        read_counts(entry, model);
        read_artifacts(entry, catalog, model);
        if (!read_shape(entry, model))
            return;
        catalog.models.push_back(std::move(model));
    });
}

} // namespace vramscope::catalog
