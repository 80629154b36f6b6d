// Names of the parts of one file: "model-00002-of-00005.gguf".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope::formats {

struct SplitName {
    std::string_view stem; ///< "model"
    std::int32_t part = 1;
    std::int32_t parts = 1; ///< 1: not a split file
    std::string_view end;   ///< ".gguf"
};
SplitName split_name(std::string_view file_name);
/// The name of another part.
std::string part_name(const SplitName& name, std::int32_t part);

} // namespace vramscope::formats
