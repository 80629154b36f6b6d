#include "app/widgets.h"

#include <algorithm>
#include <cmath>

#include "app/widgets_text.h"

namespace vramscope::app {

namespace {

constexpr float easing_seconds = 0.12F;
constexpr float tooltip_delay = 0.35F;
constexpr float tooltip_width = 320;

void log_item(Ui& ui, std::string_view name, const ImRect& rect) {
    if (ui.state.log == nullptr)
        return;
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    ui.state.log->items.push_back({std::string(name),
                                   {rect.Min.x, rect.Min.y, rect.Max.x, rect.Max.y},
                                   {clip.Min.x, clip.Min.y, clip.Max.x, clip.Max.y}});
}

void draw_tooltip(Ui& ui, const ImRect& anchor, std::string_view text) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(tooltip_width, screen.x - 48);
    const ImVec2 size = paragraph_size(TextStyle::caption, width, text);
    const ImVec2 padding(12, 8);
    ImRect box({0, 0}, size + padding * 2);
    float x = anchor.GetCenter().x - box.GetWidth() / 2;
    x = std::clamp(x, 8.0F, std::max(8.0F, screen.x - box.GetWidth() - 8));
    float y = anchor.Min.y - box.GetHeight() - 8;
    if (y < 8)
        y = std::min(anchor.Max.y + 8, screen.y - box.GetHeight() - 8);
    box.Translate(ImVec2(snap(ui, x), snap(ui, y)));

    ImDrawList* list = ImGui::GetForegroundDrawList();
    const Color surface = blend(ui.colors.raised, ui.colors.text, 0.05F);
    list->AddRectFilled(box.Min, box.Max, surface, radius::control);
    list->AddRect(box.Min, box.Max, ui.colors.edge, radius::control, 0, ui.device_pixel);
    const int layer = ui.layer;
    ui.layer = 2;
    paragraph(ui, TextStyle::caption, box.Min + padding, width, ui.colors.text, text, list);
    ui.layer = layer;
}

void show_tooltip(Ui& ui, ImGuiID id, const ImRect& rect, bool wanted, std::string_view text) {
    if (!wanted || text.empty())
        return;
    PaintMemory& memory = ui.state.memory;
    if (memory.tooltip_item != id) {
        memory.tooltip_item = id;
        memory.tooltip_age = 0;
    }
    memory.tooltip_seen = true;
    if (memory.tooltip_age < tooltip_delay) {
        memory.tooltip_age += ImGui::GetIO().DeltaTime;
        ui.animate(tooltip_delay);
        return;
    }
    draw_tooltip(ui, rect, text);
}

} // namespace

ImGuiID id_of(std::string_view name) {
    return ImGui::GetCurrentWindow()->GetID(name.data(), name.data() + name.size());
}

IdScope::IdScope(std::string_view name) {
    ImGui::PushID(name.data(), name.data() + name.size());
}
IdScope::IdScope(int index) {
    ImGui::PushID(index);
}
IdScope::~IdScope() {
    ImGui::PopID();
}

float snap(const Ui& ui, float position) {
    return std::round(position / ui.device_pixel) * ui.device_pixel;
}

ImRect snap(const Ui& ui, const ImRect& rect) {
    return {snap(ui, rect.Min.x), snap(ui, rect.Min.y), snap(ui, rect.Max.x), snap(ui, rect.Max.y)};
}

void fill(const ImRect& rect, Color color, float rounding, ImDrawFlags corners) {
    ImGui::GetWindowDrawList()->AddRectFilled(rect.Min, rect.Max, color, rounding, corners);
}

void outline(const Ui& ui, const ImRect& rect, Color color, float rounding) {
    ImGui::GetWindowDrawList()->AddRect(rect.Min, rect.Max, color, rounding, 0, ui.device_pixel);
}

void horizontal_line(const Ui& ui, float x1, float x2, float y, Color color) {
    const float top = snap(ui, y);
    fill({x1, top, x2, top + ui.device_pixel}, color);
}

void hatch(const ImRect& rect, Color color, float spacing) {
    if (rect.GetWidth() <= 0 || rect.GetHeight() <= 0)
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(rect.Min, rect.Max, true);
    const float height = rect.GetHeight();
    const float first = std::floor((rect.Min.x - height) / spacing) * spacing;
    for (float x = first; x < rect.Max.x; x += spacing)
        list->AddLine({x, rect.Max.y}, {x + height, rect.Min.y}, color, 1.5F);
    list->PopClipRect();
}

void dashed_line(ImVec2 from, ImVec2 to, Color color, float thickness, float dash, float gap) {
    const ImVec2 way = to - from;
    const float length = std::sqrt(way.x * way.x + way.y * way.y);
    if (length <= 0)
        return;
    const ImVec2 direction = way / length;
    const ImVec2 half(std::abs(direction.y) * thickness / 2, std::abs(direction.x) * thickness / 2);
    for (float at = 0; at < length; at += dash + gap) {
        const ImVec2 start = from + direction * at;
        const ImVec2 end = from + direction * std::min(at + dash, length);
        fill({ImMin(start, end) - half, ImMax(start, end) + half}, color);
    }
}

Item item(Ui& ui, std::string_view name, const ImRect& rect, int flags) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    Item made;
    made.id = id_of(name);
    made.rect = rect;
    log_item(ui, name, rect);
    ImGuiItemFlags item_flags = 0;
    if ((flags & item_no_tab_stop) != 0)
        item_flags |= ImGuiItemFlags_NoTabStop;
    if ((flags & item_no_nav) != 0)
        item_flags |= ImGuiItemFlags_NoNav;
    if ((flags & item_disabled) != 0)
        item_flags |= ImGuiItemFlags_Disabled;
    made.visible = ImGui::ItemAdd(rect, made.id, nullptr, item_flags);
    if (!made.visible)
        return made;
    made.pressed = ImGui::ButtonBehavior(rect, made.id, &made.hovered, &made.held);
    made.focused = g.NavId == made.id && g.NavCursorVisible && (flags & item_no_nav) == 0;
    if (made.hovered && (flags & item_arrow_cursor) == 0)
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return made;
}

void focus_ring(const Ui& ui, const Item& item, float rounding, float distance) {
    if (!item.focused)
        return;
    const float thickness = 2;
    ImRect ring = item.rect;
    ring.Expand(distance);
    ImGui::GetWindowDrawList()->AddRect(ring.Min, ring.Max, ui.colors.accent,
                                        std::max(0.0F, rounding + distance), 0, thickness);
}

ValueKeys take_value_keys(const Item& item) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ValueKeys keys;
    if (item.id == 0 || g.NavId != item.id || g.NavWindow == nullptr)
        return keys;
    if (g.ActiveId != 0 && g.ActiveId != item.id)
        return keys;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) || ImGui::IsKeyPressed(ImGuiKey_PageDown))
        --keys.steps;
    if (ImGui::IsKeyPressed(ImGuiKey_RightArrow) || ImGui::IsKeyPressed(ImGuiKey_PageUp))
        ++keys.steps;
    keys.to_start = ImGui::IsKeyPressed(ImGuiKey_Home);
    keys.to_end = ImGui::IsKeyPressed(ImGuiKey_End);
    const bool sideways = g.NavMoveDir == ImGuiDir_Left || g.NavMoveDir == ImGuiDir_Right;
    if (sideways || keys.steps != 0 || keys.to_start || keys.to_end)
        ImGui::NavMoveRequestCancel();
    if (keys.steps != 0 || keys.to_start || keys.to_end)
        ImGui::SetNavCursorVisibleAfterMove();
    return keys;
}

float eased(Ui& ui, ImGuiID id, float target) {
    std::vector<PaintMemory::Easing>& easings = ui.state.memory.easings;
    auto found = std::find_if(easings.begin(), easings.end(),
                              [id](const PaintMemory::Easing& one) { return one.item == id; });
    const bool added = found == easings.end();
    if (added) {
        easings.push_back({.item = id});
        found = easings.end() - 1;
    }
    PaintMemory::Easing& easing = *found;
    easing.seen = true;
    if (added || ui.state.reduced_motion || ui.state.memory.dragging) {
        easing.from = easing.to = target;
        easing.progress = 1;
        return target;
    }
    const auto current = [&easing] {
        const float left = 1 - easing.progress;
        return easing.from + (easing.to - easing.from) * (1 - left * left * left);
    };
    if (easing.to != target) {
        easing.from = current();
        easing.to = target;
        easing.progress = 0;
    }
    if (easing.progress >= 1)
        return target;
    easing.progress = std::min(1.0F, easing.progress + ui.state.delta_seconds / easing_seconds);
    ui.animate(easing_seconds);
    return current();
}

void tooltip(Ui& ui, const Item& item, std::string_view text) {
    show_tooltip(ui, item.id, item.rect, (item.hovered && !item.held) || item.focused, text);
}

void tooltip(Ui& ui, std::string_view name, const ImRect& rect, std::string_view text) {
    if (text.empty())
        return;
    const ImGuiID id = id_of(name);
    if (!ImGui::ItemAdd(rect, id, nullptr, ImGuiItemFlags_NoNav))
        return;
    // A tooltip's area takes no clicks from a button around it.
    const bool over = ImGui::IsMouseHoveringRect(rect.Min, rect.Max) &&
                      ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                      ImGui::GetCurrentContext()->ActiveId == 0;
    show_tooltip(ui, id, rect, over, text);
}

} // namespace vramscope::app
