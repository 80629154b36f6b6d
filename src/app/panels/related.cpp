#include "app/panels/panels.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

float related(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.related.empty())
        return y;
    const IdScope scope("related");
    Card card(ui, x, y, width);
    y = card.top();
    y += paragraph(ui, TextStyle::caption_strong, {card.left(), y}, card.width(), ui.colors.dim,
                   view.related_title) +
         8;
    const int count = static_cast<int>(view.related.size());
    const Grid cells = grid(card.width() + 16, 220, 8, count, 3);
    const float height = ui.control_height + 12;
    for (int i = 0; i < count; ++i) {
        const Choice& choice = view.related[static_cast<std::size_t>(i)];
        const IdScope index(i);
        const float left = cells.x(card.left() - 8, i);
        const float top = y + static_cast<float>(i / cells.columns) * height;
        const ImRect rect = snap(ui, ImRect(left, top, left + cells.cell_width, top + height));
        const Item it = item(ui, choice.label, rect, i == 0 ? item_none : item_no_tab_stop);
        if (it.hovered)
            fill(rect, ui.colors.hovered, radius::control);
        const float middle = rect.GetCenter().y;
        const bool two_lines = !choice.detail.empty();
        text_between(ui, TextStyle::body, rect.Min.x + 8, rect.Max.x - 26,
                     two_lines ? middle - 19 : middle - 10,
                     it.hovered ? ui.colors.accent : ui.colors.text, choice.label);
        if (two_lines)
            text_between(ui, TextStyle::caption, rect.Min.x + 8, rect.Max.x - 26, middle + 1,
                         ui.colors.dim, choice.detail);
        icon(ui, Icon::chevron_right, {rect.Max.x - 14, middle}, ui.colors.dim, 12);
        focus_ring(ui, it, radius::control, 0);
        tooltip(ui, it, choice.tooltip);
        if (it.pressed)
            ui.act(choice.action);
    }
    const int rows = (count + cells.columns - 1) / cells.columns;
    return card.end(y + static_cast<float>(rows) * height - 4);
}

} // namespace vramscope::app::panels
