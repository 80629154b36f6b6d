// Dear ImGui without the parts that the page never uses: about 40 KB of its WebAssembly.
//
// Its functions are weak symbols in that build (dependencies.cmake), so that the ones below replace
// them when everything is linked, and what only the replaced ones called is left out. Linked into
// every WebAssembly module that holds Dear ImGui; natively it is whole.
#include <imgui_internal.h>

#include <cstdarg>

namespace {

/// Text that is cut to a buffer, with its whole length.
struct Cut {
    char* buffer;
    std::size_t size;
    std::size_t length = 0;

    void put(char c) {
        if (length + 1 < size)
            buffer[length] = c;
        ++length;
    }
    void number(unsigned value, unsigned base, const char* digits, int width, char fill) {
        char reversed[12];
        int count = 0;
        do {
            reversed[count++] = digits[value % base];
            value /= base;
        } while (value != 0);
        for (int i = count; i < width; ++i)
            put(fill);
        while (count > 0)
            put(reversed[--count]);
    }
};

} // namespace

// What the names of ImGui's windows need of printf: %s %.*s %d %i %u %x %X %% and a width. The C
// library's brings decimals of 128-bit numbers along.
int ImFormatStringV(char* buffer, std::size_t size, const char* format, va_list arguments) {
    Cut out{buffer, buffer == nullptr ? 0 : size};
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            out.put(*format);
            continue;
        }
        ++format;
        const char fill = *format == '0' ? '0' : ' ';
        int width = 0;
        for (; *format >= '0' && *format <= '9'; ++format)
            width = width * 10 + (*format - '0');
        int most = INT_MAX;
        if (format[0] == '.' && format[1] == '*') {
            most = va_arg(arguments, int);
            format += 2;
        }
        if (*format == 's') {
            const char* text = va_arg(arguments, const char*);
            for (int i = 0; i < most && text[i] != '\0'; ++i)
                out.put(text[i]);
        } else if (*format == 'd' || *format == 'i') {
            const int value = va_arg(arguments, int);
            if (value < 0)
                out.put('-');
            out.number(value < 0 ? 0U - static_cast<unsigned>(value) : static_cast<unsigned>(value),
                       10, "0123456789", width, fill);
        } else if (*format == 'u') {
            out.number(va_arg(arguments, unsigned), 10, "0123456789", width, fill);
        } else if (*format == 'x') {
            out.number(va_arg(arguments, unsigned), 16, "0123456789abcdef", width, fill);
        } else if (*format == 'X') {
            out.number(va_arg(arguments, unsigned), 16, "0123456789ABCDEF", width, fill);
        } else if (*format == '\0') {
            break;
        } else {
            out.put(*format);
        }
    }
    if (out.size > 0)
        buffer[out.length < size ? out.length : size - 1] = '\0';
    if (buffer != nullptr && out.length >= size)
        return static_cast<int>(size) - 1;
    return static_cast<int>(out.length);
}

int ImFormatString(char* buffer, std::size_t size, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = ImFormatStringV(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

// The atlas has a white dot, and no cursors (glyph_loader.cpp).
void ImFontAtlasBuildRenderBitmapFromString(ImFontAtlas* atlas, int x, int y, int width, int height,
                                            const char*, char) {
    for (int row = 0; row < height; ++row) {
        auto* pixels = static_cast<unsigned char*>(atlas->TexData->GetPixelsAt(x, y + row));
        for (int i = 0; i < width * atlas->TexData->BytesPerPixel; ++i)
            pixels[i] = 0xFF;
    }
}

namespace ImGui {

// No settings file: windows are placed anew in every frame.
void AddSettingsHandler(const ImGuiSettingsHandler*) {}
void TableSettingsAddSettingsHandler() {}
void LoadIniSettingsFromDisk(const char*) {}
void SaveIniSettingsToDisk(const char*) {}

// No log of what is drawn.
void LogRenderedText(const ImVec2*, const char*, const char*) {}
void LogSetNextTextDecoration(const char*, const char*) {}
void LogFinish() {}

// Begin and End are paired; the native tests run with ImGui's checks.
void ErrorRecoveryStoreState(ImGuiErrorRecoveryState*) {}
void ErrorRecoveryTryToRecoverState(const ImGuiErrorRecoveryState*) {}
void ErrorRecoveryTryToRecoverWindowState(const ImGuiErrorRecoveryState*) {}
void ErrorCheckUsingSetCursorPosToExtendParentBoundaries() {}
void ErrorCheckEndFrameFinalizeErrorTooltip() {}
bool ErrorLog(const char*) {
    return false;
}

// No dragging of data with its tooltip, no list of windows under Ctrl+Tab, no tooltips with
// shortcuts, no cursor of its own (the browser's is used), none of the old columns, no title bars
// with buttons; every popup is told its place.
void SetTooltip(const char*, ...) {}
bool Selectable(const char*, bool, ImGuiSelectableFlags, const ImVec2&) {
    return false;
}
const char* GetKeyChordName(ImGuiKeyChord) {
    return "";
}
void RenderMouseCursor(ImVec2, float, ImGuiMouseCursor, ImU32, ImU32, ImU32) {}
void EndColumns() {}
bool CollapseButton(ImGuiID, const ImVec2&) {
    return false;
}
bool CloseButton(ImGuiID, const ImVec2&) {
    return false;
}
ImVec2 FindBestWindowPosForPopup(ImGuiWindow* window) {
    return window->Pos;
}

} // namespace ImGui
