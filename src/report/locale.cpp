#include "report/locale.h"

#include <algorithm>
#include <cmath>

namespace vramscope::report {
namespace {

// Digits of a non-negative number with a separator between groups of three.
std::string grouped(std::int64_t value, std::string_view separator) {
    const std::string digits = std::to_string(value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            text += separator;
        text += digits[i];
    }
    return text;
}

constexpr double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}

// Beyond this a double holds no decimals and a 64-bit integer is near its end.
constexpr double largest_printed = 9e15;

} // namespace

catalog::Result<Locale> Locale::read(std::string_view json) {
    auto texts = catalog::read_texts(json);
    if (!texts)
        return texts.error();
    Locale locale;
    locale.entries_ = std::move(*texts);
    for (const char* key : {"language", "number.group", "number.decimal", "number.percent",
                            "number.range", "number.list", "number.gib", "number.gb"}) {
        if (!locale.has(key)) {
            return catalog::Error{"missing-key", key, std::string("\"") + key + "\" is missing"};
        }
    }
    return locale;
}

bool Locale::has(std::string_view key) const {
    return text(key).data() != key.data();
}

std::string_view Locale::text(std::string_view key) const {
    const auto entry =
        std::lower_bound(entries_.begin(), entries_.end(), key,
                         [](const catalog::Text& a, std::string_view b) { return a.key < b; });
    return entry != entries_.end() && entry->key == key ? std::string_view(entry->text) : key;
}

std::string Locale::format(std::string_view key,
                           std::initializer_list<std::string_view> arguments) const {
    const std::string_view pattern = text(key);
    std::string result;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool placeholder = pattern[i] == '{' && i + 2 < pattern.size() &&
                                 pattern[i + 1] >= '0' && pattern[i + 1] <= '9' &&
                                 pattern[i + 2] == '}';
        const auto index = placeholder ? static_cast<std::size_t>(pattern[i + 1] - '0') : 0;
        if (!placeholder || index >= arguments.size()) {
            result += pattern[i];
            continue;
        }
        result += arguments.begin()[index];
        i += 2;
    }
    return result;
}

std::vector<std::string_view> Locale::keys() const {
    std::vector<std::string_view> keys;
    keys.reserve(entries_.size());
    for (const catalog::Text& entry : entries_)
        keys.push_back(entry.key);
    return keys;
}

std::string Locale::integer(std::int64_t value) const {
    if (value >= 0)
        return grouped(value, text("number.group"));
    return value == INT64_MIN ? std::to_string(value)
                              : "\u2212" + grouped(-value, text("number.group"));
}

std::string Locale::decimal(double value, int decimals) const {
    const double magnitude = std::min(std::fabs(value), largest_printed);
    if (!(magnitude >= 0))
        return "?"; // not a number
    const double scale =
        magnitude * power_of_ten(decimals) < largest_printed ? power_of_ten(decimals) : 1;
    const auto scaled = static_cast<std::int64_t>(std::floor(magnitude * scale + 0.5));
    const auto divisor = static_cast<std::int64_t>(scale);
    std::string result = value < 0 && scaled != 0 ? "\u2212" : "";
    result += grouped(scaled / divisor, text("number.group"));
    if (divisor > 1) {
        std::string fraction = std::to_string(scaled % divisor);
        fraction.insert(0, static_cast<std::size_t>(decimals) - fraction.size(), '0');
        result += text("number.decimal");
        result += fraction;
    }
    return result;
}

std::string Locale::number(double value) const {
    constexpr int most = 6;
    for (int decimals = 0; decimals < most; ++decimals) {
        const double scaled = std::fabs(value) * power_of_ten(decimals);
        if (std::fabs(scaled - std::floor(scaled + 0.5)) < 1e-9 * (scaled + 1)) {
            return decimal(value, decimals);
        }
    }
    return decimal(value, most);
}

std::string Locale::bytes_number(Bytes bytes, ByteUnit unit, int decimals) const {
    const double value =
        static_cast<double>(bytes) / static_cast<double>(unit == ByteUnit::gib ? gib : gb);
    const double smallest = 1 / power_of_ten(decimals);
    if (value > 0 && value < smallest / 2)
        return "<" + decimal(smallest, decimals);
    return decimal(value, decimals);
}

std::string_view Locale::unit_name(ByteUnit unit) const {
    return unit == ByteUnit::gib ? "GiB" : "GB";
}

std::string Locale::bytes(Bytes bytes, ByteUnit unit, int decimals) const {
    return format(unit == ByteUnit::gib ? "number.gib" : "number.gb",
                  {bytes_number(bytes, unit, decimals)});
}

std::string Locale::bytes_range(Bytes low, Bytes high, ByteUnit unit, int decimals) const {
    return format(unit == ByteUnit::gib ? "number.gib" : "number.gb",
                  {range(bytes_number(low, unit, decimals), bytes_number(high, unit, decimals))});
}

std::string Locale::exact_bytes(Bytes bytes) const {
    return format("number.bytes", {integer(bytes)});
}

std::string Locale::percent(double fraction, int decimals) const {
    return format("number.percent", {decimal(fraction * 100, decimals)});
}

std::string Locale::range(std::string_view low, std::string_view high) const {
    return low == high ? std::string(low) : format("number.range", {low, high});
}

std::string Locale::tokens_short(std::int64_t tokens) const {
    constexpr std::int64_t binary_k = 1024;
    constexpr std::int64_t binary_m = binary_k * binary_k;
    if (tokens >= binary_m && tokens % binary_m == 0)
        return integer(tokens / binary_m) + "M";
    if (tokens >= binary_k && tokens < binary_m && tokens % binary_k == 0) {
        return integer(tokens / binary_k) + "K";
    }
    return integer(tokens);
}

std::string Locale::list(const std::vector<std::string>& parts) const {
    std::string result;
    for (const std::string& part : parts) {
        if (!result.empty())
            result += text("number.list");
        result += part;
    }
    return result;
}

} // namespace vramscope::report
