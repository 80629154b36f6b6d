#include "formats/split_names.h"

#include <charconv>

namespace vramscope::formats {
namespace {

constexpr std::size_t digits = 5;

bool number(std::string_view text, std::int32_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && text.size() == digits;
}

std::string padded(std::int32_t value) {
    std::string text = std::to_string(value);
    if (text.size() < digits)
        text.insert(0, digits - text.size(), '0');
    return text;
}

} // namespace

SplitName split_name(std::string_view name) {
    SplitName whole{name, 1, 1, {}};
    const std::size_t of = name.rfind("-of-");
    if (of == std::string_view::npos || of < digits + 1 || name.size() < of + 4 + digits ||
        name[of - digits - 1] != '-') {
        return whole;
    }
    SplitName split{name.substr(0, of - digits - 1), 0, 0, name.substr(of + 4 + digits)};
    if (!number(name.substr(of - digits, digits), split.part) ||
        !number(name.substr(of + 4, digits), split.parts) || split.parts < 1 || split.part < 1 ||
        split.part > split.parts) {
        return whole;
    }
    return split;
}

std::string part_name(const SplitName& name, std::int32_t part) {
    return std::string(name.stem) + "-" + padded(part) + "-of-" + padded(name.parts) +
           std::string(name.end);
}

} // namespace vramscope::formats
