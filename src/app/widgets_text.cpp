#include "app/widgets_text.h"

#include <algorithm>
#include <cmath>

namespace vramscope::app {

namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";

ImFont* font_of(const Fonts& fonts, TextStyle style) {
    ImFont* font = fonts.regular;
    if (metrics(style).face == TextMetrics::Face::semibold)
        font = fonts.semibold;
    if (metrics(style).face == TextMetrics::Face::mono)
        font = fonts.mono;
    return font != nullptr ? font : ImGui::GetFont();
}

// paint() hands the faces over once a frame; measuring then needs no context.
Fonts current_fonts;

ImFontBaked* baked_of(TextStyle style) {
    // Faces that were not pushed this frame do not know the current density by themselves.
    return font_of(current_fonts, style)
        ->GetFontBaked(metrics(style).size, ImGui::GetFontRasterizerDensity());
}

struct Decoded {
    unsigned codepoint = 0;
    std::size_t bytes = 1;
};

Decoded decode(std::string_view text, std::size_t at) {
    Decoded decoded;
    const int used =
        ImTextCharFromUtf8(&decoded.codepoint, text.data() + at, text.data() + text.size());
    decoded.bytes = static_cast<std::size_t>(std::max(1, used));
    return decoded;
}

/// Scripts that are written without blanks.
bool breaks_anywhere(unsigned c) {
    return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) || c >= 0x20000;
}

bool may_not_start_line(unsigned c) {
    constexpr std::u32string_view closing = U"、。，．・：；？！）］｝」』】〉》〕〗ー々ぁぃぅぇぉ"
                                            U"っゃゅょゎァィゥェォッャュョヮ%,.:;!?)]}…\\·–";
    return closing.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

bool may_not_end_line(unsigned c) {
    constexpr std::u32string_view opening = U"（［｛「『【〈《〔〖([{";
    return opening.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

bool is_letter(unsigned c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0;
}

/// Between `before` (which follows `earlier`) and `after`.
bool break_after(unsigned earlier, unsigned before, unsigned after) {
    if (after == ' ' || may_not_start_line(after))
        return false;
    if (before == ' ')
        return true;
    if (may_not_end_line(before))
        return false;
    if (before == '-')
        return is_letter(earlier) && is_letter(after);
    return breaks_anywhere(before) || breaks_anywhere(after);
}

/// Where a word that is too long for a line of its own is divided.
bool divides_word(unsigned before) {
    return before == '-' || before == '/' || before == '_' || before == '.' || before == ',';
}

std::string_view without_trailing_blanks(std::string_view line) {
    while (!line.empty() && line.back() == ' ')
        line.remove_suffix(1);
    return line;
}

void log_text(Ui& ui, std::string_view text, const ImRect& box, bool shortened,
              const ImDrawList* list) {
    if (ui.state.log == nullptr || text.empty())
        return;
    const ImVec2 clip_min = list->GetClipRectMin();
    const ImVec2 clip_max = list->GetClipRectMax();
    ui.state.log->texts.push_back({std::string(text),
                                   {box.Min.x, box.Min.y, box.Max.x, box.Max.y},
                                   {clip_min.x, clip_min.y, clip_max.x, clip_max.y},
                                   shortened,
                                   ui.layer});
}

/// Glyphs from `position` (the glyph box's top left); no clipping of its own.
float draw_glyphs(const Ui& ui, TextStyle style, ImVec2 position, Color color,
                  std::string_view text, ImDrawList* list) {
    ImFontBaked* baked = baked_of(style);
    const float top = snap(ui, position.y);
    float pen = snap(ui, position.x);
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        at += next.bytes;
        const ImFontGlyph* glyph = baked->FindGlyph(static_cast<ImWchar>(next.codepoint));
        if (glyph == nullptr)
            continue;
        if (glyph->Visible != 0) {
            const float left = snap(ui, pen + glyph->X0);
            const ImU32 tint = glyph->Colored != 0 ? (color | ~IM_COL32_A_MASK) : color;
            list->PrimReserve(6, 4);
            list->PrimRectUV({left, top + glyph->Y0},
                             {left + glyph->X1 - glyph->X0, top + glyph->Y1},
                             {glyph->U0, glyph->V0}, {glyph->U1, glyph->V1}, tint);
        }
        pen += glyph->AdvanceX;
    }
    return pen - position.x;
}

/// How many bytes of the text fit into `width`.
std::size_t fitting(TextStyle style, std::string_view text, float width) {
    ImFontBaked* baked = baked_of(style);
    float used = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const Decoded next = decode(text, at);
        used += baked->GetCharAdvance(static_cast<ImWchar>(next.codepoint));
        if (used > width)
            break;
        at += next.bytes;
    }
    return at;
}

/// Length in bytes of the first line of `text`; at least one character.
std::size_t first_line(TextStyle style, float width, std::string_view text) {
    ImFontBaked* baked = baked_of(style);
    float used = 0;
    std::size_t last_break = 0;
    std::size_t last_division = 0;
    unsigned earlier = 0;
    unsigned previous = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        if (next.codepoint == '\n')
            return at;
        if (at > 0 && break_after(earlier, previous, next.codepoint))
            last_break = at;
        if (at > 1 && divides_word(previous))
            last_division = at;
        used += baked->GetCharAdvance(static_cast<ImWchar>(next.codepoint));
        // Blanks may hang over the edge.
        if (used > width + 0.01F && next.codepoint != ' ' && at > 0) {
            if (last_break > 0)
                return last_break;
            return last_division > 0 ? last_division : at;
        }
        earlier = previous;
        previous = next.codepoint;
        at += next.bytes;
    }
    return text.size();
}

} // namespace

void set_text_fonts(const Fonts& fonts) {
    current_fonts = fonts;
}

float text_width(TextStyle style, std::string_view text) {
    ImFontBaked* baked = baked_of(style);
    float width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Decoded next = decode(text, at);
        at += next.bytes;
        width += baked->GetCharAdvance(static_cast<ImWchar>(next.codepoint));
    }
    return width;
}

float line_height(TextStyle style) {
    return metrics(style).line_height;
}

float text_line(Ui& ui, TextStyle style, ImVec2 position, Color color, std::string_view text,
                ImDrawList* list) {
    if (list == nullptr)
        list = ImGui::GetWindowDrawList();
    const TextMetrics& m = metrics(style);
    const float width = text_width(style, text);
    log_text(ui, text, {position, position + ImVec2(width, m.line_height)}, false, list);
    const ImVec2 clip_min = list->GetClipRectMin();
    const ImVec2 clip_max = list->GetClipRectMax();
    if (position.y > clip_max.y || position.y + m.line_height < clip_min.y)
        return width;
    draw_glyphs(ui, style, {position.x, position.y + (m.line_height - m.size) / 2}, color, text,
                list);
    return width;
}

float text_between(Ui& ui, TextStyle style, float left, float right, float top, Color color,
                   std::string_view text, Align align) {
    const float width = text_width(style, text);
    const float available = right - left;
    if (width <= available + 0.5F) {
        float x = left;
        if (align == Align::right)
            x = right - width;
        if (align == Align::centre)
            x = left + (available - width) / 2;
        return text_line(ui, style, {x, top}, color, text);
    }
    if (available <= 0)
        return 0;
    const float room = available - text_width(style, ellipsis);
    std::string_view kept = without_trailing_blanks(text.substr(0, fitting(style, text, room)));
    constexpr std::string_view separator = " \xC2\xB7"; // "5.74 GiB ·…" says less than "5.74 GiB…"
    if (kept.ends_with(separator))
        kept.remove_suffix(separator.size());
    std::string shown(kept);
    shown += ellipsis;
    const float shown_width = text_width(style, shown);
    const float x = align == Align::right ? right - shown_width : left;
    PaintLog* log = ui.state.log;
    text_line(ui, style, {x, top}, color, shown);
    if (log != nullptr)
        log->texts.back().shortened = true;
    tooltip(ui, text, {x, top, x + shown_width, top + line_height(style)}, text);
    return shown_width;
}

float text_in(Ui& ui, TextStyle style, const ImRect& rect, Color color, std::string_view text,
              Align align) {
    const float top = rect.GetCenter().y - line_height(style) / 2;
    return text_between(ui, style, rect.Min.x, rect.Max.x, top, color, text, align);
}

std::vector<std::string_view> wrap(TextStyle style, float width, std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t length = first_line(style, width, text);
        lines.push_back(without_trailing_blanks(text.substr(0, length)));
        text.remove_prefix(length);
        if (!text.empty() && text.front() == '\n')
            text.remove_prefix(1);
    }
    return lines;
}

ImVec2 paragraph_size(TextStyle style, float width, std::string_view text) {
    ImVec2 size(0, 0);
    for (const std::string_view line : wrap(style, width, text)) {
        size.x = std::max(size.x, text_width(style, line));
        size.y += line_height(style);
    }
    return size;
}

float paragraph(Ui& ui, TextStyle style, ImVec2 position, float width, Color color,
                std::string_view text, ImDrawList* list) {
    float y = position.y;
    for (const std::string_view line : wrap(style, width, text)) {
        text_line(ui, style, {position.x, y}, color, line, list);
        y += line_height(style);
    }
    return y - position.y;
}

float widest_word(TextStyle style, std::string_view text) {
    float widest = 0;
    std::size_t start = 0;
    unsigned earlier = 0;
    unsigned previous = 0;
    for (std::size_t at = 0; at <= text.size();) {
        const bool end = at == text.size();
        const Decoded next = end ? Decoded{} : decode(text, at);
        if (end || next.codepoint == '\n' ||
            (at > 0 && break_after(earlier, previous, next.codepoint))) {
            const auto word = without_trailing_blanks(text.substr(start, at - start));
            widest = std::max(widest, text_width(style, word));
            start = at;
        }
        if (end)
            break;
        earlier = previous;
        previous = next.codepoint;
        at += next.bytes;
    }
    return widest;
}

} // namespace vramscope::app
