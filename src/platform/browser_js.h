// The only file pair that talks JavaScript. Strings are UTF-8.
#pragma once

#include <string_view>

namespace vramscope::platform::browser_js {

enum EnvironmentFlag : unsigned {
    environment_dark = 1,
    environment_reduced_motion = 2,
    environment_coarse_pointer = 4,
    environment_mac = 8,
    environment_embedded = 16,
};

/// Finds the canvas (or takes the element in Module.canvas), adds the hidden text field behind it
/// and all listeners. False if there is no such canvas.
bool attach(const char* selector);
/// The canvas is watched from here on: the first size report comes at once.
void watch_size();
/// Reports the size now.
void measure();
void detach();
unsigned environment();

void set_cursor(const char* css_name);
bool canvas_has_focus();
bool text_has_focus();
void focus_canvas();
/// Moves the focus to the hidden text field; on a phone this opens the keyboard.
void focus_text();
void blur();
/// Where the caret is, so that the input method shows its window there, and the colours (0xRRGGBB)
/// of the text that it composes.
void place_text(float x, float y, float height, unsigned text_rgb, unsigned field_rgb);
void describe_text(std::string_view label, bool numeric);

/// Inside a copy or cut event: fills it. Otherwise asks the browser, which answers through
/// vs_on_clipboard_written() if `report`.
void write_clipboard(std::string_view text, bool report);
void open_url(std::string_view url);

} // namespace vramscope::platform::browser_js
