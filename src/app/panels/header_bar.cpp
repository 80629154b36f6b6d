#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"
#include "app/widgets_input.h"
#include "app/widgets_list.h"

namespace vramscope::app::panels {

namespace {

constexpr std::string_view product_name = "Vramscope"; ///< the same in every language

const Choice* chosen(const std::vector<Choice>& choices) {
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [](const Choice& choice) { return choice.selected; });
    return found == choices.end() ? nullptr : &*found;
}

/// The list of models below the field. Arrow keys move while the text is edited.
void results(Ui& ui, const ViewModel& view, const ImRect& field, bool active, bool entered) {
    PaintMemory& memory = ui.state.memory;
    const bool typed = memory.search[0] != '\0';
    if (active || entered)
        memory.results_open = true;
    const bool nothing = view.search_results.empty();
    if (!memory.results_open || !typed || (nothing && view.search_empty.empty())) {
        memory.results_open = active;
        return;
    }
    const int count = static_cast<int>(view.search_results.size());
    memory.result = std::clamp(memory.result, 0, std::max(0, count - 1));
    const int before = memory.result;
    if (active) {
        if (ImGui::IsKeyPressed(ImGuiKey_DownArrow))
            ++memory.result;
        if (ImGui::IsKeyPressed(ImGuiKey_UpArrow))
            --memory.result;
        memory.result = std::clamp(memory.result, 0, std::max(0, count - 1));
    }
    int taken = -1;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float row = ui.control_height;
    const float rows = row * static_cast<float>(std::max(1, count));
    const float tall = std::min({rows + 12, screen.y - field.Max.y - 24, 440.0F});
    ImGui::SetNextWindowPos({field.Min.x, field.Max.y + 6});
    ImGui::SetNextWindowSize({field.GetWidth(), tall});
    push_panel_style(ui);
    ImGui::Begin("##results", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav);
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImGui::BringWindowToDisplayFront(window);
    const int layer = ui.layer;
    ui.layer = 1;
    const float left = window->InnerRect.Min.x + 6;
    const float right = window->InnerRect.Max.x - 6;
    float y = window->DC.CursorStartPos.y;
    for (int i = 0; i < count; ++i) {
        const ImRect line(left, y, right, y + row);
        if (list_row(ui, line, view.search_results[static_cast<std::size_t>(i)], i,
                     i == memory.result))
            taken = i;
        if (i == memory.result && before != memory.result)
            ImGui::ScrollToRectEx(window, line, ImGuiScrollFlags_KeepVisibleEdgeY);
        y = line.Max.y;
    }
    if (nothing)
        text_in(ui, TextStyle::body, {left + 28, y, right - 8, y + row}, ui.colors.dim,
                view.search_empty);
    ImGui::SetCursorScreenPos({left, y});
    ImGui::Dummy({1, 0});
    const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    ui.layer = layer;
    ImGui::End();
    pop_panel_style();
    if (entered && count > 0)
        taken = memory.result;
    if (taken >= 0) {
        ui.act(view.search_results[static_cast<std::size_t>(taken)].action);
        ui.act({Action::Kind::search, {}, {}});
        memory.search.fill('\0');
        memory.search_visible = false;
        ImGui::ClearActiveID();
    }
    // A press on a row takes the keyboard from the field first: stay until the pointer is
    // elsewhere.
    memory.results_open = taken < 0 && (active || over);
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false))
        memory.results_open = false;
}

void search(Ui& ui, const ViewModel& view, const ImRect& rect) {
    PaintMemory& memory = ui.state.memory;
    if (memory.search_wants_focus)
        ImGui::SetKeyboardFocusHere();
    memory.search_wants_focus = false;
    const bool with_key = rect.GetWidth() > 300 && !ui.state.coarse_pointer;
    const bool changed =
        search_field(ui, "search", rect, memory.search.data(), memory.search.size(),
                     view.search_hint, with_key ? 28.0F : 0.0F);
    const bool active = search_field_active();
    const bool entered = search_field_entered();
    if (active) {
        // Up and Down belong to the list of results.
        ImGuiContext& g = *ImGui::GetCurrentContext();
        g.ActiveIdUsingNavDirMask |= (1U << ImGuiDir_Up) | (1U << ImGuiDir_Down);
    }
    if (changed) {
        memory.result = 0;
        ui.act({Action::Kind::search, {}, memory.search.data()});
    }
    // "/" goes to the search, as on many pages.
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    const bool question = !typed.empty() && typed.back() == '?'; // the same key on many keyboards
    if (!active && !question && !ImGui::GetIO().WantTextInput &&
        ImGui::IsKeyPressed(ImGuiKey_Slash, false) &&
        ImGui::GetCurrentContext()->OpenPopupStack.empty()) {
        memory.search_wants_focus = true;
        memory.search_visible = true;
        ui.animate(0.05F);
    }
    if (!active && memory.search[0] == '\0' && with_key) {
        const ImRect key(rect.Max.x - 30, rect.GetCenter().y - 10, rect.Max.x - 10,
                         rect.GetCenter().y + 10);
        outline(ui, snap(ui, key), ui.colors.line, 4);
        text_in(ui, TextStyle::caption, key, ui.colors.dim, "/", Align::centre);
    }
    results(ui, view, rect, active, entered);
}

/// A button that opens a list; its label is the chosen entry.
void menu(Ui& ui, std::string_view name, const ImRect& rect, const std::vector<Choice>& choices) {
    const IdScope scope(name);
    const Item it = item(ui, name, rect);
    if (it.visible) {
        const bool open = list_is_open("list");
        control_box(ui, it, open);
        const Choice* choice = chosen(choices);
        if (choice != nullptr)
            text_in(ui, TextStyle::body, {rect.Min.x + 12, rect.Min.y, rect.Max.x - 26, rect.Max.y},
                    ui.colors.text, choice->label);
        icon(ui, Icon::chevron_down, {rect.Max.x - 16, rect.GetCenter().y}, ui.colors.dim, 12);
        focus_ring(ui, it, radius::control);
        if (it.pressed)
            open_list(ui, "list");
    }
    const int taken = choice_list(ui, "list", rect, choices);
    if (taken >= 0)
        ui.act(choices[static_cast<std::size_t>(taken)].action);
}

float menu_width(const std::vector<Choice>& choices) {
    const Choice* choice = chosen(choices);
    return choice == nullptr ? 0 : text_width(TextStyle::body, choice->label) + 42;
}

/// Phones: the page that is open; pressing it lists them all.
void mode_menu(Ui& ui, const ViewModel& view, ImRect rect) {
    std::vector<Choice> choices;
    for (const Tab& tab : view.modes) {
        Choice choice;
        choice.label = tab.label;
        choice.selected = tab.selected;
        choice.action = {Action::Kind::select_mode, {}, tab.id};
        choices.push_back(std::move(choice));
    }
    rect.Max.x = std::min(rect.Max.x, rect.Min.x + menu_width(choices));
    menu(ui, "modes", rect, choices);
}

Icon theme_icon(const Choice* choice) {
    if (choice == nullptr)
        return Icon::half;
    if (choice->action.value == "dark")
        return Icon::moon;
    if (choice->action.value == "light")
        return Icon::sun;
    return Icon::half;
}

/// Steps through automatic, dark, light; the tooltip says what is on.
void theme_button(Ui& ui, const ViewModel& view, const ImRect& rect) {
    const std::vector<Choice>& themes = view.themes;
    if (themes.empty())
        return;
    const Choice* choice = chosen(themes);
    std::string hint = view.theme_label;
    if (choice != nullptr)
        hint += (hint.empty() ? "" : ": ") + choice->label;
    if (!icon_button(ui, "theme", rect, theme_icon(choice), hint, ButtonLook::normal))
        return;
    const std::size_t at =
        choice == nullptr ? 0 : static_cast<std::size_t>(choice - themes.data()) + 1;
    ui.act(themes[at % themes.size()].action);
}

void unit_switch(Ui& ui, const ImRect& rect, const std::vector<Choice>& units) {
    const int taken = segmented(ui, "unit", rect, units);
    if (taken >= 0)
        ui.act(units[static_cast<std::size_t>(taken)].action);
}

bool show_copied(Ui& ui, ImGuiID id) {
    PaintMemory& memory = ui.state.memory;
    return memory.copied_item == id && memory.copied_for > 0;
}

void share_button(Ui& ui, const ViewModel& view, const ImRect& rect) {
    const ImGuiID id = id_of("share");
    const bool copied = show_copied(ui, id);
    // A long "copied" must not push the header about: then the tick says it.
    const bool room = button_width(view.copied_label, true) <= rect.GetWidth() + 1;
    const std::string_view done = room ? std::string_view(view.copied_label) : std::string_view();
    if (button(ui, "share", rect, copied ? done : view.share_label, ButtonLook::primary,
               copied ? Icon::check : Icon::share)) {
        ui.act({Action::Kind::copy_link, {}, {}});
        ui.state.memory.copied_item = id;
        ui.state.memory.copied_for = 1.6F;
    }
}

/// Puts the configuration aside; the strip of pages counts along.
void compare_button(Ui& ui, const ViewModel& view, const ImRect& rect) {
    const Choice& add = view.add_to_compare;
    if (icon_button(ui, "compare-add", rect, add.enabled ? Icon::plus : Icon::check, add.label,
                    ButtonLook::normal) &&
        add.enabled)
        ui.act(add.action);
}

/// A button that opens the list of what can be exported.
void export_button(Ui& ui, const ViewModel& view, const ImRect& rect, bool with_label) {
    const IdScope scope("export");
    const bool pressed = with_label ? button(ui, "export", rect, view.export_label,
                                             ButtonLook::normal, Icon::external)
                                    : icon_button(ui, "export", rect, Icon::external,
                                                  view.export_label, ButtonLook::normal);
    if (pressed)
        open_list(ui, "list");
    const int taken = choice_list(ui, "list", rect, view.exports);
    if (taken >= 0)
        ui.act(view.exports[static_cast<std::size_t>(taken)].action);
}

/// Phones: language, theme, unit and share in a sheet.
void settings_sheet(Ui& ui, const ViewModel& view, float width) {
    constexpr std::string_view name = "settings";
    if (!list_is_open(name))
        return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float row = ui.control_height;
    const float height = 16 + (view.exports.empty() ? 4 : 6) * (row + 12) + 8;
    ImGui::SetNextWindowPos({0, std::max(0.0F, screen.y - height)});
    ImGui::SetNextWindowSize({width, height});
    push_panel_style(ui, Surface::sheet);
    if (ImGui::BeginPopupEx(id_of(name), ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                             ImGuiWindowFlags_NoSavedSettings)) {
        const int layer = ui.layer;
        ui.layer = 1;
        scrim(ui);
        const ImVec2 start = ImGui::GetCurrentWindow()->Pos + ImVec2(16, 16);
        const float right = start.x + width - 32;
        float y = start.y;
        menu(ui, "language", {start.x, y, right, y + row}, view.languages);
        y += row + 12;
        const int theme = segmented(ui, "theme", {start.x, y, right, y + row}, view.themes);
        if (theme >= 0)
            ui.act(view.themes[static_cast<std::size_t>(theme)].action);
        y += row + 12;
        unit_switch(ui, {start.x, y, right, y + row}, view.units);
        y += row + 12;
        share_button(ui, view, {start.x, y, right, y + row});
        if (!view.exports.empty()) {
            y += row + 12;
            export_button(ui, view, {start.x, y, right, y + row}, true);
            y += row + 12;
            const Choice& add = view.add_to_compare;
            if (button(ui, "compare-add", {start.x, y, right, y + row}, add.label,
                       ButtonLook::normal, add.enabled ? Icon::plus : Icon::check) &&
                add.enabled)
                ui.act(add.action);
        }
        ui.layer = layer;
        ImGui::EndPopup();
    }
    pop_panel_style();
}

float brand(Ui& ui, float x, float middle) {
    const ImRect mark(x, middle - 7.5F, x + 22, middle + 7.5F);
    logo(ui, mark);
    const float width =
        text_line(ui, TextStyle::title, {x + 32, middle - 12}, ui.colors.text, product_name);
    return x + 32 + width;
}

} // namespace

void header_bar(Ui& ui, const ViewModel& view, const PageLayout& page, float width) {
    const ImRect bar(0, 0, width, page.header_height);
    fill(bar, ui.colors.panel);
    horizontal_line(ui, 0, width, bar.Max.y - ui.device_pixel, ui.colors.line);
    const float middle = page.strip_below ? 28 : (page.header_height - 1) / 2;
    const float top = middle - ui.control_height / 2;
    const float bottom = middle + ui.control_height / 2;
    const float left = page.left;
    float right = width - page.left;

    if (page.phone()) {
        PaintMemory& memory = ui.state.memory;
        if (memory.search_visible) {
            const float side = ui.control_height;
            search(ui, view, {left, top, right - side - 4, bottom});
            const bool closed = icon_button(ui, "close-search", {right - side, top, right, bottom},
                                            Icon::close, {});
            if (closed || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
                memory.search_visible = false;
                memory.search.fill('\0');
                ui.act({Action::Kind::search, {}, {}});
            }
            return;
        }
        if (view.modes.empty()) {
            brand(ui, left + 4, middle);
        } else {
            logo(ui, ImRect(left + 4, middle - 7.5F, left + 26, middle + 7.5F));
            mode_menu(ui, view, {left + 36, top, right - 2 * ui.control_height - 16, bottom});
        }
        const float side = ui.control_height;
        if (icon_button(ui, "menu", {right - side, top, right, bottom}, Icon::menu, {}))
            open_list(ui, "settings");
        right -= side + 4;
        if (icon_button(ui, "open-search", {right - side, top, right, bottom}, Icon::search,
                        view.search_hint)) {
            memory.search_visible = true;
            memory.search_wants_focus = true;
            ui.animate(0.05F);
        }
        settings_sheet(ui, view, width);
        return;
    }

    const float brand_right = brand(ui, left, middle);
    // Right to left: the places are needed first, the items are made in reading order.
    const float share_width = button_width(view.share_label, true);
    const ImRect share(right - share_width, top, right, bottom);
    right = share.Min.x - 8;
    // Their place is kept until they come with the whole catalog.
    const float icons = view.modes.empty() ? 0 : ui.control_height;
    const ImRect exporting(right - icons, top, right, bottom);
    right = exporting.Min.x - (icons > 0 ? 8.0F : 0.0F);
    const ImRect adding(right - icons, top, right, bottom);
    right = adding.Min.x - (icons > 0 ? 8.0F : 0.0F);
    const ImRect theme(right - ui.control_height, top, right, bottom);
    right = theme.Min.x - 8;
    const float units = view.units.empty() ? 0 : segmented_width(view.units);
    const ImRect unit(right - units, top, right, bottom);
    right = unit.Min.x - (units > 0 ? 8.0F : 0.0F);
    const ImRect language(right - menu_width(view.languages), top, right, bottom);
    right = language.Min.x;

    // In the middle of the page when there is room, else between its neighbours.
    const float strip = page.strip_below ? 0 : mode_strip_width(view);
    if (strip > 0)
        mode_strip(ui, view, {brand_right + 24, 0, brand_right + 24 + strip, page.header_height});
    else if (page.strip_below)
        mode_strip(ui, view, {left - 12, 56, width - left + 12, page.header_height});
    const float room_left = brand_right + 24 + (strip > 0 ? strip + 12 : 0);
    const float room_right = right - 24;
    const float wanted = std::min(520.0F, room_right - room_left);
    float search_left = width / 2 - wanted / 2;
    search_left = std::clamp(search_left, room_left, std::max(room_left, room_right - wanted));
    search(ui, view, snap(ui, ImRect(search_left, top, search_left + wanted, bottom)));

    if (!view.languages.empty())
        menu(ui, "language", snap(ui, language), view.languages);
    if (!view.units.empty())
        unit_switch(ui, snap(ui, unit), view.units);
    theme_button(ui, view, snap(ui, theme));
    if (!view.exports.empty()) {
        compare_button(ui, view, snap(ui, adding));
        export_button(ui, view, snap(ui, exporting), false);
    }
    share_button(ui, view, snap(ui, share));
}

} // namespace vramscope::app::panels
