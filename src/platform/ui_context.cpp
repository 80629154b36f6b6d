#include "platform/ui_context.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "platform/glyph_loader.h"
#include "platform/glyph_source.h"

namespace vramscope::platform {
namespace {

struct DragArea {
    ImRect rect;
    ImGuiID root_window;
    Axis axis;
};

/// If even the visible glyphs do not fit, forgetting them again at once would not help.
constexpr int frames_between_forgetting = 120;

struct Frame {
    std::vector<DragArea> drag_areas;
    std::string label;
    bool numeric = false;
    float scale = 1;
    bool glyphs_outdated = false;
    int frames_since_forgetting = frames_between_forgetting;
    ImGuiID scroll_window_x = 0;
    ImGuiID scroll_window_y = 0;
    ImVec2 scroll_by;
};

Frame& state() {
    static Frame frame;
    return frame;
}

/// The innermost window at or above `window` that can move its content by a step of this sign.
ImGuiWindow* scrollable(ImGuiWindow* window, ImGuiAxis axis, float direction) {
    const auto along = static_cast<std::size_t>(axis);
    for (; window != nullptr; window = window->ParentWindow) {
        const bool blocked = (window->Flags & ImGuiWindowFlags_NoScrollWithMouse) != 0;
        const float position = window->Scroll[along];
        const bool moves = direction < 0 ? position > 0 : position < window->ScrollMax[along];
        if (moves && !blocked)
            return window;
        if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0)
            return nullptr;
    }
    return nullptr;
}

bool wants_room() {
    return glyph_loader::atlas_is_full() &&
           state().frames_since_forgetting >= frames_between_forgetting;
}

void apply_touch_scroll() {
    Frame& frame = state();
    if (ImGuiWindow* window = ImGui::FindWindowByID(frame.scroll_window_x))
        if (frame.scroll_by.x != 0)
            ImGui::SetScrollX(window, window->Scroll.x - frame.scroll_by.x);
    if (ImGuiWindow* window = ImGui::FindWindowByID(frame.scroll_window_y))
        if (frame.scroll_by.y != 0)
            ImGui::SetScrollY(window, window->Scroll.y - frame.scroll_by.y);
    frame.scroll_by = ImVec2(0, 0);
}

} // namespace

namespace ui_context {

void create(int largest_texture_side, bool mac) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGuiIO& io = g.IO;
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_RendererHasTextures;
    io.ConfigMacOSXBehaviors = mac;
    io.ConfigInputTextCursorBlink = false; // a blinking cursor would need frames for ever
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigNavCursorVisibleAuto = true;
    // Ctrl+Tab is the browser's.
    g.ConfigNavWindowingKeyNext = g.ConfigNavWindowingKeyPrev = ImGuiKey_None;
    ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
    platform_io.Renderer_TextureMaxWidth = largest_texture_side;
    platform_io.Renderer_TextureMaxHeight = largest_texture_side;
    ImGui::GetStyle().FontSizeBase = text_size::body;
    glyph_loader::add_fonts(*io.Fonts, largest_texture_side);
}

void destroy() {
    ImGui::DestroyContext();
    state() = Frame{};
}

void run_frame(Host& host, const FrameSize& size, float delta_seconds) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGuiIO& io = g.IO;
    io.DisplaySize = ImVec2(size.width, size.height);
    io.DisplayFramebufferScale = ImVec2(size.scale, size.scale);
    io.DeltaTime = delta_seconds;
    Frame& frame = state();
    frame.scale = size.scale;
    frame.drag_areas.clear();
    frame.label.clear();
    frame.numeric = false;
    ++frame.frames_since_forgetting;
    if (frame.glyphs_outdated || wants_room()) {
        glyph_loader::forget_glyphs(*io.Fonts);
        frame.frames_since_forgetting = 0;
        frame.glyphs_outdated = false;
    }

    ImGuiStyle& style = g.Style;
    style.AntiAliasedLinesUseTex = false; // see glyph_loader::add_fonts
    style.CircleTessellationMaxError = 0.3F / size.scale;
    ImGui::NewFrame();
    // The soft edge of shapes is one device pixel wide, not one CSS pixel.
    g.DrawListSharedData.InitialFringeScale = 1 / size.scale;
    apply_touch_scroll();
    host.frame(size.width, size.height);
    ImGui::Render();
}

bool has_queued_input() {
    return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
}

bool needs_more_frames() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (has_queued_input() || state().scroll_by.x != 0 || state().scroll_by.y != 0)
        return true;
    if (wants_room() || state().glyphs_outdated)
        return true;
    // Only the left button: a context menu may swallow the release of the right one.
    if (g.IO.MouseDown[ImGuiMouseButton_Left])
        return true;
    // Keys repeat by ImGui's clock. Modifiers alone do nothing over time.
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
        const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
        const bool mouse = key >= ImGuiKey_MouseLeft;
        if (!modifier && !mouse && ImGui::IsKeyDown(static_cast<ImGuiKey>(key)))
            return true;
    }
    if (g.HoverItemDelayId != 0) {
        const bool resting = g.HoverItemUnlockedStationaryId == g.HoverItemDelayId;
        if (!resting || g.HoverItemDelayTimer < g.Style.HoverDelayNormal)
            return true;
    }
    const bool modal = g.OpenPopupStack.Size > 0 && ImGui::GetTopMostPopupModal() != nullptr;
    return modal ? g.DimBgRatio < 1 : g.DimBgRatio > 0;
}

TouchSurface touch_surface(TouchPoint point) {
    Frame& frame = state();
    ImGuiWindow* hovered = ImGui::GetCurrentContext()->HoveredWindow;
    TouchSurface surface;
    frame.scroll_window_x = frame.scroll_window_y = 0;
    frame.scroll_by = ImVec2(0, 0);
    if (hovered == nullptr)
        return surface;
    for (const DragArea& area : frame.drag_areas) {
        if (area.root_window != hovered->RootWindow->ID)
            continue;
        if (!area.rect.Contains(ImVec2(point.x, point.y)))
            continue;
        surface.drag_horizontally |= area.axis != Axis::vertical;
        surface.drag_vertically |= area.axis != Axis::horizontal;
    }
    const auto look = [hovered](ImGuiAxis axis, float direction, ImGuiID& window_id) {
        const ImGuiWindow* window = scrollable(hovered, axis, direction);
        if (window != nullptr && window_id == 0)
            window_id = window->ID;
        return window != nullptr;
    };
    surface.scroll_left = look(ImGuiAxis_X, -1, frame.scroll_window_x);
    surface.scroll_right = look(ImGuiAxis_X, 1, frame.scroll_window_x);
    surface.scroll_up = look(ImGuiAxis_Y, -1, frame.scroll_window_y);
    surface.scroll_down = look(ImGuiAxis_Y, 1, frame.scroll_window_y);
    return surface;
}

void scroll_touched(float dx, float dy) {
    state().scroll_by.x += dx;
    state().scroll_by.y += dy;
}

bool can_scroll(float dx, float dy) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.OpenPopupStack.Size > 0)
        return true;
    const bool vertical = std::fabs(dy) >= std::fabs(dx);
    return scrollable(g.HoveredWindow, vertical ? ImGuiAxis_Y : ImGuiAxis_X, vertical ? dy : dx) !=
           nullptr;
}

void add_wheel(float dx, float dy) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    // ImGui's unit is "as far as it scrolls in one step"; these are the steps of
    // UpdateMouseWheel().
    const auto steps = [&g](ImGuiAxis axis, float pixels, float lines) {
        if (pixels == 0)
            return 0.0F;
        const ImGuiWindow* window = scrollable(g.HoveredWindow, axis, pixels);
        if (window == nullptr)
            window = g.HoveredWindow;
        float step = lines * text_size::body;
        if (window != nullptr) {
            const float inner =
                axis == ImGuiAxis_Y ? window->InnerRect.GetHeight() : window->InnerRect.GetWidth();
            step = std::floor(std::min(lines * window->FontRefSize, inner * 0.67F));
        }
        return -pixels / std::max(step, 1.0F);
    };
    const float wheel_x = steps(ImGuiAxis_X, dx, 2);
    const float wheel_y = steps(ImGuiAxis_Y, dy, 5);
    // With Shift, ImGui turns the vertical wheel into a horizontal one, as the browser already did.
    const bool swapped = g.IO.KeyShift && !g.IO.ConfigMacOSXBehaviors && wheel_y == 0;
    if (swapped)
        g.IO.AddMouseWheelEvent(0, wheel_x);
    else
        g.IO.AddMouseWheelEvent(wheel_x, wheel_y);
}

bool can_escape() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return g.ActiveId != 0 || g.OpenPopupStack.Size > 0 || (g.NavId != 0 && g.NavCursorVisible);
}

bool tab_would_wrap() {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.OpenPopupStack.Size > 0)
        return false; // a popup keeps the keyboard until it closes
    const bool asked = g.NavMoveSubmitted && (g.NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) != 0;
    if (!asked)
        return true; // nothing here takes the focus
    const bool found = g.NavMoveResultLocal.ID != 0 || g.NavMoveResultOther.ID != 0;
    bool wraps = false;
    if (g.NavTabbingDir > 0)
        wraps = !found;
    // Backwards, ImGui goes on to collect items behind the focused one if there was none before.
    if (g.NavTabbingDir < 0)
        wraps = !found || (g.NavId != 0 && g.NavMoveScoringItems);
    if (!wraps)
        return false;
    ImGui::NavMoveRequestCancel();
    g.NavMoveSubmitted = false;
    ImGui::SetNavCursorVisible(false);
    return true;
}

void enter_by_tab() {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.NavId = 0;
    g.NavCursorVisible = false;
}

void leave() {
    ImGui::ClearActiveID();
    ImGui::SetNavCursorVisible(false);
}

void take_over_from_keyboard() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool by_keyboard = g.ActiveId != 0 && g.ActiveIdSource == ImGuiInputSource_Keyboard;
    if (by_keyboard && g.ActiveId != g.InputTextState.ID)
        ImGui::ClearActiveID();
}

TextField active_text_field() {
    return {state().label, state().numeric};
}

} // namespace ui_context

// The parts of the public interface that are the same with and without a browser.

ImFont* font(Face face) {
    return glyph_loader::font(face);
}

void push_text(float size, Face face) {
    ImGui::PushFont(font(face), size);
}

void set_language(std::string_view tag) {
    static std::string current;
    if (tag == current)
        return;
    current = tag;
    glyph_source::set_language(tag);
    state().glyphs_outdated = true;
    request_frame();
}

float device_pixel() {
    return 1 / state().scale;
}

float snap(float position) {
    return std::round(position * state().scale) / state().scale;
}

void item_takes_drag(Axis axis) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    ImRect rect = g.LastItemData.Rect;
    rect.ClipWith(g.CurrentWindow->ClipRect);
    state().drag_areas.push_back({rect, g.CurrentWindow->RootWindow->ID, axis});
}

void describe_text_field(std::string_view label, bool numeric) {
    if (!ImGui::IsItemActive())
        return;
    state().label = label;
    state().numeric = numeric;
}

} // namespace vramscope::platform
