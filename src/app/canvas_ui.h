// Paints the page with Dear ImGui: one call a frame, between ImGui::NewFrame() and ImGui::Render().
//
//     app::PaintState paint_state;                 // lives as long as the ImGui context
//     app::prepare_imgui();                        // once, after ImGui::CreateContext()
//     paint_state.fonts = {regular, semibold, mono};
//     …
//     std::vector<app::Action> actions;
//     app::paint(view, paint_state, width, height, actions);
//     for (const auto& action : actions) app.apply(action);
//
// The painter reads a ViewModel and answers with Actions; it formats no number and knows no rule
// about models. It has no browser in it: what a browser adds comes in and goes out through
// PaintState, so native tests paint the same pixels. Lengths are layout (CSS) pixels; the size of a
// device pixel comes from ImGuiIO::DisplayFramebufferScale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/paint_memory.h"
#include "app/view_model.h"

struct ImFont;

namespace vramscope::app {

/// The three faces; a size is asked for with every text. Sizes are the em, ImGui's line height
/// equals it, and capitals stand in the middle of that height.
struct Fonts {
    ImFont* regular = nullptr;
    ImFont* semibold = nullptr;
    ImFont* mono = nullptr;
};

/// How the platform learns about the last ImGui item; either may be left out.
struct ItemHooks {
    /// A finger that starts here and moves along such an axis drags the item and scrolls nothing.
    void (*takes_drag)(bool horizontal, bool vertical) = nullptr;
    /// Right after a text field: its name, and whether a phone should offer digits.
    void (*text_field)(std::string_view label, bool numeric) = nullptr;
};

/// What was painted where, for tests: texts with the clip rectangle that was in force, and the
/// items a person can reach. Filled only when PaintState::log is set.
struct PaintLog {
    struct Box {
        float left = 0;
        float top = 0;
        float right = 0;
        float bottom = 0;
    };
    struct Text {
        std::string text;
        Box box;
        Box clip;
        bool shortened = false; ///< ended with "…"
        int layer = 0;          ///< 0 the page, 1 lists and sheets above it, 2 tooltips
    };
    struct Item {
        std::string name; ///< "search", "n_ctx:track", "engine:vLLM", "tab:files", "hardware:row" …
        Box box;
        Box clip;
    };
    std::vector<Text> texts;
    std::vector<Item> items;
};

struct PaintState {
    // Set by the host before each paint().
    Fonts fonts;
    ItemHooks hooks;
    bool prefers_dark = true;           ///< decides while the view's theme is "auto"
    bool coarse_pointer = false;        ///< 44 px controls instead of 36 px
    bool reduced_motion = false;        ///< nothing eases
    float delta_seconds = 1.0F / 60.0F; ///< animation time since the previous frame
    PaintLog* log = nullptr;

    // Read by the host after each paint().
    float frames_for = 0;    ///< keep drawing for so many seconds; 0 = nothing moves
    unsigned background = 0; ///< colour behind everything, 0xRRGGBB

    PaintMemory memory; ///< the painter's own: what is open, dragged or easing
};

/// Fixed settings of the ImGui context: keyboard navigation, no ini file, no blinking caret.
void prepare_imgui();

/// Paints a whole page of that size and adds what the person did to `out`.
void paint(const ViewModel& view, PaintState& state, float width, float height,
           std::vector<Action>& out);

} // namespace vramscope::app
