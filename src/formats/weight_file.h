// What a weight file holds, whatever its format: its tensors, and nothing of their numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/storage_type.h"
#include "core/units.h"

namespace vramscope::formats {

/// One tensor of a weight file. Dimensions are in the core's order: [0] is the contiguous one
/// (safetensors lists them the other way round).
struct FileTensor {
    std::string name;
    std::string_view type_name; ///< as the format spells it ("Q4_K", "F8_E4M3"); static storage
    StorageType type = StorageType::count_; ///< count_: a type only the format knows
    std::uint8_t dimensions = 1;
    std::array<std::int64_t, 4> shape{1, 1, 1, 1};
    std::uint64_t offset = 0; ///< from the start of the data
    Bytes bytes = 0;

    std::int64_t elements() const { return mul(mul(shape[0], shape[1]), mul(shape[2], shape[3])); }
};

/// Sum over tensors, saturating as all of the core's sums do.
Bytes tensor_bytes(const std::vector<FileTensor>& tensors);
std::int64_t tensor_elements(const std::vector<FileTensor>& tensors);

/// What a reader wants next: at least `bytes` from `offset` on. More is welcome; what lies between
/// the end of the last bytes and `offset` is not needed.
struct ByteRequest {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
};

enum class ReadState : std::uint8_t { wants_bytes, done, failed };

/// The size of a file when it is not known (a stream).
inline constexpr std::uint64_t unknown_size = ~std::uint64_t{0};

/// Text out of a file, fit for a message: printable, at most `most` bytes.
std::string shown(std::string_view text, std::size_t most = 64);

} // namespace vramscope::formats
