#include "support/oracle_headers.h"

#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <map>
#include <sstream>

#include "catalog/quantization_json.h"
#include "support/files.h"

namespace vramscope::test {
namespace {

std::int64_t number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{})
        FAIL("oracle_headers.txt: not a number: " << text);
    return value;
}

/// "0-3,6-27/3,28"
std::vector<std::int64_t> layers_of(const std::string& text) {
    std::vector<std::int64_t> layers;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t dash = part.find('-');
        const std::size_t slash = part.find('/');
        if (dash == std::string::npos) {
            layers.push_back(number(part));
            continue;
        }
        const std::int64_t step = slash == std::string::npos ? 1 : number(part.substr(slash + 1));
        const std::int64_t last = number(part.substr(dash + 1, slash - dash - 1));
        for (std::int64_t i = number(part.substr(0, dash)); i <= last; i += step)
            layers.push_back(i);
    }
    return layers;
}

/// "8*3 0 8"
std::vector<std::int64_t> values_of(std::stringstream& in) {
    std::vector<std::int64_t> values;
    for (std::string part; in >> part;) {
        const std::size_t star = part.find('*');
        const std::int64_t count = star == std::string::npos ? 1 : number(part.substr(star + 1));
        const std::string value = part.substr(0, star);
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(value.find('.') == std::string::npos ? number(value) : 0);
    }
    return values;
}

} // namespace

std::vector<OracleHeader> read_oracle_headers() {
    std::vector<OracleHeader> headers;
    std::stringstream file(read_file("tests/reference/oracle_headers.txt"));
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model ")) {
            std::stringstream in(line.substr(6));
            in >> headers.emplace_back().model >> headers.back().quantization;
        } else if (!line.starts_with("#") && !headers.empty()) {
            headers.back().lines.push_back(line);
        }
    }
    return headers;
}

void write_oracle_header(const OracleHeader& header, const StorageTypeTable& types,
                         GgufWriter& writer) {
    std::string architecture;
    std::map<std::int64_t, std::vector<std::string>> layers;
    const auto put_tensor = [&](const std::string& name, std::stringstream& in) {
        std::string type;
        in >> type;
        std::vector<std::uint64_t> shape;
        for (std::uint64_t size = 0; in >> size;)
            shape.push_back(size);
        writer.tensor(name, storage_type_from_name(type), shape, types);
    };
    for (const std::string& line : header.lines) {
        std::stringstream in(line);
        std::string sort;
        std::string key;
        in >> sort >> key;
        if (sort == "l") {
            std::string rest;
            std::getline(in, rest);
            for (const std::int64_t layer : layers_of(key))
                layers[layer].push_back(rest);
            continue;
        }
        if (sort == "t") {
            put_tensor(key, in);
            continue;
        }
        if (key.starts_with("."))
            key = architecture + key;
        if (sort == "s") {
            std::string value;
            in >> value;
            if (key == "general.architecture")
                architecture = value;
            writer.text(key, value);
            continue;
        }
        const std::vector<std::int64_t> values = values_of(in);
        if (sort == "u") {
            writer.u32(key, static_cast<std::uint32_t>(values.front()));
        } else if (sort == "i") {
            writer.i32(key, static_cast<std::int32_t>(values.front()));
        } else if (sort == "b") {
            writer.boolean(key, values.front() != 0);
        } else {
            writer.list(key, sort == "U" ? 4U : sort == "I" ? 5U : sort == "F" ? 6U : 7U, values);
        }
    }
    for (const auto& [layer, tensors] : layers) {
        for (const std::string& tensor : tensors) {
            std::stringstream in(tensor);
            std::string name;
            in >> name;
            put_tensor("blk." + std::to_string(layer) + "." + name, in);
        }
    }
}

StorageTypeTable catalog_storage_types() {
    const auto json =
        catalog::parse_json(read_file("catalog/quantization.json"), "quantization.json");
    REQUIRE(json);
    catalog::JsonFaults faults;
    StorageTypeTable types;
    std::vector<catalog::QuantizationFormat> formats;
    REQUIRE(catalog::read_quantization({*json, "quantization.json", faults}, types, formats));
    return types;
}

} // namespace vramscope::test
