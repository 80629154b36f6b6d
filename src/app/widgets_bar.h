// The stacked memory bar of one device.
#pragma once

#include "app/widgets.h"

namespace vramscope::app {

/// Segments against the capacity, uncertainty hatched behind them, the limit of free memory marked,
/// axis labels below. Gives the height.
float memory_bar(Ui& ui, ImVec2 position, float width, const Bar& bar, float height = 34);

/// A thin bar of one value, 0..1.
void thin_bar(const Ui& ui, const ImRect& rect, float value, Color color);

} // namespace vramscope::app
