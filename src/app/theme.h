// Colours by meaning, text styles and the sizes of things: the whole look in one place.
#pragma once

#include <cstdint>

#include "app/view_model.h"

namespace vramscope::app {

using Color = std::uint32_t; ///< ImGui's packing: 0xAABBGGRR

constexpr Color rgb(unsigned hex) {
    return 0xFF000000U | ((hex & 0xFFU) << 16U) | (hex & 0xFF00U) | (hex >> 16U);
}
/// `amount` 0 gives `from`, 1 gives `to`; the result is as opaque as `from`.
Color blend(Color from, Color to, float amount);
Color with_alpha(Color color, float alpha);

struct Palette {
    bool dark = true;
    Color background = 0;
    Color panel = 0;  ///< cards
    Color raised = 0; ///< controls
    Color line = 0;
    Color text = 0;
    Color dim = 0;
    Color accent = 0;
    Color on_accent = 0; ///< text on the accent
    Color weights = 0;
    Color kv = 0;
    Color state = 0;
    Color compute = 0;
    Color overhead = 0;
    Color output = 0;
    Color ok = 0;
    Color warn = 0;
    Color bad = 0;
    Color selected = 0; ///< behind a chosen segment or row
    Color hovered = 0;  ///< a control under the pointer
    Color edge = 0;     ///< line of a control under the pointer

    Color tone(Tone tone) const;
    /// A quiet surface of that tone, for pills and banners: text stays readable on it.
    Color tint(Tone tone) const;
};

const Palette& palette(bool dark);

enum class TextStyle : std::uint8_t {
    caption,
    caption_strong,
    body,
    body_strong,
    title,
    heading,
    display,
    code
};
struct TextMetrics {
    enum class Face : std::uint8_t { regular, semibold, mono };
    float size; ///< em
    float line_height;
    Face face;
};
const TextMetrics& metrics(TextStyle style);

/// The 8-point grid.
namespace space {
inline constexpr float half = 4;
inline constexpr float unit = 8;
inline constexpr float card = 16;   ///< inside a card
inline constexpr float gap = 16;    ///< between cards
inline constexpr float field = 20;  ///< between two controls
inline constexpr float margin = 20; ///< page edge, wide
inline constexpr float narrow_margin = 12;
} // namespace space

namespace radius {
inline constexpr float card = 12;
inline constexpr float control = 8;
inline constexpr float inner = 6;
inline constexpr float pill = 5;
} // namespace radius

} // namespace vramscope::app
