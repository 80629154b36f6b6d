#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/widgets_bar.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

float verdict(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float mark = 40;
    const float text_x = x + mark + 16;
    const float room = width - mark - 16;
    const float title = paragraph_size(TextStyle::display, room, view.verdict_text).y;
    const float detail = paragraph_size(TextStyle::body, room, view.verdict_detail).y;
    const float height = std::max(mark, title + detail + 2);
    // Beside a long detail the mark stays at the headline.
    const ImVec2 centre(x + mark / 2, y + std::min(height, 54.0F) / 2);
    ImGui::GetWindowDrawList()->AddCircleFilled(centre, mark / 2, ui.colors.tint(view.verdict_tone),
                                                48);
    icon(ui, sign_icon(view.verdict_tone, view.verdict_sign), centre,
         ui.colors.tone(view.verdict_tone), 20);
    paragraph(ui, TextStyle::display, {text_x, y}, room, ui.colors.text, view.verdict_text);
    paragraph(ui, TextStyle::body, {text_x, y + title + 2}, room, ui.colors.dim,
              view.verdict_detail);
    return height;
}

/// How the name line of a device is drawn.
struct DeviceStyle {
    bool with_name = false;
    bool with_verdict = false;
    float bar_height = 34;
    std::string_view sign = {}; ///< of the verdict, when the tone alone does not say it
};

float device(Ui& ui, const Bar& bar, float x, float y, float width, const DeviceStyle& style) {
    if (style.with_name) {
        const float value = text_width(TextStyle::body, bar.value_text);
        float verdict_width = bar.verdict_text.empty() || !style.with_verdict
                                  ? 0
                                  : pill_width(TextStyle::caption, bar.verdict_text) + 12;
        const float name = text_width(TextStyle::body_strong, bar.label);
        // A long name has a line of its own; the headline says the verdict when there is no room.
        const bool one_line = name + verdict_width + value + 24 <= width;
        if (!one_line && verdict_width + value + 8 > width)
            verdict_width = 0;
        text_between(ui, TextStyle::body_strong, x, x + width, y, ui.colors.text, bar.label);
        float pill_x = x + name + 12;
        if (!one_line) {
            y += line_height(TextStyle::body) + 4;
            pill_x = x;
        }
        if (verdict_width > 0)
            pill(ui, TextStyle::caption, pill_x + verdict_width - 12, y + 10, bar.verdict_text,
                 bar.verdict_tone, style.sign);
        const float value_left = one_line ? x + width - value : pill_x + verdict_width + 8;
        text_between(ui, TextStyle::body, value_left, x + width, y, ui.colors.dim, bar.value_text,
                     Align::right);
        y += line_height(TextStyle::body) + 8;
    }
    return y + memory_bar(ui, {x, y}, width, bar, style.bar_height);
}

float part(Ui& ui, const Figure& figure, float left, float y, float width) {
    const float right = left + width;
    const bool plain = figure.tone == Tone::normal || figure.tone == Tone::dim;
    fill({left, y, right, y + 3}, plain ? ui.colors.line : ui.colors.tone(figure.tone), 1.5F);
    const float value =
        text_line(ui, TextStyle::title, {left, y + 8}, ui.colors.text, figure.value);
    if (!figure.unit.empty())
        text_between(ui, TextStyle::body, left + value + 5, right, y + 11, ui.colors.dim,
                     figure.unit);
    float bottom = y + 33;
    bottom +=
        paragraph(ui, TextStyle::caption, {left, bottom}, width, ui.colors.text, figure.label);
    bottom +=
        paragraph(ui, TextStyle::caption, {left, bottom}, width, ui.colors.dim, figure.detail);
    figure_item(ui, figure, {left, y, right, bottom});
    return bottom;
}

float parts(Ui& ui, const ViewModel& view, float x, float y, float width) {
    std::vector<const Figure*> shown;
    for (const Figure& figure : view.parts)
        shown.push_back(&figure);
    if (!view.total.value.empty())
        shown.push_back(&view.total);
    if (shown.empty())
        return y;
    const int count = static_cast<int>(shown.size());
    const Grid cells = grid(width, 104, 8, count, 6);
    float bottom = y;
    float row_y = y;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && i % cells.columns == 0)
            row_y = bottom + 12;
        const float left = snap(ui, cells.x(x, i));
        const Figure& figure = *shown[static_cast<std::size_t>(i)];
        bottom = std::max(bottom, part(ui, figure, left, row_y, std::floor(cells.cell_width)));
    }
    return bottom;
}

Icon message_icon(Tone tone) {
    if (tone == Tone::ok)
        return Icon::check;
    return tone == Tone::warn || tone == Tone::bad ? Icon::warning : Icon::info;
}

} // namespace

float answer(Ui& ui, const ViewModel& view, float x, float y, float width) {
    Card card(ui, x, y, width);
    y = card.top();
    y += verdict(ui, view, card.left(), y, card.width()) + 16;
    if (!view.change.label.empty() && !view.change.selected) {
        const ImRect place(card.left(), y, card.left() + button_width(view.change.label, true),
                           y + ui.control_height);
        if (button(ui, "change", snap(ui, place), view.change.label, ButtonLook::normal,
                   Icon::chevron_right))
            ui.act(view.change.action);
        y += ui.control_height + 8;
        y += paragraph(ui, TextStyle::caption, {card.left(), y}, card.width(), ui.colors.dim,
                       view.change.detail) +
             16;
    }
    // While everything fits, once is enough to say so.
    const bool all_fit = view.verdict_tone == Tone::ok &&
                         std::all_of(view.bars.begin(), view.bars.end(),
                                     [](const Bar& bar) { return bar.verdict_tone == Tone::ok; });
    for (std::size_t i = 0; i < view.bars.size(); ++i) {
        const IdScope scope(static_cast<int>(i));
        if (i > 0)
            y += 16;
        const Bar& bar = view.bars[i];
        DeviceStyle style{view.bars.size() > 1, !all_fit, i == 0 ? 34.0F : 22.0F};
        if (bar.verdict_text == view.verdict_text)
            style.sign = view.verdict_sign;
        y = device(ui, bar, card.left(), y, card.width(), style);
    }
    y = parts(ui, view, card.left(), y + 14, card.width());
    return card.end(y);
}

float messages(Ui& ui, const ViewModel& view, float x, float y, float width) {
    for (const Message& message : view.messages) {
        const float inner = width - 16 - 40;
        const float text = paragraph_size(TextStyle::body, inner, message.text).y;
        const ImRect box = snap(ui, ImRect(x, y, x + width, y + text + 20));
        fill(box, ui.colors.tint(message.tone), radius::card);
        icon(ui, message_icon(message.tone), {x + 22, y + 20}, ui.colors.tone(message.tone), 16);
        paragraph(ui, TextStyle::body, {x + 40, y + 10}, inner, ui.colors.text, message.text);
        y = box.Max.y + 8;
    }
    return view.messages.empty() ? y : y - 8;
}

} // namespace vramscope::app::panels
