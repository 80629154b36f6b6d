#include "app/widgets_list.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/widgets_button.h"
#include "app/widgets_input.h"

namespace vramscope::app {

namespace {

constexpr std::size_t searchable_from = 9; ///< shorter lists need no search field
constexpr float sheet_below = 600;         ///< page width under which lists are sheets
constexpr float list_padding = 6;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool contains(std::string_view text, std::string_view part) {
    const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    return found != text.end() || part.empty();
}

/// Every word that was typed occurs somewhere in label or detail.
bool matches(const Choice& choice, std::string_view typed) {
    while (!typed.empty()) {
        const std::size_t end = std::min(typed.find(' '), typed.size());
        const std::string_view word = typed.substr(0, end);
        if (!contains(choice.label, word) && !contains(choice.detail, word))
            return false;
        typed.remove_prefix(std::min(end + 1, typed.size()));
    }
    return true;
}

float row_height(const Ui& ui, const Choice&) {
    return ui.control_height;
}

float widest_row(const std::vector<Choice>& choices) {
    float width = 0;
    for (const Choice& choice : choices) {
        float row = text_width(TextStyle::body, choice.label) + 36;
        if (!choice.detail.empty())
            row += text_width(TextStyle::caption, choice.detail) + 24;
        width = std::max(width, row);
    }
    return width + 2 * list_padding;
}

struct Placement {
    ImRect rect;
    bool sheet = false;
};

Placement place(const Ui& ui, const ImRect& anchor, float width, float height) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    Placement placed;
    if (screen.x < sheet_below) {
        placed.sheet = true;
        const float tall = std::min(height + 12, screen.y * 0.75F);
        placed.rect = ImRect(0, screen.y - tall, screen.x, screen.y);
        return placed;
    }
    width = std::clamp(width, anchor.GetWidth(), std::min(460.0F, screen.x - 16));
    width = std::max(width, std::min(anchor.GetWidth(), screen.x - 16));
    const float below = screen.y - anchor.Max.y - 12;
    const float above = anchor.Min.y - 12;
    const float wanted = std::min(height, 420.0F);
    const bool downwards = below >= std::min(wanted, 260.0F) || below >= above;
    const float tall = std::min(wanted, std::max(120.0F, downwards ? below : above));
    const float x = std::clamp(anchor.Min.x, 8.0F, std::max(8.0F, screen.x - width - 8));
    const float y = downwards ? anchor.Max.y + 4 : anchor.Min.y - 4 - tall;
    placed.rect = snap(ui, ImRect(x, y, x + width, y + tall));
    return placed;
}

std::vector<int> visible_choices(const std::vector<Choice>& choices, std::string_view typed) {
    std::vector<int> visible;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (matches(choices[i], typed))
            visible.push_back(static_cast<int>(i));
    return visible;
}

/// Arrow keys, Home, End and page keys move the highlight.
int moved_highlight(int at, int count) {
    if (count == 0)
        return -1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow))
        ++at;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow))
        --at;
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown))
        at += 8;
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
        at -= 8;
    return std::clamp(at, 0, count - 1);
}

bool moved() {
    return ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow) ||
           ImGui::IsKeyPressed(ImGuiKey_PageDown) || ImGui::IsKeyPressed(ImGuiKey_PageUp);
}

bool taken_by_key() {
    return ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

} // namespace

void push_panel_style(const Ui& ui, Surface kind) {
    const bool lifted = ui.colors.dark && kind == Surface::list;
    const Color surface = lifted ? ui.colors.raised : ui.colors.panel;
    ImGui::PushStyleColor(ImGuiCol_PopupBg, surface);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, surface);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.edge);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(list_padding, list_padding));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, radius::card);
    ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, radius::card);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.device_pixel);
    ImGui::PushStyleVar(ImGuiStyleVar_PopupBorderSize, ui.device_pixel);
}

void pop_panel_style() {
    ImGui::PopStyleVar(5);
    ImGui::PopStyleColor(3);
}

void scrim(const Ui& ui) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    list->PushClipRect({0, 0}, screen, false);
    // A little below the sheet's upper edge, for its round corners.
    list->AddRectFilled({0, 0}, {screen.x, window->Pos.y},
                        with_alpha(0xFF000000U, ui.colors.dark ? 0.45F : 0.25F));
    list->PopClipRect();
}

void open_list(Ui& ui, std::string_view name) {
    ui.state.memory.filter.fill('\0');
    ui.state.memory.highlighted = -1;
    ui.state.memory.list_opened = true;
    ImGui::OpenPopupEx(id_of(name));
    ui.animate(0.05F);
}

bool list_is_open(std::string_view name) {
    return ImGui::IsPopupOpen(id_of(name), ImGuiPopupFlags_None);
}

bool list_row(Ui& ui, const ImRect& rect, const Choice& choice, int index, bool highlighted) {
    const IdScope scope(index);
    const int flags = item_no_nav | (choice.enabled ? item_none : item_disabled);
    const Item it = item(ui, choice.label, rect, flags);
    if (!it.visible)
        return false;
    if (highlighted || it.hovered)
        fill(rect, ui.colors.selected, radius::inner);
    const Color color =
        choice.enabled ? ui.colors.text : blend(ui.colors.dim, ui.colors.raised, 0.4F);
    const float left = rect.Min.x + 28;
    float right = rect.Max.x - 10;
    if (choice.selected)
        icon(ui, Icon::check, {rect.Min.x + 15, rect.GetCenter().y}, ui.colors.accent, 13);
    const float middle = rect.GetCenter().y;
    if (!choice.detail.empty()) {
        const float label = text_width(TextStyle::body, choice.label);
        const float room = std::max(right - left - label - 16, (right - left) * 0.35F);
        const float detail = std::min(text_width(TextStyle::caption, choice.detail), room);
        text_between(ui, TextStyle::caption, right - detail, right,
                     middle - line_height(TextStyle::caption) / 2, ui.colors.dim, choice.detail,
                     Align::right);
        right -= detail + 16;
    }
    text_between(ui, choice.selected ? TextStyle::body_strong : TextStyle::body, left, right,
                 middle - line_height(TextStyle::body) / 2, color, choice.label);
    tooltip(ui, it, choice.tooltip);
    return it.pressed && choice.enabled;
}

int choice_list(Ui& ui, std::string_view name, const ImRect& anchor,
                const std::vector<Choice>& choices, std::string_view search_hint) {
    if (!list_is_open(name))
        return -1;
    PaintMemory& memory = ui.state.memory;
    const bool searchable = choices.size() >= searchable_from;
    const float search_height = searchable ? ui.control_height + list_padding : 0;
    float rows_height = 0;
    for (const Choice& choice : choices)
        rows_height += row_height(ui, choice);
    const Placement placed =
        place(ui, anchor, widest_row(choices) + 12, rows_height + search_height + 2 * list_padding);
    ImGui::SetNextWindowPos(placed.rect.Min);
    ImGui::SetNextWindowSize(placed.rect.GetSize());
    push_panel_style(ui);
    constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoNavInputs;
    int taken = -1;
    if (ImGui::BeginPopupEx(id_of(name), flags)) {
        const int layer = ui.layer;
        ImDrawListSplitter* layers = ui.layers;
        ui.layer = 1;
        ui.layers = nullptr;
        if (placed.sheet)
            scrim(ui);
        ImRect inner = ImGui::GetCurrentWindow()->Rect();
        inner.Expand(-list_padding);
        const bool first_frame = memory.list_opened;
        memory.list_opened = false;
        bool filtered = false;
        if (searchable) {
            const ImRect field(inner.Min, {inner.Max.x, inner.Min.y + ui.control_height});
            // A phone's keyboard would cover the list: it opens when the field is touched.
            if (first_frame && !ui.state.coarse_pointer)
                ImGui::SetKeyboardFocusHere();
            filtered = search_field(ui, "filter", field, memory.filter.data(), memory.filter.size(),
                                    search_hint);
            inner.Min.y += search_height;
        }
        const std::vector<int> visible = visible_choices(choices, memory.filter.data());
        const int count = static_cast<int>(visible.size());
        if (first_frame || memory.highlighted < 0) {
            memory.highlighted = 0;
            for (int i = 0; i < count; ++i)
                if (choices[static_cast<std::size_t>(visible[static_cast<std::size_t>(i)])]
                        .selected)
                    memory.highlighted = i;
        }
        if (filtered)
            memory.highlighted = 0;
        memory.highlighted = moved_highlight(memory.highlighted, count);

        ImGui::SetCursorScreenPos(inner.Min);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
        ImGui::BeginChild("rows", inner.GetSize(), ImGuiChildFlags_None,
                          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNavInputs |
                              ImGuiWindowFlags_NoNavFocus);
        ImGui::PopStyleVar();
        ImGuiWindow* window = ImGui::GetCurrentWindow();
        const float left = window->InnerRect.Min.x;
        const float right = window->InnerRect.Max.x - (window->ScrollbarY ? 4.0F : 0.0F);
        float y = window->DC.CursorStartPos.y;
        for (int i = 0; i < count; ++i) {
            const Choice& choice =
                choices[static_cast<std::size_t>(visible[static_cast<std::size_t>(i)])];
            const ImRect row(left, y, right, y + row_height(ui, choice));
            y = row.Max.y;
            if (list_row(ui, row, choice, visible[static_cast<std::size_t>(i)],
                         i == memory.highlighted))
                taken = visible[static_cast<std::size_t>(i)];
            if (i == memory.highlighted && (first_frame || filtered || moved()))
                ImGui::ScrollToRectEx(window, row, ImGuiScrollFlags_KeepVisibleEdgeY);
        }
        ImGui::SetCursorScreenPos({left, y});
        ImGui::Dummy({1, 0});
        ImGui::EndChild();
        if (count > 0 && taken_by_key() && !first_frame) {
            const int index = visible[static_cast<std::size_t>(memory.highlighted)];
            if (choices[static_cast<std::size_t>(index)].enabled)
                taken = index;
        }
        if (taken >= 0 || ImGui::IsKeyPressed(ImGuiKey_Escape, false))
            ImGui::CloseCurrentPopup();
        ui.layer = layer;
        ui.layers = layers;
        ImGui::EndPopup();
    }
    pop_panel_style();
    return taken;
}

int select(Ui& ui, std::string_view name, const ImRect& rect, const std::vector<Choice>& choices,
           std::string_view search_hint) {
    const IdScope scope(name);
    const Item it = item(ui, name, rect);
    const bool open = list_is_open("choices");
    if (it.visible) {
        control_box(ui, it, open);
        const auto chosen = std::find_if(choices.begin(), choices.end(),
                                         [](const Choice& choice) { return choice.selected; });
        const float left = rect.Min.x + 12;
        float right = rect.Max.x - 30;
        icon(ui, Icon::chevron_down, {rect.Max.x - 17, rect.GetCenter().y}, ui.colors.dim, 14);
        if (chosen != choices.end()) {
            const float label = text_width(TextStyle::body, chosen->label);
            const float room = right - left - label - 16;
            // "5.74 GiB · recorded file" says "5.74 GiB" where that is all there is room for.
            constexpr std::string_view dot = " \xC2\xB7 ";
            std::string_view shown = chosen->detail;
            while (text_width(TextStyle::body, shown) > room && shown.find(dot) != shown.npos)
                shown = shown.substr(0, shown.rfind(dot));
            const float detail = text_width(TextStyle::body, shown);
            if (!shown.empty() && detail <= room) {
                const ImRect place(right - detail, rect.Min.y, right, rect.Max.y);
                text_in(ui, TextStyle::body, place, ui.colors.dim, shown, Align::right);
                right = place.Min.x - 16;
            }
            text_in(ui, TextStyle::body, {left, rect.Min.y, right, rect.Max.y}, ui.colors.text,
                    chosen->label);
            if (!open)
                tooltip(ui, it, chosen->tooltip);
        }
        focus_ring(ui, it, radius::control);
        if (it.pressed)
            open_list(ui, "choices");
    }
    return choice_list(ui, "choices", rect, choices, search_hint);
}

} // namespace vramscope::app
