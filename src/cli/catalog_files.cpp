#include "cli/catalog_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace vramscope::cli {

namespace fs = std::filesystem;
using catalog::Error;
using catalog::Result;
using catalog::SourceFile;

namespace {

fs::path program_folder() {
#ifdef __EMSCRIPTEN__
    // The program is Node; the script that starts this one says where its files lie.
    const char* folder = std::getenv("VRAMSCOPE_DATA");
    return folder != nullptr ? fs::path(folder) : fs::path();
#else
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path();
#endif
}

bool is_source_folder(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "models", error) && fs::exists(folder / "engines.json", error);
}

Error missing_catalog(const std::string& looked_for) {
    return {"missing-catalog", "catalog",
            "there is no catalog at " + looked_for +
                "; name a snapshot or a folder of sources with --catalog"};
}

} // namespace

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return std::nullopt;
    std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (stream.bad())
        return std::nullopt;
    return content;
}

bool write_file(const std::string& path, const std::string& content) {
    const std::string neighbour = path + ".new";
    std::error_code error;
    {
        std::ofstream stream(neighbour, std::ios::binary | std::ios::trunc);
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
        stream.flush();
        if (!stream) {
            fs::remove(neighbour, error);
            return false;
        }
    }
    fs::rename(neighbour, path, error);
    return !error;
}

Result<std::vector<SourceFile>> read_source_files(const std::string& folder) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        const std::string top = fs::relative(it->path(), folder).begin()->string();
        if (top == "locales" || top == "schema")
            continue;
        if (it->path().extension() == ".json")
            paths.push_back(it->path());
    }
    if (error || paths.empty())
        return missing_catalog(folder);
    std::sort(paths.begin(), paths.end());
    std::vector<SourceFile> files;
    for (const fs::path& path : paths) {
        std::optional<std::string> content = read_file(path.string());
        if (!content) {
            return Error{"unreadable-file", path.string(), "cannot read " + path.string()};
        }
        files.push_back({fs::relative(path, folder).generic_string(), std::move(*content)});
    }
    return files;
}

Result<std::string> find_source_folder(const std::string& given) {
    if (!given.empty()) {
        if (is_source_folder(given))
            return given;
        return missing_catalog(given);
    }
    std::error_code error;
    for (fs::path here = fs::current_path(error); !error; here = here.parent_path()) {
        if (is_source_folder(here / "catalog"))
            return (here / "catalog").string();
        if (here == here.parent_path())
            break;
    }
    const fs::path built_from = fs::path(VRAMSCOPE_SOURCE_DIR) / "catalog";
    if (is_source_folder(built_from))
        return built_from.string();
    return missing_catalog("catalog/ here or in a folder above");
}

Result<catalog::Catalog> load_catalog(const std::string& given) {
    std::error_code error;
    const std::string beside = (program_folder() / "catalog.json").string();
    const std::string& snapshot = given.empty() ? beside : given;
    if (fs::is_regular_file(snapshot, error)) {
        const std::optional<std::string> text = read_file(snapshot);
        if (!text)
            return missing_catalog(snapshot);
        Result<catalog::Catalog> catalog = catalog::read_snapshot(*text);
        if (!catalog)
            return catalog;
        const fs::path sources = fs::path(snapshot).parent_path() / "catalog-sources.json";
        if (const std::optional<std::string> sources_text = read_file(sources.string())) {
            const Result<bool> filled = catalog::read_snapshot_sources(*sources_text, *catalog);
            if (!filled)
                return filled.error();
        }
        return catalog;
    }
    const Result<std::string> folder = find_source_folder(given);
    if (!folder)
        return folder.error();
    const Result<std::vector<SourceFile>> files = read_source_files(*folder);
    if (!files)
        return files.error();
    return catalog::read_sources(*files);
}

Result<std::string> locale_text(const std::string& name) {
    const std::string path = "locales/" + name + ".json";
    const std::string language = name.substr(name.rfind('/') + 1);
    const bool sound = !language.empty() && language.size() <= 8 &&
                       language.find_first_of(".\\") == std::string::npos &&
                       (name == language || name == "pages/" + language);
    if (sound) {
        std::vector<fs::path> folders = {program_folder()};
        const Result<std::string> sources = find_source_folder({});
        if (sources)
            folders.emplace_back(*sources);
        for (const fs::path& folder : folders) {
            if (auto text = read_file((folder / path).string()))
                return std::move(*text);
        }
    }
    return Error{"unknown-language", "lang",
                 "there is no language \"" + name.substr(0, 40) + "\"; try en, de or ja"};
}

Result<report::Locale> load_locale(const std::string& language) {
    // Only the languages themselves: the pages' texts are no locale of their own.
    const Result<std::string> text =
        locale_text(language.find('/') == std::string::npos ? language : std::string());
    if (!text)
        return text.error();
    return report::Locale::read(*text);
}

} // namespace vramscope::cli
