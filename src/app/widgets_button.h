// Buttons, segmented controls, chips, pills and links.
#pragma once

#include <string_view>
#include <vector>

#include "app/widgets_icons.h"
#include "app/widgets_text.h"

namespace vramscope::app {

enum class ButtonLook : std::uint8_t {
    primary, ///< accent surface; at most one on a screen
    normal,  ///< raised surface with a line
    quiet    ///< no surface until the pointer is over it
};

/// Width that a button wants.
float button_width(std::string_view label, bool has_icon);
/// True when pressed.
bool button(Ui& ui, std::string_view name, const ImRect& rect, std::string_view label,
            ButtonLook look = ButtonLook::normal);
bool button(Ui& ui, std::string_view name, const ImRect& rect, std::string_view label,
            ButtonLook look, Icon picture);
bool icon_button(Ui& ui, std::string_view name, const ImRect& rect, Icon picture,
                 std::string_view hint, ButtonLook look = ButtonLook::quiet);

/// One of a few choices. Those that do not fit are behind the last segment, which opens a list.
/// Gives the index of the newly chosen one, or -1.
int segmented(Ui& ui, std::string_view name, const ImRect& rect,
              const std::vector<Choice>& choices);
/// The width at which every segment shows its whole label.
float segmented_width(const std::vector<Choice>& choices);

/// A quiet label; gives its width.
float chip_width(std::string_view label);
float chip(Ui& ui, ImVec2 position, std::string_view label);
inline constexpr float chip_height = 24;
/// Chips in rows; gives the height.
float chips(Ui& ui, ImVec2 position, float width, const std::vector<std::string>& labels);

/// A figure with its verdict: sign and tinted surface. `right` is the pill's right edge.
float pill_width(TextStyle style, std::string_view label);
/// The sign of a verdict alone.
void sign(Ui& ui, Tone tone, std::string_view sign, ImVec2 centre);
void pill(Ui& ui, TextStyle style, float right, float centre_y, std::string_view label, Tone tone,
          std::string_view sign = {});

/// Text that acts; underlined under the pointer. True when pressed.
bool link(Ui& ui, std::string_view name, ImVec2 position, float width, std::string_view label,
          TextStyle style = TextStyle::body);

/// What a control's box looks like: surface, line, state.
void control_box(Ui& ui, const Item& item, bool open = false);

} // namespace vramscope::app
