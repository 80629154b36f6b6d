#include "app/widgets_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "app/widgets_button.h"
#include "core/decimal.h"

namespace vramscope::app {

namespace {

/// ImGui's own text field without its frame: editing, selection, clipboard and input methods.
bool bare_field(Ui& ui, const char* label, const ImRect& rect, char* text, std::size_t size,
                const char* hint, ImGuiInputTextFlags flags) {
    const float em = metrics(TextStyle::body).size;
    Fonts& fonts = ui.state.fonts;
    ImGui::PushFont(fonts.regular, em);
    for (const ImGuiCol slot : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                                ImGuiCol_Border, ImGuiCol_NavCursor})
        ImGui::PushStyleColor(slot, ImU32{0});
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.text);
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, ui.colors.dim);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, with_alpha(ui.colors.accent, 0.35F));
    ImGui::PushStyleColor(ImGuiCol_InputTextCursor, ui.colors.accent);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(0, std::max(0.0F, (rect.GetHeight() - em) / 2)));
    ImGui::SetCursorScreenPos(rect.Min);
    const bool changed =
        ImGui::InputTextEx(label, hint, text, static_cast<int>(size), rect.GetSize(), flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(9);
    ImGui::PopFont();
    return changed;
}

void log_field(Ui& ui, std::string_view name, const ImRect& rect) {
    if (ui.state.log == nullptr)
        return;
    const ImRect clip = ImGui::GetCurrentWindow()->ClipRect;
    ui.state.log->items.push_back({std::string(name),
                                   {rect.Min.x, rect.Min.y, rect.Max.x, rect.Max.y},
                                   {clip.Min.x, clip.Min.y, clip.Max.x, clip.Max.y}});
}

/// Surface and line of a field, from what is known of its last frame.
void field_box(Ui& ui, ImGuiID id, const ImRect& rect, bool wrong) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool active = g.ActiveId == id;
    const bool hovered = g.HoveredIdPreviousFrame == id;
    fill(rect, hovered || active ? ui.colors.hovered : ui.colors.raised, radius::control);
    const Color line = active    ? ui.colors.accent
                       : wrong   ? ui.colors.bad
                       : hovered ? ui.colors.edge
                                 : ui.colors.line;
    outline(ui, rect, line, radius::control);
    Item ring;
    ring.rect = rect;
    ring.focused = g.NavId == id && g.NavCursorVisible && !active;
    focus_ring(ui, ring, radius::control);
}

std::string clamped(const Control& control, double value) {
    if (control.maximum > control.minimum)
        value = std::clamp(value, control.minimum, control.maximum);
    return value_text(value);
}

} // namespace

std::string value_text(double value) {
    if (std::abs(value) < 1e15 && value == std::round(value))
        return std::to_string(static_cast<std::int64_t>(value));
    return decimal_text(value, 6);
}

bool search_field(Ui& ui, std::string_view name, const ImRect& rect, char* text, std::size_t size,
                  std::string_view hint, float reserved_right) {
    const IdScope scope(name);
    const ImGuiID id = id_of("##text");
    log_field(ui, name, rect);
    field_box(ui, id, rect, false);
    icon(ui, Icon::search, {rect.Min.x + 20, rect.GetCenter().y}, ui.colors.dim);
    // The hint is painted here, so that a long one ends with an ellipsis.
    const ImRect inner(rect.Min.x + 38, rect.Min.y, rect.Max.x - 12, rect.Max.y);
    if (text[0] == '\0')
        text_in(ui, TextStyle::body, {inner.Min, inner.Max - ImVec2(reserved_right, 0)},
                ui.colors.dim, hint);
    const bool changed =
        bare_field(ui, "##text", inner, text, size, nullptr, ImGuiInputTextFlags_AutoSelectAll);
    if (ui.state.hooks.text_field != nullptr)
        ui.state.hooks.text_field(hint, false);
    return changed;
}

bool search_field_active() {
    return ImGui::IsItemActive();
}

bool search_field_entered() {
    return ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                                          ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
}

Typed value_field(Ui& ui, std::string_view name, const ImRect& rect, const Control& control) {
    const IdScope scope(name);
    std::array<char, 96> buffer{};
    const std::size_t length = std::min(control.edit_text.size(), buffer.size() - 1);
    std::memcpy(buffer.data(), control.edit_text.data(), length);
    log_field(ui, control.id, rect);
    bare_field(ui, "##value", rect, buffer.data(), buffer.size(), nullptr,
               ImGuiInputTextFlags_AutoSelectAll);
    if (ui.state.hooks.text_field != nullptr)
        ui.state.hooks.text_field(control.label, true);
    Typed typed;
    typed.finished = ImGui::IsItemDeactivated();
    typed.text = buffer.data();
    // The text starts anew every frame, so ImGui has nothing to go back to on Escape.
    typed.changed = ImGui::IsItemDeactivatedAfterEdit() && typed.text != control.edit_text &&
                    !ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    return typed;
}

void number_control(Ui& ui, const ImRect& rect, const Control& control) {
    const IdScope scope(control.id);
    {
        const IdScope field("field");
        field_box(ui, id_of("##value"), rect, !control.error.empty());
    }
    float right = rect.Max.x - 12;
    if (!control.unit.empty()) {
        const float width = text_width(TextStyle::body, control.unit);
        text_in(ui, TextStyle::body, {right - width, rect.Min.y, right, rect.Max.y}, ui.colors.dim,
                control.unit);
        right -= width + 8;
    }
    const Typed typed =
        value_field(ui, "field", {rect.Min.x + 12, rect.Min.y, right, rect.Max.y}, control);
    if (typed.changed)
        ui.set_field(control.id, typed.text);
}

void stepper_control(Ui& ui, const ImRect& rect, const Control& control) {
    const IdScope scope(control.id);
    {
        const IdScope field("field");
        field_box(ui, id_of("##value"), rect, !control.error.empty());
    }
    const float side = std::min(rect.GetHeight(), rect.GetWidth() / 3);
    const double step = control.step > 0 ? control.step : 1;
    const struct {
        const char* name;
        ImRect rect;
        Icon picture;
        double change;
    } sides[] = {
        {":less", {rect.Min, {rect.Min.x + side, rect.Max.y}}, Icon::minus, -step},
        {":more", {{rect.Max.x - side, rect.Min.y}, rect.Max}, Icon::plus, step},
    };
    const ImRect middle(rect.Min.x + side, rect.Min.y, rect.Max.x - side, rect.Max.y);
    const auto paint_side = [&](int which) {
        const auto& part = sides[which];
        const double target = control.value + part.change;
        const bool possible = target >= control.minimum - 1e-9 &&
                              (control.maximum <= control.minimum || target <= control.maximum);
        const Item it =
            item(ui, control.id + part.name, part.rect, possible ? item_none : item_disabled);
        if (!it.visible)
            return;
        ImRect surface = part.rect;
        surface.Expand(-3);
        if (it.hovered && possible)
            fill(surface, blend(ui.colors.hovered, ui.colors.text, 0.06F), radius::inner);
        const Color color = !possible    ? blend(ui.colors.dim, ui.colors.raised, 0.6F)
                            : it.hovered ? ui.colors.text
                                         : ui.colors.dim;
        icon(ui, part.picture, part.rect.GetCenter(), color, 12);
        Item ring = it;
        ring.rect = surface;
        focus_ring(ui, ring, radius::inner, 1);
        if (it.pressed && possible)
            ui.set_field(control.id, clamped(control, target));
    };
    paint_side(0);
    // While typed in, the field shows its own text; else the formatted value, in the middle.
    ImGuiID field_id = 0;
    {
        const IdScope field("field");
        field_id = id_of("##value");
    }
    const bool typing = ImGui::GetCurrentContext()->ActiveId == field_id;
    if (!typing) {
        ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0);
    }
    const Typed typed = value_field(ui, "field", middle, control);
    if (!typing) {
        ImGui::PopStyleVar();
        text_in(ui, TextStyle::body_strong, middle, ui.colors.text, control.value_text,
                Align::centre);
    }
    if (typed.changed)
        ui.set_field(control.id, typed.text);
    paint_side(1);
}

} // namespace vramscope::app
