#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_input.h"
#include "app/widgets_list.h"
#include "app/widgets_slider.h"

namespace vramscope::app::panels {

namespace {

constexpr float label_gap = 6;

bool is_slider(const Control& control) {
    return control.kind == Control::Kind::slider;
}

/// Controls that may stand beside another one.
bool is_small(const Control& control, float half) {
    switch (control.kind) {
    case Control::Kind::stepper:
    case Control::Kind::number:
        return text_width(TextStyle::caption_strong, control.label) <= half;
    case Control::Kind::segmented:
        return segmented_width(control.choices) <= half &&
               text_width(TextStyle::caption_strong, control.label) <= half;
    case Control::Kind::select:
    case Control::Kind::slider:
        return false;
    }
    return false;
}

float notes(Ui& ui, const Control& control, float x, float y, float width) {
    float height = 0;
    if (!control.error.empty()) {
        height += 4;
        icon(ui, Icon::warning, {x + 7, y + height + 8}, ui.colors.bad, 13);
        height += paragraph(ui, TextStyle::caption, {x + 20, y + height}, width - 20, ui.colors.bad,
                            control.error);
    }
    if (!control.help.empty() && control.error.empty()) {
        height += 4;
        height +=
            paragraph(ui, TextStyle::caption, {x, y + height}, width, ui.colors.dim, control.help);
    }
    return height;
}

void act_on(Ui& ui, const Control& control, int taken) {
    if (taken >= 0)
        ui.act(control.choices[static_cast<std::size_t>(taken)].action);
}

float control_height_at(Ui& ui, const Control& control, float x, float y, float width) {
    if (is_slider(control)) {
        const float height = slider_control(ui, {x, y}, width, control);
        return height + notes(ui, control, x, y + height, width);
    }
    text_between(ui, TextStyle::caption_strong, x, x + width, y, ui.colors.dim, control.label);
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

float controls(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float half = (width - space::card) / 2;
    const auto& list = view.controls;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0)
            y += space::field;
        if (i + 1 < list.size() && is_small(list[i], half) && is_small(list[i + 1], half)) {
            const float left = control_height_at(ui, list[i], x, y, half);
            const float right = control_height_at(ui, list[i + 1], x + half + space::card, y, half);
            y += std::max(left, right);
            ++i;
            continue;
        }
        y += control_height_at(ui, list[i], x, y, width);
    }
    return y;
}

float model_head(Ui& ui, const ViewModel& view, float x, float y, float width) {
    y += paragraph(ui, TextStyle::heading, {x, y}, width, ui.colors.text, view.model_name);
    y += paragraph(ui, TextStyle::body, {x, y + 2}, width, ui.colors.dim, view.model_subtitle) + 2;
    if (!view.chips.empty())
        y += 12 + chips(ui, {x, y + 12}, width, view.chips);
    if (!view.summary.empty())
        y += 12 + paragraph(ui, TextStyle::body, {x, y + 12}, width, ui.colors.dim, view.summary);
    return y;
}

float setup(Ui& ui, const ViewModel& view, float x, float y, float width) {
    Card card(ui, x, y, width);
    y = model_head(ui, view, card.left(), card.top(), card.width());
    if (view.controls.empty())
        return card.end(y);
    y += space::field;
    y = controls(ui, view, card.left(), y, card.width());
    if (!view.reset_label.empty()) {
        y += space::field;
        const float wanted = std::min(button_width(view.reset_label, true), card.width());
        const ImRect rect(card.left(), y, card.left() + wanted, y + ui.control_height);
        if (button(ui, "reset", snap(ui, rect), view.reset_label, ButtonLook::normal, Icon::reset))
            ui.act({Action::Kind::reset, {}, {}});
        y = rect.Max.y;
    }
    return card.end(y);
}

} // namespace vramscope::app::panels
