// Ids, and words with typing errors. Letters without case: core/ascii.h.
#pragma once

#include <cstddef>
#include <string_view>

namespace vramscope::catalog {

/// Letters a-z, digits, and `-`, `.`, `_` between them: what ids are made of.
constexpr bool is_id(std::string_view text) {
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (text.empty() || text.size() > 80 || !plain(text.front()) || !plain(text.back()))
        return false;
    for (const char c : text) {
        if (!plain(c) && c != '-' && c != '.' && c != '_')
            return false;
    }
    return true;
}

/// Edits that turn one word into the other: a letter more, less, other, or two swapped, each 1.
/// Words of more than 32 letters are never alike.
std::size_t typing_errors(std::string_view a, std::string_view b);

} // namespace vramscope::catalog
