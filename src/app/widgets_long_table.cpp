#include "app/widgets_long_table.h"

#include <algorithm>

#include "app/widgets_button.h"
#include "app/widgets_text.h"

namespace vramscope::app {
namespace {

constexpr float column_gap = 16;
constexpr float edge = 10;          ///< from the row's surface to its text
constexpr float least_name = 168;   ///< of the first column
constexpr float blocks_below = 560; ///< table width
constexpr float order_room = 12;    ///< of the arrow in a head

bool is_verdict(const Cell& cell) {
    return cell.tone == Tone::ok || cell.tone == Tone::warn || cell.tone == Tone::bad;
}

struct Shown {
    std::size_t column;
    float x;
    float width;
};

/// The columns that have room, with their places.
std::vector<Shown> places(const LongTable& head, float width) {
    std::vector<Shown> shown;
    float total = 2 * edge + least_name;
    for (std::size_t i = 0; i < head.columns.size(); ++i) {
        const LongColumn& column = head.columns[i];
        float wanted = least_name;
        if (i > 0) {
            const float label = text_width(TextStyle::caption, column.label) + order_room;
            // Verdicts stand in pills.
            const bool pill = column.sample.size() > 0 && !column.numeric && column.rank == 1;
            const float sample = pill ? pill_width(TextStyle::body, column.sample)
                                      : text_width(TextStyle::body, column.sample);
            wanted = std::max(label, sample);
            total += wanted + column_gap;
        }
        shown.push_back({i, 0, wanted});
    }
    while (total > width && shown.size() > 2) {
        const auto last =
            std::max_element(shown.begin(), shown.end(), [&](const Shown& a, const Shown& b) {
                return head.columns[a.column].rank < head.columns[b.column].rank;
            });
        total -= last->width + column_gap;
        shown.erase(last);
    }
    const float spare = std::max(0.0F, width - total);
    shown.front().width += std::min(spare, 260.0F);
    const float between =
        shown.size() < 2 ? 0
                         : (spare - std::min(spare, 260.0F)) / static_cast<float>(shown.size() - 1);
    float x = edge;
    for (Shown& one : shown) {
        one.x = x;
        x += one.width + column_gap + between;
    }
    return shown;
}

void head_cell(Ui& ui, const LongTable& head, const Shown& place, const ImRect& line) {
    const LongColumn& column = head.columns[place.column];
    const ImRect rect(line.Min.x + place.x - 6, line.Min.y, line.Min.x + place.x + place.width + 6,
                      line.Max.y);
    const Item it = item(ui, head.id + ":sort:" + column.action.value, rect,
                         column.action.kind == Action::Kind::none ? item_disabled : item_none);
    const bool lit = it.hovered || column.order != 0;
    const Color color = lit ? ui.colors.text : ui.colors.dim;
    const float arrow = column.order != 0 ? order_room : 0;
    const float top = rect.GetCenter().y - line_height(TextStyle::caption) / 2;
    const float width =
        text_between(ui, column.order != 0 ? TextStyle::caption_strong : TextStyle::caption,
                     rect.Min.x + 6, rect.Max.x - 6 - (column.numeric ? arrow : 0), top, color,
                     column.label, column.numeric ? Align::right : Align::left);
    if (column.order != 0) {
        const float x = column.numeric ? rect.Max.x - 6 - 4 : rect.Min.x + 6 + width + 7;
        const float y = rect.GetCenter().y;
        const float up = column.order > 0 ? 1.0F : -1.0F;
        ImGui::GetWindowDrawList()->AddTriangleFilled(
            {x - 3.5F, y + 2 * up}, {x + 3.5F, y + 2 * up}, {x, y - 3 * up}, ui.colors.accent);
    }
    focus_ring(ui, it, radius::inner, 0);
    if (it.pressed)
        ui.act(column.action);
}

/// The surface of a row; pressing it acts.
Item surface(Ui& ui, const LongTable& head, const Row& row, const ImRect& rect, bool first) {
    const Item it = item(ui, head.id + ":row", rect, first ? item_none : item_no_tab_stop);
    if (it.hovered)
        fill(rect, with_alpha(ui.colors.text, 0.05F), radius::inner);
    Item ring = it;
    ring.rect.Expand(-1);
    focus_ring(ui, ring, radius::inner, 0);
    if (it.pressed && row.action.kind != Action::Kind::none)
        ui.act(row.action);
    return it;
}

void cell_text(Ui& ui, const Cell& cell, const ImRect& rect, bool numeric,
               std::string_view detail) {
    if (is_verdict(cell)) {
        const float width = std::min(pill_width(TextStyle::body, cell.text), rect.GetWidth());
        pill(ui, TextStyle::body, rect.Min.x + width, rect.GetCenter().y, cell.text, cell.tone,
             cell.sign);
        return;
    }
    const float body = line_height(TextStyle::body);
    const float caption = detail.empty() ? 0 : line_height(TextStyle::caption);
    const float top = rect.GetCenter().y - (body + caption) / 2;
    text_between(ui, TextStyle::body, rect.Min.x, rect.Max.x + 0.5F, top, ui.colors.tone(cell.tone),
                 cell.text, numeric ? Align::right : Align::left);
    if (caption > 0)
        text_between(ui, TextStyle::caption, rect.Min.x, rect.Max.x, top + body, ui.colors.dim,
                     detail);
}

void paint_row(Ui& ui, const LongTable& table, const std::vector<Shown>& shown, const ImRect& line,
               std::size_t index) {
    const Row row = table.source->row(index);
    surface(ui, table, row, line, index == 0);
    horizontal_line(ui, line.Min.x, line.Max.x, line.Min.y, ui.colors.line);
    for (const Shown& place : shown) {
        if (place.column >= row.cells.size())
            continue;
        const IdScope scope(static_cast<int>(place.column));
        const Cell& cell = row.cells[place.column];
        const float x = line.Min.x + place.x;
        const ImRect rect(x, line.Min.y, x + place.width, line.Max.y);
        const bool first = place.column == 0;
        cell_text(ui, cell, rect, table.columns[place.column].numeric,
                  first ? std::string_view(cell.tooltip) : std::string_view());
        if (!first)
            tooltip(ui, "hint", rect, cell.tooltip);
    }
}

/// A block: name and verdict, what the rest is called in one line, the three figures below.
constexpr float block_height = 112;

void paint_block(Ui& ui, const LongTable& table, const ImRect& block, std::size_t index) {
    const Row row = table.source->row(index);
    surface(ui, table, row, block, index == 0);
    horizontal_line(ui, block.Min.x, block.Max.x, block.Min.y, ui.colors.line);
    const float left = block.Min.x + edge;
    const float right = block.Max.x - edge;
    float y = block.Min.y + 10;
    std::string others;
    std::vector<std::size_t> figures;
    float name_right = right;
    for (std::size_t i = 1; i < row.cells.size(); ++i) {
        const Cell& cell = row.cells[i];
        const int rank = table.columns[i].rank;
        if (is_verdict(cell)) {
            const float width =
                std::min(pill_width(TextStyle::body, cell.text), (right - left) * 0.6F);
            pill(ui, TextStyle::body, right, y + line_height(TextStyle::body) / 2, cell.text,
                 cell.tone, cell.sign);
            name_right = right - width - 12;
        } else if (rank >= 2 && rank <= 4) {
            figures.push_back(i);
        } else {
            others += (others.empty() ? "" : " \u00b7 ") + cell.text;
        }
    }
    text_between(ui, TextStyle::body_strong, left, name_right, y, ui.colors.text,
                 row.cells[0].text);
    y += line_height(TextStyle::body) + 2;
    text_between(ui, TextStyle::caption, left, right, y, ui.colors.dim, others);
    y += line_height(TextStyle::caption) + 8;
    const float step = (right - left) / 3;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const float x = left + step * static_cast<float>(i);
        text_between(ui, TextStyle::body, x, x + step - 8, y, ui.colors.text,
                     row.cells[figures[i]].text);
        text_between(ui, TextStyle::caption, x, x + step - 8, y + line_height(TextStyle::body),
                     ui.colors.dim, table.columns[figures[i]].label);
    }
}

} // namespace

float long_table(Ui& ui, ImVec2 position, float width, const LongTable& table) {
    if (table.count == 0 || table.source == nullptr || table.columns.empty())
        return 0;
    const IdScope scope(table.id);
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    const bool blocks = width < blocks_below;
    const float header = blocks ? 0 : ui.control_height;
    const float row_height = blocks ? block_height : 52;
    std::vector<Shown> shown;
    float rows_top = position.y + header;
    if (!blocks) {
        shown = places(table, width);
        const float top = std::max(position.y, window->InnerRect.Min.y);
        const ImRect line(position.x, top, position.x + width, top + header);
        for (const Shown& place : shown)
            head_cell(ui, table, place, line);
        rows_top = line.Max.y;
    }
    // Rows end below the heads, wherever those are.
    ImGui::PushClipRect({position.x - 4, rows_top},
                        {position.x + width + 4, window->InnerRect.Max.y}, true);
    ImGui::SetCursorScreenPos({position.x, position.y + header});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(table.count), row_height);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const IdScope row_scope(i);
            const float y = position.y + header + row_height * static_cast<float>(i);
            const ImRect line(position.x, y, position.x + width, y + row_height);
            const auto index = static_cast<std::size_t>(i);
            if (blocks)
                paint_block(ui, table, line, index);
            else
                paint_row(ui, table, shown, line, index);
        }
    }
    ImGui::PopClipRect();
    return header + row_height * static_cast<float>(table.count);
}

} // namespace vramscope::app
