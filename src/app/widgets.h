// The frame's context and the ground every widget stands on: items that take pointer and keyboard,
// the focus ring, easing, tooltips. Widgets are placed by rectangle; nothing here advances a
// cursor.
//
// Include this before any other ImGui header: it switches ImVec2's operators on.
#pragma once

#ifndef IMGUI_DEFINE_MATH_OPERATORS
#define IMGUI_DEFINE_MATH_OPERATORS
#endif
#include "imgui.h"
#include "imgui_internal.h"

#include <string>
#include <string_view>
#include <vector>

#include "app/canvas_ui.h"
#include "app/theme.h"

namespace vramscope::app {

/// Everything a widget needs during one paint().
struct Ui {
    const Palette& colors;
    PaintState& state;
    std::vector<Action>& actions;
    float control_height = 36;
    float device_pixel = 1;               ///< the thinnest crisp line
    int layer = 0;                        ///< see PaintLog::Text
    ImDrawListSplitter* layers = nullptr; ///< 0 behind cards' content, 1 content; page only

    void act(const Action& action) { actions.push_back(action); }
    void set_field(std::string_view key, std::string value) {
        actions.push_back({Action::Kind::set_field, std::string(key), std::move(value)});
    }
    /// Another frame is wanted for so long.
    void animate(float seconds) {
        if (seconds > state.frames_for)
            state.frames_for = seconds;
    }
};

/// Id of a name within the current window and ID stack.
ImGuiID id_of(std::string_view name);

/// Keeps names of one part of the page apart from equal ones elsewhere.
class IdScope {
public:
    explicit IdScope(std::string_view name);
    explicit IdScope(int index);
    ~IdScope();
    IdScope(const IdScope&) = delete;
    IdScope& operator=(const IdScope&) = delete;
};

/// Nearest device pixel edge.
float snap(const Ui& ui, float position);
ImRect snap(const Ui& ui, const ImRect& rect);

// Shapes
void fill(const ImRect& rect, Color color, float rounding = 0,
          ImDrawFlags corners = ImDrawFlags_RoundCornersAll);
/// A line of one device pixel inside the rectangle's edge.
void outline(const Ui& ui, const ImRect& rect, Color color, float rounding);
void horizontal_line(const Ui& ui, float x1, float x2, float y, Color color);
/// Diagonal lines, clipped to the rectangle: what is uncertain or not available.
void hatch(const ImRect& rect, Color color, float spacing = 6);
/// A vertical or horizontal dashed line.
void dashed_line(ImVec2 from, ImVec2 to, Color color, float thickness, float dash, float gap);

// Items
struct Item {
    ImGuiID id = 0;
    ImRect rect;
    bool visible = false;
    bool hovered = false;
    bool held = false;
    bool pressed = false;
    bool focused = false; ///< has the keyboard, and the person sees it
};
enum ItemFlags : int {
    item_none = 0,
    item_no_tab_stop = 1, ///< reached by arrow keys from its neighbours
    item_no_nav = 2,      ///< the pointer only
    item_arrow_cursor = 4,
    item_disabled = 8
};
Item item(Ui& ui, std::string_view name, const ImRect& rect, int flags = item_none);
/// Ring around an item with the keyboard; draw it after the item's picture.
void focus_ring(const Ui& ui, const Item& item, float rounding, float distance = 2);
/// Keys of an item that has the keyboard and moves a value; ImGui's own movement stops.
struct ValueKeys {
    int steps = 0; ///< left, page down: -1; right, page up: +1
    bool to_start = false;
    bool to_end = false;
};
ValueKeys take_value_keys(const Item& item);

/// Eases towards the target over 120 ms; at once while something is dragged, when seen for the
/// first time, or with reduced motion.
float eased(Ui& ui, ImGuiID id, float target);

/// Text that appears after a moment beside the item (or the rectangle, when it is none).
void tooltip(Ui& ui, const Item& item, std::string_view text);
void tooltip(Ui& ui, std::string_view name, const ImRect& rect, std::string_view text);

} // namespace vramscope::app
