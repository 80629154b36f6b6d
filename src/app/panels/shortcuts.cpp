// Keys that act anywhere while nothing is being typed, and the overview of all keys.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_list.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {
namespace {

constexpr std::string_view overview_name = "shortcuts";

[[gnu::noinline]] void overview(Ui& ui, const ViewModel& view, float width, float height) {
    const float row = 34;
    const float wide = std::min(440.0F, width - 24);
    const float tall =
        std::min(72 + row * static_cast<float>(view.shortcuts.size()) + 12, height - 24);
    ImGui::SetNextWindowPos({std::floor((width - wide) / 2), std::floor((height - tall) / 2)});
    ImGui::SetNextWindowSize({wide, tall});
    push_panel_style(ui, Surface::sheet);
    if (ImGui::BeginPopupEx(id_of(overview_name),
                            ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
        const int layer = ui.layer;
        ui.layer = 1;
        scrim(ui);
        const ImGuiWindow* window = ImGui::GetCurrentWindow();
        const float left = window->Pos.x + 20;
        const float right = window->Pos.x + wide - 20;
        float y = window->Pos.y - window->Scroll.y + 16;
        text_between(ui, TextStyle::title, left, right - ui.control_height, y + 6, ui.colors.text,
                     view.shortcuts_title);
        if (icon_button(ui, "close",
                        {right - ui.control_height + 8, y, right + 8, y + ui.control_height},
                        Icon::close, {}))
            ImGui::CloseCurrentPopup();
        y += 48;
        for (const Fact& fact : view.shortcuts) {
            const float keys = text_width(TextStyle::code, fact.value) + 16;
            const ImRect box(right - keys, y + 5, right, y + row - 5);
            fill(snap(ui, box), ui.colors.raised, radius::pill);
            outline(ui, snap(ui, box), ui.colors.line, radius::pill);
            text_in(ui, TextStyle::code, box, ui.colors.text, fact.value, Align::centre);
            text_between(ui, TextStyle::body, left, box.Min.x - 12, y + 7, ui.colors.text,
                         fact.label);
            y += row;
        }
        ImGui::SetCursorScreenPos({left, y});
        ImGui::Dummy({1, 12});
        if (ImGui::IsKeyPressed(ImGuiKey_Escape, false))
            ImGui::CloseCurrentPopup();
        ui.layer = layer;
        ImGui::EndPopup();
    }
    pop_panel_style();
}

/// A letter or sign that was typed while no field took it.
[[gnu::noinline]] void typed_key(Ui& ui, const ViewModel& view, ImWchar character) {
    if (character == 'c' && view.add_to_compare.enabled)
        ui.act(view.add_to_compare.action);
    if (character == '?')
        open_list(ui, overview_name);
    const auto page = static_cast<std::size_t>(character - '1');
    if (character >= '1' && page < view.modes.size())
        ui.act({Action::Kind::select_mode, {}, view.modes[page].id});
}

} // namespace

void shortcuts(Ui& ui, const ViewModel& view, float width, float height) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiIO& io = ImGui::GetIO();
    const bool free = !io.WantTextInput && g.OpenPopupStack.empty();
    if (free && !io.InputQueueCharacters.empty() && !io.KeyCtrl && !io.KeySuper)
        typed_key(ui, view, io.InputQueueCharacters.back());
    if (free && (io.KeyCtrl || io.KeySuper)) {
        const bool z = ImGui::IsKeyPressed(ImGuiKey_Z);
        const bool redo = (z && io.KeyShift) || ImGui::IsKeyPressed(ImGuiKey_Y);
        const Choice& choice = redo ? view.redo : view.undo;
        if ((z || redo) && choice.enabled)
            ui.act(choice.action);
    }
    if (ui.state.memory.overview_wanted)
        open_list(ui, overview_name);
    ui.state.memory.overview_wanted = false;
    if (list_is_open(overview_name))
        overview(ui, view, width, height);
}

} // namespace vramscope::app::panels
