#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_bar.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

float verdict(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float mark = 40;
    const float text_x = x + mark + 16;
    const float text_width_left = width - mark - 16;
    const float title = paragraph_size(TextStyle::display, text_width_left, view.verdict_text).y;
    const float detail = paragraph_size(TextStyle::body, text_width_left, view.verdict_detail).y;
    const float height = std::max(mark, title + detail + 2);
    // Beside a long detail the mark stays at the headline.
    const float centre_y = y + std::min(height, 54.0F) / 2;
    const ImVec2 centre(x + mark / 2, centre_y);
    ImGui::GetWindowDrawList()->AddCircleFilled(centre, mark / 2, ui.colors.tint(view.verdict_tone),
                                                48);
    icon(ui, sign_icon(view.verdict_tone, view.verdict_sign), centre,
         ui.colors.tone(view.verdict_tone), 20);
    paragraph(ui, TextStyle::display, {text_x, y}, text_width_left, ui.colors.text,
              view.verdict_text);
    paragraph(ui, TextStyle::body, {text_x, y + title + 2}, text_width_left, ui.colors.dim,
              view.verdict_detail);
    return height;
}

float device(Ui& ui, const Bar& bar, float x, float y, float width, bool with_name) {
    if (with_name) {
        const float value = text_width(TextStyle::body, bar.value_text);
        const float verdict_width =
            bar.verdict_text.empty() ? 0 : pill_width(TextStyle::caption, bar.verdict_text) + 12;
        const float name = text_width(TextStyle::body_strong, bar.label);
        // A long name has a line of its own.
        const bool one_line = name + verdict_width + value + 24 <= width;
        text_between(ui, TextStyle::body_strong, x, x + width, y, ui.colors.text, bar.label);
        float pill_x = x + name + 12;
        if (!one_line) {
            y += line_height(TextStyle::body) + 4;
            pill_x = x;
        }
        if (verdict_width > 0)
            pill(ui, TextStyle::caption, pill_x + verdict_width - 12, y + 10, bar.verdict_text,
                 bar.verdict_tone);
        const float value_left = one_line ? x + width - value : pill_x + verdict_width + 8;
        text_between(ui, TextStyle::body, value_left, x + width, y, ui.colors.dim, bar.value_text,
                     Align::right);
        y += line_height(TextStyle::body) + 8;
    }
    return y + memory_bar(ui, {x, y}, width, bar);
}

std::string second_line(const Figure& part) {
    if (part.detail.empty())
        return part.label;
    return part.label + " \xC2\xB7 " + part.detail;
}

float parts(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.parts.empty())
        return 0;
    const int count = static_cast<int>(view.parts.size());
    const Grid cells = grid(width, 104, 8, count, 6);
    float bottom = y;
    float row_y = y;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && i % cells.columns == 0)
            row_y = bottom + 12;
        const Figure& part = view.parts[static_cast<std::size_t>(i)];
        const float left = snap(ui, cells.x(x, i));
        const float right = snap(ui, left + cells.cell_width);
        const bool plain = part.tone == Tone::normal || part.tone == Tone::dim;
        fill({left, row_y, right, row_y + 3}, plain ? ui.colors.line : ui.colors.tone(part.tone),
             1.5F);
        const float value =
            text_line(ui, TextStyle::title, {left, row_y + 8}, ui.colors.text, part.value);
        if (!part.unit.empty())
            text_between(ui, TextStyle::body, left + value + 5, right, row_y + 11, ui.colors.dim,
                         part.unit);
        const float text = paragraph(ui, TextStyle::caption, {left, row_y + 33}, cells.cell_width,
                                     ui.colors.dim, second_line(part));
        const float end = row_y + 33 + text;
        tooltip(ui, part.id.empty() ? part.label : part.id, {left, row_y, right, end},
                part.tooltip);
        bottom = std::max(bottom, end);
    }
    return bottom - y;
}

} // namespace

float answer(Ui& ui, const ViewModel& view, float x, float y, float width) {
    Card card(ui, x, y, width);
    y = card.top();
    y += verdict(ui, view, card.left(), y, card.width()) + 16;
    for (std::size_t i = 0; i < view.bars.size(); ++i) {
        const IdScope scope(static_cast<int>(i));
        if (i > 0)
            y += 16;
        y = device(ui, view.bars[i], card.left(), y, card.width(), view.bars.size() > 1);
    }
    if (!view.parts.empty())
        y += 14 + parts(ui, view, card.left(), y + 14, card.width());
    return card.end(y);
}

float messages(Ui& ui, const ViewModel& view, float x, float y, float width) {
    for (const Message& message : view.messages) {
        const float inner = width - 16 - 40;
        const float text = paragraph_size(TextStyle::body, inner, message.text).y;
        const ImRect box = snap(ui, ImRect(x, y, x + width, y + text + 20));
        fill(box, ui.colors.tint(message.tone), radius::card);
        const bool quiet = message.tone == Tone::normal || message.tone == Tone::dim ||
                           message.tone == Tone::ok || message.tone == Tone::accent;
        icon(ui, quiet ? Icon::check : Icon::warning, {x + 22, y + 20},
             ui.colors.tone(message.tone), 16);
        paragraph(ui, TextStyle::body, {x + 40, y + 10}, inner, ui.colors.text, message.text);
        y = box.Max.y + 8;
    }
    return view.messages.empty() ? y : y - 8;
}

} // namespace vramscope::app::panels
