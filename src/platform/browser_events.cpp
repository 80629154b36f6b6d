// What the browser tells us, turned into ImGui input. browser_js.cpp listens.
#include <emscripten/em_macros.h>

#include <cstdlib>
#include <vector>

#include "imgui.h"
#include "platform/browser_js.h"
#include "platform/browser_session.h"
#include "platform/keyboard.h"

namespace vramscope::platform {
namespace {

enum Modifier : unsigned { ctrl = 1, shift = 2, alt = 4, meta = 8 };

std::vector<ImGuiKey>& held_keys() {
    static std::vector<ImGuiKey> keys;
    return keys;
}

void set_modifiers(unsigned bits) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, (bits & ctrl) != 0);
    io.AddKeyEvent(ImGuiMod_Shift, (bits & shift) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (bits & alt) != 0);
    io.AddKeyEvent(ImGuiMod_Super, (bits & meta) != 0);
}

void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    held_keys().push_back(key);
}

void release(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, false);
    std::erase(held_keys(), key);
}

void release_all_keys() {
    for (const ImGuiKey key : held_keys())
        ImGui::GetIO().AddKeyEvent(key, false);
    held_keys().clear();
}

void stroke(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
}

bool is_mac() {
    return (session()->environment & browser_js::environment_mac) != 0;
}

/// True if the focus stays with us.
bool handle_tab(bool backwards) {
    // ImGui takes only one change per key and frame: nothing may wait in front of this one.
    handle_input_now();
    set_modifiers(backwards ? shift : 0U);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, true);
    ui_context::run_frame(session()->host, session()->size, 1e-4F);
    const bool leaves = ui_context::tab_would_wrap();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, false);
    handle_input_now();
    browser_events::follow_focus(true);
    // The text field lies behind the canvas: from there, Shift+Tab would lead to the canvas.
    if (leaves && browser_js::text_has_focus())
        browser_js::focus_canvas();
    return !leaves;
}

bool handle_escape() {
    if (ui_context::can_escape())
        return true;
    browser_js::blur();
    return false;
}

/// True if the browser must not act on it.
bool on_key_down(const KeyPress& key, unsigned modifiers, bool repeated) {
    const KeyClaim claim = key_claim(key);
    if (claim == KeyClaim::leave)
        return false;
    if (claim == KeyClaim::tab)
        return handle_tab(key.shift);
    if (claim == KeyClaim::escape && !handle_escape())
        return false;

    set_modifiers(modifiers);
    const ImGuiKey name = imgui_key(key.key, key.code);
    const bool modifier = name >= ImGuiKey_LeftCtrl && name <= ImGuiKey_RightSuper;
    if (name != ImGuiKey_None && !repeated && !modifier)
        press(name);
    const bool is_character = claim == KeyClaim::watch && !modifier && name != ImGuiKey_None;
    if (is_character && !key.text_field)
        ImGui::GetIO().AddInputCharactersUTF8(key.key.data());
    // Enter and Space may stand for a click on "copy" or a link.
    if (name == ImGuiKey_Enter || name == ImGuiKey_KeypadEnter || name == ImGuiKey_Space) {
        handle_input_now();
        browser_events::follow_focus(true);
    }
    note_input();
    return claim != KeyClaim::watch;
}

void on_key_up(const KeyPress& key, unsigned modifiers) {
    set_modifiers(modifiers);
    const ImGuiKey name = imgui_key(key.key, key.code);
    if (name != ImGuiKey_None)
        release(name);
    // While Command is held, the browser reports no keyup of other keys; Ctrl may have opened
    // something of the browser's that swallowed it.
    if (key.key == "Meta" || key.key == "Control")
        release_all_keys();
    note_release();
}

const char* read_clipboard(ImGuiContext*) {
    return session()->pasted.c_str();
}

void write_clipboard(ImGuiContext*, const char* text) {
    session()->pasted = text;
    browser_js::write_clipboard(text, false);
}

void set_text_input(ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
    session()->wants_text = data->WantTextInput;
    if (!data->WantTextInput)
        return;
    const auto rgb = [](ImGuiCol index) {
        const ImVec4 c = ImGui::GetStyleColorVec4(index);
        const ImU32 abgr = ImGui::ColorConvertFloat4ToU32(c);
        return (abgr & 0xFFU) << 16 | (abgr & 0xFF00U) | (abgr >> 16 & 0xFFU);
    };
    browser_js::place_text(data->InputPos.x, data->InputPos.y, data->InputLineHeight,
                           rgb(ImGuiCol_Text), rgb(ImGuiCol_PopupBg));
}

void set_mouse_buttons(unsigned dom_buttons) {
    // DOM: 1 left, 2 right, 4 middle.
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, (dom_buttons & 1U) != 0);
    io.AddMouseButtonEvent(ImGuiMouseButton_Right, (dom_buttons & 2U) != 0);
    io.AddMouseButtonEvent(ImGuiMouseButton_Middle, (dom_buttons & 4U) != 0);
}

/// Runs what the finger did; true if the page must not scroll or click.
bool perform(const TouchAction& action) {
    BrowserSession& s = *session();
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
    const auto at = [&io](TouchPoint point) { io.AddMousePosEvent(point.x, point.y); };
    const auto button = [&io](bool down) { io.AddMouseButtonEvent(ImGuiMouseButton_Left, down); };
    switch (action.kind) {
    case TouchAction::Kind::nothing:
        return false;
    case TouchAction::Kind::leave:
        s.frames_until_hover_ends = 1;
        break;
    case TouchAction::Kind::scroll:
        // The finger presses nothing, and nothing lights up under it while it scrolls.
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
        ui_context::scroll_touched(action.to.x - action.at.x, action.to.y - action.at.y);
        break;
    case TouchAction::Kind::press:
        at(action.at);
        button(true);
        at(action.to);
        break;
    case TouchAction::Kind::move:
        at(action.to);
        break;
    case TouchAction::Kind::tap:
        at(action.at);
        button(true);
        button(false);
        handle_input_now();
        break;
    case TouchAction::Kind::release:
        at(action.to);
        button(false);
        handle_input_now();
        break;
    }
    note_input();
    return action.kind != TouchAction::Kind::leave;
}

} // namespace

namespace browser_events {

void listen() {
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    io.Platform_GetClipboardTextFn = read_clipboard;
    io.Platform_SetClipboardTextFn = write_clipboard;
    io.Platform_SetImeDataFn = set_text_input;
    held_keys().clear();
}

void follow_focus(bool by_user) {
    const bool text = browser_js::text_has_focus();
    const bool canvas = browser_js::canvas_has_focus();
    const bool wanted = session()->wants_text;
    if (wanted && !text && (canvas || by_user))
        browser_js::focus_text();
    if (!wanted && (text || (by_user && !canvas)))
        browser_js::focus_canvas();
}

} // namespace browser_events

} // namespace vramscope::platform

// Called by browser_js.cpp. Coordinates are CSS pixels on the canvas.
extern "C" {

using namespace vramscope::platform;

/// kind: 0 move, 1 down, 2 up, 3 left the canvas or cancelled; buttons as in MouseEvent.buttons.
EMSCRIPTEN_KEEPALIVE void vs_on_pointer(int kind, float x, float y, unsigned buttons, int pen,
                                        unsigned modifiers) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(pen != 0 ? ImGuiMouseSource_Pen : ImGuiMouseSource_Mouse);
    session()->frames_until_hover_ends = 0;
    set_modifiers(modifiers);
    if (kind == 1)
        ui_context::take_over_from_keyboard();
    if (kind == 3)
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    else
        io.AddMousePosEvent(x, y);
    set_mouse_buttons(buttons);
    if (kind == 2) {
        handle_input_now();
        browser_events::follow_focus(true);
    }
    note_input();
}

/// Takes ownership of both texts (KeyboardEvent.key and .code). Answers 1 if the browser must not
/// act on it.
EMSCRIPTEN_KEEPALIVE int vs_on_key(int down, char* name, char* code, unsigned modifiers,
                                   int text_field, int repeated) {
    const auto has = [modifiers](Modifier bit) { return (modifiers & bit) != 0; };
    const KeyPress key{name,     code,      has(ctrl),       has(shift),
                       has(alt), has(meta), text_field != 0, is_mac()};
    const bool taken = down != 0 && on_key_down(key, modifiers, repeated != 0);
    if (down == 0)
        on_key_up(key, modifiers);
    std::free(name);
    std::free(code);
    return taken ? 1 : 0;
}

/// Distances as in WheelEvent; mode: 0 pixels, 1 lines, 2 pages. Answers 1 if the page must not
/// scroll.
EMSCRIPTEN_KEEPALIVE int vs_on_wheel(float dx, float dy, int mode, int shifted) {
    BrowserSession& s = *session();
    if (s.embedded && !browser_js::canvas_has_focus() && !browser_js::text_has_focus())
        return 0;
    constexpr float line = 20;
    const float unit = mode == 0 ? 1 : mode == 1 ? line : s.size.height * 0.8F;
    dx *= unit;
    dy *= unit;
    if (shifted != 0 && dx == 0) {
        dx = dy;
        dy = 0;
    }
    if (!ui_context::can_scroll(dx, dy))
        return 0;
    ui_context::add_wheel(dx, dy);
    note_input();
    return 1;
}

/// The page can be seen again.
EMSCRIPTEN_KEEPALIVE void vs_on_visible() {
    note_input();
}

/// kind: 0 start, 1 move, 2 end, 3 cancelled. Answers 1 if the page must not act on it.
EMSCRIPTEN_KEEPALIVE int vs_on_touch(int kind, float x, float y) {
    BrowserSession& s = *session();
    const TouchPoint point{x, y};
    if (kind == 0) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
        io.AddMousePosEvent(x, y);
        s.frames_until_hover_ends = 0;
        ui_context::take_over_from_keyboard();
        handle_input_now(); // finds out what lies there
        s.touch.begin(point, ui_context::touch_surface(point));
        return 0;
    }
    if (kind == 1) {
        const bool ours = perform(s.touch.move(point));
        return ours || s.touch.taken() ? 1 : 0;
    }
    const bool ours = perform(kind == 2 ? s.touch.end(point) : s.touch.cancel());
    if (kind == 2 && ours)
        browser_events::follow_focus(true);
    // The finger is gone, and with it what it hovered; ImGui needs a frame to answer first.
    s.frames_until_hover_ends = 2;
    note_input();
    return ours ? 1 : 0;
}

/// Takes ownership of `utf8`.
EMSCRIPTEN_KEEPALIVE void vs_on_text(char* utf8) {
    ImGui::GetIO().AddInputCharactersUTF8(utf8);
    std::free(utf8);
    note_input();
}

EMSCRIPTEN_KEEPALIVE void vs_on_backspace() {
    stroke(ImGuiKey_Backspace);
    note_input();
}

/// kind: 0 copy, 1 cut, 2 paste of `utf8`, which is owned here. ImGui's text fields know these as
/// key strokes; the keys themselves never reach ImGui, so a paste cannot be older than its event.
EMSCRIPTEN_KEEPALIVE void vs_on_clipboard(int kind, char* utf8) {
    if (utf8 != nullptr) {
        session()->pasted = utf8;
        std::free(utf8);
    }
    constexpr ImGuiKey letters[] = {ImGuiKey_C, ImGuiKey_X, ImGuiKey_V};
    release_all_keys();
    set_modifiers(is_mac() ? meta : ctrl);
    // ImGui's text fields miss a paste whose modifier goes down in the same frame.
    handle_input_now();
    stroke(letters[kind]);
    set_modifiers(0);
    handle_input_now();
}

EMSCRIPTEN_KEEPALIVE void vs_on_clipboard_written(int success) {
    session()->host.clipboard_written(success != 0);
    note_input();
}

/// direction: when gained, how Tab brought the focus: 1 from before the canvas, -1 from behind, 0
/// otherwise. When lost: 1 to something else in the page, 0 with the whole window.
EMSCRIPTEN_KEEPALIVE void vs_on_focus(int gained, int direction) {
    release_all_keys();
    ImGui::GetIO().AddFocusEvent(gained != 0);
    if (gained == 0 && direction != 0)
        ui_context::leave();
    if (gained != 0 && direction != 0) {
        ui_context::enter_by_tab();
        set_modifiers(direction < 0 ? shift : 0U);
        stroke(ImGuiKey_Tab);
        set_modifiers(0);
        handle_input_now();
    }
    note_input();
}

EMSCRIPTEN_KEEPALIVE void vs_on_resize(int device_width, int device_height, float ratio) {
    BrowserSession& s = *session();
    s.device_width = device_width;
    s.device_height = device_height;
    s.size.width = static_cast<float>(device_width) / ratio;
    s.size.height = static_cast<float>(device_height) / ratio;
    s.size.scale = ratio;
    draw_now();
}

EMSCRIPTEN_KEEPALIVE void vs_on_environment(unsigned flags) {
    session()->environment = flags;
    session()->host.environment_changed();
    note_input();
}
}
