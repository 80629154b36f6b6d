// Flat JSON objects of texts: what a locale file is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/result.h"

namespace vramscope::catalog {

struct Text {
    std::string key;
    std::string text;
};

/// All pairs of a JSON object whose values are strings, sorted by key. Errors: "invalid-json",
/// "wrong-type" with the key.
Result<std::vector<Text>> read_texts(std::string_view json);

} // namespace vramscope::catalog
