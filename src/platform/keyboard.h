// Which keys are ours. The browser keeps every key that is not on the list in key_claim(): reload,
// find, address bar, zoom, developer tools, tabs, and copy/cut/paste, which come back as
// clipboard events.
#pragma once

#include <string_view>

#include "imgui.h"

namespace vramscope::platform {

/// A keydown as the browser reports it (KeyboardEvent.key and .code, UTF-8).
struct KeyPress {
    std::string_view key;
    std::string_view code;
    bool ctrl = false;
    bool shift = false;
    bool alt = false;
    bool meta = false;
    bool text_field = false; ///< the hidden text field has the focus: characters arrive from it
    bool mac = false;        ///< Command is the shortcut key, Option moves by words
};

enum class KeyClaim {
    leave,  ///< the browser's: ImGui does not see it
    watch,  ///< ImGui sees it, the browser also acts (a letter that becomes text)
    take,   ///< ours: the browser must not act
    escape, ///< ours if there is something to close, else gives the focus back
    tab,    ///< ours unless the focus is on the last (first) item
};

/// ImGui's name for a key, or ImGuiKey_None. Letters and digits go by what they mean on the
/// keyboard's layout (Ctrl+A on AZERTY), everything else by position.
[[nodiscard]] ImGuiKey imgui_key(std::string_view key, std::string_view code);

[[nodiscard]] KeyClaim key_claim(const KeyPress& press);

} // namespace vramscope::platform
