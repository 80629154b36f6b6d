#include "app/theme.h"

#include <array>
#include <cmath>

namespace vramscope::app {

namespace {

unsigned channel(Color color, unsigned shift) {
    return (color >> shift) & 0xFFU;
}

Palette make(bool dark) {
    Palette p;
    p.dark = dark;
    p.background = rgb(dark ? 0x0e1116 : 0xf5f6f8);
    p.panel = rgb(dark ? 0x161a21 : 0xffffff);
    p.raised = rgb(dark ? 0x1d222b : 0xf0f2f5);
    p.line = rgb(dark ? 0x2a303b : 0xdde1e8);
    p.text = rgb(dark ? 0xe8ebf1 : 0x1a1e26);
    p.dim = rgb(dark ? 0x9aa4b5 : 0x596375);
    p.accent = rgb(dark ? 0x7aa8ff : 0x2f67d8);
    p.on_accent = rgb(dark ? 0x0e1116 : 0xffffff);
    p.weights = rgb(dark ? 0x5b8def : 0x3f76e0);
    p.kv = rgb(dark ? 0xf0a840 : 0xb8720a);
    p.state = rgb(dark ? 0xb184f5 : 0x8b5bd6);
    p.compute = rgb(dark ? 0x3fbfa6 : 0x1f9d86);
    p.overhead = rgb(dark ? 0x78839a : 0x6f7a8c);
    p.output = rgb(dark ? 0xd0d6e2 : 0x3d4656);
    p.ok = rgb(dark ? 0x3ecf8e : 0x157a4f);
    p.warn = rgb(dark ? 0xf0b64a : 0x8a5a00);
    p.bad = rgb(dark ? 0xf07178 : 0xb7323e);
    p.selected = blend(p.panel, p.accent, dark ? 0.22F : 0.14F);
    p.hovered = blend(p.raised, p.text, dark ? 0.06F : 0.04F);
    p.edge = blend(p.line, p.text, dark ? 0.22F : 0.20F);
    return p;
}

constexpr auto regular = TextMetrics::Face::regular;
constexpr auto semibold = TextMetrics::Face::semibold;
constexpr std::array text_styles{
    TextMetrics{12, 16, regular},                 // caption
    TextMetrics{12, 16, semibold},                // caption_strong
    TextMetrics{14, 20, regular},                 // body
    TextMetrics{14, 20, semibold},                // body_strong
    TextMetrics{17, 24, semibold},                // title
    TextMetrics{22, 28, semibold},                // heading
    TextMetrics{26, 32, semibold},                // display
    TextMetrics{12, 18, TextMetrics::Face::mono}, // code
};

} // namespace

Color blend(Color from, Color to, float amount) {
    Color mixed = from & 0xFF000000U;
    for (const unsigned shift : {0U, 8U, 16U}) {
        const auto a = static_cast<float>(channel(from, shift));
        const auto b = static_cast<float>(channel(to, shift));
        mixed |= static_cast<Color>(std::lround(a + (b - a) * amount)) << shift;
    }
    return mixed;
}

Color with_alpha(Color color, float alpha) {
    return (color & 0x00FFFFFFU) | (static_cast<Color>(std::lround(alpha * 255.0F)) << 24U);
}

Color Palette::tone(Tone tone) const {
    switch (tone) {
    case Tone::normal:
        return text;
    case Tone::dim:
        return dim;
    case Tone::accent:
        return accent;
    case Tone::weights:
        return weights;
    case Tone::kv:
        return kv;
    case Tone::state:
        return state;
    case Tone::compute:
        return compute;
    case Tone::overhead:
        return overhead;
    case Tone::output:
        return output;
    case Tone::ok:
        return ok;
    case Tone::warn:
        return warn;
    case Tone::bad:
        return bad;
    }
    return text;
}

Color Palette::tint(Tone tone) const {
    if (tone == Tone::normal || tone == Tone::dim)
        return raised;
    return blend(panel, this->tone(tone), dark ? 0.20F : 0.15F);
}

const Palette& palette(bool dark) {
    static const Palette dark_palette = make(true);
    static const Palette light_palette = make(false);
    return dark ? dark_palette : light_palette;
}

const TextMetrics& metrics(TextStyle style) {
    return text_styles[static_cast<std::size_t>(style)];
}

} // namespace vramscope::app
