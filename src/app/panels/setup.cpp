#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_input.h"
#include "app/widgets_list.h"
#include "app/widgets_slider.h"

namespace vramscope::app::panels {

namespace {

constexpr float label_gap = 6;
constexpr float help_width = 20; ///< of the sign behind a label that has help

bool is_slider(const Control& control) {
    return control.kind == Control::Kind::slider;
}

/// Controls that may stand beside another one: what they show fits into half the width.
bool is_small(const Control& control, float half) {
    if (text_width(TextStyle::caption_strong, control.label) > half - help_width)
        return false;
    switch (control.kind) {
    case Control::Kind::stepper:
    case Control::Kind::number:
        return true;
    case Control::Kind::segmented:
        return segmented_width(control.choices) <= half;
    case Control::Kind::select:
        return std::all_of(control.choices.begin(), control.choices.end(),
                           [&](const Choice& choice) {
                               return choice.detail.empty() &&
                                      text_width(TextStyle::body, choice.label) + 44 <= half;
                           });
    case Control::Kind::slider:
        return false;
    }
    return false;
}

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
    return height;
}

/// The label; its help appears when one points at it or at the sign behind it.
void label(Ui& ui, const Control& control, float x, float y, float width) {
    const bool with_help = !control.help.empty() && !help_is_written(ui);
    const float room = width - (with_help ? help_width : 0);
    const float drawn =
        text_between(ui, TextStyle::caption_strong, x, x + room, y, ui.colors.dim, control.label);
    if (!with_help)
        return;
    const IdScope scope("help");
    const ImRect area(x, y - 2, x + drawn + help_width, y + line_height(TextStyle::caption) + 2);
    const bool over = ImGui::IsMouseHoveringRect(area.Min, area.Max);
    icon(ui, Icon::info, {x + drawn + 12, y + 8}, over ? ui.colors.text : ui.colors.edge, 12);
    tooltip(ui, control.id, area, control.help);
}

void act_on(Ui& ui, const Control& control, int taken) {
    if (taken >= 0)
        ui.act(control.choices[static_cast<std::size_t>(taken)].action);
}

float control_height_at(Ui& ui, const Control& control, float x, float y, float width) {
    if (is_slider(control)) {
        const float height = slider_control(ui, {x, y}, width, control);
        const float free = width - text_width(TextStyle::title, control.value_text) - 16;
        label(ui, control, x, y + 5, free);
        return height + notes(ui, control, x, y + height, width);
    }
    label(ui, control, x, y, width);
    const float top = y + line_height(TextStyle::caption_strong) + label_gap;
    const ImRect rect = snap(ui, ImRect(x, top, x + width, top + ui.control_height));
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
    return rect.Max.y - y + notes(ui, control, x, rect.Max.y, width);
}

} // namespace

namespace {

/// The model is chosen at its name, and by the search in the header.
bool is_model(const Control& control) {
    return control.id == "model";
}

float control_list(Ui& ui, const std::vector<const Control*>& list, float x, float y, float width) {
    const float half = (width - space::card) / 2;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0)
            y += space::field;
        const Control& control = *list[i];
        if (i + 1 < list.size() && is_small(control, half) && is_small(*list[i + 1], half)) {
            const float left = control_height_at(ui, control, x, y, half);
            const float right =
                control_height_at(ui, *list[i + 1], x + half + space::card, y, half);
            y += std::max(left, right);
            ++i;
            continue;
        }
        y += control_height_at(ui, control, x, y, width);
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
        ui.animate(0.05F);
    }
    return rect.Max.y;
}

float reset(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float wanted = std::min(button_width(view.reset_label, true), width);
    const ImRect rect(x, y, x + wanted, y + ui.control_height);
    if (button(ui, "reset", snap(ui, rect), view.reset_label, ButtonLook::normal, Icon::reset))
        ui.act({Action::Kind::reset, {}, {}});
    return rect.Max.y;
}

} // namespace

float controls(Ui& ui, const ViewModel& view, float x, float y, float width) {
    std::vector<const Control*> usual;
    std::vector<const Control*> advanced;
    for (const Control& control : view.controls)
        if (!is_model(control))
            (control.advanced ? advanced : usual).push_back(&control);
    y = control_list(ui, usual, x, y, width);
    if (!advanced.empty()) {
        y = advanced_switch(ui, view, x, y + space::field, width);
        if (ui.state.memory.advanced_open)
            y = control_list(ui, advanced, x, y + space::card, width);
    }
    if (!view.reset_label.empty())
        y = reset(ui, view, x, y + space::field, width);
    return y;
}

namespace {

/// The model's name; pressing it opens the list of all models.
float model_name(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const auto found = std::find_if(view.controls.begin(), view.controls.end(), is_model);
    const bool can_choose = found != view.controls.end() && !found->choices.empty();
    const float room = width - (can_choose ? 26 : 0);
    const ImVec2 size = paragraph_size(TextStyle::heading, room, view.model_name);
    if (can_choose) {
        const ImRect rect(x - 6, y - 3, x + size.x + 32, y + size.y + 3);
        const Item it = item(ui, "model", rect);
        const bool open = list_is_open("models");
        if (it.hovered || open)
            fill(rect, ui.colors.hovered, radius::control);
        icon(ui, Icon::chevron_down,
             {x + size.x + 16, y + size.y - line_height(TextStyle::heading) / 2 + 1}, ui.colors.dim,
             16);
        focus_ring(ui, it, radius::control, 0);
        if (it.pressed)
            open_list(ui, "models");
        const ImRect anchor(x, rect.Min.y, x + width, rect.Max.y);
        const int taken = choice_list(ui, "models", anchor, found->choices, view.search_label);
        if (taken >= 0)
            ui.act(found->choices[static_cast<std::size_t>(taken)].action);
    }
    return paragraph(ui, TextStyle::heading, {x, y}, room, ui.colors.text, view.model_name);
}

} // namespace

float model_head(Ui& ui, const ViewModel& view, float x, float y, float width) {
    y += model_name(ui, view, x, y, width);
    y += paragraph(ui, TextStyle::body, {x, y + 2}, width, ui.colors.dim, view.model_subtitle) + 2;
    if (!view.chips.empty())
        y += 12 + chips(ui, {x, y + 12}, width, view.chips);
    if (!view.summary.empty())
        y +=
            12 + paragraph(ui, TextStyle::caption, {x, y + 12}, width, ui.colors.dim, view.summary);
    return y;
}

float setup(Ui& ui, const ViewModel& view, float x, float y, float width) {
    Card card(ui, x, y, width);
    y = model_head(ui, view, card.left(), card.top(), card.width());
    if (view.controls.empty())
        return card.end(y);
    y = controls(ui, view, card.left(), y + space::field, card.width());
    return card.end(y);
}

} // namespace vramscope::app::panels
