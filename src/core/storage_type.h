// Storage types: how many bytes a row of numbers takes in a file, in memory and in a cache.
//
// A type packs `block_elements` consecutive elements of one row into `block_bytes`. The enum names
// what the rules of recipe.cpp and cache.cpp talk about; the sizes themselves are data
// (catalog/quantization.json, from ggml.h / ggml-common.h) and reach the core as a
// StorageTypeTable.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/units.h"

namespace vramscope {

enum class StorageType : std::uint8_t {
    f32,
    f16,
    bf16,
    f8_e4m3,
    q8_0,
    q8_1,
    q4_0,
    q4_1,
    q5_0,
    q5_1,
    q2_k,
    q3_k,
    q4_k,
    q5_k,
    q6_k,
    q8_k,
    iq1_s,
    iq1_m,
    iq2_xxs,
    iq2_xs,
    iq2_s,
    iq3_xxs,
    iq3_s,
    iq4_nl,
    iq4_xs,
    tq1_0,
    tq2_0,
    mxfp4,
    nvfp4,
    q1_0,
    q2_0,
    i8,
    i16,
    i32,
    i64,
    f64,
    count_
};
inline constexpr std::size_t storage_type_count = static_cast<std::size_t>(StorageType::count_);

struct BlockFormat {
    std::int32_t block_elements = 0; ///< 0: the catalog does not describe this type
    std::int32_t block_bytes = 0;

    friend bool operator==(const BlockFormat&, const BlockFormat&) = default;
};

/// Lower-case name as ggml prints it ("q4_k", "f16"); the catalog and requests use the same names.
std::string_view name(StorageType type);
/// The type of that name (any case), or count_ when there is none.
StorageType storage_type_from_name(std::string_view text);

/// Sizes of all storage types, filled from the catalog.
struct StorageTypeTable {
    std::array<BlockFormat, storage_type_count> formats{};

    const BlockFormat& operator[](StorageType type) const {
        return formats[static_cast<std::size_t>(type)];
    }
    /// Bytes of one row of `elements`; rows are whole blocks, the last one padded.
    Bytes row_bytes(StorageType type, std::int64_t elements) const {
        const BlockFormat& format = (*this)[type];
        return format.block_elements == 0
                   ? 0
                   : mul(ceil_div(elements, format.block_elements), format.block_bytes);
    }
    /// Bits per element inside a whole block.
    double bits_per_element(StorageType type) const {
        const BlockFormat& format = (*this)[type];
        return format.block_elements == 0 ? 0.0 : 8.0 * format.block_bytes / format.block_elements;
    }
    friend bool operator==(const StorageTypeTable&, const StorageTypeTable&) = default;
};

} // namespace vramscope
