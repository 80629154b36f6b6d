// safetensors: the header of a checkpoint file, and the index of a sharded checkpoint.
//
// A file is 8 bytes of length (little endian), a JSON header of that length, and the data. The
// reader holds the header's text until it is complete, then the tensor table. Limits and dtypes:
// safetensors 0.6 (src/tensor.rs): a header has at most 100 MB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/result.h"
#include "formats/weight_file.h"

namespace vramscope::formats {

struct SafetensorsHeader {
    std::uint64_t data_start = 0;
    std::uint64_t data_end = 0;      ///< where a complete file ends
    std::vector<FileTensor> tensors; ///< in the order of the data
    std::string made_by;             ///< "format" of __metadata__: "pt", "mlx"
};

class SafetensorsReader {
public:
    static constexpr std::uint64_t longest_header = 100'000'000;
    static constexpr std::size_t most_tensors = 1'000'000;

    SafetensorsReader(std::string name, std::uint64_t file_bytes = unknown_size);

    ReadState state() const { return state_; }
    ByteRequest wanted() const;
    ReadState feed(std::span<const unsigned char> bytes);
    ReadState finish();

    const SafetensorsHeader& header() const { return header_; }
    SafetensorsHeader take_header() { return std::move(header_); }
    const catalog::Error& error() const { return error_; }

private:
    bool read_length();
    void read_table();
    void fail(std::string message, std::string_view code = "invalid-safetensors");

    std::string name_;
    std::uint64_t file_bytes_;
    ReadState state_ = ReadState::wants_bytes;
    std::uint64_t length_ = 0;
    std::string text_;
    SafetensorsHeader header_;
    catalog::Error error_;
};

/// model.safetensors.index.json: which file holds which tensor, and the bytes of all.
struct SafetensorsIndex {
    std::vector<std::string> files;                             ///< sorted, each once
    std::vector<std::pair<std::string, std::uint32_t>> tensors; ///< name, index in `files`
    Bytes total_bytes = 0; ///< metadata.total_size: of all tensors, 0 when not given
    std::int64_t total_parameters = 0;
};
catalog::Result<SafetensorsIndex> read_safetensors_index(std::string_view text,
                                                         std::string_view name);

} // namespace vramscope::formats
