// A table of any length: only the rows in sight are made and painted. All rows are equally high;
// where columns find no room the least important go first, and on phones a row is a small block.
#pragma once

#include "app/widgets.h"

namespace vramscope::app {

/// In a window that scrolls; the heads stay at its upper edge. Gives the height.
float long_table(Ui& ui, ImVec2 position, float width, const LongTable& table);

} // namespace vramscope::app
