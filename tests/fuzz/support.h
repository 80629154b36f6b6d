// What the fuzz targets share: the catalog, read once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catalog/quantization_json.h"
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

/// The block sizes alone, which are there at once.
inline const StorageTypeTable& storage_types() {
    static const StorageTypeTable read = [] {
        std::ifstream stream(VRAMSCOPE_SOURCE_DIR "/catalog/quantization.json", std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(stream), {});
        const auto json = catalog::parse_json(text, "quantization.json");
        catalog::JsonFaults faults;
        StorageTypeTable types;
        std::vector<catalog::QuantizationFormat> formats;
        if (!json ||
            !catalog::read_quantization({*json, "quantization.json", faults}, types, formats))
            std::abort();
        return types;
    }();
    return read;
}

/// The whole catalog; takes seconds with sanitizers, so call it in LLVMFuzzerInitialize.
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
