// Comparing names the way people type them: upper and lower case of A to Z are the same.
// Locale-free, unlike <cctype>.
#pragma once

#include <string>
#include <string_view>

namespace vramscope::ascii {

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i]))
            return false;
    }
    return true;
}

constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           equal_ignoring_case(text.substr(0, prefix.size()), prefix);
}

inline std::string lowered(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        c = lower(c);
    return copy;
}

} // namespace vramscope::ascii
