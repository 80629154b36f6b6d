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

constexpr std::string_view trimmed(std::string_view text, std::string_view blank = " \t\r\n\f\v") {
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

inline std::string lowered(std::string_view text) {
    std::string copy(text);
    for (char& c : copy)
        c = lower(c);
    return copy;
}

} // namespace vramscope::ascii
