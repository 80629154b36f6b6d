// What people write as values of request fields, checked and brought to one spelling.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "catalog/json_reader.h"
#include "catalog/request_fields.h"
#include "core/ascii.h"
#include "core/decimal.h"

namespace vramscope::catalog {
namespace {

constexpr std::size_t value_limit = 1 << 20; // an inline architecture is the longest

/// At most so much of a wrong value is repeated in a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t shown = 60;
    const bool cut = text.size() > shown;
    std::string copy(text.substr(0, shown));
    for (char& c : copy) {
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    }
    while (cut && !copy.empty() && (static_cast<unsigned char>(copy.back()) & 0x80U) != 0) {
        copy.pop_back();
    }
    return "\"" + copy + (cut ? "…\"" : "\"");
}

std::string plain(double number) {
    return decimal_text(number, 12);
}

/// A finite number with nothing behind it.
std::optional<double> parse_real(std::string_view text) {
    if (text.empty() || text.size() > 40)
        return std::nullopt;
    // strtod also takes hexadecimal, "inf" and "nan": only digits, sign, point and exponent pass.
    for (const char c : text) {
        const bool plain_number =
            (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
        if (!plain_number)
            return std::nullopt;
    }
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

/// A whole number; "32k" and "1M" count in steps of 1,024, as context lengths do.
std::optional<double> parse_whole(std::string_view text) {
    double unit = 1;
    if (!text.empty()) {
        const char last = ascii::lower(text.back());
        if (last == 'k' || last == 'm') {
            unit = last == 'k' ? 1024.0 : 1048576.0;
            text.remove_suffix(1);
        }
    }
    const auto number = parse_real(text);
    if (!number || *number * unit != std::floor(*number * unit))
        return std::nullopt;
    return *number * unit;
}

std::optional<bool> parse_boolean(std::string_view text) {
    for (const char* yes : {"true", "1", "on", "yes"}) {
        if (ascii::equal_ignoring_case(text, yes))
            return true;
    }
    for (const char* no : {"false", "0", "off", "no"}) {
        if (ascii::equal_ignoring_case(text, no))
            return false;
    }
    return std::nullopt;
}

std::string joined(std::span<const char* const> choices) {
    std::string text;
    for (const char* choice : choices) {
        if (!text.empty())
            text += ", ";
        text += choice;
    }
    return text;
}

Error invalid(const FieldInfo& field, std::string_view given, const std::string& allowed) {
    return {"invalid-value", field.key,
            std::string(field.key) + ": expected " + allowed + ", got " + quoted(given)};
}

std::string number_range(const FieldInfo& field) {
    std::string text = field.kind == FieldKind::real ? "a number" : "a whole number";
    text += " from " + plain(field.minimum) + " to " + plain(field.maximum);
    if (*field.unit != '\0')
        text += std::string(" (") + field.unit + ")";
    return text;
}

bool in_range(const FieldInfo& field, double number) {
    return number >= field.minimum && number <= field.maximum;
}

/// The value in its one spelling, or what is wrong with it.
Result<std::string> canonical_value(const FieldInfo& field, std::string_view text) {
    switch (field.kind) {
    case FieldKind::id:
        return std::string(text);
    case FieldKind::integer: {
        const auto number = parse_whole(text);
        if (!number || !in_range(field, *number))
            return invalid(field, text, number_range(field));
        return plain(*number);
    }
    case FieldKind::real: {
        const auto number = parse_real(text);
        if (!number || !in_range(field, *number))
            return invalid(field, text, number_range(field));
        return plain(*number);
    }
    case FieldKind::boolean: {
        const auto flag = parse_boolean(text);
        if (!flag)
            return invalid(field, text, "true or false");
        return std::string(*flag ? "true" : "false");
    }
    case FieldKind::choice: {
        for (const char* choice : field.choices) {
            if (ascii::equal_ignoring_case(text, choice))
                return std::string(choice);
        }
        return invalid(field, text, "one of " + joined(field.choices));
    }
    case FieldKind::list:
        break;
    }
    std::string canonical;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const auto number = parse_real(ascii::trimmed(text.substr(start, comma - start)));
        if (!number || !in_range(field, *number)) {
            return invalid(field, text, "numbers from 0 on, separated by commas");
        }
        if (!canonical.empty())
            canonical += ',';
        canonical += plain(*number);
        start = comma + 1;
    }
    return canonical;
}

} // namespace

Result<bool> Query::set(std::string_view key, std::string_view value) {
    const FieldInfo* field = find_field(key);
    if (field != nullptr)
        return set(field->field, value);
    std::array<std::string_view, field_count> known;
    for (std::size_t i = 0; i < field_count; ++i)
        known[i] = all_fields()[i].key;
    const std::string_view meant = closest_name(field_key(key), known);
    std::string message = "there is no request field " + quoted(key);
    if (!meant.empty())
        message += "; did you mean \"" + std::string(meant) + "\"?";
    return Error{"unknown-field", std::string(key.substr(0, 60)), message};
}

Result<bool> Query::set(Field field, std::string_view value) {
    const FieldInfo& about = info(field);
    value = ascii::trimmed(value);
    if (value.empty()) {
        clear(field);
        return true;
    }
    if (value.size() > value_limit) {
        return Error{"invalid-value", about.key,
                     std::string(about.key) + ": the value is too long"};
    }
    Result<std::string> text = canonical_value(about, value);
    if (!text)
        return text.error();
    // A value that is the default anyway is left out, so that equal requests are equal texts.
    if (ascii::equal_ignoring_case(*text, about.default_text))
        text->clear();
    values_[static_cast<std::size_t>(field)] = std::move(*text);
    return true;
}

std::string_view Query::value(Field field) const {
    const std::string& given = text(field);
    return given.empty() ? std::string_view(info(field).default_text) : std::string_view(given);
}

} // namespace vramscope::catalog
