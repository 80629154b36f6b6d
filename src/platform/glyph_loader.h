// Fonts for Dear ImGui whose glyphs are rasterised on first use by glyph_source.
#pragma once

#include "platform/platform.h"

struct ImFontAtlas;

namespace vramscope::platform::glyph_loader {

/// Adds one ImFont per Face. The atlas stays below `largest_texture_side` squared texels.
void add_fonts(ImFontAtlas& atlas, int largest_texture_side);
[[nodiscard]] ImFont* font(Face face);

/// Forgets all glyphs (the language changed, or the atlas is full). Only between frames.
void forget_glyphs(ImFontAtlas& atlas);
/// A glyph did not fit since the last forget_glyphs().
[[nodiscard]] bool atlas_is_full();

} // namespace vramscope::platform::glyph_loader
