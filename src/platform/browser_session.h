// One started platform in a browser page: shared by the frame loop (browser_loop.cpp) and the
// event handlers (browser_events.cpp).
#pragma once

#include <string>

#include "platform/browser_renderer.h"
#include "platform/frame_pacer.h"
#include "platform/platform.h"
#include "platform/touch_gesture.h"
#include "platform/ui_context.h"

namespace vramscope::platform {

struct BrowserSession {
    explicit BrowserSession(Host& application) : host(application) {}

    Host& host;
    FramePacer pacer;
    Renderer renderer;
    TouchGesture touch;
    ui_context::FrameSize size;
    int device_width = 0;
    int device_height = 0;
    int animation_frame = 0; ///< handle of the requested one, 0 = none
    bool context_lost = false;
    bool embedded = false;
    unsigned environment = 0;
    std::string pasted;              ///< what ImGui reads as the clipboard
    bool wants_text = false;         ///< a text field is active
    int frames_until_hover_ends = 0; ///< after a finger went up
};

/// Null before start() and after stop().
BrowserSession* session();

/// Input arrived: draw soon.
void note_input();
/// A key went up, which only ends what its going down began: drawn when that shows as pressed.
void note_release();
/// Lets ImGui work through the queued input now, inside the browser's event, where clipboard,
/// new tabs and the phone keyboard are allowed. Does not draw.
void handle_input_now();
/// Draws at once (the canvas was resized, so it is empty).
void draw_now();

namespace browser_events {
void listen();
/// Moves the focus between canvas and hidden text field as ImGui wants. `by_user`: in answer to a
/// click or tap on the canvas, which may take the focus from elsewhere.
void follow_focus(bool by_user);
} // namespace browser_events

} // namespace vramscope::platform
