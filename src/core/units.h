// Units used everywhere in the core.
//
// GiB is 2^30 bytes (memory as engines count it), GB is 10^9 bytes (disks, bandwidth, marketing).
// Every name says which one it means; plain numbers without a unit are counts.
#pragma once

#include <cstdint>

namespace vramscope {

/// A number of bytes. Signed, so that differences (head-room, savings) need no care.
using Bytes = std::int64_t;

inline constexpr Bytes kib = Bytes{1} << 10;
inline constexpr Bytes mib = Bytes{1} << 20;
inline constexpr Bytes gib = Bytes{1} << 30;
inline constexpr Bytes gb = 1'000'000'000;

/// The largest byte count the core computes with; anything above saturates here. 2^60 bytes is a
/// million TiB, far beyond any device, and leaves head-room for sums.
inline constexpr Bytes bytes_limit = Bytes{1} << 60;

/// a * b for non-negative numbers, saturating at bytes_limit. Inputs come from people's files and
/// links, so no product may overflow.
constexpr Bytes mul(Bytes a, Bytes b) {
    if (a <= 0 || b <= 0)
        return 0;
    // Nearly all factors are below 2^31, whose product cannot overflow and needs no slow division.
    constexpr Bytes small = Bytes{1} << 31;
    if (a < small && b < small)
        return a * b < bytes_limit ? a * b : bytes_limit;
    return a > bytes_limit / b ? bytes_limit : a * b;
}
constexpr Bytes mul(Bytes a, Bytes b, Bytes c) {
    return mul(mul(a, b), c);
}

constexpr Bytes add(Bytes a, Bytes b) {
    const Bytes sum = a + b;
    return sum > bytes_limit ? bytes_limit : sum;
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}
constexpr std::int64_t round_up(std::int64_t a, std::int64_t step) {
    return ceil_div(a, step) * step;
}

constexpr double to_gib(Bytes bytes) {
    return static_cast<double>(bytes) / static_cast<double>(gib);
}
/// Nearest byte; the argument is finite, as read from a catalog or a request (both validated).
constexpr Bytes from_gib(double value) {
    return static_cast<Bytes>(value * static_cast<double>(gib) + 0.5);
}

/// What is known of a byte count: low <= expected <= high. Equal bounds mean "exact".
struct ByteRange {
    Bytes low = 0;
    Bytes expected = 0;
    Bytes high = 0;

    static constexpr ByteRange exact(Bytes bytes) { return {bytes, bytes, bytes}; }
    constexpr bool is_exact() const { return low == high; }
    constexpr ByteRange& operator+=(const ByteRange& other) {
        low = add(low, other.low);
        expected = add(expected, other.expected);
        high = add(high, other.high);
        return *this;
    }
    friend constexpr ByteRange operator+(ByteRange a, const ByteRange& b) { return a += b; }
    friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Tokens per second, low <= expected <= high.
struct RateRange {
    double low = 0;
    double expected = 0;
    double high = 0;
};

} // namespace vramscope
