// Measured decode rates beside which the computed ones are shown. They come after the page's first
// answer, as the text that tests/reference/speed_points.txt explains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramscope::app {

class MeasuredPoints {
public:
    struct Point {
        double depth = 0;     ///< tokens behind the measured ones, on average
        double sequences = 1; ///< at once; the rate is their sum
        double tokens_per_second = 0;
        std::string_view source; ///< repository, file and version
        std::string_view date;
        char grade = ' '; ///< o: official, a, m: one author, t, u: community
    };

    MeasuredPoints() = default;
    explicit MeasuredPoints(std::string text);
    bool empty() const { return text_.empty(); }

    /// Plain decoding (one device, no speculation, F16 cache) of a model with these weights on this
    /// device; ids of the catalog, any case.
    std::vector<Point> find(std::string_view engine, std::string_view hardware,
                            std::string_view model, std::string_view weights) const;

private:
    std::string text_;
    std::vector<std::string> sources_;
};

} // namespace vramscope::app
