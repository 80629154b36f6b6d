#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

constexpr float padding = 14;

/// How a figure is written in its width: large, smaller, or with its unit on the next line. The
/// number itself is never shortened.
struct Fit {
    TextStyle style = TextStyle::heading;
    bool unit_below = false;
};

Fit fit(const Figure& figure, float width) {
    const float unit = figure.unit.empty() ? 0 : text_width(TextStyle::body, figure.unit) + 6;
    for (const TextStyle style : {TextStyle::heading, TextStyle::title})
        if (text_width(style, figure.value) + unit <= width)
            return {style, false};
    const bool large = text_width(TextStyle::heading, figure.value) <= width;
    return {large ? TextStyle::heading : TextStyle::title, unit > 0};
}

std::string detail_of(const Figure& figure, const Fit& fit) {
    if (!fit.unit_below)
        return figure.detail;
    return figure.detail.empty() ? figure.unit : figure.unit + " \xC2\xB7 " + figure.detail;
}

float content_height(const Figure& figure, float width) {
    return paragraph_size(TextStyle::caption, width, figure.label).y + 2 +
           line_height(TextStyle::heading) + 2 +
           paragraph_size(TextStyle::caption, width, detail_of(figure, fit(figure, width))).y;
}

void paint_figure(Ui& ui, const Figure& figure, float x, float y, float width) {
    y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, figure.label) + 2;
    const Fit how = fit(figure, width);
    const float baseline_shift = how.style == TextStyle::heading ? 0 : 2;
    const float value = text_between(ui, how.style, x, x + width, y + baseline_shift,
                                     ui.colors.tone(figure.tone), figure.value);
    if (!figure.unit.empty() && !how.unit_below)
        text_line(ui, TextStyle::body, {x + value + 6, y + 6}, ui.colors.dim, figure.unit);
    y += line_height(TextStyle::heading) + 2;
    paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, detail_of(figure, how));
}

} // namespace

void figure_item(Ui& ui, const Figure& figure, const ImRect& rect) {
    const std::string_view name = figure.id.empty() ? figure.label : figure.id;
    if (figure.action.kind == Action::Kind::none)
        return tooltip(ui, name, rect, figure.tooltip);
    const Item it = item(ui, name, rect);
    if (it.hovered)
        fill(rect, with_alpha(ui.colors.text, 0.05F), radius::inner);
    focus_ring(ui, it, radius::inner, 1);
    tooltip(ui, it, figure.tooltip);
    if (it.pressed)
        ui.act(figure.action);
}

float figures(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const int count = static_cast<int>(view.figures.size());
    if (count == 0)
        return y;
    const Grid cells = grid(width, 140, 12, count, 6);
    const float inner = cells.cell_width - 2 * padding;
    for (int row = 0; row < count; row += cells.columns) {
        float height = 0;
        const int end = std::min(count, row + cells.columns);
        for (int i = row; i < end; ++i)
            height =
                std::max(height, content_height(view.figures[static_cast<std::size_t>(i)], inner));
        height += 2 * padding;
        if (row > 0)
            y += cells.gap;
        for (int i = row; i < end; ++i) {
            const Figure& figure = view.figures[static_cast<std::size_t>(i)];
            const float left = snap(ui, cells.x(x, i));
            Card card(ui, left, y, cells.cell_width, padding);
            paint_figure(ui, figure, card.left(), card.top(), inner);
            const float bottom = card.end(y, height);
            figure_item(ui, figure, {left + 4, y + 4, left + cells.cell_width - 4, bottom - 4});
        }
        y += height;
    }
    return y;
}

} // namespace vramscope::app::panels
