// What the parts of an inspection share; private to inspection*.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/inspection.h"

namespace vramscope::formats {

/// 0 when the size is not known.
constexpr Bytes known_bytes(std::uint64_t bytes) {
    return bytes == unknown_size ? 0 : static_cast<Bytes>(bytes);
}

std::string without_folders(const std::string& path);
InspectedFile describe(const GgufHeader& header, const std::string& name, FileKind kind,
                       std::uint64_t bytes);
/// A note when a file ends before its tensors do.
void note_short_file(std::uint64_t bytes, std::uint64_t needed, const std::string& name,
                     std::vector<std::string>& notes);

/// Sums by name, largest first.
class TensorGroups {
public:
    void add(std::string_view name, const FileTensor& tensor);
    std::vector<TensorGroup> sorted();

private:
    std::map<std::string, TensorGroup> groups_;
};

} // namespace vramscope::formats
