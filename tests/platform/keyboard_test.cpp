// KeyboardEvent.key and .code values are those of the W3C UI Events specifications.
#include "platform/keyboard.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope::platform;

namespace {

KeyPress plain(std::string_view key, std::string_view code, bool text_field = false) {
    KeyPress press;
    press.key = key;
    press.code = code;
    press.text_field = text_field;
    return press;
}

KeyPress with_ctrl(std::string_view key, std::string_view code, bool text_field) {
    KeyPress press = plain(key, code, text_field);
    press.ctrl = true;
    return press;
}

} // namespace

TEST_CASE("The browser keeps its keys, in a text field or not") {
    for (const bool text_field : {false, true}) {
        for (const std::string_view key :
             {"F1", "F3", "F5", "F6", "F11", "F12", "ContextMenu", "PrintScreen", "MediaPlayPause",
              "Dead", "Process", "Unidentified"}) {
            INFO(key);
            CHECK(key_claim(plain(key, key, text_field)) == KeyClaim::leave);
        }
        // find, address bar, tab, window, reload, zoom, bookmark, print, save, developer tools
        for (const std::string_view key : {"f", "l", "t", "w", "n", "r", "+", "-", "=", "0", "d",
                                           "p", "s", "g", "I", "Tab", "PageUp", "F5"}) {
            INFO(key);
            CHECK(key_claim(with_ctrl(key, "", text_field)) == KeyClaim::leave);
        }
        // Copy, cut and paste come as clipboard events: taking the key would stop the event.
        for (const std::string_view key : {"c", "x", "v"})
            CHECK(key_claim(with_ctrl(key, "", text_field)) == KeyClaim::leave);
        KeyPress back = plain("ArrowLeft", "ArrowLeft", text_field);
        back.alt = true;
        CHECK(key_claim(back) == KeyClaim::leave);
    }
}

TEST_CASE("Ours: moving, activating, editing") {
    for (const std::string_view key :
         {"ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter"})
        CHECK(key_claim(plain(key, key)) == KeyClaim::take);
    CHECK(key_claim(plain(" ", "Space")) == KeyClaim::take); // would scroll the page
    CHECK(key_claim(plain("/", "Slash")) == KeyClaim::take); // would open Firefox's quick find
    CHECK(key_claim(plain("Tab", "Tab")) == KeyClaim::tab);
    CHECK(key_claim(plain("Escape", "Escape")) == KeyClaim::escape);
    CHECK(key_claim(plain("Backspace", "Backspace", true)) == KeyClaim::take);
    CHECK(key_claim(plain("Backspace", "Backspace", false)) == KeyClaim::leave);
    for (const std::string_view key : {"a", "z", "y", "ArrowLeft", "Backspace", "Home"}) {
        CHECK(key_claim(with_ctrl(key, "", true)) == KeyClaim::take);
        // A step back or forth is ours everywhere.
        const bool undoes = key == "z" || key == "y";
        CHECK(key_claim(with_ctrl(key, "", false)) == (undoes ? KeyClaim::take : KeyClaim::leave));
    }
}

TEST_CASE("Characters become text by the text field, not by the key") {
    for (const std::string_view key : {"a", " ", "/", "7", "\u00e9", "\u65e5", "\U0001F600"}) {
        INFO(key);
        CHECK(key_claim(plain(key, "KeyA", true)) == KeyClaim::watch);
    }
    KeyPress at = with_ctrl("@", "KeyQ", true); // AltGr+Q on a German Windows keyboard
    at.alt = true;
    CHECK(key_claim(at) == KeyClaim::leave);
}

TEST_CASE("On a Mac, Command is the shortcut key and Option moves by words") {
    KeyPress press = plain("a", "KeyA", true);
    press.mac = true;
    press.meta = true;
    CHECK(key_claim(press) == KeyClaim::take);
    press.key = "t";
    CHECK(key_claim(press) == KeyClaim::leave);
    press = plain("ArrowLeft", "ArrowLeft", true);
    press.mac = true;
    press.alt = true;
    CHECK(key_claim(press) == KeyClaim::take);
    press = with_ctrl("a", "KeyA", true);
    press.mac = true;
    CHECK(key_claim(press) == KeyClaim::leave);
}

TEST_CASE("Letters go by their meaning, other keys by their place") {
    CHECK(imgui_key("a", "KeyQ") == ImGuiKey_A); // AZERTY
    CHECK(imgui_key("Z", "KeyY") == ImGuiKey_Z); // QWERTZ, with Shift
    CHECK(imgui_key("7", "Digit7") == ImGuiKey_7);
    CHECK(imgui_key("/", "Digit7") == ImGuiKey_Slash); // Shift+7 on QWERTZ
    CHECK(imgui_key("\u0444", "KeyA") == ImGuiKey_A);  // Cyrillic layout: Ctrl+A still works
    CHECK(imgui_key("ArrowLeft", "ArrowLeft") == ImGuiKey_LeftArrow);
    CHECK(imgui_key("Enter", "NumpadEnter") == ImGuiKey_KeypadEnter);
    CHECK(imgui_key("Enter", "") == ImGuiKey_Enter); // phone keyboards send no code
    CHECK(imgui_key("Unidentified", "") == ImGuiKey_None);
    CHECK(imgui_key("", "") == ImGuiKey_None);
}
