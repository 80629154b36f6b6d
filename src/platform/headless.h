// Native stand-in for the browser: runs the interface without drawing, for tests of panels.
#pragma once

#include "platform/platform.h"

struct ImDrawData;

namespace vramscope::platform::headless {

/// One frame of the started host; the result is valid until the next one.
const ImDrawData& run_frame(float width, float height, float scale = 1, float seconds = 0.016F);
/// What the interface last asked of the browser.
[[nodiscard]] std::string_view last_copied();
[[nodiscard]] std::string_view last_opened();
[[nodiscard]] bool frame_requested();

} // namespace vramscope::platform::headless
