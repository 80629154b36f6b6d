#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

constexpr float padding = 14;

float content_height(const Figure& figure, float width) {
    return paragraph_size(TextStyle::caption, width, figure.label).y + 2 +
           line_height(TextStyle::heading) + 2 +
           paragraph_size(TextStyle::caption, width, figure.detail).y;
}

} // namespace

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
            float line = card.top();
            line += paragraph(ui, TextStyle::caption, {card.left(), line}, inner, ui.colors.dim,
                              figure.label) +
                    2;
            const Color color = ui.colors.tone(figure.tone);
            const float unit =
                figure.unit.empty() ? 0 : text_width(TextStyle::body, figure.unit) + 6;
            const float value = text_between(ui, TextStyle::heading, card.left(),
                                             card.right() - unit, line, color, figure.value);
            if (unit > 0)
                text_line(ui, TextStyle::body, {card.left() + value + 6, line + 6}, ui.colors.dim,
                          figure.unit);
            line += line_height(TextStyle::heading) + 2;
            paragraph(ui, TextStyle::caption, {card.left(), line}, inner, ui.colors.dim,
                      figure.detail);
            const float bottom = card.end(y, height);
            tooltip(ui, figure.id.empty() ? figure.label : figure.id,
                    {left, y, left + cells.cell_width, bottom}, figure.tooltip);
        }
        y += height;
    }
    return y;
}

} // namespace vramscope::app::panels
