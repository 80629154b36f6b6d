#include "catalog/source_documents.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "catalog/artifact_json.h"
#include "catalog/engines_json.h"
#include "catalog/hardware_json.h"
#include "catalog/model_json.h"
#include "catalog/quantization_json.h"

namespace vramscope::catalog {
namespace {

bool in_folder(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && path.ends_with(".json") &&
           path.find('/', folder.size()) == std::string_view::npos;
}

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "1.20.3"
bool is_version(std::string_view text) {
    const std::size_t first = text.find('.');
    const std::size_t second = text.find('.', first + 1);
    return first != std::string_view::npos && second != std::string_view::npos &&
           is_digits(text.substr(0, first)) &&
           is_digits(text.substr(first + 1, second - first - 1)) &&
           is_digits(text.substr(second + 1));
}

void read_version(const JsonReader& file, Catalog& catalog) {
    file.no_other_fields({"$schema", "about", "version", "date"});
    if (file.field("version", catalog.version, Need::required) && !is_version(catalog.version)) {
        file.field_fault("version",
                         "expected \"major.minor.patch\", got \"" + catalog.version + "\"");
    }
    if (file.field("date", catalog.date, Need::required) &&
        (catalog.date.size() != 10 || !is_release_date(catalog.date))) {
        file.field_fault("date", "expected \"2026-11-30\", got \"" + catalog.date + "\"");
    }
}

/// Finds the parsed documents by what they are.
class Documents {
public:
    Documents(const std::vector<SourceFile>& files, JsonFaults& faults);

    Json* find(std::string_view path) {
        for (auto& [name, document] : all_) {
            if (name == path)
                return &document;
        }
        return nullptr;
    }
    std::vector<std::pair<std::string, Json>>& all() { return all_; }

private:
    std::vector<std::pair<std::string, Json>> all_;
};

Documents::Documents(const std::vector<SourceFile>& files, JsonFaults& faults) {
    std::vector<const SourceFile*> sorted;
    for (const SourceFile& file : files)
        sorted.push_back(&file);
    std::sort(sorted.begin(), sorted.end(),
              [](const SourceFile* a, const SourceFile* b) { return a->path < b->path; });
    for (const SourceFile* file : sorted) {
        // hubs.json is for programs that read links (formats/hub_links.h).
        if (in_folder(file->path, "schema/") || file->path == "hubs.json" ||
            !file->path.ends_with(".json"))
            continue;
        Result<Json> document = parse_json(file->content, file->path);
        if (!document) {
            faults.errors.push_back(document.error());
            continue;
        }
        all_.emplace_back(file->path, std::move(*document));
    }
}

bool is_known_file(std::string_view path) {
    constexpr std::string_view names[] = {"version.json", "sources.json",  "formats.json",
                                          "engines.json", "hardware.json", "quantization.json",
                                          "pages.json"};
    return std::find(std::begin(names), std::end(names), path) != std::end(names) ||
           in_folder(path, "models/") || in_folder(path, "locales/");
}

void read_model_files(Documents& documents, ReadSources& out, JsonFaults& faults) {
    bool any = false;
    for (auto& [path, document] : documents.all()) {
        if (!in_folder(path, "models/"))
            continue;
        any = true;
        const Json complete = without_bases(JsonReader(document, path, faults));
        read_models(JsonReader(complete, path, faults), out.catalog);
        out.model_files.resize(out.catalog.models.size(), path);
        const auto entries = complete.is_object() ? complete.find("models") : complete.end();
        if (!complete.is_object() || entries == complete.end() || !entries->is_array())
            continue;
        out.documents.models.insert(out.documents.models.end(), entries->begin(), entries->end());
    }
    if (!any)
        faults.add("missing-file", "models/", "there is no model");
}

} // namespace

ReadSources read_all_sources(const std::vector<SourceFile>& files, JsonFaults& faults) {
    ReadSources out;
    Documents documents(files, faults);
    for (const auto& [path, document] : documents.all()) {
        if (is_known_file(path))
            continue;
        faults.add("unknown-file", path,
                   "is no file of a catalog; models belong into models/<family>.json");
    }
    const auto read = [&](const char* path, Json& kept, auto read_document) {
        Json* document = documents.find(path);
        if (document == nullptr) {
            faults.add("missing-file", path, "is missing, or is not valid JSON");
            return;
        }
        const JsonReader reader(*document, path, faults);
        if (!reader.is_object()) {
            reader.fault("expected an object, got " + describe(*document), "wrong-type");
            return;
        }
        read_document(reader);
        kept = *document;
    };
    Catalog& catalog = out.catalog;
    read("version.json", out.documents.version,
         [&](const JsonReader& file) { read_version(file, catalog); });
    read("sources.json", out.documents.sources, [&](const JsonReader& file) {
        file.no_other_fields({"$schema", "about", "sources"});
        const auto table = file.object("sources", Need::required);
        if (!table)
            return;
        table->for_each_member([](const std::string&, const JsonReader& entry) {
            std::string text;
            entry.no_other_fields({"text", "url"});
            entry.field("text", text, Need::required);
            if (entry.field("url", text) && !text.starts_with("https://")) {
                entry.field_fault("url", "expected an address that starts with https://, got \"" +
                                             text + "\"");
            }
        });
    });
    read("formats.json", out.documents.formats,
         [&](const JsonReader& file) { read_formats(file, catalog); });
    read("quantization.json", out.documents.quantization, [&](const JsonReader& file) {
        read_quantization(file, catalog.storage_types, catalog.quantizations);
    });
    read("engines.json", out.documents.engines,
         [&](const JsonReader& file) { read_engines(file, catalog); });
    read("hardware.json", out.documents.hardware,
         [&](const JsonReader& file) { read_hardware(file, catalog); });
    read_model_files(documents, out, faults);
    for (auto& [path, document] : documents.all()) {
        if (in_folder(path, "locales/"))
            out.locales.emplace_back(path, std::move(document));
    }
    return out;
}

} // namespace vramscope::catalog
