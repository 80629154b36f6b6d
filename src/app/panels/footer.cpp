#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

float footer(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.footer.empty())
        return y;
    y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, view.footer) + 4;
    if (!view.report.label.empty()) {
        if (link(ui, "report", {x, y}, width, view.report.label, TextStyle::caption))
            ui.act(view.report.action);
        y += line_height(TextStyle::caption) + 4;
    }
    if (view.shortcuts.empty() || ui.state.coarse_pointer)
        return y;
    if (link(ui, "shortcuts", {x, y}, width, view.shortcuts_title + " (?)", TextStyle::caption)) {
        ui.state.memory.overview_wanted = true;
        ui.animate(0.05F);
    }
    return y + line_height(TextStyle::caption);
}

} // namespace vramscope::app::panels
