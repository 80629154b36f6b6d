// A table with its title, caption and note, as the tabs show it.
#pragma once

#include "app/widgets.h"

namespace vramscope::app::panels {

float table_panel(Ui& ui, const Table& content, float x, float y, float width);

} // namespace vramscope::app::panels
