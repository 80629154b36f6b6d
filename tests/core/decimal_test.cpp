// Against the C library, which rounds correctly.
#include "core/decimal.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

using namespace vramscope;

namespace {

// sscanf, since strtod is decimal.h's own in WebAssembly.
double reference(const std::string& text) {
    double value = 0;
    std::sscanf(text.c_str(), "%lf", &value);
    return value;
}

bool reads_as_the_library(const std::string& text) {
    const char* end = nullptr;
    const double value = read_decimal(text.c_str(), &end);
    return end == text.c_str() + text.size() &&
           std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(reference(text));
}

bool prints_as_the_library(double value) {
    for (const int digits : {1, 6, 12, 15, 17}) {
        char expected[40];
        std::snprintf(expected, sizeof expected, "%.*g", digits, value);
        if (decimal_text(value, digits) != expected)
            return false;
    }
    return true;
}

} // namespace

TEST_CASE("Decimal numbers are read to the nearest double") {
    for (const char* text :
         {"0", "-0", "1", "1.", ".5", "-.5e1", "+3", "00012.500", "0.1", "1e23", "1e400", "-1e400",
          "1e-400", "4.9e-324", "2.4e-324", "2.5e-324", "2.2250738585072011e-308",
          "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308",
          "9007199254740993", "9007199254740992.99999999999999999", "1e99999999999", "0e999",
          // between 1 and its successor, and a little beside
          "1.00000000000000011102230246251565404236316680908203125",
          "1.00000000000000011102230246251565404236316680908203124",
          "1.00000000000000011102230246251565404236316680908203126"}) {
        INFO(text);
        CHECK(reads_as_the_library(text));
    }
    std::mt19937_64 random(1); // NOLINT: the same numbers in every run
    for (int i = 0; i < 5000; ++i) {
        const auto value = std::bit_cast<double>(random());
        if (!std::isfinite(value))
            continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.*g", static_cast<int>(random() % 25 + 1), value);
        INFO(text);
        REQUIRE(reads_as_the_library(text));
    }
}

TEST_CASE("What is no number is left alone") {
    for (const char* text : {"", "-", "+", ".", "e5", "abc", "inf", "nan", " 1"}) {
        const char* end = nullptr;
        CHECK(read_decimal(text, &end) == 0);
        CHECK(end == text);
    }
    const char* rest = nullptr;
    CHECK(read_decimal("1e+x", &rest) == 1);
    CHECK(std::string(rest) == "e+x");
    CHECK(read_decimal("0.1.2", &rest) == 0.1);
    CHECK(std::string(rest) == ".2");
}

TEST_CASE("Numbers are printed as printf prints them") {
    for (const double value :
         {0.0, -0.0, 1.0, -2.5, 0.5, 2.5, 3.5, 0.1, 1e21, 1e22, 1e23, 0.0001, 0.00001, 123456.5,
          999999.5, 99.5, 5e-324, 1.7976931348623157e308, 0.00099999995}) {
        INFO(value);
        CHECK(prints_as_the_library(value));
    }
    std::mt19937_64 random(2); // NOLINT: the same numbers in every run
    for (int i = 0; i < 2000; ++i) {
        const auto any = std::bit_cast<double>(random());
        const double usual =
            std::ldexp(static_cast<double>(random() >> 20U), static_cast<int>(random() % 80) - 60);
        for (const double value : {any, usual}) {
            if (!std::isfinite(value))
                continue;
            INFO(value);
            REQUIRE(prints_as_the_library(value));
            REQUIRE(reference(shortest_text(value)) == value);
        }
    }
    CHECK(shortest_text(0.1) == "0.1");
    CHECK(shortest_text(80) == "80");
    CHECK(shortest_text(1.5) == "1.5");
    CHECK(shortest_text(123456789012) == "123456789012");
    CHECK(shortest_text(1e20) == "1e+20");
}
