#include "app/log_scale.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace vramscope::app;

TEST_CASE("Logarithms and powers of two are those of the C library") {
    for (double value = 1e-6; value < 1e12; value *= 1.37) {
        INFO(value);
        CHECK(std::abs(log2_of(value) - std::log2(value)) < 1e-14);
        CHECK(std::abs(exp2_of(std::log2(value)) / value - 1) < 1e-13);
    }
    for (int exponent = -40; exponent <= 40; ++exponent) {
        CHECK(log2_of(std::ldexp(1.0, exponent)) == exponent);
        CHECK(exp2_of(exponent) == std::ldexp(1.0, exponent));
    }
}
