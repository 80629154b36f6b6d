#include "app/panels/panels.h"
#include "app/panels/table_panel.h"
#include "app/widgets_table.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

float matrix(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float end = heat(ui, view.heat, x, y, width);
    return table_panel(ui, view.matrix, x, end > y ? end + 24 : y, width);
}

float short_matrix(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const Table narrow = verdict_columns(view.matrix);
    Card card(ui, x, y, width);
    if (narrow.rows.empty() || table_width(narrow, Density::compact) > card.width() + 16)
        return y;
    y = card.top();
    y += paragraph(ui, TextStyle::caption_strong, {card.left(), y}, card.width(), ui.colors.dim,
                   narrow.title) +
         10;
    // The rows' surface may reach into the card's padding.
    y += table(ui, {card.left() - 8, y}, card.width() + 16, narrow, Density::compact);
    return card.end(y);
}

} // namespace vramscope::app::panels
