#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

float footer(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.footer.empty())
        return y;
    return y + paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, view.footer);
}

} // namespace vramscope::app::panels
