// What the fuzz targets share: the catalog's files, read once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catalog/sources.h"
#include "core/storage_type.h"

namespace vramscope::fuzz {

/// The sources of the catalog; ends the program when they are not there.
inline std::vector<catalog::SourceFile> catalog_files() {
    const std::filesystem::path folder = std::filesystem::path(VRAMSCOPE_SOURCE_DIR) / "catalog";
    std::vector<catalog::SourceFile> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string path = std::filesystem::relative(entry.path(), folder).generic_string();
        if (entry.path().extension() != ".json" || path.starts_with("locales/") ||
            path.starts_with("schema/")) {
            continue;
        }
        std::ifstream stream(entry.path(), std::ios::binary);
        files.push_back({path, std::string(std::istreambuf_iterator<char>(stream), {})});
    }
    if (files.empty())
        std::abort();
    return files;
}

inline const catalog::Catalog& catalog() {
    static const catalog::Catalog read = [] {
        auto result = catalog::read_sources(catalog_files());
        if (!result)
            std::abort();
        return std::move(*result);
    }();
    return read;
}

} // namespace vramscope::fuzz
