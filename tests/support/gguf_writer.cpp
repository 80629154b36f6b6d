#include "support/gguf_writer.h"

#include <bit>

#include "formats/ggml_types.h"

namespace vramscope::test {

std::string GgufWriter::integer(std::uint64_t value, std::size_t bytes) const {
    std::string out(bytes, '\0');
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::size_t shift = 8 * (big_endian ? bytes - 1 - i : i);
        out[i] = static_cast<char>(value >> shift & 0xFFU);
    }
    return out;
}

std::string GgufWriter::sized(std::string_view text) const {
    return integer(text.size(), 8) + std::string(text);
}

void GgufWriter::raw(std::string_view key, std::uint32_t type, std::string_view bytes) {
    metadata_ += sized(key) + integer(type, 4);
    metadata_ += bytes;
    ++n_metadata_;
}

void GgufWriter::text(std::string_view key, std::string_view value) {
    raw(key, 8, sized(value));
}
void GgufWriter::u32(std::string_view key, std::uint32_t value) {
    raw(key, 4, integer(value, 4));
}
void GgufWriter::i32(std::string_view key, std::int32_t value) {
    raw(key, 5, integer(static_cast<std::uint32_t>(value), 4));
}
void GgufWriter::u64(std::string_view key, std::uint64_t value) {
    raw(key, 10, integer(value, 8));
}
void GgufWriter::f32(std::string_view key, float value) {
    raw(key, 6, integer(std::bit_cast<std::uint32_t>(value), 4));
}
void GgufWriter::boolean(std::string_view key, bool value) {
    raw(key, 7, integer(value ? 1 : 0, 1));
}

void GgufWriter::list(std::string_view key, std::uint32_t type,
                      std::span<const std::int64_t> values) {
    std::string bytes = integer(type, 4) + integer(values.size(), 8);
    for (const std::int64_t value : values)
        bytes += integer(static_cast<std::uint64_t>(value), type == 7 ? 1 : 4);
    raw(key, 9, bytes);
}

void GgufWriter::texts(std::string_view key, std::span<const std::string> values) {
    std::string bytes = integer(8, 4) + integer(values.size(), 8);
    for (const std::string& value : values)
        bytes += sized(value);
    raw(key, 9, bytes);
}

void GgufWriter::raw_tensor(std::string_view name, std::uint32_t dimensions,
                            std::span<const std::uint64_t> shape, std::uint32_t type,
                            std::uint64_t offset) {
    tensors_ += sized(name) + integer(dimensions, 4);
    for (const std::uint64_t size : shape)
        tensors_ += integer(size, 8);
    tensors_ += integer(type, 4) + integer(offset, 8);
    ++n_tensors_;
}

void GgufWriter::tensor(std::string_view name, std::uint32_t type, std::vector<std::uint64_t> shape,
                        std::uint64_t bytes) {
    raw_tensor(name, static_cast<std::uint32_t>(shape.size()), shape, type, data_bytes_);
    data_bytes_ += (bytes + alignment - 1) / alignment * alignment;
}

void GgufWriter::tensor(std::string_view name, StorageType type, std::vector<std::uint64_t> shape,
                        const StorageTypeTable& types) {
    std::uint64_t rows = 1;
    for (std::size_t i = 1; i < shape.size(); ++i)
        rows *= shape[i];
    const auto row =
        static_cast<std::uint64_t>(types.row_bytes(type, static_cast<std::int64_t>(shape.front())));
    tensor(name, formats::ggml_id(type), std::move(shape), row * rows);
}

std::string GgufWriter::header() const {
    std::string out = magic + integer(version, 4) +
                      integer(static_cast<std::uint64_t>(n_tensors_ + extra_tensors), 8) +
                      integer(static_cast<std::uint64_t>(n_metadata_ + extra_metadata), 8) +
                      metadata_ + tensors_;
    out.resize(static_cast<std::size_t>((out.size() + alignment - 1) / alignment * alignment));
    return out;
}

} // namespace vramscope::test
