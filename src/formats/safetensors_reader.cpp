#include "formats/safetensors_reader.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::Json;
using catalog::JsonFaults;
using catalog::JsonReader;
using catalog::Need;
using catalog::Result;

namespace {

struct Dtype {
    std::string_view name;
    std::uint8_t bits;
    StorageType type;
};
constexpr auto unnamed = StorageType::count_;
constexpr auto dtypes = std::to_array<Dtype>({{"BF16", 16, StorageType::bf16},
                                              {"BOOL", 8, StorageType::i8},
                                              {"C64", 64, unnamed},
                                              {"F16", 16, StorageType::f16},
                                              {"F32", 32, StorageType::f32},
                                              {"F4", 4, unnamed},
                                              {"F64", 64, StorageType::f64},
                                              {"F6_E2M3", 6, unnamed},
                                              {"F6_E3M2", 6, unnamed},
                                              {"F8_E4M3", 8, StorageType::f8_e4m3},
                                              {"F8_E5M2", 8, unnamed},
                                              {"F8_E8M0", 8, unnamed},
                                              {"I16", 16, StorageType::i16},
                                              {"I32", 32, StorageType::i32},
                                              {"I64", 64, StorageType::i64},
                                              {"I8", 8, StorageType::i8},
                                              {"U16", 16, StorageType::i16},
                                              {"U32", 32, StorageType::i32},
                                              {"U64", 64, StorageType::i64},
                                              {"U8", 8, StorageType::i8}});

const Dtype* find_dtype(std::string_view name) {
    for (const Dtype& dtype : dtypes) {
        if (dtype.name == name)
            return &dtype;
    }
    return nullptr;
}

/// Takes the table while it is parsed, so that no document is built of it: a header of 100,000
/// tensors would be 100 MB of it.
class TableBuilder final : public nlohmann::json_sax<Json> {
public:
    TableBuilder(SafetensorsHeader& header) : header_(header) {}
    std::string fault;

    bool null() override { return value_of_no_use("null"); }
    bool boolean(bool) override { return value_of_no_use("a truth value"); }
    bool number_integer(number_integer_t) override { return value_of_no_use("a negative number"); }
    bool number_unsigned(number_unsigned_t value) override {
        if (in_metadata_)
            return true;
        if (depth_ == 3 && numbers_ != nullptr) {
            if (numbers_->size() >= 16)
                return stop("has more than 16 dimensions");
            numbers_->push_back(value);
            return true;
        }
        return value_of_no_use("a number");
    }
    bool number_float(number_float_t, const string_t&) override {
        return value_of_no_use("a fraction");
    }
    bool string(string_t& value) override {
        if (in_metadata_) {
            if (key_ == "format")
                header_.made_by = shown(value, 16);
            return true;
        }
        if (depth_ == 2 && key_ == "dtype") {
            dtype_ = find_dtype(value);
            return dtype_ != nullptr || stop("has the unknown dtype \"" + shown(value, 16) + "\"");
        }
        return value_of_no_use("a text");
    }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& name) override {
        if (depth_ == 1) {
            in_metadata_ = name == "__metadata__";
            tensor_ = std::move(name);
            key_.clear();
            dtype_ = nullptr;
            shape_.clear();
            offsets_.clear();
            has_shape_ = false;
        } else {
            key_ = std::move(name);
        }
        numbers_ = nullptr;
        if (depth_ == 2 && key_ == "shape") {
            numbers_ = &shape_;
            has_shape_ = true;
        } else if (depth_ == 2 && key_ == "data_offsets") {
            numbers_ = &offsets_;
        }
        return true;
    }
    bool start_object(std::size_t) override {
        if (++depth_ > 2)
            return in_metadata_ ? stop_document("nests objects in __metadata__")
                                : stop("holds an object where none belongs");
        return true;
    }
    bool end_object() override {
        if (depth_-- != 2 || in_metadata_)
            return true;
        return end_tensor();
    }
    bool start_array(std::size_t) override {
        ++depth_;
        if (depth_ == 3 && !in_metadata_ && numbers_ != nullptr)
            return true;
        return depth_ == 1 ? stop_document("is a list, not an object")
                           : stop("holds a list where none belongs");
    }
    bool end_array() override {
        --depth_;
        numbers_ = nullptr;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
        if (fault.empty())
            fault = "is not valid JSON at byte " + std::to_string(position);
        return false;
    }

private:
    bool value_of_no_use(const char* what) {
        if (in_metadata_)
            return true;
        return depth_ <= 1 && tensor_.empty() ? stop_document(std::string("is ") + what)
                                              : stop(std::string("has ") + what +
                                                     " where dtype, shape or data_offsets belong");
    }
    bool stop(const std::string& reason) {
        fault = "tensor \"" + shown(tensor_) + "\" " + reason;
        return false;
    }
    bool stop_document(std::string reason) {
        fault = std::move(reason);
        return false;
    }
    bool end_tensor() {
        if (dtype_ == nullptr)
            return stop("has no dtype");
        if (!has_shape_)
            return stop("has no shape");
        if (offsets_.size() != 2)
            return stop("needs two data_offsets, has " + std::to_string(offsets_.size()));
        if (header_.tensors.size() >= SafetensorsReader::most_tensors)
            return stop_document("has more than a million tensors");
        FileTensor tensor;
        tensor.name = tensor_.substr(0, 256);
        tensor.type_name = dtype_->name;
        tensor.type = dtype_->type;
        tensor.dimensions = static_cast<std::uint8_t>(shape_.size());
        // The last dimension comes first here; what is beyond four is one factor.
        for (std::size_t i = 0; i < shape_.size(); ++i) {
            const std::uint64_t size = shape_[shape_.size() - 1 - i];
            if (size > static_cast<std::uint64_t>(bytes_limit))
                return stop("has a dimension of " + std::to_string(size) + " elements");
            std::int64_t& target = tensor.shape[std::min<std::size_t>(i, 3)];
            target = size == 0 ? 0
                     : i < 3   ? static_cast<std::int64_t>(size)
                               : mul(target, static_cast<std::int64_t>(size));
        }
        if (offsets_[0] > offsets_[1])
            return stop("ends before it starts");
        const std::uint64_t stored = offsets_[1] - offsets_[0];
        const std::int64_t elements = tensor.elements();
        if (elements >= bytes_limit / 64)
            return stop("claims to be larger than any memory");
        const Bytes bytes = ceil_div(mul(elements, dtype_->bits), 8);
        if (stored != static_cast<std::uint64_t>(bytes)) {
            return stop("of dtype " + std::string(dtype_->name) + " needs " +
                        std::to_string(bytes) + " bytes, its data_offsets give " +
                        std::to_string(stored));
        }
        tensor.offset = offsets_[0];
        tensor.bytes = bytes;
        header_.tensors.push_back(std::move(tensor));
        return true;
    }

    SafetensorsHeader& header_;
    int depth_ = 0;
    bool in_metadata_ = false;
    std::string tensor_;
    std::string key_;
    const Dtype* dtype_ = nullptr;
    bool has_shape_ = false;
    std::vector<std::uint64_t> shape_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint64_t>* numbers_ = nullptr;
};

} // namespace

SafetensorsReader::SafetensorsReader(std::string name, std::uint64_t file_bytes)
    : name_(std::move(name)), file_bytes_(file_bytes) {}

ByteRequest SafetensorsReader::wanted() const {
    if (state_ != ReadState::wants_bytes)
        return {};
    const std::uint64_t goal = length_ == 0 ? 8 : 8 + length_;
    const std::uint64_t have = length_ == 0 ? text_.size() : 8 + text_.size();
    return {have, static_cast<std::size_t>(goal - have)};
}

ReadState SafetensorsReader::feed(std::span<const unsigned char> bytes) {
    while (state_ == ReadState::wants_bytes && !bytes.empty()) {
        const std::size_t step = std::min(bytes.size(), wanted().bytes);
        text_.append(reinterpret_cast<const char*>(bytes.data()), step);
        bytes = bytes.subspan(step);
        if (length_ == 0) {
            if (text_.size() == 8 && read_length())
                text_.clear();
        } else if (text_.size() == length_) {
            read_table();
        }
    }
    return state_;
}

ReadState SafetensorsReader::finish() {
    if (state_ == ReadState::wants_bytes) {
        if (length_ == 0) {
            fail("has " + std::to_string(text_.size()) +
                     " bytes; a safetensors file begins with 8 bytes of header length",
                 "truncated-file");
        } else {
            fail("breaks off in the header, after " + std::to_string(text_.size()) + " of " +
                     std::to_string(length_) + " bytes; the download is incomplete",
                 "truncated-file");
        }
    }
    return state_;
}

bool SafetensorsReader::read_length() {
    for (std::size_t i = 8; i-- > 0;)
        length_ = length_ << 8U | static_cast<unsigned char>(text_[i]);
    if (text_.starts_with("version ")) {
        fail("is a Git LFS pointer, not the file itself; fetch it with git lfs pull");
    } else if (text_.starts_with("GGUF")) {
        fail("is a GGUF file under a wrong name");
    } else if (text_.starts_with("<!") || text_.starts_with("<h")) {
        fail("is a web page, not a safetensors file; the link needs \"resolve\" in place of "
             "\"blob\", or a login");
    } else if (text_.starts_with("PK")) {
        fail("is a ZIP archive (a PyTorch checkpoint?), not a safetensors file");
    } else if (length_ < 2 || length_ > longest_header) {
        fail("claims a header of " + std::to_string(length_) + " bytes; 2 to " +
             std::to_string(longest_header) + " are possible");
    } else if (file_bytes_ != unknown_size && 8 + length_ > file_bytes_) {
        fail("claims a header of " + std::to_string(length_) + " bytes, but has only " +
                 std::to_string(file_bytes_),
             "truncated-file");
    }
    return state_ == ReadState::wants_bytes;
}

void SafetensorsReader::read_table() {
    TableBuilder builder(header_);
    const bool parsed = Json::sax_parse(text_.begin(), text_.end(), &builder);
    std::string().swap(text_);
    if (!parsed) {
        fail("header " + builder.fault);
        return;
    }
    auto& tensors = header_.tensors;
    std::sort(tensors.begin(), tensors.end(), [](const FileTensor& a, const FileTensor& b) {
        return a.offset != b.offset ? a.offset < b.offset : a.bytes < b.bytes;
    });
    std::uint64_t end = 0;
    for (const FileTensor& tensor : tensors) {
        if (tensor.offset != end) {
            fail("tensor \"" + shown(tensor.name) + "\" starts at byte " +
                 std::to_string(tensor.offset) + " of the data, the one before ends at " +
                 std::to_string(end));
            return;
        }
        end += static_cast<std::uint64_t>(tensor.bytes);
    }
    std::vector<std::string_view> names;
    for (const FileTensor& tensor : tensors)
        names.push_back(tensor.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) {
        fail("tensor \"" + shown(*twice) + "\" occurs twice");
        return;
    }
    header_.data_start = 8 + length_;
    header_.data_end = header_.data_start + end;
    state_ = ReadState::done;
}

void SafetensorsReader::fail(std::string message, std::string_view code) {
    state_ = ReadState::failed;
    error_ = {std::string(code), name_, name_ + ": " + std::move(message)};
}

Result<SafetensorsIndex> read_safetensors_index(std::string_view text, std::string_view name) {
    const Result<Json> json = catalog::parse_json(text, name);
    if (!json) {
        Error error = json.error();
        error.message = std::string(name) + ": " + error.message;
        return error;
    }
    JsonFaults faults;
    const JsonReader reader(*json, name, faults);
    SafetensorsIndex index;
    const auto map = reader.object("weight_map", Need::required);
    if (map) {
        map->for_each_member([&](const std::string& tensor, const JsonReader& file) {
            if (!file.is_string()) {
                file.fault("expected a file name, got " + catalog::describe(file.value()));
                return;
            }
            const auto& file_name = file.value().get_ref<const std::string&>();
            if (file_name.empty() || file_name.size() > 255 || file_name.front() == '/' ||
                file_name.find("..") != std::string::npos) {
                file.fault("\"" + shown(file_name) + "\" is no name of a file beside the index");
                return;
            }
            index.files.push_back(file_name);
            index.tensors.emplace_back(tensor.substr(0, 256), 0);
        });
        if (index.files.empty() && faults.empty())
            map->fault("names no tensor");
        std::vector<std::string> of_tensor = index.files;
        std::sort(index.files.begin(), index.files.end());
        index.files.erase(std::unique(index.files.begin(), index.files.end()), index.files.end());
        for (std::size_t i = 0; i < of_tensor.size(); ++i) {
            const auto at = std::lower_bound(index.files.begin(), index.files.end(), of_tensor[i]);
            index.tensors[i].second = static_cast<std::uint32_t>(at - index.files.begin());
        }
    }
    if (const auto metadata = reader.object("metadata")) {
        metadata->field("total_size", index.total_bytes, 0, bytes_limit);
        metadata->field("total_parameters", index.total_parameters, 0, bytes_limit);
    }
    if (!faults.empty()) {
        Error error = faults.errors.front();
        error.message = error.where + " " + error.message;
        return error;
    }
    return index;
}

} // namespace vramscope::formats
