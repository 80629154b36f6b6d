#include "catalog/quantization_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace vramscope::catalog {
namespace {

constexpr std::array<std::string_view, 5> qualities = {"lossless", "near-lossless", "good", "fair",
                                                       "poor"};

/// A source is given as a key of `sources`, since many entries share one.
void read_source(const JsonReader& entry, const std::optional<JsonReader>& sources,
                 std::string& source) {
    std::string key;
    if (!entry.field("source", key, Need::required))
        return;
    if (!sources || !sources->has(key)) {
        entry.field_fault("source", "\"" + key + "\" is not a key of sources");
        return;
    }
    sources->field(key, source);
}

void read_storage_types(const JsonReader& list, const std::optional<JsonReader>& sources,
                        StorageTypeTable& types) {
    constexpr std::int32_t largest_block = 65536;
    list.for_each_member([&](const std::string& key, const JsonReader& entry) {
        const StorageType type = storage_type_from_name(key);
        if (type == StorageType::count_) {
            entry.fault("is not a storage type that the core knows", "unknown-field");
            return;
        }
        BlockFormat format;
        std::string source;
        entry.field("block_elements", format.block_elements, 1, largest_block, Need::required);
        entry.field("block_bytes", format.block_bytes, 1, largest_block, Need::required);
        read_source(entry, sources, source);
        entry.no_other_fields({"block_elements", "block_bytes", "source"});
        types.formats[static_cast<std::size_t>(type)] = format;
    });
    for (std::size_t i = 0; i < storage_type_count; ++i) {
        if (types.formats[i].block_elements == 0) {
            list.field_fault(name(static_cast<StorageType>(i)), "is missing", "missing-field");
        }
    }
}

void read_format(const JsonReader& entry, const std::optional<JsonReader>& sources,
                 std::vector<QuantizationFormat>& formats) {
    QuantizationFormat& format = formats.emplace_back();
    entry.field("id", format.id, Need::required);
    entry.field("name", format.name, Need::required);
    entry.field("aliases", format.aliases);
    std::string mixture;
    if (entry.field("mixture", mixture)) {
        format.mixture = mixture_from_name(mixture);
        if (format.mixture == Mixture::count_) {
            entry.field_fault("mixture", "\"" + mixture + "\" is not a llama-quantize file type");
        }
    }
    entry.field("bits_per_weight", format.bits_per_weight, 0.5, 64.0, Need::required);
    format.matrix_bits = format.bits_per_weight;
    entry.field("matrix_bits", format.matrix_bits, 0.5, 64.0);
    entry.field("padded_experts", format.padded_experts);
    entry.field("sixteen_bit", format.sixteen_bit);
    if (entry.field("quality", format.quality, Need::required) &&
        std::find(qualities.begin(), qualities.end(), format.quality) == qualities.end()) {
        entry.field_fault("quality",
                          "expected lossless, near-lossless, good, fair or poor, got \"" +
                              format.quality + "\"");
    }
    read_source(entry, sources, format.source);
    entry.no_other_fields({"id", "name", "aliases", "mixture", "bits_per_weight", "matrix_bits",
                           "padded_experts", "sixteen_bit", "quality", "source"});
}

} // namespace

bool read_quantization(const JsonReader& reader, StorageTypeTable& types,
                       std::vector<QuantizationFormat>& formats) {
    const std::size_t faults_before = reader.faults().errors.size();
    StorageTypeTable read_types;
    std::vector<QuantizationFormat> read_formats;
    const auto sources = reader.object("sources", Need::required);
    if (const auto list = reader.object("storage_types", Need::required)) {
        read_storage_types(*list, sources, read_types);
    }
    if (const auto list = reader.array("formats", Need::required)) {
        list->for_each_element(
            [&](const JsonReader& entry) { read_format(entry, sources, read_formats); });
    }
    reader.no_other_fields({"sources", "storage_types", "formats"});
    if (reader.faults().errors.size() != faults_before)
        return false;
    types = read_types;
    formats = std::move(read_formats);
    return true;
}

} // namespace vramscope::catalog
