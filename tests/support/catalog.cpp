#include "support/catalog.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "support/files.h"

namespace vramscope::test {

namespace fs = std::filesystem;

std::vector<catalog::SourceFile> catalog_sources() {
    const fs::path folder = fs::path(VRAMSCOPE_SOURCE_DIR) / "catalog";
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".json")
            paths.push_back(entry.path().filename().string());
    }
    for (const auto& entry : fs::directory_iterator(folder / "models")) {
        paths.push_back("models/" + entry.path().filename().string());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<catalog::SourceFile> files;
    for (const std::string& path : paths)
        files.push_back({path, read_file("catalog/" + path)});
    return files;
}

const catalog::Catalog& shared_catalog() {
    static const catalog::Catalog catalog = [] {
        const auto snapshot = catalog::build_snapshot(catalog_sources());
        if (!snapshot)
            FAIL(snapshot.error().message);
        auto read = catalog::read_snapshot(snapshot->catalog);
        if (!read)
            FAIL(read.error().message);
        return std::move(*read);
    }();
    return catalog;
}

bindings::Session session() {
    bindings::Session made;
    made.take(shared_catalog());
    return made;
}

} // namespace vramscope::test
