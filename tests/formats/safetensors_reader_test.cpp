// The format: github.com/huggingface/safetensors, README.md.
#include "formats/safetensors_reader.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace vramscope;
using namespace vramscope::formats;

namespace {

std::string file(const std::string& json) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(std::uint64_t{json.size()} >> 8 * i & 0xFFU);
    return bytes + json;
}

const std::string two_tensors = R"({"__metadata__":{"format":"pt","extra":"x"},)"
                                R"("b":{"dtype":"F8_E4M3","shape":[3,5],"data_offsets":[48,63]},)"
                                R"("a":{"dtype":"BF16","shape":[2,3,4],"data_offsets":[0,48]},)"
                                R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[63,67]}})";

} // namespace

TEST_CASE("A table in the order of the data, dimensions contiguous first") {
    const std::string bytes = file(two_tensors);
    for (const std::size_t step : {std::size_t{1}, std::size_t{5}, bytes.size()}) {
        SafetensorsReader reader("a.safetensors", bytes.size() + 67);
        while (reader.state() == ReadState::wants_bytes) {
            const ByteRequest wanted = reader.wanted();
            const auto offset = static_cast<std::size_t>(wanted.offset);
            REQUIRE(offset < bytes.size());
            reader.feed({reinterpret_cast<const unsigned char*>(bytes.data()) + offset,
                         std::min(step, bytes.size() - offset)});
        }
        REQUIRE(reader.state() == ReadState::done);
        const SafetensorsHeader& header = reader.header();
        CHECK(header.made_by == "pt");
        CHECK(header.data_start == bytes.size());
        CHECK(header.data_end == bytes.size() + 67);
        REQUIRE(header.tensors.size() == 3);
        CHECK(header.tensors[0].name == "a");
        CHECK(header.tensors[0].shape == std::array<std::int64_t, 4>{4, 3, 2, 1});
        CHECK(header.tensors[1].type_name == "F8_E4M3");
        CHECK(header.tensors[1].bytes == 15);
        CHECK(header.tensors[2].elements() == 1);
    }
}

TEST_CASE("An index names shards and bytes") {
    const auto index = read_safetensors_index(
        R"({"metadata":{"total_size":2000000000000},"weight_map":{"x":"m-2.safetensors",)"
        R"("y":"m-1.safetensors","z":"m-2.safetensors"}})",
        "index");
    REQUIRE(index);
    CHECK(index->total_bytes == 2'000'000'000'000);
    CHECK(index->files == std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"});
    REQUIRE(index->tensors.size() == 3);
    CHECK(index->tensors[0].second == 1);
    CHECK(index->tensors[1].second == 0);
}

TEST_CASE("A header of 50,000 tensors needs no document of it") {
    std::string json = "{";
    for (int i = 0; i < 50'000; ++i) {
        json += (i == 0 ? "\"model.layers." : ",\"model.layers.") + std::to_string(i) +
                R"(.weight":{"dtype":"F16","shape":[2],"data_offsets":[)" + std::to_string(4 * i) +
                "," + std::to_string(4 * i + 4) + "]}";
    }
    const std::string bytes = file(json + "}");
    SafetensorsReader reader("a.safetensors");
    REQUIRE(reader.feed({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}) ==
            ReadState::done);
    CHECK(reader.header().tensors.size() == 50'000);
    CHECK(tensor_elements(reader.header().tensors) == 100'000);
}
