// Where glyphs come from: a 2D canvas in the browser (browser_js.cpp), plain boxes elsewhere
// (glyph_source_native.cpp). All lengths are device pixels; `em` is the font size in them.
#pragma once

#include <cstdint>

#include "platform/platform.h"

namespace vramscope::platform::glyph_source {

struct FontMetrics {
    float cap_height = 0;    ///< of 'H' above the baseline
    float digit_advance = 0; ///< of the widest digit
};

/// Ink box relative to the pen position on the baseline, y growing downwards; empty for blanks.
struct GlyphMetrics {
    float advance = 0;
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;
};

FontMetrics font_metrics(Face face, float em);
GlyphMetrics glyph_metrics(Face face, float em, char32_t codepoint);

/// Draws a glyph with its pen position at (-left, -top) of a width × height picture, white on
/// nothing, as non-premultiplied RGBA. True when the glyph has colours of its own (emoji).
bool draw_glyph(Face face, float em, char32_t codepoint, int left, int top, int width, int height,
                std::uint8_t* rgba);

/// BCP 47 tag for the choice of regional glyph forms.
void set_language(std::string_view tag);

} // namespace vramscope::platform::glyph_source
