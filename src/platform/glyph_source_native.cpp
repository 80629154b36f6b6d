// Stand-in without a browser: every visible character is a box of plausible size, so that the
// layout of panels can run in native tests.
#include <algorithm>

#include "platform/glyph_source.h"

namespace vramscope::platform::glyph_source {
namespace {

bool is_wide(char32_t c) {
    return c >= 0x1100 && (c < 0x2000 || c >= 0x2E80);
}

} // namespace

FontMetrics font_metrics(Face, float em) {
    return {.cap_height = em * 0.72F, .digit_advance = em * 0.6F};
}

GlyphMetrics glyph_metrics(Face, float em, char32_t codepoint) {
    // Digits of different widths, as proportional fonts have them.
    const float narrow = codepoint == U'1' ? em * 0.4F : em * 0.55F;
    const float advance = is_wide(codepoint) ? em : narrow;
    if (codepoint == U' ' || codepoint == 0xA0 || codepoint == 0x3000)
        return {.advance = advance};
    return {.advance = advance,
            .left = em * 0.05F,
            .top = em * -0.72F,
            .right = advance - em * 0.05F,
            .bottom = 0};
}

bool draw_glyph(Face, float, char32_t, int, int, int width, int height, std::uint8_t* rgba) {
    std::fill_n(rgba, width * height * 4, std::uint8_t{255});
    return false;
}

void set_language(std::string_view) {}

} // namespace vramscope::platform::glyph_source
