// The measured rates of tests/reference/speed_points.txt, and the rule that admits some of them.
#pragma once

#include <string>
#include <vector>

#include "catalog/resolve.h"

namespace vramscope::test {

/// One measurement, or the median of several with the same setting.
struct SpeedPoint {
    std::string engine, hardware, model, weights, backend, date, flags;
    char grade = ' ';
    bool is_decode = true;
    double file_bytes = 0;
    double depth = 0;  ///< decode: tokens behind it on average; prefill: before the prompt
    double tokens = 0; ///< generated, or of the prompt
    double batch = 1;
    double rate = 0; ///< tokens per second, all sequences together
    int source = 0;
    int repeats = 1;   ///< measurements behind the median
    double spread = 1; ///< largest of them / smallest

    bool has_flag(std::string_view flag) const;
    /// The number behind a flag ("ub64" -> 64), 0 without it.
    double flag_number(std::string_view flag) const;
    /// "engine hardware model weights d256x1": what makes a setting.
    std::string setting() const;
};

struct SpeedPoints {
    std::vector<SpeedPoint> points;
    std::vector<std::string> sources;
};
SpeedPoints read_speed_points();

/// The admission rule of the curated set. Empty: admitted; else the reason why not.
std::string_view refusal(const SpeedPoint& point);

/// Repeated settings (builds, back ends, authors) reduced to their median.
std::vector<SpeedPoint> reduced(const std::vector<SpeedPoint>& points);

/// The request that a point answers: its model, weights and device in the repository's catalog.
catalog::ResolvedRequest request_of(const SpeedPoint& point);

} // namespace vramscope::test
