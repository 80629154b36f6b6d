#include "formats/gguf_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "formats/ggml_types.h"

namespace vramscope::formats {
namespace {

constexpr std::array<std::uint8_t, static_cast<std::size_t>(GgufType::count_)> type_bytes = {
    1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

bool is_integer(GgufType type) {
    return type != GgufType::f32 && type != GgufType::f64 && type != GgufType::string &&
           type != GgufType::array;
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

/// Upper-case names as ggml prints them, for FileTensor::type_name.
std::string_view ggml_name(StorageType type) {
    static const auto names = [] {
        std::array<std::string, storage_type_count> made;
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = vramscope::name(static_cast<StorageType>(i));
            for (char& c : made[i])
                c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        }
        return made;
    }();
    return names[static_cast<std::size_t>(type)];
}

} // namespace

const Metadata* GgufHeader::find(std::string_view key) const {
    const auto found =
        std::lower_bound(metadata.begin(), metadata.end(), key,
                         [](const Metadata& a, std::string_view b) { return a.key < b; });
    return found != metadata.end() && found->key == key ? &*found : nullptr;
}

std::int64_t GgufHeader::integer(std::string_view key, std::int64_t fallback) const {
    const Metadata* entry = find(key);
    return entry != nullptr && !entry->is_list && is_integer(entry->type) ? entry->integer
                                                                          : fallback;
}

std::string_view GgufHeader::text(std::string_view key) const {
    const Metadata* entry = find(key);
    return entry != nullptr ? std::string_view(entry->text) : std::string_view();
}

const Metadata* GgufHeader::own(std::string_view key) const {
    std::string full(architecture());
    full += '.';
    full += key;
    return find(full);
}

/// A place in the bytes at hand. An item that does not end in them is read again when there are
/// more; `missing` says how many it wants.
class GgufReader::Cursor {
public:
    Cursor(const unsigned char* bytes, std::size_t size, bool big_endian)
        : bytes_(bytes), size_(size), big_endian_(big_endian) {}

    std::size_t used = 0;
    std::size_t missing = 0;

    bool has(std::size_t bytes) {
        if (size_ - used >= bytes)
            return true;
        missing = bytes - (size_ - used);
        return false;
    }
    std::size_t left() const { return size_ - used; }
    void set_endian(bool big) { big_endian_ = big; }

    template <typename Integer>
    bool take(Integer& out) {
        if (!has(sizeof(Integer)))
            return false;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Integer); ++i) {
            const std::size_t at = big_endian_ ? i : sizeof(Integer) - 1 - i;
            value = value << 8U | bytes_[used + at];
        }
        used += sizeof(Integer);
        out = static_cast<Integer>(value);
        return true;
    }
    /// A string whose length was read already.
    bool take(std::uint64_t length, std::string& out) {
        if (!has(static_cast<std::size_t>(length)))
            return false;
        out.assign(reinterpret_cast<const char*>(bytes_ + used), static_cast<std::size_t>(length));
        used += static_cast<std::size_t>(length);
        return true;
    }

private:
    const unsigned char* bytes_;
    std::size_t size_;
    bool big_endian_;
};

GgufReader::GgufReader(const StorageTypeTable& types, std::string name, std::uint64_t file_bytes)
    : types_(types), name_(std::move(name)), file_bytes_(file_bytes) {}

ByteRequest GgufReader::wanted() const {
    return {position_ + pending_.size() + skip_, state_ == ReadState::wants_bytes ? missing_ : 0};
}

ReadState GgufReader::feed(std::span<const unsigned char> bytes) {
    if (state_ != ReadState::wants_bytes || bytes.empty())
        return state_;
    position_ += skip_;
    skip_ = 0;
    const unsigned char* start = bytes.data();
    std::size_t size = bytes.size();
    if (!pending_.empty()) {
        pending_.insert(pending_.end(), bytes.begin(), bytes.end());
        start = pending_.data();
        size = pending_.size();
    }
    std::size_t used = 0;
    while (state_ == ReadState::wants_bytes) {
        if (skip_ > 0) {
            const std::uint64_t step = std::min<std::uint64_t>(skip_, size - used);
            used += static_cast<std::size_t>(step);
            position_ += step;
            skip_ -= step;
            if (skip_ > 0) {
                missing_ = 1;
                break;
            }
        }
        Cursor in(start + used, size - used, header_.big_endian);
        if (!next_item(in)) {
            missing_ = in.missing;
            break;
        }
        used += in.used;
        position_ += in.used;
        if (position_ > GgufLimits::header_bytes && part_ != Part::end) {
            fail("has a header of more than 256 MiB, which no model has; the file is damaged");
        }
    }
    std::vector<unsigned char> rest;
    if (state_ == ReadState::wants_bytes)
        rest.assign(start + used, start + size);
    pending_ = std::move(rest);
    return state_;
}

ReadState GgufReader::finish() {
    if (state_ != ReadState::wants_bytes)
        return state_;
    // A file of metadata only may end with something that was jumped over.
    if (part_ == Part::end && file_bytes_ != unknown_size && fits(position_ + skip_)) {
        position_ += skip_;
        skip_ = 0;
        Cursor nothing(nullptr, 0, false);
        next_item(nothing);
        return state_;
    }
    const std::uint64_t end = position_ + pending_.size();
    std::string what;
    switch (part_) {
    case Part::preamble:
        what = "before the header is complete; a GGUF file begins with 24 bytes of it";
        break;
    case Part::tensors:
        what = "in the tensor table, after " + number(done_) + " of " + number(n_tensors_) +
               " tensors; the download is incomplete";
        break;
    default:
        what = "in the metadata, after " + number(done_) + " of " + number(n_metadata_) +
               " entries; the download is incomplete";
    }
    fail("breaks off at byte " + number(end) + " " + what, "truncated-file");
    return state_;
}

/// Reads one item of the current part; false when the bytes at hand are not enough (or after fail).
bool GgufReader::next_item(Cursor& in) {
    switch (part_) {
    case Part::preamble:
        return read_preamble(in);
    case Part::metadata:
        return read_metadata(in);
    case Part::list_numbers:
        return read_list_number(in);
    case Part::list_strings:
        return read_list_string(in);
    case Part::tensors:
        return read_tensor(in);
    case Part::end:
        break;
    }
    const std::uint64_t mask = header_.alignment - 1;
    header_.data_start = (position_ + mask) & ~mask;
    header_.data_end += header_.data_start;
    state_ = ReadState::done;
    return false;
}

bool GgufReader::read_preamble(Cursor& in) {
    if (!in.has(4))
        return false;
    std::string magic;
    in.take(4, magic);
    if (magic != "GGUF") {
        if (magic == "ggml" || magic == "lmgg" || magic == "fmgg" || magic == "tjgg" ||
            magic == "ggjt") {
            return fail("is in the GGML format of 2023, which no current engine loads; look for a "
                        "GGUF file of the model");
        }
        if (magic.starts_with("PK"))
            return fail("is a ZIP archive (a PyTorch checkpoint?), not a GGUF file");
        if (magic.starts_with("<!") || magic.starts_with("<h"))
            return fail("is a web page, not a GGUF file; the link needs \"resolve\" in place of "
                        "\"blob\", or a login");
        if (magic == "vers")
            return fail("is a Git LFS pointer, not the file itself; fetch it with git lfs pull");
        return fail("begins with \"" + shown(magic) + "\", not with \"GGUF\"");
    }
    if (!in.has(20))
        return false;
    std::uint32_t version = 0;
    in.take(version);
    if ((version & 0xFFFFU) == 0 && version != 0) {
        // The number fits in the low half only when it is read the right way round.
        header_.big_endian = true;
        in.set_endian(true);
        in.used -= sizeof(version);
        in.take(version);
    }
    in.take(n_tensors_);
    in.take(n_metadata_);
    header_.version = version;
    if (version == 1) {
        return fail("has GGUF version 1, which llama.cpp no longer loads; convert the model again");
    }
    if (version == 0 || version > 3) {
        return fail("has GGUF version " + number(version) + "; versions 2 and 3 are known");
    }
    if (n_tensors_ > GgufLimits::tensors) {
        return fail("claims " + number(n_tensors_) + " tensors, more than any model has (" +
                    number(GgufLimits::tensors) + ")");
    }
    if (n_metadata_ > GgufLimits::metadata) {
        return fail("claims " + number(n_metadata_) +
                    " metadata entries, more than any model has (" + number(GgufLimits::metadata) +
                    ")");
    }
    // A tensor takes 32 bytes in the table, an entry 13, at least.
    if (!fits(24 + n_tensors_ * 32 + n_metadata_ * 13)) {
        return fail("claims " + number(n_tensors_) + " tensors and " + number(n_metadata_) +
                    " metadata entries, but has only " + number(file_bytes_) + " bytes");
    }
    part_ = Part::metadata;
    if (n_metadata_ == 0)
        end_metadata();
    return state_ == ReadState::wants_bytes;
}

bool GgufReader::read_metadata(Cursor& in) {
    std::uint64_t length = 0;
    if (!in.take(length))
        return false;
    const std::string where = "metadata entry " + number(done_ + 1);
    if (length == 0 || length > GgufLimits::key_bytes) {
        return fail(where + " has a key of " + number(length) + " bytes; 1 to " +
                    number(GgufLimits::key_bytes) + " are possible");
    }
    Metadata entry;
    std::uint32_t type = 0;
    if (!in.take(length, entry.key) || !in.take(type))
        return false;
    if (type >= static_cast<std::uint32_t>(GgufType::count_)) {
        return fail("metadata key \"" + shown(entry.key) + "\" has the unknown value type " +
                    number(type));
    }
    entry.type = static_cast<GgufType>(type);
    if (entry.type == GgufType::array)
        return read_list(in, entry);
    if (entry.type != GgufType::string) {
        if (!read_number(in, entry))
            return false;
        keep(std::move(entry));
        return state_ == ReadState::wants_bytes;
    }
    if (!in.take(length))
        return false;
    const bool wanted = length <= GgufLimits::kept_text && !entry.key.starts_with("tokenizer.");
    if (wanted && !in.take(length, entry.text))
        return false;
    const std::string key = shown(entry.key);
    const std::uint64_t at = in.used;
    if (!wanted && (length > GgufLimits::header_bytes || !fits(position_ + at + length))) {
        return fail("metadata key \"" + key + "\" claims a text of " + number(length) +
                    " bytes, more than the file can hold");
    }
    keep(std::move(entry));
    if (!wanted)
        skip_ = length;
    return state_ == ReadState::wants_bytes;
}

bool GgufReader::read_number(Cursor& in, Metadata& entry) {
    const auto read = [&](auto value) {
        if (!in.take(value))
            return false;
        entry.integer = static_cast<std::int64_t>(value);
        return true;
    };
    switch (entry.type) {
    case GgufType::u8:
        return read(std::uint8_t{});
    case GgufType::boolean:
        if (!read(std::uint8_t{}))
            return false;
        entry.integer = entry.integer != 0;
        return true;
    case GgufType::i8:
        return read(std::int8_t{});
    case GgufType::u16:
        return read(std::uint16_t{});
    case GgufType::i16:
        return read(std::int16_t{});
    case GgufType::u32:
        return read(std::uint32_t{});
    case GgufType::i32:
        return read(std::int32_t{});
    case GgufType::u64:
    case GgufType::i64:
        return read(std::int64_t{});
    case GgufType::f32: {
        std::uint32_t bits = 0;
        if (!in.take(bits))
            return false;
        entry.real = static_cast<double>(std::bit_cast<float>(bits));
        return true;
    }
    default: {
        std::uint64_t bits = 0;
        if (!in.take(bits))
            return false;
        entry.real = std::bit_cast<double>(bits);
        return true;
    }
    }
}

bool GgufReader::read_list(Cursor& in, Metadata& entry) {
    std::uint32_t type = 0;
    std::uint64_t count = 0;
    if (!in.take(type) || !in.take(count))
        return false;
    const std::string key = shown(entry.key);
    if (type >= static_cast<std::uint32_t>(GgufType::count_) ||
        type == static_cast<std::uint32_t>(GgufType::array)) {
        return fail("metadata key \"" + key + "\" is a list of the unknown value type " +
                    number(type));
    }
    if (count > GgufLimits::list_elements) {
        return fail("metadata key \"" + key + "\" claims a list of " + number(count) +
                    " elements, more than any vocabulary has (" +
                    number(GgufLimits::list_elements) + ")");
    }
    entry.type = static_cast<GgufType>(type);
    entry.is_list = true;
    entry.count = count;
    const bool strings = entry.type == GgufType::string;
    const std::uint64_t each = strings ? 8 : type_bytes[type];
    if (!fits(position_ + in.used + count * each)) {
        return fail("metadata key \"" + key + "\" claims a list of " + number(count) +
                    " elements, beyond the end of the file");
    }
    const bool kept = !strings && is_integer(entry.type) && count <= GgufLimits::kept_elements &&
                      !entry.key.starts_with("tokenizer.");
    if (count == 0 || (!strings && !kept)) {
        keep(std::move(entry));
        skip_ = count * each;
        return state_ == ReadState::wants_bytes;
    }
    list_ = std::move(entry);
    list_left_ = count;
    part_ = strings ? Part::list_strings : Part::list_numbers;
    return true;
}

bool GgufReader::read_list_number(Cursor& in) {
    if (!read_number(in, list_))
        return false;
    list_.integers.push_back(list_.integer);
    if (--list_left_ == 0)
        keep(std::move(list_));
    return state_ == ReadState::wants_bytes;
}

bool GgufReader::read_list_string(Cursor& in) {
    std::uint64_t length = 0;
    if (!in.take(length))
        return false;
    if (length > GgufLimits::header_bytes || !fits(position_ + in.used + length)) {
        return fail("metadata key \"" + shown(list_.key) + "\" claims a text of " + number(length) +
                    " bytes, beyond the end of the file");
    }
    skip_ = length;
    if (--list_left_ == 0)
        keep(std::move(list_));
    return state_ == ReadState::wants_bytes;
}

void GgufReader::keep(Metadata entry) {
    header_.metadata.push_back(std::move(entry));
    list_ = {};
    part_ = Part::metadata;
    if (++done_ == n_metadata_)
        end_metadata();
}

void GgufReader::end_metadata() {
    auto& metadata = header_.metadata;
    std::sort(metadata.begin(), metadata.end(),
              [](const Metadata& a, const Metadata& b) { return a.key < b.key; });
    for (std::size_t i = 1; i < metadata.size(); ++i) {
        if (metadata[i].key == metadata[i - 1].key) {
            fail("metadata key \"" + shown(metadata[i].key) + "\" occurs twice");
            return;
        }
    }
    const std::int64_t alignment = header_.integer("general.alignment", 32);
    if (alignment <= 0 || alignment > (1 << 30) || (alignment & (alignment - 1)) != 0) {
        fail("general.alignment is " + std::to_string(alignment) + ", not a power of two");
        return;
    }
    header_.alignment = static_cast<std::uint64_t>(alignment);
    done_ = 0;
    part_ = Part::tensors;
    // A file may have metadata only (a vocabulary).
    if (n_tensors_ == 0)
        part_ = Part::end;
}

bool GgufReader::read_tensor(Cursor& in) {
    std::uint64_t length = 0;
    if (!in.take(length))
        return false;
    if (length == 0 || length > GgufLimits::name_bytes) {
        return fail("tensor " + number(done_ + 1) + " has a name of " + number(length) +
                    " bytes; llama.cpp takes 1 to " + number(GgufLimits::name_bytes));
    }
    FileTensor tensor;
    std::uint32_t dimensions = 0;
    if (!in.take(length, tensor.name) || !in.take(dimensions))
        return false;
    const std::string name = "tensor \"" + shown(tensor.name) + "\"";
    if (dimensions > 4) {
        return fail(name + " has " + number(dimensions) + " dimensions; at most 4 are possible");
    }
    tensor.dimensions = static_cast<std::uint8_t>(dimensions);
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        std::uint64_t size = 0;
        if (!in.take(size))
            return false;
        if (size == 0 || size > static_cast<std::uint64_t>(bytes_limit)) {
            return fail(name + " has a dimension of " + number(size) + " elements");
        }
        tensor.shape[i] = static_cast<std::int64_t>(size);
    }
    if (!read_tensor_type(in, tensor))
        return false;
    header_.tensors.push_back(std::move(tensor));
    if (++done_ == n_tensors_)
        end_tensors();
    return state_ == ReadState::wants_bytes;
}

bool GgufReader::read_tensor_type(Cursor& in, FileTensor& tensor) {
    std::uint32_t type = 0;
    if (!in.take(type) || !in.take(tensor.offset))
        return false;
    const std::string name = "tensor \"" + shown(tensor.name) + "\"";
    tensor.type = storage_type_from_ggml(type);
    if (tensor.type == StorageType::count_) {
        const ForeignType foreign = foreign_ggml_type(type);
        if (foreign.name.empty()) {
            return fail(name + " has the storage type " + number(type) +
                            ", which ggml does not have",
                        "unknown-storage-type");
        }
        return fail(name + " has the storage type " + std::string(foreign.name) + " (" +
                        number(type) + "): " + std::string(foreign.advice),
                    "unknown-storage-type");
    }
    const std::string_view type_name = ggml_name(tensor.type);
    tensor.type_name = type_name;
    const std::int64_t block = types_[tensor.type].block_elements;
    if (block == 0) {
        return fail(name + " has the storage type " + std::string(type_name) +
                        ", whose size the catalog does not give",
                    "unknown-storage-type");
    }
    if (tensor.shape[0] % block != 0) {
        return fail(name + " has rows of " + std::to_string(tensor.shape[0]) +
                    " elements, which blocks of " + std::to_string(block) + " (" +
                    std::string(type_name) + ") do not divide");
    }
    const std::int64_t rows = mul(tensor.shape[1], tensor.shape[2], tensor.shape[3]);
    tensor.bytes = mul(types_.row_bytes(tensor.type, tensor.shape[0]), rows);
    if (tensor.bytes >= bytes_limit / 8 || tensor.elements() >= bytes_limit) {
        return fail(name + " claims to be larger than any memory");
    }
    if (tensor.offset != data_bytes_) {
        return fail(name + " starts at byte " + number(tensor.offset) +
                    " of the data, but the tensors before it end at " + number(data_bytes_));
    }
    header_.data_end = data_bytes_ + static_cast<std::uint64_t>(tensor.bytes);
    const std::uint64_t mask = header_.alignment - 1;
    data_bytes_ = (header_.data_end + mask) & ~mask;
    if (data_bytes_ >= static_cast<std::uint64_t>(bytes_limit))
        return fail("claims tensors larger than any memory");
    return true;
}

void GgufReader::end_tensors() {
    part_ = Part::end;
    std::vector<std::string_view> names;
    names.reserve(header_.tensors.size());
    for (const FileTensor& tensor : header_.tensors)
        names.push_back(tensor.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
        fail("tensor \"" + shown(*twice) + "\" occurs twice");
}

bool GgufReader::fits(std::uint64_t end) const {
    return file_bytes_ == unknown_size || end <= file_bytes_;
}

bool GgufReader::fail(const std::string& message, std::string_view code) {
    state_ = ReadState::failed;
    error_ = {std::string(code), name_, name_ + ": " + message};
    return false;
}

} // namespace vramscope::formats
