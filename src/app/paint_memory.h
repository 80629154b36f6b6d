// What the painter remembers from frame to frame. Nothing here is application state: forgetting it
// closes lists and ends animations, and the same view is painted.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace vramscope::app {

struct PaintMemory {
    /// A number on its way to a new value.
    struct Easing {
        unsigned item = 0;
        float from = 0;
        float to = 0;
        float progress = 1;
        bool seen = false; ///< in the current frame
    };
    std::vector<Easing> easings; ///< tens: of what moves and is on screen
    bool dragging = false;       ///< a slider or plot is being dragged: nothing eases

    // Tooltip
    unsigned tooltip_item = 0;
    float tooltip_age = 0;
    bool tooltip_seen = false;

    // Lists with a search field (selects), and the model search
    std::array<char, 96> filter{};
    int highlighted = -1;
    bool list_opened = false;
    std::array<char, 160> search{};
    bool search_visible = false; ///< phone: the field replaces the header
    bool search_wants_focus = false;
    bool results_open = false;
    int result = 0;

    unsigned typed_item = 0; ///< slider whose value is being typed in
    bool typed_wants_focus = false;

    unsigned copied_item = 0;
    float copied_for = 0; ///< seconds that the "copied" label stays

    bool advanced_open = false;
    int command = 0; ///< which launch command is shown
    std::string shown_tab;
    std::string shown_explanation;

    // Heights of the previous frame: columns stick when they end
    std::array<float, 3> column_heights{};
    float page_height = 0;
    float sheet_height = 0;
    bool sheet_wanted = false;    ///< the set-up sheet opens in this frame
    bool overview_wanted = false; ///< the overview of keys opens in this frame
};

} // namespace vramscope::app
