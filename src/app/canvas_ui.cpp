#include "app/canvas_ui.h"

#include <algorithm>
#include <cmath>

#include "app/layout.h"
#include "app/panels/panels.h"
#include "app/widgets.h"
#include "app/widgets_text.h"

namespace vramscope::app {

namespace {

constexpr ImGuiWindowFlags still_window =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground;

bool is_dark(const ViewModel& view, const PaintState& state) {
    for (const Choice& choice : view.themes) {
        if (!choice.selected)
            continue;
        if (choice.action.value == "dark")
            return true;
        if (choice.action.value == "light")
            return false;
    }
    return state.prefers_dark;
}

/// The few things that ImGui draws itself: scroll bars and window surfaces.
void push_style(const Ui& ui) {
    const Palette& colors = ui.colors;
    const Color grab = blend(colors.line, colors.dim, 0.25F);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, ImU32{0});
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, grab);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabHovered, blend(grab, colors.text, 0.25F));
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabActive, blend(grab, colors.text, 0.4F));
    ImGui::PushStyleColor(ImGuiCol_NavCursor, ImU32{0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, ui.state.coarse_pointer ? 6.0F : 10.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, 5.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_DisabledAlpha, 1.0F);
}

void pop_style() {
    ImGui::PopStyleVar(7);
    ImGui::PopStyleColor(5);
}

/// A column ends where its cards end; while the page scrolls on it stays in sight.
float stuck_offset(float column, float page, float visible, float scroll) {
    const float slack = page - column;
    if (slack <= 0)
        return 0;
    return std::clamp(scroll - std::max(0.0F, column - visible), 0.0F, slack);
}

using PanelPainter = float (*)(Ui&, const ViewModel&, float, float, float);

/// Panels below each other; those without content leave no gap.
float stack(Ui& ui, const ViewModel& view, float x, float y, float width,
            std::initializer_list<PanelPainter> panels) {
    for (const PanelPainter panel : panels) {
        const float end = panel(ui, view, x, y, width);
        if (end > y)
            y = end + space::gap;
    }
    return y;
}

void paint_columns(Ui& ui, const ViewModel& view, const PageLayout& page, ImVec2 origin,
                   float visible, float scroll) {
    PaintMemory& memory = ui.state.memory;
    const float top = origin.y + (page.phone() ? space::narrow_margin : space::gap);
    std::array<float, 3> ends{top, top, top};
    const auto start = [&](std::size_t column) {
        return top + std::round(stuck_offset(memory.column_heights[column], memory.page_height,
                                             visible - 2 * space::gap, scroll));
    };
    using namespace panels;
    const float x = origin.x;
    if (view.mode != nullptr) {
        const float end = mode_page(ui, view, page, x, top, start(0) - top);
        ImGui::SetCursorScreenPos({x, end - space::half});
        ImGui::Dummy({1, 1});
        return;
    }
    if (page.phone()) {
        ends[1] = stack(ui, view, x + page.main_x, top, page.main_width,
                        {messages, answer, figures, setup_summary, tabs, why, run, assumptions,
                         related, footer});
        memory.column_heights = {0, ends[1] - top, 0};
        memory.page_height = ends[1] - top;
        ImGui::SetCursorScreenPos({x, ends[1] - space::half});
        ImGui::Dummy({1, 1});
        return;
    }
    const std::array<float, 3> starts{start(0), start(1), start(2)};
    ends[0] = stack(ui, view, x + page.left, starts[0], page.setup_width, {setup});
    if (page.columns == 3) {
        ends[1] = stack(ui, view, x + page.main_x, starts[1], page.main_width,
                        {messages, answer, figures, tabs, related, footer});
        ends[2] = stack(ui, view, x + page.side_x, starts[2], page.side_width,
                        {why, short_matrix, run, assumptions});
    } else {
        ends[1] = stack(ui, view, x + page.main_x, starts[1], page.main_width,
                        {messages, answer, figures, tabs, why, run, assumptions, related, footer});
        ends[2] = starts[2];
    }
    float page_height = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const float height = ends[i] - starts[i];
        if (std::abs(height - memory.column_heights[i]) > 0.5F)
            ui.animate(0.02F);
        memory.column_heights[i] = height;
        page_height = std::max(page_height, height);
    }
    memory.page_height = page_height;
    ImGui::SetCursorScreenPos({x, top + page_height - 1});
    ImGui::Dummy({1, 1});
}

void paint_page(Ui& ui, const ViewModel& view, const PageLayout& page, float width, float height) {
    const float visible = height - page.header_height - page.bottom_height;
    if (visible < 1)
        return;
    ImGui::SetCursorScreenPos({0, page.header_height});
    ImGui::BeginChild("page", {width, visible}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysVerticalScrollbar * 0);
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImDrawListSplitter layers;
    ImDrawList* list = ImGui::GetWindowDrawList();
    layers.Split(list, 2);
    layers.SetCurrentChannel(list, 1);
    ui.layers = &layers;
    const ImVec2 origin(0, snap(ui, window->DC.CursorStartPos.y));
    paint_columns(ui, view, page, origin, visible, window->Scroll.y);
    ui.layers = nullptr;
    layers.Merge(list);
    ImGui::EndChild();
}

void forget_unseen(PaintMemory& memory) {
    std::erase_if(memory.easings, [](const PaintMemory::Easing& easing) { return !easing.seen; });
    for (PaintMemory::Easing& easing : memory.easings)
        easing.seen = false;
}

void start_frame(PaintState& state) {
    PaintMemory& memory = state.memory;
    state.frames_for = 0;
    memory.dragging = false;
    memory.tooltip_seen = false;
    if (memory.copied_for > 0) {
        memory.copied_for -= state.delta_seconds;
        state.frames_for = std::max(0.02F, memory.copied_for);
    }
    if (state.log != nullptr) {
        state.log->texts.clear();
        state.log->items.clear();
    }
}

void end_frame(PaintState& state) {
    PaintMemory& memory = state.memory;
    if (!memory.tooltip_seen)
        memory.tooltip_item = 0;
    forget_unseen(memory);
}

} // namespace

void prepare_imgui() {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;      // a blinking caret would keep an idle page drawing
    io.ConfigDebugHighlightIdConflicts = false; // equal texts may have equal tooltip areas
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigNavMoveSetMousePos = false;
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLinesUseTex = false; // crisp at fractional device scales too
    style.CurveTessellationTol = 0.6F;
}

void paint(const ViewModel& view, PaintState& state, float width, float height,
           std::vector<Action>& out) {
    start_frame(state);
    set_text_fonts(state.fonts);
    const float density = std::max(1.0F, ImGui::GetIO().DisplayFramebufferScale.x);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    // Soft edges are one device pixel wide, not one layout pixel.
    g.DrawListSharedData.InitialFringeScale = 1.0F / density;

    Ui ui{palette(is_dark(view, state)), state, out};
    ui.control_height = state.coarse_pointer ? 44 : 36;
    ui.device_pixel = 1.0F / density;
    const Color background = ui.colors.background;
    state.background =
        ((background & 0xFFU) << 16U) | (background & 0xFF00U) | ((background >> 16U) & 0xFFU);
    push_style(ui);
    PageLayout page = page_layout(width, state.coarse_pointer);
    if (view.mode != nullptr && view.mode->id == "compare")
        page.bottom_height = 0;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("##vramscope", nullptr,
                 still_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::GetWindowDrawList()->_FringeScale = ui.device_pixel;
    fill({0, 0, width, height}, background);
    panels::header_bar(ui, view, page, width);
    paint_page(ui, view, page, width, height);
    if (page.bottom_height > 0)
        panels::bottom_bar(ui, view, page, width, height);
    panels::shortcuts(ui, view, width, height);
    ImGui::SetCursorScreenPos({0, 0});
    ImGui::Dummy({1, 1});
    ImGui::End();
    pop_style();
    end_frame(state);
}

} // namespace vramscope::app
