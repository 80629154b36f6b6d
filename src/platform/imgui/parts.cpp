// Dear ImGui without the parts that the page never uses: about 40 KB of its WebAssembly.
//
// Its functions are weak symbols in that build (dependencies.cmake), so that the ones below replace
// them when everything is linked, and what only the replaced ones called is left out. Linked into
// every WebAssembly module that holds Dear ImGui; natively it is whole.
#include <imgui_internal.h>

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
