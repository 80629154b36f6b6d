// GGUF: the header of a weight file of llama.cpp, read piece by piece.
//
// A GgufReader is fed bytes in order and says where it goes on; what it does not need
// (vocabularies, chat templates, merges) is walked over or jumped, never stored. It holds the
// metadata that says something about shapes, the tensor table, and the tail of the last piece when
// an item was cut. Any bytes give a header or an error; counts and lengths that lie cannot make it
// allocate.
//
// Versions 2 and 3, little and big endian. Source of the format and of the checks: llama.cpp
// ggml/src/gguf.cpp (b9793).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/result.h"
#include "formats/weight_file.h"

namespace vramscope::formats {

enum class GgufType : std::uint8_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    string,
    array,
    u64,
    i64,
    f64,
    count_
};

/// One metadata entry. Of a list longer than `GgufLimits::kept_elements`, or of strings, only the
/// count is kept; of a long string nothing.
struct Metadata {
    std::string key;
    GgufType type = GgufType::u8; ///< of the elements when `is_list`
    bool is_list = false;
    std::uint64_t count = 1;
    std::int64_t integer = 0; ///< integers and booleans
    double real = 0;          ///< floating-point numbers
    std::string text;
    std::vector<std::int64_t> integers; ///< lists of integers and booleans
};

/// What keeps a header that lies harmless.
struct GgufLimits {
    static constexpr std::uint64_t metadata = 4096;
    static constexpr std::uint64_t tensors = 131072;
    static constexpr std::uint64_t key_bytes = 1024;
    static constexpr std::uint64_t name_bytes = 63; ///< llama.cpp's GGML_MAX_NAME less the end mark
    static constexpr std::uint64_t kept_text = 1024;
    static constexpr std::uint64_t kept_elements = 4096;
    static constexpr std::uint64_t list_elements = std::uint64_t{1} << 24;
    static constexpr std::uint64_t header_bytes = std::uint64_t{256} << 20;
};

struct GgufHeader {
    std::uint32_t version = 0;
    bool big_endian = false;
    std::uint64_t data_start = 0; ///< offset of the first tensor's data in the file
    std::uint64_t alignment = 32;
    std::vector<Metadata> metadata;  ///< sorted by key
    std::vector<FileTensor> tensors; ///< in file order
    std::uint64_t data_end = 0;      ///< where a complete file ends at the earliest

    const Metadata* find(std::string_view key) const;
    /// The integer of that key, or `fallback` when there is none.
    std::int64_t integer(std::string_view key, std::int64_t fallback = 0) const;
    std::string_view text(std::string_view key) const;
    /// The key with the architecture in front: "llama.block_count".
    const Metadata* own(std::string_view key) const;
    std::string_view architecture() const { return text("general.architecture"); }
};

class GgufReader {
public:
    /// `types` gives the block sizes; it must outlive the reader. `name` goes in front of messages.
    GgufReader(const StorageTypeTable& types, std::string name,
               std::uint64_t file_bytes = unknown_size);

    ReadState state() const { return state_; }
    ByteRequest wanted() const;
    /// Takes the bytes that start at wanted().offset.
    ReadState feed(std::span<const unsigned char> bytes);
    /// There are no more bytes: done, or an error that says in what the file breaks off.
    ReadState finish();

    const GgufHeader& header() const { return header_; }
    GgufHeader take_header() { return std::move(header_); }
    const catalog::Error& error() const { return error_; }

private:
    class Cursor;
    enum class Part : std::uint8_t { preamble, metadata, list_numbers, list_strings, tensors, end };

    bool next_item(Cursor& in);
    bool read_preamble(Cursor& in);
    bool read_metadata(Cursor& in);
    bool read_list(Cursor& in, Metadata& entry);
    bool read_number(Cursor& in, Metadata& entry);
    bool read_list_number(Cursor& in);
    bool read_list_string(Cursor& in);
    bool read_tensor(Cursor& in);
    bool read_tensor_type(Cursor& in, FileTensor& tensor);
    void keep(Metadata entry);
    void end_metadata();
    void end_tensors();
    bool skip(std::uint64_t bytes, const std::string& what);
    bool fits(std::uint64_t end) const;
    bool fail(const std::string& message, std::string_view code = "invalid-gguf");

    const StorageTypeTable& types_;
    std::string name_;
    std::uint64_t file_bytes_;
    ReadState state_ = ReadState::wants_bytes;
    Part part_ = Part::preamble;
    GgufHeader header_;
    catalog::Error error_;
    std::vector<unsigned char> pending_; ///< an item's first bytes, while the rest is to come
    std::uint64_t position_ = 0;         ///< in the file, of pending_'s first byte
    std::uint64_t skip_ = 0;             ///< bytes to jump from position_ on
    std::size_t missing_ = 24;           ///< bytes that the current item wants at least
    std::uint64_t n_tensors_ = 0;
    std::uint64_t n_metadata_ = 0;
    std::uint64_t done_ = 0;       ///< of the current part's items
    Metadata list_;                ///< the list being read
    std::uint64_t list_left_ = 0;  ///< its elements to come
    std::uint64_t data_bytes_ = 0; ///< of the tensors so far, padded
};

} // namespace vramscope::formats
