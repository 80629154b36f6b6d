// One file of whatever kind, fed piece by piece: what it is shows in its first bytes, not in its
// name. The command line and the page read files through this.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "formats/gguf_reader.h"
#include "formats/inspection.h"
#include "formats/safetensors_reader.h"

namespace vramscope::formats {

class Intake {
public:
    /// A config or an index longer than this is refused.
    static constexpr std::uint64_t longest_json = std::uint64_t{64} << 20;

    /// `types` must outlive it; `file_bytes` may be unknown_size.
    Intake(const StorageTypeTable& types, std::string name, std::uint64_t file_bytes);

    ReadState state() const;
    ByteRequest wanted() const;
    /// Takes the bytes that start at wanted().offset.
    ReadState feed(std::span<const unsigned char> bytes);
    /// There are no more bytes.
    ReadState finish();
    const catalog::Error& error() const;

    /// Hands what was read to an inspector, once done.
    catalog::Result<FileKind> give_to(Inspector& inspector);

private:
    enum class Kind : std::uint8_t { unknown, gguf, safetensors, json };
    void decide();
    void fail(const std::string& message, std::string_view code);

    const StorageTypeTable& types_;
    std::string name_;
    std::uint64_t file_bytes_;
    Kind kind_ = Kind::unknown;
    ReadState state_ = ReadState::wants_bytes; ///< of kinds without a reader of their own
    std::string text_;                         ///< the first bytes, or all of a JSON file
    std::optional<GgufReader> gguf_;
    std::optional<SafetensorsReader> safetensors_;
    catalog::Error error_;
};

} // namespace vramscope::formats
