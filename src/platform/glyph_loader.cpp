#include "platform/glyph_loader.h"

#include <array>
#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"
#include "misc/freetype/imgui_freetype.h"
#include "platform/glyph_source.h"

static_assert(sizeof(ImWchar) == 4 && sizeof(ImDrawIdx) == 4,
              "build with IMGUI_USER_CONFIG=\"platform/imgui_config.h\"");

namespace vramscope::platform::glyph_loader {
namespace {

constexpr std::array faces = {Face::regular, Face::semibold, Face::mono};
std::array<ImFont*, faces.size()> fonts;
bool full = false;

Face face_of(const ImFontConfig& source) {
    return faces[static_cast<std::size_t>(source.FontNo)];
}

float device_em(const ImFontBaked& baked) {
    return baked.Size * baked.RasterizerDensity;
}

bool is_digit(ImWchar c) {
    return c >= '0' && c <= '9';
}

/// Characters that only steer the shaping of their neighbours; ImGui places glyphs one by one, so
/// they are nothing here rather than boxes.
bool is_invisible(ImWchar c) {
    return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
           c == 0x00AD;
}

bool contains_glyph(ImFontAtlas*, ImFontConfig*, ImWchar codepoint) {
    return codepoint >= 0x20 && (codepoint < 0x7F || codepoint >= 0xA0);
}

/// Capitals stand in the middle of the line. Centring ascent and descent, as CSS does, would put
/// the text of some system fonts a pixel or two too low.
bool init_baked(ImFontAtlas*, ImFontConfig* source, ImFontBaked* baked, void*) {
    const float density = baked->RasterizerDensity;
    const auto metrics = glyph_source::font_metrics(face_of(*source), device_em(*baked));
    const float baseline = (baked->Size * density + metrics.cap_height) / 2;
    baked->Ascent = std::round(baseline) / density;
    baked->Descent = baked->Ascent - baked->Size;
    return true;
}

/// Advances are whole device pixels, so that every glyph of a line lies on the pixel grid.
float cell_advance(Face face, float em, ImWchar codepoint, float advance) {
    if (is_digit(codepoint))
        advance = glyph_source::font_metrics(face, em).digit_advance;
    return std::round(advance);
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*,
                ImWchar codepoint, ImFontGlyph* out, float* out_advance) {
    if (!contains_glyph(atlas, source, codepoint))
        return false;
    const Face face = face_of(*source);
    const float em = device_em(*baked);
    const float density = baked->RasterizerDensity;

    glyph_source::GlyphMetrics ink;
    if (!is_invisible(codepoint))
        ink = glyph_source::glyph_metrics(face, em, codepoint);
    const float advance = cell_advance(face, em, codepoint, ink.advance);
    if (out_advance != nullptr) {
        *out_advance = advance / density;
        return true;
    }
    out->Codepoint = codepoint & 0x3FFFFFFU; // a bit field of 26
    out->AdvanceX = advance / density;
    if (ink.right <= ink.left || ink.bottom <= ink.top)
        return true;

    // One pixel more on each side: anti-aliasing and hinting may reach over the measured box.
    const int left = static_cast<int>(std::floor(ink.left)) - 1;
    const int top = static_cast<int>(std::floor(ink.top)) - 1;
    const int width = static_cast<int>(std::ceil(ink.right)) + 1 - left;
    const int height = static_cast<int>(std::ceil(ink.bottom)) + 1 - top;
    const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, width, height);
    if (id == ImFontAtlasRectId_Invalid) {
        full = true;
        return false;
    }
    const ImTextureRect place = *ImFontAtlasPackGetRect(atlas, id);

    ImVector<unsigned char>& pixels = atlas->Builder->TempBuffer;
    pixels.resize(width * height * 4);
    out->Colored =
        glyph_source::draw_glyph(face, em, codepoint, left, top, width, height, pixels.Data) ? 1
                                                                                             : 0;
    const float in_cell = is_digit(codepoint) ? std::round((advance - ink.advance) / 2) : 0;
    out->X0 = (static_cast<float>(left) + in_cell) / density;
    out->Y0 = static_cast<float>(top) / density + baked->Ascent;
    out->X1 = out->X0 + static_cast<float>(width) / density;
    out->Y1 = out->Y0 + static_cast<float>(height) / density;
    out->Visible = 1;
    out->PackId = id;
    ImTextureRect rect = place;
    ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, out, &rect, pixels.Data,
                                       ImTextureFormat_RGBA32, width * 4);
    return true;
}

const ImFontLoader& loader() {
    static const ImFontLoader instance = [] {
        ImFontLoader made;
        made.Name = "vramscope";
        made.FontSrcContainsGlyph = contains_glyph;
        made.FontBakedInit = init_baked;
        made.FontBakedLoadGlyph = load_glyph;
        return made;
    }();
    return instance;
}

} // namespace

void add_fonts(ImFontAtlas& atlas, int largest_texture_side) {
    // Neither baked lines nor drawn cursors: the renderer takes every texel but the white one for
    // a glyph and puts it on the pixel grid.
    atlas.Flags |= ImFontAtlasFlags_NoBakedLines | ImFontAtlasFlags_NoMouseCursors;
    atlas.TexMaxWidth = atlas.TexMaxHeight = largest_texture_side;
    full = false;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        ImFontConfig config;
        config.FontLoader = &loader();
        config.FontNo = static_cast<ImU32>(i);
        config.SizePixels = text_size::body;
        fonts[i] = atlas.AddFont(&config);
    }
}

ImFont* font(Face face) {
    for (std::size_t i = 0; i < faces.size(); ++i)
        if (faces[i] == face)
            return fonts[i];
    return fonts[0];
}

void forget_glyphs(ImFontAtlas& atlas) {
    ImFontAtlasBuildDiscardBakes(&atlas, 0);
    full = false;
}

bool atlas_is_full() {
    return full;
}

} // namespace vramscope::platform::glyph_loader

// See IMGUI_ENABLE_FREETYPE in imgui_config.h.
namespace ImGuiFreeType {
const ImFontLoader* GetFontLoader() {
    return &vramscope::platform::glyph_loader::loader();
}
} // namespace ImGuiFreeType
