#include "core/decimal.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace vramscope {
namespace {

constexpr int mantissa_bits = 52;
constexpr int exponent_bias = 1023;
constexpr int largest_biased_exponent = 2047; ///< of infinity

/// 0.d1d2d3… x 10^point, exact: a double has at most 767 significant digits.
class Digits {
public:
    void push(int digit) {
        if (count_ == 0 && digit == 0) {
            --point_;
        } else if (count_ < most) {
            digits_[count_++] = static_cast<std::uint8_t>(digit);
        } else if (digit != 0) {
            more_ = true;
        }
    }
    void move_point(int places) { point_ += places; }
    void set(std::uint64_t whole) {
        std::uint64_t divisor = 1;
        while (whole / divisor >= 10)
            divisor *= 10;
        for (; divisor > 0; divisor /= 10) {
            push(static_cast<int>(whole / divisor % 10));
            ++point_;
        }
        trim();
    }
    void trim() {
        while (count_ > 0 && digits_[count_ - 1] == 0)
            --count_;
        if (count_ == 0)
            point_ = 0;
    }

    int count() const { return count_; }
    int point() const { return point_; }
    int operator[](int place) const { return place >= 0 && place < count_ ? digits_[place] : 0; }

    /// Times 2^bits.
    void shift(int bits) {
        constexpr int at_once = 56;
        for (; bits > at_once; bits -= at_once)
            shift_left(at_once);
        for (; bits < -at_once; bits += at_once)
            shift_right(at_once);
        if (bits > 0)
            shift_left(bits);
        if (bits < 0)
            shift_right(-bits);
    }
    /// To this many digits, halves to even.
    void round(int kept) {
        if (kept < 0) {
            count_ = 0;
            trim();
        }
        if (kept < 0 || kept >= count_)
            return;
        const bool half = digits_[kept] == 5 && kept + 1 == count_ && !more_;
        const bool up = half ? kept > 0 && digits_[kept - 1] % 2 == 1 : digits_[kept] >= 5;
        count_ = kept;
        more_ = false;
        if (up) {
            while (count_ > 0 && digits_[count_ - 1] == 9)
                --count_;
            if (count_ > 0) {
                ++digits_[count_ - 1];
            } else {
                digits_[count_++] = 1;
                ++point_;
            }
        }
        trim();
    }
    /// Rounded to a whole number that fits.
    std::uint64_t whole() {
        round(point_);
        std::uint64_t value = 0;
        for (int i = 0; i < point_; ++i)
            value = value * 10 + static_cast<std::uint64_t>((*this)[i]);
        return value;
    }

private:
    static constexpr int most = 800;

    void shift_left(int bits) {
        // The carry out of the first digit is the new digits in front.
        std::uint64_t carry = 0;
        for (int i = count_ - 1; i >= 0; --i)
            carry = (carry + (std::uint64_t{digits_[i]} << bits)) / 10;
        int added = 0;
        for (; carry > 0; carry /= 10)
            ++added;
        for (int i = count_ - 1; i >= 0; --i) {
            carry += std::uint64_t{digits_[i]} << bits;
            store(i + added, carry % 10);
            carry /= 10;
        }
        for (int i = added - 1; i >= 0; --i, carry /= 10)
            store(i, carry % 10);
        count_ = std::min(count_ + added, most);
        point_ += added;
        trim();
    }
    void store(int place, std::uint64_t digit) {
        if (place < most)
            digits_[place] = static_cast<std::uint8_t>(digit);
        else if (digit != 0)
            more_ = true;
    }
    void shift_right(int bits) {
        if (count_ == 0)
            return;
        std::uint64_t rest = 0;
        int read = 0;
        while (rest >> bits == 0)
            rest = rest * 10 + static_cast<std::uint64_t>((*this)[read++]);
        point_ -= read - 1;
        int written = 0;
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        while (rest > 0 || read <= count_) {
            // The first digit is stored where it, or one before it, was read.
            const std::uint64_t digit = rest >> bits;
            rest &= mask;
            const int next = (*this)[read];
            store(written++, digit);
            rest = rest * 10 + static_cast<std::uint64_t>(next);
            ++read;
        }
        count_ = std::min(written, most);
        trim();
    }

    std::uint8_t digits_[most];
    int count_ = 0;
    int point_ = 0;
    bool more_ = false; ///< something not 0 follows
};

double to_double(Digits digits) {
    if (digits.count() == 0)
        return 0;
    constexpr int beyond_infinity = 310;
    constexpr int below_everything = -330;
    if (digits.point() > beyond_infinity)
        return std::bit_cast<double>(std::uint64_t{largest_biased_exponent} << mantissa_bits);
    if (digits.point() < below_everything)
        return 0;
    // To 0.5 <= digits < 1, with steps of 2^(3 n) that are smaller than 10^n.
    constexpr int largest_step = 54;
    int exponent = 0;
    while (digits.point() > 0) {
        const int step = std::clamp(3 * (digits.point() - 1), 1, largest_step);
        digits.shift(-step);
        exponent += step;
    }
    while (digits.point() < 0 || digits[0] < 5) {
        const int step = std::clamp(-3 * digits.point(), 1, largest_step);
        digits.shift(step);
        exponent -= step;
    }
    --exponent; // 1 <= mantissa < 2
    if (exponent <= -exponent_bias) {
        const int step = 1 - exponent_bias - exponent;
        digits.shift(-step);
        exponent += step;
    }
    digits.shift(mantissa_bits + 1);
    std::uint64_t mantissa = digits.whole();
    if (mantissa == std::uint64_t{1} << (mantissa_bits + 1)) {
        mantissa >>= 1;
        ++exponent;
    }
    auto biased = static_cast<std::uint64_t>(exponent + exponent_bias);
    if ((mantissa >> mantissa_bits) == 0)
        biased = 0; // subnormal
    if (biased >= largest_biased_exponent) {
        biased = largest_biased_exponent;
        mantissa = 0;
    }
    mantissa &= (std::uint64_t{1} << mantissa_bits) - 1;
    return std::bit_cast<double>(biased << mantissa_bits | mantissa);
}

Digits digits_of(double positive) {
    const auto bits = std::bit_cast<std::uint64_t>(positive);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
    const int biased = static_cast<int>(bits >> mantissa_bits & largest_biased_exponent);
    if (biased != 0)
        mantissa |= std::uint64_t{1} << mantissa_bits;
    Digits digits;
    digits.set(mantissa);
    digits.shift(std::max(biased, 1) - exponent_bias - mantissa_bits);
    return digits;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// With `wanted` significant digits, without an exponent up to `places` before the point.
std::string text_of(double value, int wanted, int places) {
    std::string text;
    if (std::bit_cast<std::uint64_t>(value) >> 63 != 0) {
        text += '-';
        value = -value;
    }
    if (value == 0)
        return text += '0';
    Digits digits = digits_of(value);
    digits.round(wanted);
    const int exponent = digits.point() - 1;
    const bool scientific = exponent < -4 || exponent >= places;
    const int before_point = scientific ? 1 : std::max(digits.point(), 1);
    const int first = scientific ? 0 : std::min(digits.point() - 1, 0);
    const int last = std::max(first + before_point, digits.count());
    for (int i = first; i < last; ++i) {
        if (i == first + before_point)
            text += '.';
        text += static_cast<char>('0' + digits[i]);
    }
    if (scientific) {
        text += exponent < 0 ? "e-" : "e+";
        const int power = exponent < 0 ? -exponent : exponent;
        if (power < 10)
            text += '0';
        text += std::to_string(power);
    }
    return text;
}

} // namespace

double read_decimal(const char* text, const char** end) {
    const char* at = text;
    const bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        ++at;
    Digits digits;
    std::uint64_t short_value = 0;
    int exponent = 0;
    int significant = 0;
    int read = 0;
    bool behind_point = false;
    for (;; ++at) {
        if (*at == '.' && !behind_point) {
            behind_point = true;
            continue;
        }
        if (!is_digit(*at))
            break;
        ++read;
        digits.push(*at - '0');
        if (!behind_point)
            digits.move_point(1);
        else
            --exponent;
        constexpr int exact_digits = 18;
        if (significant > 0 || *at != '0')
            ++significant;
        if (significant <= exact_digits)
            short_value = short_value * 10 + static_cast<std::uint64_t>(*at - '0');
    }
    *end = text;
    if (read == 0)
        return 0;
    *end = at;
    if (*at == 'e' || *at == 'E') {
        const char* power = at + 1;
        const bool below = *power == '-';
        if (*power == '-' || *power == '+')
            ++power;
        if (is_digit(*power)) {
            constexpr int enough = 100000;
            int value = 0;
            for (; is_digit(*power); ++power)
                value = std::min(value * 10 + (*power - '0'), enough);
            exponent += below ? -value : value;
            digits.move_point(below ? -value : value);
            *end = power;
        }
    }
    // Both are exact, so that one operation rounds once.
    constexpr int exact_power = 22;
    constexpr std::uint64_t exact_whole = std::uint64_t{1} << 53;
    double value = 0;
    if (significant <= 18 && short_value <= exact_whole && exponent >= -exact_power &&
        exponent <= exact_power) {
        double power = 1;
        for (int i = 0; i < exponent || i < -exponent; ++i)
            power *= 10;
        value = static_cast<double>(short_value);
        value = exponent < 0 ? value / power : value * power;
    } else {
        digits.trim();
        value = to_double(digits);
    }
    return negative ? -value : value;
}

std::string decimal_text(double value, int wanted) {
    return text_of(value, wanted, wanted);
}

std::string shortest_text(double value) {
    constexpr int always_enough = 17;
    for (int digits = 1;; ++digits) {
        std::string text = text_of(value, digits, always_enough);
        const char* end = nullptr;
        if (digits == always_enough || read_decimal(text.c_str(), &end) == value)
            return text;
    }
}

} // namespace vramscope
