#include "platform/keyboard.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope::platform {
namespace {

using Name = std::pair<std::string_view, ImGuiKey>;

// KeyboardEvent.code values (W3C UI Events code), without letters, digits and function keys.
constexpr std::array codes = {
    Name{"Tab", ImGuiKey_Tab},
    Name{"ArrowLeft", ImGuiKey_LeftArrow},
    Name{"ArrowRight", ImGuiKey_RightArrow},
    Name{"ArrowUp", ImGuiKey_UpArrow},
    Name{"ArrowDown", ImGuiKey_DownArrow},
    Name{"PageUp", ImGuiKey_PageUp},
    Name{"PageDown", ImGuiKey_PageDown},
    Name{"Home", ImGuiKey_Home},
    Name{"End", ImGuiKey_End},
    Name{"Insert", ImGuiKey_Insert},
    Name{"Delete", ImGuiKey_Delete},
    Name{"Backspace", ImGuiKey_Backspace},
    Name{"Space", ImGuiKey_Space},
    Name{"Enter", ImGuiKey_Enter},
    Name{"NumpadEnter", ImGuiKey_KeypadEnter},
    Name{"Escape", ImGuiKey_Escape},
    Name{"ControlLeft", ImGuiKey_LeftCtrl},
    Name{"ControlRight", ImGuiKey_RightCtrl},
    Name{"ShiftLeft", ImGuiKey_LeftShift},
    Name{"ShiftRight", ImGuiKey_RightShift},
    Name{"AltLeft", ImGuiKey_LeftAlt},
    Name{"AltRight", ImGuiKey_RightAlt},
    Name{"MetaLeft", ImGuiKey_LeftSuper},
    Name{"MetaRight", ImGuiKey_RightSuper},
    Name{"Minus", ImGuiKey_Minus},
    Name{"Equal", ImGuiKey_Equal},
    Name{"Comma", ImGuiKey_Comma},
    Name{"Period", ImGuiKey_Period},
    Name{"Slash", ImGuiKey_Slash},
};

ImGuiKey offset_key(ImGuiKey first, char digit, char zero) {
    return static_cast<ImGuiKey>(static_cast<int>(first) + (digit - zero));
}

bool is_printable(std::string_view key) {
    // Named keys ("Enter", "F5", "Dead") are ASCII words; a character is one code point.
    if (key.empty())
        return false;
    const auto lead = static_cast<unsigned char>(key.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return key.size() == length && lead >= 0x20 && lead != 0x7F;
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool moves_caret(std::string_view key) {
    return is_one_of(key, {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"});
}

bool edits_text(std::string_view key) {
    return moves_caret(key) || is_one_of(key, {"Backspace", "Delete"});
}

} // namespace

ImGuiKey imgui_key(std::string_view key, std::string_view code) {
    if (key.size() == 1) {
        const char c = key.front();
        if (c >= 'a' && c <= 'z')
            return offset_key(ImGuiKey_A, c, 'a');
        if (c >= 'A' && c <= 'Z')
            return offset_key(ImGuiKey_A, c, 'A');
        if (c >= '0' && c <= '9')
            return offset_key(ImGuiKey_0, c, '0');
        if (c == '/')
            return ImGuiKey_Slash;
    }
    if (code.size() == 4 && code.starts_with("Key"))
        return offset_key(ImGuiKey_A, code[3], 'A');
    if (code.size() == 6 && code.starts_with("Digit"))
        return offset_key(ImGuiKey_0, code[5], '0');
    for (const auto& [name, value] : codes)
        if (name == code)
            return value;
    // Phone keyboards and remote desktops send a name without a position.
    for (const auto& [name, value] : codes)
        if (name == key)
            return value;
    return ImGuiKey_None;
}

KeyClaim key_claim(const KeyPress& press) {
    const std::string_view key = press.key;
    if (is_one_of(key, {"Control", "Shift", "Alt", "Meta"}))
        return KeyClaim::watch;

    const bool shortcut = press.mac ? press.meta : press.ctrl;
    const bool other_shortcut = press.mac ? press.ctrl : press.meta;
    if (other_shortcut)
        return KeyClaim::leave;
    if (shortcut && press.alt)
        return KeyClaim::leave; // AltGr on Windows: the text event counts
    if (shortcut) {
        const ImGuiKey letter = imgui_key(key, press.code);
        if (!press.text_field) // a step back or forth
            return letter == ImGuiKey_Z || letter == ImGuiKey_Y ? KeyClaim::take : KeyClaim::leave;
        if (edits_text(key))
            return KeyClaim::take;
        const bool edits = letter == ImGuiKey_A || letter == ImGuiKey_Z || letter == ImGuiKey_Y;
        return edits ? KeyClaim::take : KeyClaim::leave;
    }
    if (press.alt) {
        const bool by_word = press.mac && press.text_field && edits_text(key);
        return by_word ? KeyClaim::take : KeyClaim::leave;
    }

    if (key == "Tab")
        return KeyClaim::tab;
    if (key == "Escape")
        return KeyClaim::escape;
    if (moves_caret(key) || is_one_of(key, {"PageUp", "PageDown", "Enter"}))
        return KeyClaim::take;
    if (is_one_of(key, {"Backspace", "Delete"}))
        return press.text_field ? KeyClaim::take : KeyClaim::leave;
    if (!is_printable(key))
        return KeyClaim::leave;
    // Without a text field, space would scroll the page and slash would open Firefox's quick find.
    const bool acts = !press.text_field && (key == " " || key == "/");
    return acts ? KeyClaim::take : KeyClaim::watch;
}

} // namespace vramscope::platform
