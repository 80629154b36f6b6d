#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

constexpr float tab_gap = 20;

struct Panel {
    std::string_view id;
    float (*paint)(Ui&, const ViewModel&, float, float, float);
};
constexpr Panel all_panels[] = {
    {"change", advice}, {"context", context_plot}, {"matrix", matrix}, {"hardware", hardware_table},
    {"speed", speed},   {"layers", layers},        {"files", files},   {"model", architecture},
};

float strip_width(const std::vector<Tab>& list) {
    float width = 0;
    for (const Tab& tab : list)
        width += text_width(TextStyle::body_strong, tab.label) + tab_gap;
    return std::max(0.0F, width - tab_gap);
}

/// Fades at the ends say that there is more.
void fade(const Ui& ui, const ImRect& rect, bool at_left) {
    const Color solid = ui.colors.panel;
    const Color clear = with_alpha(solid, 0);
    const Color left = at_left ? solid : clear;
    const Color right = at_left ? clear : solid;
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor(rect.Min, rect.Max, left, right, right,
                                                        left);
}

void strip(Ui& ui, const ViewModel& view, const ImRect& rect) {
    const float total = strip_width(view.tabs);
    ImGui::SetCursorScreenPos(rect.Min);
    ImGui::SetNextWindowContentSize({total + 4, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("tabs", rect.GetSize(), ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_HorizontalScrollbar |
                          ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    // Outlines reach over the strip's edge.
    float x = rect.Min.x + 2 - window->Scroll.x;
    for (const Tab& tab : view.tabs) {
        const float width = text_width(TextStyle::body_strong, tab.label);
        const ImRect place(x - tab_gap / 2 + 2, rect.Min.y, x + width + tab_gap / 2 - 2,
                           rect.Max.y);
        const Item it =
            item(ui, "tab:" + tab.id, place, tab.selected ? item_none : item_no_tab_stop);
        const Color color = tab.selected || it.hovered ? ui.colors.text : ui.colors.dim;
        const TextStyle style = tab.selected ? TextStyle::body_strong : TextStyle::body;
        const float offset = (width - text_width(style, tab.label)) / 2;
        text_line(ui, style, {x + offset, rect.GetCenter().y - 10}, color, tab.label);
        if (tab.selected) {
            fill({x, rect.Max.y - 2, x + width, rect.Max.y}, ui.colors.accent, 1);
            if (ui.state.memory.shown_tab != tab.id) {
                ui.state.memory.shown_tab = tab.id;
                ImRect wanted = place;
                wanted.Expand({24, 0});
                ImGui::ScrollToRectEx(window, wanted,
                                      ImGuiScrollFlags_KeepVisibleEdgeX |
                                          ImGuiScrollFlags_NoScrollParent);
                ui.animate(0.05F);
            }
        }
        Item ring = it;
        ring.rect = ImRect(x - 4, rect.Min.y + 3, x + width + 4, rect.Max.y - 5);
        focus_ring(ui, ring, radius::inner, 0);
        if (it.pressed)
            ui.act({Action::Kind::select_tab, {}, tab.id});
        x += width + tab_gap;
    }
    if (window->Scroll.x > 1)
        fade(ui, {rect.Min, {rect.Min.x + 32, rect.Max.y}}, true);
    if (window->Scroll.x < window->ScrollMax.x - 1)
        fade(ui, {{rect.Max.x - 32, rect.Min.y}, rect.Max}, false);
    ImGui::EndChild();
    // Touch drags sideways; a wheel with Shift does so too.
    if (window->ScrollMax.x > 0 && ImGui::IsMouseHoveringRect(rect.Min, rect.Max)) {
        const float wheel = ImGui::GetIO().MouseWheelH;
        if (wheel != 0)
            ImGui::SetScrollX(window, window->Scroll.x - wheel * 60);
    }
}

} // namespace

float tabs(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.tabs.empty())
        return y;
    Card card(ui, x, y, width);
    const float height = ui.control_height + 2;
    const ImRect rect = snap(
        ui, ImRect(card.left() - 2, card.top() - 6, card.right() + 2, card.top() - 6 + height));
    horizontal_line(ui, card.left(), card.right(), rect.Max.y - ui.device_pixel, ui.colors.line);
    // The button in the answer opens a tab that may lie below the fold.
    const bool opened = !ui.state.memory.shown_tab.empty() &&
                        ui.state.memory.shown_tab != view.tabs.front().id &&
                        view.tabs.front().selected && !view.change.label.empty();
    strip(ui, view, rect);
    y = rect.Max.y + 16;
    for (const Tab& tab : view.tabs) {
        if (!tab.selected)
            continue;
        for (const Panel& panel : all_panels)
            if (panel.id == tab.id)
                y = panel.paint(ui, view, card.left(), y, card.width());
    }
    if (opened) {
        const float most = ImGui::GetWindowHeight() * 0.8F;
        ImGui::ScrollToRectEx(ImGui::GetCurrentWindow(),
                              {rect.Min, {rect.Max.x, std::min(y, rect.Min.y + most)}},
                              ImGuiScrollFlags_KeepVisibleEdgeY);
        ui.animate(0.05F);
    }
    return card.end(y);
}

} // namespace vramscope::app::panels
