#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_list.h"

namespace vramscope::app::panels {

namespace {

/// The model's name; pressing it opens the list of all models.
float model_name(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const auto found = std::find_if(view.controls.begin(), view.controls.end(),
                                    [](const Control& control) { return control.id == "model"; });
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

/// The way to a model that is not in the list.
float open_files(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const float wanted = std::min(button_width(view.open_label, true), width);
    const ImRect rect = snap(ui, ImRect(x, y, x + wanted, y + ui.control_height));
    if (button(ui, "open-files", rect, view.open_label, ButtonLook::normal, Icon::plus))
        ui.act({Action::Kind::open_files, {}, {}});
    return ui.control_height;
}

} // namespace

float model_head(Ui& ui, const ViewModel& view, float x, float y, float width) {
    y += model_name(ui, view, x, y, width);
    y += paragraph(ui, TextStyle::body, {x, y + 2}, width, ui.colors.dim, view.model_subtitle) + 2;
    if (!view.open_label.empty())
        y += 10 + open_files(ui, view, x, y + 10, width);
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
