#include "app/log_scale.h"

#include <cmath>

namespace vramscope::app {
namespace {

constexpr double ln2 = 0.693147180559945309417;

} // namespace

double log2_of(double value) {
    int exponent = 0;
    while (value > 1.5) {
        value *= 0.5;
        ++exponent;
    }
    while (value < 0.75) {
        value *= 2;
        --exponent;
    }
    // ln v = 2 artanh((v - 1) / (v + 1)); the ratio is at most 1/5.
    const double ratio = (value - 1) / (value + 1);
    const double square = ratio * ratio;
    double sum = 0;
    for (int i = 25; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return exponent + 2 / ln2 * ratio * sum;
}

double exp2_of(double exponent) {
    const double whole = std::floor(exponent + 0.5);
    const double rest = (exponent - whole) * ln2;
    double sum = 1;
    for (int i = 16; i > 0; --i)
        sum = 1 + sum * rest / i;
    double power = 1;
    for (int i = 0; i < whole; ++i)
        power *= 2;
    for (int i = 0; i > whole; --i)
        power *= 0.5;
    return sum * power;
}

} // namespace vramscope::app
