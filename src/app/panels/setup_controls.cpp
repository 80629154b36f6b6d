// The controls of the set-up: wide ones below their label, small ones beside it.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_input.h"
#include "app/widgets_list.h"
#include "app/widgets_slider.h"

namespace vramscope::app::panels {

namespace {

constexpr float label_gap = 6;
constexpr float help_width = 20;   ///< of the sign behind a label that has help
constexpr float entry_width = 132; ///< of a number or stepper beside its label

/// Where fingers point there are no tooltips: the help is written below the control.
bool help_is_written(const Ui& ui) {
    return ui.state.coarse_pointer;
}

float notes(Ui& ui, const Control& control, float x, float y, float width) {
    float height = 0;
    if (!control.error.empty()) {
        height += 4;
        icon(ui, Icon::warning, {x + 7, y + height + 8}, ui.colors.bad, 13);
        height += paragraph(ui, TextStyle::caption, {x + 20, y + height}, width - 20, ui.colors.bad,
                            control.error);
    } else if (!control.help.empty() && help_is_written(ui)) {
        height += 4;
        height +=
            paragraph(ui, TextStyle::caption, {x, y + height}, width, ui.colors.dim, control.help);
    }
    if (!control.effect.empty() || (!control.flag.empty() && control.advanced)) {
        height += 4;
        if (!control.flag.empty())
            height +=
                paragraph(ui, TextStyle::code, {x, y + height}, width, ui.colors.dim, control.flag);
        if (!control.effect.empty())
            height += paragraph(ui, TextStyle::caption, {x, y + height}, width, ui.colors.dim,
                                control.effect);
    }
    return height;
}

/// The label in one or two lines; its help appears when one points at it or at the sign behind it.
/// Gives the height.
float label(Ui& ui, const Control& control, float x, float y, float width) {
    const auto lines = wrap(TextStyle::caption_strong, width, control.label);
    const float height =
        paragraph(ui, TextStyle::caption_strong, {x, y}, width, ui.colors.dim, control.label);
    if (control.help.empty() || help_is_written(ui) || lines.empty())
        return height;
    const float end = text_width(TextStyle::caption_strong, lines.back());
    const bool with_sign = end + help_width <= width;
    const IdScope scope("help");
    const ImRect area(x, y - 2, x + std::max(end, width * 0.5F), y + height + 2);
    const bool over = ImGui::IsMouseHoveringRect(area.Min, area.Max);
    if (with_sign)
        icon(ui, Icon::info, {x + end + 12, y + height - line_height(TextStyle::caption) / 2},
             over ? ui.colors.text : ui.colors.edge, 12);
    tooltip(ui, control.id, area, control.help);
    return height;
}

void act_on(Ui& ui, const Control& control, int taken) {
    if (taken >= 0)
        ui.act(control.choices[static_cast<std::size_t>(taken)].action);
}

void field(Ui& ui, const Control& control, const ImRect& rect) {
    switch (control.kind) {
    case Control::Kind::select:
        act_on(ui, control, select(ui, control.id, rect, control.choices));
        break;
    case Control::Kind::segmented:
        act_on(ui, control, segmented(ui, control.id, rect, control.choices));
        break;
    case Control::Kind::stepper:
        stepper_control(ui, rect, control);
        break;
    case Control::Kind::number:
        number_control(ui, rect, control);
        break;
    case Control::Kind::slider:
        break;
    }
}

/// Label and value on one line, or below each other when they are long; then the track.
float slider_row(Ui& ui, const Control& control, float x, float y, float width) {
    const float free = width - text_width(TextStyle::title, control.value_text) - 16;
    const bool beside = text_width(TextStyle::caption_strong, control.label) <= free;
    const float start = y;
    if (beside)
        label(ui, control, x, y + 5, free);
    else
        y += label(ui, control, x, y, width) + 2;
    y += slider_control(ui, {x, y}, width, control);
    return y - start + notes(ui, control, x, y, width);
}

/// The width of a small control beside its label, or 0 when it belongs below.
float beside_width(const Control& control, float width) {
    float wanted = 0;
    switch (control.kind) {
    case Control::Kind::number:
    case Control::Kind::stepper:
        wanted = entry_width;
        break;
    case Control::Kind::segmented:
        wanted = std::max(entry_width, segmented_width(control.choices));
        break;
    case Control::Kind::select:
    case Control::Kind::slider:
        return 0;
    }
    const float room = width - wanted - 12;
    const bool fits = wanted <= width * 0.62F &&
                      widest_word(TextStyle::caption_strong, control.label) <= room &&
                      wrap(TextStyle::caption_strong, room, control.label).size() <= 2;
    return fits ? wanted : 0;
}

float beside_row(Ui& ui, const Control& control, float x, float y, float width, float wanted) {
    const float room = width - wanted - 12;
    const float text = paragraph_size(TextStyle::caption_strong, room, control.label).y;
    label(ui, control, x, y + (ui.control_height - text) / 2, room);
    const ImRect rect = snap(ui, ImRect(x + width - wanted, y, x + width, y + ui.control_height));
    field(ui, control, rect);
    return ui.control_height + notes(ui, control, x, rect.Max.y, width);
}

float below_row(Ui& ui, const Control& control, float x, float y, float width) {
    const float start = y;
    y += label(ui, control, x, y, width) + label_gap;
    const ImRect rect = snap(ui, ImRect(x, y, x + width, y + ui.control_height));
    field(ui, control, rect);
    return rect.Max.y - start + notes(ui, control, x, rect.Max.y, width);
}

/// The model is chosen at its name, and by the search in the header.
bool is_model(const Control& control) {
    return control.id == "model";
}

float control_list(Ui& ui, const std::vector<const Control*>& list, float x, float y, float width) {
    bool previous_beside = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Control& control = *list[i];
        const float beside = beside_width(control, width);
        if (i > 0)
            y += beside > 0 && previous_beside ? 12 : space::field;
        previous_beside = beside > 0;
        if (control.kind == Control::Kind::slider)
            y += slider_row(ui, control, x, y, width);
        else if (beside > 0)
            y += beside_row(ui, control, x, y, width, beside);
        else
            y += below_row(ui, control, x, y, width);
    }
    return y;
}

/// The disclosure of what is seldom changed; gives the y below it.
float advanced_switch(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const ImRect rect = snap(ui, ImRect(x, y, x + width, y + ui.control_height));
    const Item it = item(ui, "advanced", rect);
    bool& open = ui.state.memory.advanced_open;
    if (it.visible) {
        fill(rect, it.hovered ? ui.colors.hovered : 0, radius::control);
        outline(ui, rect, it.hovered ? ui.colors.edge : ui.colors.line, radius::control);
        text_in(ui, TextStyle::body, {x + 12, rect.Min.y, rect.Max.x - 30, rect.Max.y},
                ui.colors.text, view.advanced_label);
        icon(ui, open ? Icon::chevron_down : Icon::chevron_right,
             {rect.Max.x - 17, rect.GetCenter().y}, ui.colors.dim, 14);
        focus_ring(ui, it, radius::control);
    }
    if (it.pressed) {
        open = !open;
        ui.act({Action::Kind::show_advanced, {}, open ? "1" : ""});
        ui.animate(0.05F);
    }
    return rect.Max.y;
}

/// What the browser's GPU looks like, to be used or forgotten.
float gpu_hint(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const IdScope scope("gpu");
    const float text = width - 24;
    const float tall = paragraph_size(TextStyle::body, text, view.gpu_hint.label).y;
    const ImRect box =
        snap(ui, ImRect(x, y, x + width, y + 12 + tall + 8 + line_height(TextStyle::caption) + 12));
    const ImRect upper(box.Min, {box.Max.x, y + 12 + tall + 6});
    fill(box, ui.colors.tint(Tone::accent), radius::control);
    const Item it = item(ui, "use", upper);
    if (it.hovered)
        fill(upper, with_alpha(ui.colors.text, 0.05F), radius::control);
    paragraph(ui, TextStyle::body, {x + 12, y + 12}, text, ui.colors.text, view.gpu_hint.label);
    focus_ring(ui, it, radius::control);
    tooltip(ui, it, view.gpu_hint.tooltip);
    if (it.pressed)
        ui.act(view.gpu_hint.action);
    if (link(ui, "forget", {x + 12, y + 12 + tall + 8}, text, view.gpu_forget.label,
             TextStyle::caption))
        ui.act(view.gpu_forget.action);
    return box.Max.y;
}

/// Below the question: which of the answers are shown. The order is a column's affair, save where
/// there are no columns.
[[gnu::noinline]] float filters(Ui& ui, const ModeView& mode, float x, float y, float width) {
    const bool columns = ImGui::GetIO().DisplaySize.x >= 760;
    std::vector<const Control*> list;
    for (const Control& control : mode.filters)
        if (control.id != "sort" || !columns)
            list.push_back(&control);
    horizontal_line(ui, x, x + width, y, ui.colors.line);
    y += 16;
    y += paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, mode.filters_title) +
         12;
    return control_list(ui, list, x, y, width);
}

float reset(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float wanted = std::min(button_width(view.reset_label, true), width);
    const ImRect rect(x, y, x + wanted, y + ui.control_height);
    if (button(ui, "reset", snap(ui, rect), view.reset_label, ButtonLook::normal, Icon::reset))
        ui.act({Action::Kind::reset, {}, {}});
    // Beside it, where there is room, what takes a step back or forth.
    float right = x + width;
    const auto step = [&](std::string_view name, const Choice& choice, Icon picture) {
        const ImRect place(right - ui.control_height, y, right, rect.Max.y);
        right = place.Min.x - 4;
        if (!choice.enabled || choice.label.empty() || place.Min.x < rect.Max.x + 4)
            return;
        if (icon_button(ui, name, snap(ui, place), picture, choice.label))
            ui.act(choice.action);
    };
    step("redo", view.redo, Icon::redo);
    step("undo", view.undo, Icon::undo);
    return rect.Max.y;
}

} // namespace

float controls(Ui& ui, const ViewModel& view, float x, float y, float width) {
    std::vector<const Control*> usual;
    std::vector<const Control*> advanced;
    for (const Control& control : view.controls)
        if (!is_model(control))
            (control.advanced ? advanced : usual).push_back(&control);
    if (!view.gpu_hint.label.empty())
        y = gpu_hint(ui, view, x, y, width) + space::field;
    y = control_list(ui, usual, x, y, width);
    if (view.mode != nullptr && !view.mode->filters.empty())
        y = filters(ui, *view.mode, x, y + space::field, width);
    if (!advanced.empty()) {
        y = advanced_switch(ui, view, x, y + space::field, width);
        if (ui.state.memory.advanced_open)
            y = control_list(ui, advanced, x, y + space::card, width);
    }
    if (!view.reset_label.empty())
        y = reset(ui, view, x, y + space::field, width);
    return y;
}

} // namespace vramscope::app::panels
