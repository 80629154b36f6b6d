// Writes the header of a GGUF file, sound or not, for tests of the reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/storage_type.h"

namespace vramscope::test {

class GgufWriter {
public:
    std::uint32_t version = 3;
    bool big_endian = false;
    std::string magic = "GGUF";
    std::uint64_t alignment = 32;
    /// Added to the true counts in the header.
    std::int64_t extra_tensors = 0;
    std::int64_t extra_metadata = 0;

    void text(std::string_view key, std::string_view value);
    void u32(std::string_view key, std::uint32_t value);
    void i32(std::string_view key, std::int32_t value);
    void u64(std::string_view key, std::uint64_t value);
    void f32(std::string_view key, float value);
    void boolean(std::string_view key, bool value);
    /// A list of numbers with elements of GGUF type 4 (u32), 5 (i32), 6 (f32) or 7 (bool).
    void list(std::string_view key, std::uint32_t type, std::span<const std::int64_t> values);
    void texts(std::string_view key, std::span<const std::string> values);
    /// A key, and whatever follows it.
    void raw(std::string_view key, std::uint32_t type, std::string_view bytes);

    void tensor(std::string_view name, std::uint32_t type, std::vector<std::uint64_t> shape,
                std::uint64_t bytes);
    void tensor(std::string_view name, StorageType type, std::vector<std::uint64_t> shape,
                const StorageTypeTable& types);
    /// A table entry as given, with the given offset.
    void raw_tensor(std::string_view name, std::uint32_t dimensions,
                    std::span<const std::uint64_t> shape, std::uint32_t type, std::uint64_t offset);

    /// The header, padded to the start of the data.
    std::string header() const;
    /// Size of the whole file.
    std::uint64_t file_bytes() const { return header().size() + data_bytes_; }

    /// An integer in the file's byte order.
    std::string integer(std::uint64_t value, std::size_t bytes) const;
    std::string sized(std::string_view text) const;

private:
    std::string metadata_;
    std::string tensors_;
    std::int64_t n_metadata_ = 0;
    std::int64_t n_tensors_ = 0;
    std::uint64_t data_bytes_ = 0;
};

} // namespace vramscope::test
