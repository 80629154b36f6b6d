// Texts and number formats of one language.
//
// All words a person sees come from catalog/locales/<lang>.json: a flat object of keys and texts.
// A text may hold placeholders: {0}, {1} … are replaced by the arguments, already formatted. The
// keys "number.*" hold the separators and the order of number, sign and unit.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/result.h"
#include "catalog/texts.h"
#include "core/units.h"

namespace vramscope::report {

enum class ByteUnit : std::uint8_t { gib, gb }; ///< 2^30 or 10^9; the text always says which

class Locale {
public:
    /// Reads a locale file. Errors name the key.
    static catalog::Result<Locale> read(std::string_view json);

    std::string_view language() const { return text("language"); }
    bool has(std::string_view key) const;
    /// The text of a key; the key itself when it is missing (a test makes sure none is).
    std::string_view text(std::string_view key) const;
    /// The text with its placeholders filled.
    std::string format(std::string_view key,
                       std::initializer_list<std::string_view> arguments) const;
    std::vector<std::string_view> keys() const;

    /// Grouped whole number: 32,768 / 32.768 / 32,768.
    std::string integer(std::int64_t value) const;
    /// Fixed decimals, rounded half away from zero, grouped.
    std::string decimal(double value, int decimals) const;
    /// As many decimals as the number needs, at most six: 2, 1.0625.
    std::string number(double value) const;
    /// "7.12" of a byte count in the unit, without the unit's name. What is more than nothing and
    /// would print as zero prints as "<0.01".
    std::string bytes_number(Bytes bytes, ByteUnit unit, int decimals = 2) const;
    /// "7.12 GiB", with a no-break space.
    std::string bytes(Bytes bytes, ByteUnit unit, int decimals = 2) const;
    /// "7.07–7.41 GiB", or one figure when both ends print the same.
    std::string bytes_range(Bytes low, Bytes high, ByteUnit unit, int decimals = 2) const;
    /// "6,166,574,944 bytes": exact, for tooltips and file tables.
    std::string exact_bytes(Bytes bytes) const;
    std::string_view unit_name(ByteUnit unit) const;
    /// "67.6 %" from a fraction of 1.
    std::string percent(double fraction, int decimals = 0) const;
    /// Two ends of a range as one text; one figure when both print the same.
    std::string range(std::string_view low, std::string_view high) const;
    /// Tokens in short form: "32K", "128K", "1M" when round in binary, else grouped digits.
    std::string tokens_short(std::int64_t tokens) const;
    /// The parts joined as this language lists things: "a, b, c" / "a、b、c".
    std::string list(const std::vector<std::string>& parts) const;

private:
    std::vector<catalog::Text> entries_; // sorted by key
};

} // namespace vramscope::report
