// Fields that are typed into: search, numbers with a unit, steppers.
#pragma once

#include <string>
#include <string_view>

#include "app/widgets.h"

namespace vramscope::app {

/// A text field with a magnifier; true whenever the text changed. The hint keeps clear of the
/// `reserved_right` pixels at its end.
bool search_field(Ui& ui, std::string_view name, const ImRect& rect, char* text, std::size_t size,
                  std::string_view hint, float reserved_right = 0);
/// The last search_field() has the keyboard.
bool search_field_active();
/// Enter was pressed in the last search_field().
bool search_field_entered();

/// What was typed, when the person is done: `changed` with the new text.
struct Typed {
    bool changed = false;
    bool finished = false; ///< no longer in the field
    std::string text;
};
/// A field that starts with `text`; Enter and leaving take the input, Escape drops it.
Typed value_field(Ui& ui, std::string_view name, const ImRect& rect, const Control& control);

/// A number with its unit, typed in.
void number_control(Ui& ui, const ImRect& rect, const Control& control);
/// Minus, value, plus; the value can be typed in too.
void stepper_control(Ui& ui, const ImRect& rect, const Control& control);

/// How a value is written into an Action: whole numbers without a fraction.
std::string value_text(double value);

} // namespace vramscope::app
