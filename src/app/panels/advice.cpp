#include "app/panels/panels.h"
#include "app/panels/table_panel.h"

namespace vramscope::app::panels {

float advice(Ui& ui, const ViewModel& view, float x, float y, float width) {
    return table_panel(ui, view.advice, x, y, width);
}

} // namespace vramscope::app::panels
