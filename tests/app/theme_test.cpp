// Colours: contrast after WCAG 2.2 (relative luminance of sRGB), and parts told apart by people
// with the three common colour-vision deficiencies (matrices of Machado, Oliveira and Fernandes
// 2009 at full severity, applied to linear RGB; difference in CIELAB 1976).
#include "app/theme.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace vramscope::app;

namespace {

using Triple = std::array<double, 3>;

Triple linear(Color color) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double value = static_cast<double>((color >> (8 * i)) & 0xFFU) / 255;
        result[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }
    return result;
}

double luminance(Color color) {
    const Triple rgb = linear(color);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(Color a, Color b) {
    const double brighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (brighter + 0.05) / (darker + 0.05);
}

Triple lab(const Triple& rgb) {
    const double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047;
    const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    const double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

using Matrix = std::array<Triple, 3>;
constexpr Matrix normal_vision{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia{{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia{{{0.367322, 0.860646, -0.227968},
                               {0.280085, 0.672501, 0.047413},
                               {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia{{{1.255528, -0.076749, -0.178779},
                             {-0.078411, 0.930809, 0.147602},
                             {0.004733, 0.691367, 0.303900}}};

double difference(Color a, Color b, const Matrix& vision) {
    const auto seen = [&](Color color) {
        const Triple rgb = linear(color);
        Triple result{};
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                result[row] += vision[row][column] * rgb[column];
        for (double& value : result)
            value = std::clamp(value, 0.0, 1.0);
        return lab(result);
    };
    const Triple first = seen(a);
    const Triple second = seen(b);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += (first[i] - second[i]) * (first[i] - second[i]);
    return std::sqrt(sum);
}

} // namespace

TEST_CASE("Text is readable on every surface of both themes") {
    for (const bool dark : {true, false}) {
        const Palette& p = palette(dark);
        for (const Color surface : {p.background, p.panel, p.raised, p.hovered, p.selected}) {
            INFO((dark ? "dark " : "light ") << std::hex << surface);
            CHECK(contrast(p.text, surface) >= 7);
            CHECK(contrast(p.dim, surface) >= 4.5);
        }
        for (const Color color : {p.accent, p.ok, p.warn, p.bad})
            CHECK(contrast(color, p.panel) >= 4.5);
        CHECK(contrast(p.on_accent, p.accent) >= 4.5);
        for (const Tone tone : {Tone::ok, Tone::warn, Tone::bad}) {
            CHECK(contrast(p.text, p.tint(tone)) >= 4.5);
            // The sign is a picture: 3 : 1 is asked for.
            CHECK(contrast(p.tone(tone), p.tint(tone)) >= 3);
        }
        // Parts of a bar are pictures too.
        for (const Tone tone :
             {Tone::weights, Tone::kv, Tone::state, Tone::compute, Tone::overhead})
            CHECK(contrast(p.tone(tone), p.panel) >= 3);
    }
}

TEST_CASE("Neighbouring parts differ for every kind of colour vision") {
    for (const bool dark : {true, false}) {
        const Palette& p = palette(dark);
        const std::array parts{p.weights, p.kv, p.state, p.compute, p.overhead};
        for (const Matrix& vision : {normal_vision, protanopia, deuteranopia, tritanopia})
            for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
                INFO((dark ? "dark " : "light ") << i);
                CHECK(difference(parts[i], parts[i + 1], vision) >= 10);
            }
    }
}

TEST_CASE("Colours are packed and mixed as ImGui expects them") {
    CHECK(rgb(0x112233) == 0xFF332211U);
    CHECK(blend(0xFF000000U, 0xFFFFFFFFU, 0) == 0xFF000000U);
    CHECK(blend(0xFF000000U, 0xFFFFFFFFU, 1) == 0xFFFFFFFFU);
    CHECK(blend(0xFF000000U, 0xFFFFFFFFU, 0.5F) == 0xFF808080U);
    CHECK(with_alpha(0xFF332211U, 0.5F) == 0x80332211U);
}
