// Precision x context as tiles: tone and sign say whether it fits, pressing one chooses both.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

constexpr float tile_gap = 3;

void tile(Ui& ui, const ImRect& box, const Cell& cell, const Item& it) {
    fill(box, ui.colors.tint(cell.tone), radius::pill);
    if (it.hovered)
        fill(box, with_alpha(ui.colors.text, 0.08F), radius::pill);
    const float text = text_width(TextStyle::caption, cell.text);
    const bool roomy = text + 26 <= box.GetWidth();
    const float whole = roomy ? 14 + text : 0;
    const float left = box.GetCenter().x - whole / 2;
    sign(ui, cell.tone, cell.sign, {roomy ? left + 5 : box.GetCenter().x, box.GetCenter().y});
    if (roomy)
        text_in(ui, TextStyle::caption, {left + 14, box.Min.y, box.Max.x, box.Max.y},
                ui.colors.text, cell.text);
    if (cell.selected)
        ImGui::GetWindowDrawList()->AddRect(box.Min, box.Max, ui.colors.accent, radius::pill, 0, 2);
    focus_ring(ui, it, radius::pill, 1);
    tooltip(ui, it, cell.tooltip);
}

} // namespace

float heat(Ui& ui, const Table& content, float x, float y, float width) {
    if (content.rows.empty())
        return y;
    const IdScope scope("heat");
    y += paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, content.title) + 2;
    y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, content.caption) + 12;
    float label = 0;
    for (const Row& row : content.rows)
        label = std::max(label, text_width(TextStyle::body, row.cells[0].text));
    // On narrow pages a row's name stands above its tiles.
    const bool above = width < 520;
    const float names = above ? 0 : std::min(label + 12, width * 0.34F);
    const auto columns = static_cast<float>(content.columns.size() - 1);
    const float wide = (width - names + tile_gap) / columns - tile_gap;
    const float tall = ui.state.coarse_pointer ? 40.0F : 30.0F;
    const auto left_of = [&](std::size_t column) {
        return x + names + (wide + tile_gap) * static_cast<float>(column - 1);
    };
    for (std::size_t i = 1; i < content.columns.size(); ++i)
        text_between(ui, TextStyle::caption, left_of(i), left_of(i) + wide, y, ui.colors.dim,
                     content.columns[i].label, Align::centre);
    y += 22;
    bool first = true;
    const bool any_selected =
        std::any_of(content.rows.begin(), content.rows.end(), [](const Row& row) {
            return std::any_of(row.cells.begin(), row.cells.end(),
                               [](const Cell& cell) { return cell.selected; });
        });
    for (std::size_t r = 0; r < content.rows.size(); ++r) {
        const Row& row = content.rows[r];
        const TextStyle style = row.selected ? TextStyle::body_strong : TextStyle::body;
        if (above) {
            text_between(ui, style, x, x + width, y, ui.colors.text, row.cells[0].text);
            y += 22;
        } else {
            text_in(ui, style, {x, y, x + names - 8, y + tall}, ui.colors.text, row.cells[0].text);
        }
        for (std::size_t i = 1; i < row.cells.size(); ++i) {
            const Cell& cell = row.cells[i];
            const ImRect box = snap(ui, ImRect(left_of(i), y, left_of(i) + wide, y + tall));
            const IdScope place(static_cast<int>(r * 64 + i));
            const bool stop = any_selected ? cell.selected : first;
            first = false;
            const Item it = item(ui, "heat:cell", box, stop ? item_none : item_no_tab_stop);
            if (!it.visible)
                continue;
            tile(ui, box, cell, it);
            if (it.pressed)
                ui.act(cell.action);
        }
        y += tall + (above ? 8 : tile_gap);
    }
    return y + 8 +
           paragraph(ui, TextStyle::caption, {x, y + 8}, width, ui.colors.dim, content.note);
}

} // namespace vramscope::app::panels
