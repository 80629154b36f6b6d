#include "catalog/quantization_json.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/files.h"

using namespace vramscope;
using namespace vramscope::catalog;

namespace {

struct Read {
    bool sound = false;
    StorageTypeTable types;
    std::vector<QuantizationFormat> formats;
    JsonFaults faults;
};

Read read(const Json& json) {
    Read result;
    const JsonReader reader(json, "quantization.json", result.faults);
    result.sound = read_quantization(reader, result.types, result.formats);
    return result;
}

Json catalog_file() {
    const auto json = parse_json(test::read_file("catalog/quantization.json"), "quantization.json");
    REQUIRE(json);
    return *json;
}

const QuantizationFormat* find(const Read& read, std::string_view id) {
    for (const QuantizationFormat& format : read.formats) {
        if (format.id == id)
            return &format;
    }
    return nullptr;
}

} // namespace

TEST_CASE("The catalog describes every storage type and every mixture") {
    const Read catalog = read(catalog_file());
    REQUIRE(catalog.sound);
    for (std::size_t i = 0; i < storage_type_count; ++i) {
        CHECK(catalog.types.formats[i].block_elements > 0);
    }
    // ggml-common.h
    CHECK(catalog.types.bits_per_element(StorageType::q4_k) == 4.5);
    CHECK(catalog.types.bits_per_element(StorageType::q6_k) == 6.5625);
    CHECK(catalog.types.bits_per_element(StorageType::iq1_s) == 1.5625);
    CHECK(catalog.types.bits_per_element(StorageType::q8_0) == 8.5);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Mixture::count_); ++i) {
        const auto mixture = static_cast<Mixture>(i);
        int formats = 0;
        for (const QuantizationFormat& format : catalog.formats) {
            formats += format.mixture == mixture ? 1 : 0;
        }
        CAPTURE(name(mixture));
        CHECK(formats == 1);
    }
}

TEST_CASE("Nominal widths are those of the reference page") {
    const Read catalog = read(catalog_file());
    REQUIRE(catalog.sound);
    const std::pair<const char*, double> page[] = {
        {"fp16", 16.0},   {"bf16", 16.0},   {"fp8", 8.5}, {"q8_0", 8.5},   {"q6_k", 6.56},
        {"q5_k_m", 5.69}, {"q4_k_m", 4.85}, {"awq", 4.5}, {"iq4_xs", 4.25}};
    for (const auto& [id, bits] : page) {
        CAPTURE(id);
        const QuantizationFormat* format = find(catalog, id);
        REQUIRE(format != nullptr);
        CHECK(format->bits_per_weight == bits);
    }
    CHECK(find(catalog, "awq")->name == "AWQ INT4");
    CHECK(find(catalog, "fp16")->sixteen_bit);
    CHECK_FALSE(find(catalog, "q8_0")->sixteen_bit);
}

TEST_CASE("Names and aliases are unique") {
    const Read catalog = read(catalog_file());
    REQUIRE(catalog.sound);
    std::vector<std::string> all;
    for (const QuantizationFormat& format : catalog.formats) {
        all.push_back(format.id);
        all.insert(all.end(), format.aliases.begin(), format.aliases.end());
    }
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    CHECK((twice == all.end() ? std::string() : *twice) == "");
}

TEST_CASE("Faults of the file are found") {
    const auto broken = [](const char* pointer, const char* value) {
        Json json = catalog_file();
        json[Json::json_pointer(pointer)] = Json::parse(value, nullptr, false);
        return read(json);
    };
    const std::pair<const char*, const char*> cases[] = {
        {"/storage_types/q4_k/block_bytes", "0"},
        {"/storage_types/q4_k/block_elements", "\"256\""},
        {"/storage_types/q4_k/source", "\"nowhere\""},
        {"/storage_types/q9_z", R"({"block_elements": 1, "block_bytes": 1, "source": "ieee"})"},
        {"/storage_types", "{}"},
        {"/formats/0/mixture", "\"Q9_Z\""},
        {"/formats/0/bits_per_weight", "65"},
        {"/formats/0/quality", "\"great\""},
        {"/formats/0/colour", "\"red\""},
        {"/formats/0/id", "7"},
        {"/formats", "{}"},
    };
    for (const auto& [pointer, value] : cases) {
        CAPTURE(pointer);
        const Read result = broken(pointer, value);
        CHECK_FALSE(result.sound);
        REQUIRE_FALSE(result.faults.empty());
        CHECK(result.formats.empty());
    }
}
