#include "app/panels/table_panel.h"

#include "app/widgets_table.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

float table_panel(Ui& ui, const Table& content, float x, float y, float width) {
    if (content.rows.empty())
        return y;
    if (!content.title.empty())
        y +=
            paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, content.title) + 2;
    if (!content.caption.empty())
        y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, content.caption);
    y += 12;
    y += table(ui, {x, y}, width, content);
    if (!content.note.empty())
        y +=
            12 + paragraph(ui, TextStyle::caption, {x, y + 12}, width, ui.colors.dim, content.note);
    return y;
}

} // namespace vramscope::app::panels
