// The slider: logarithmic or linear, with marks, a value that can be typed in, and snapping.
//
// A logarithmic slider goes to powers of two and to its marks while dragged; with Shift it goes to
// multiples of its step. Arrow keys move to the next stop (with Shift by a step), Home and End to
// the ends.
#pragma once

#include <vector>

#include "app/widgets.h"

namespace vramscope::app {

/// Where a slider's value lies between its ends, 0..1.
double slider_position(const Control& control, double value);
double slider_value(const Control& control, double position);
/// The stops of a slider in ascending order: ends, powers of two, marks. Empty for a linear one.
std::vector<double> slider_stops(const Control& control);
/// The value that a drag to `position` means.
double snapped_value(const Control& control, double position, bool fine);
/// The next stop in a direction (-1, +1).
double next_stop(const Control& control, double value, int direction, bool fine);

/// The value after keys of a focused slider.
double value_after_keys(const Control& control, double value, const ValueKeys& keys, bool fine);

float slider_height(const Ui& ui, const Control& control);
/// The value at the right end of the first line, whose left end is free for a label; track and
/// marks below. Gives the height.
float slider_control(Ui& ui, ImVec2 position, float width, const Control& control);

} // namespace vramscope::app
