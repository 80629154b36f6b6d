#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_list.h"
#include "app/widgets_slider.h"

namespace vramscope::app::panels {

namespace {

constexpr std::string_view sheet_name = "setup-sheet";

const Control* context_slider(const ViewModel& view) {
    const auto found =
        std::find_if(view.controls.begin(), view.controls.end(),
                     [](const Control& control) { return control.kind == Control::Kind::slider; });
    return found == view.controls.end() ? nullptr : &*found;
}

std::string_view chosen_value(const Control& control) {
    if (control.kind == Control::Kind::slider || control.advanced || control.id == "model")
        return {};
    for (const Choice& choice : control.choices)
        if (choice.selected)
            return choice.label;
    return control.value_text;
}

constexpr float value_row = 26;

float chosen_values_height(const ViewModel& view) {
    const auto shown =
        std::count_if(view.controls.begin(), view.controls.end(),
                      [](const Control& control) { return !chosen_value(control).empty(); });
    return static_cast<float>(shown) * value_row - 6;
}

/// "Weights  GGUF Q4_K_M" of each control that chooses something.
float chosen_values(Ui& ui, const ViewModel& view, float x, float y, float width) {
    for (const Control& control : view.controls) {
        const std::string_view value = chosen_value(control);
        if (value.empty())
            continue;
        const float room = width - 16 - std::min(text_width(TextStyle::body, value), width * 0.6F);
        const float label = std::min(text_width(TextStyle::body, control.label), room);
        text_between(ui, TextStyle::body, x, x + label, y, ui.colors.dim, control.label);
        text_between(ui, TextStyle::body, x + label + 16, x + width, y, ui.colors.text, value,
                     Align::right);
        y += value_row;
    }
    return y - 6;
}

} // namespace

float setup_summary(Ui& ui, const ViewModel& view, float x, float y, float width) {
    Card card(ui, x, y, width);
    y = model_head(ui, view, card.left(), card.top(), card.width());
    if (view.controls.empty())
        return card.end(y);
    y += 16;
    // The whole list opens the sheet.
    const float title = line_height(TextStyle::caption_strong) + 8;
    const ImRect rect(x + 6, y - 8, x + width - 6, y + title + chosen_values_height(view) + 8);
    const Item it = item(ui, "setup-summary", rect);
    if (it.hovered)
        fill(rect, ui.colors.hovered, radius::control);
    text_between(ui, TextStyle::caption_strong, card.left(), card.right() - 24, y, ui.colors.dim,
                 view.setup_title);
    icon(ui, Icon::sliders, {card.right() - 8, y + 8}, ui.colors.accent, 14);
    y = chosen_values(ui, view, card.left(), y + title, card.width());
    focus_ring(ui, it, radius::control, 0);
    if (it.pressed)
        ui.state.memory.sheet_wanted = true;
    return card.end(y);
}

void bottom_bar(Ui& ui, const ViewModel& view, const PageLayout& page, float width, float height) {
    const ImRect bar(0, height - page.bottom_height, width, height);
    fill(bar, ui.colors.panel);
    horizontal_line(ui, 0, width, bar.Min.y, ui.colors.line);
    const float side = 44;
    const float right = width - page.margin;
    const float left = page.margin + 4;
    const ImRect opener(right - side, bar.GetCenter().y - side / 2, right,
                        bar.GetCenter().y + side / 2);
    if (const Control* slider = context_slider(view); slider != nullptr) {
        Control compact = *slider;
        compact.marks.clear();
        // Stops at the marks stay, their labels have no room here.
        for (const Control::Mark& mark : slider->marks)
            compact.marks.push_back({mark.value, {}, mark.tone});
        const float tall = line_height(TextStyle::title) + ui.control_height;
        const float slider_right = opener.Min.x - 12;
        const float top = bar.GetCenter().y - tall / 2 + 2;
        // A long label keeps its first word: "Context per sequence" says "Context".
        const float label_right =
            slider_right - text_width(TextStyle::title, slider->value_text) - 16;
        std::string_view label = slider->label;
        if (text_width(TextStyle::caption_strong, label) > label_right - left)
            for (const std::string_view end : {" ", "/", "\xEF\xBC\x88"}) // and "（"
                label = label.substr(0, label.find(end));
        text_between(ui, TextStyle::caption_strong, left, label_right, top + 5, ui.colors.dim,
                     label);
        slider_control(ui, {left, top}, slider_right - left, compact);
    }
    bool wanted =
        icon_button(ui, "setup", opener, Icon::sliders, view.setup_title, ButtonLook::normal);
    wanted = wanted || ui.state.memory.sheet_wanted;
    ui.state.memory.sheet_wanted = false;
    if (wanted)
        open_list(ui, sheet_name);
    setup_sheet(ui, view, width, height);
}

void setup_sheet(Ui& ui, const ViewModel& view, float width, float height) {
    if (!list_is_open(sheet_name))
        return;
    // The verdict above stays in sight: what a choice does is seen at once.
    const float tall =
        std::min(height * 0.62F,
                 ui.state.memory.sheet_height > 0 ? ui.state.memory.sheet_height : height * 0.62F);
    ImGui::SetNextWindowPos({0, height - tall});
    ImGui::SetNextWindowSize({width, tall});
    push_panel_style(ui, Surface::sheet);
    if (ImGui::BeginPopupEx(id_of(sheet_name),
                            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                ImGuiWindowFlags_NoScrollbar)) {
        const int layer = ui.layer;
        ImDrawListSplitter* layers = ui.layers;
        ui.layer = 1;
        ui.layers = nullptr;
        ImGuiWindow* window = ImGui::GetCurrentWindow();
        const float x = window->Pos.x + 16;
        const float inner = width - 32;
        const float top = window->Pos.y - window->Scroll.y + 8;
        scrim(ui);
        // A grip, as sheets have.
        fill({width / 2 - 18, top, width / 2 + 18, top + 4}, ui.colors.edge, 2);
        float y = top + 16;
        const float close_width = ui.control_height;
        text_between(ui, TextStyle::title, x, x + inner - close_width, y + 6, ui.colors.text,
                     view.setup_title);
        if (icon_button(ui, "close",
                        {x + inner - close_width + 8, y, x + inner + 8, y + ui.control_height},
                        Icon::close, {}))
            ImGui::CloseCurrentPopup();
        y += ui.control_height + 12;
        y = controls(ui, view, x, y, inner);
        y += 16;
        ImGui::SetCursorScreenPos({x, y});
        ImGui::Dummy({1, 1});
        const float wanted = y - top + 16;
        if (wanted != ui.state.memory.sheet_height)
            ui.animate(0.05F);
        ui.state.memory.sheet_height = wanted;
        if (ImGui::IsKeyPressed(ImGuiKey_Escape, false))
            ImGui::CloseCurrentPopup();
        ui.layer = layer;
        ui.layers = layers;
        ImGui::EndPopup();
    }
    pop_panel_style();
}

} // namespace vramscope::app::panels
