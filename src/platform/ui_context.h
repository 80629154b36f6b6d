// The ImGui context and what both hosts of it (browser and headless) need: settings, fonts, the
// places that a finger may drag, and whether ImGui itself waits for another frame.
#pragma once

#include "imgui.h"
#include "platform/platform.h"
#include "platform/touch_gesture.h"

namespace vramscope::platform::ui_context {

/// `mac`: Command is the shortcut key, as ImGui's text fields need to know.
void create(int largest_texture_side, bool mac);
void destroy();

struct FrameSize {
    float width = 0;  ///< CSS pixels
    float height = 0; ///< CSS pixels
    float scale = 1;  ///< device pixels per CSS pixel
};

/// One pass of the interface: NewFrame, host.frame, Render. Leaves ImGui::GetDrawData().
void run_frame(Host& host, const FrameSize& size, float delta_seconds);

/// Something is under way that only more frames can finish: a held key or button, a tooltip's
/// delay, queued input.
[[nodiscard]] bool needs_more_frames();
[[nodiscard]] bool has_queued_input();

/// What the finger would do at this place, by the last frame.
[[nodiscard]] TouchSurface touch_surface(TouchPoint point);
/// Scrolls what lies under the last touch_surface() point, in the next frame.
void scroll_touched(float dx, float dy);

/// A window under the mouse can scroll on in this direction (CSS pixels of content).
[[nodiscard]] bool can_scroll(float dx, float dy);
/// Queues a wheel movement of so many CSS pixels of content.
void add_wheel(float dx, float dy);

/// Escape has something to close, or a highlight to take away.
[[nodiscard]] bool can_escape();
/// To call after a frame that saw Tab: true if the focus would wrap around, which is then undone.
[[nodiscard]] bool tab_would_wrap();
/// The keyboard comes in from the page: the next Tab goes to the first or last item.
void enter_by_tab();

/// The keyboard went elsewhere in the page: the active field or slider is finished.
void leave();
/// A mouse button or finger came down: a slider held by the keyboard lets go, else it would keep
/// every other item from the pointer.
void take_over_from_keyboard();

/// Text to show for the active field; empty label when none asked.
struct TextField {
    std::string_view label;
    bool numeric = false;
};
[[nodiscard]] TextField active_text_field();

} // namespace vramscope::platform::ui_context
