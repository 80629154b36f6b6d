#include "app/widgets_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/widgets_bar.h"
#include "app/widgets_button.h"

namespace vramscope::app {

namespace {

constexpr float column_gap = 20;
constexpr float row_padding = 9;
constexpr float edge = 10;  ///< from the row's surface to its text
constexpr float smallest_text_column = 96;

bool is_verdict(const Cell& cell) {
    return cell.tone == Tone::ok || cell.tone == Tone::warn || cell.tone == Tone::bad;
}

float cell_width(const Cell& cell) {
    if (is_verdict(cell)) return pill_width(TextStyle::body, cell.text);
    return text_width(TextStyle::body, cell.text);
}

/// The least a column may get: numbers and pills stay whole, words may wrap.
float least_width(const Table& content, std::size_t column) {
    float width = widest_word(TextStyle::caption, content.columns[column].label);
    for (const Row& row : content.rows) {
        if (column >= row.cells.size()) continue;
        const Cell& cell = row.cells[column];
        const bool whole = content.columns[column].numeric || is_verdict(cell);
        const float needed = whole ? cell_width(cell)
                                   : std::max(std::min(cell_width(cell), smallest_text_column),
                                              std::min(widest_word(TextStyle::body, cell.text), 180.0F));
        width = std::max(width, needed);
    }
    return width;
}

float natural_width(const Table& content, std::size_t column) {
    float width = std::min(text_width(TextStyle::caption, content.columns[column].label), 120.0F);
    for (const Row& row : content.rows)
        if (column < row.cells.size()) width = std::max(width, cell_width(row.cells[column]));
    return std::max(width, least_width(content, column));
}

float total(const std::vector<float>& widths) {
    const float gaps = column_gap * static_cast<float>(widths.empty() ? 0 : widths.size() - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps + 2 * edge);
}

/// Column widths that fill `width`, or nothing when not even the least ones fit.
std::vector<float> column_widths(const Table& content, float width) {
    std::vector<float> least;
    std::vector<float> natural;
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        least.push_back(least_width(content, i));
        natural.push_back(natural_width(content, i));
    }
    if (total(least) > width + 0.5F) return {};
    const float room = width - total(least);
    const float wish = total(natural) - total(least);
    std::vector<float> widths = least;
    if (wish > room) {
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] += (natural[i] - least[i]) * (wish > 0 ? room / wish : 0);
        return widths;
    }
    // What is left over goes between the columns, evenly, so that no figure strays from its row.
    widths = natural;
    const float extra = (width - total(natural)) / static_cast<float>(widths.size());
    for (float& column : widths) column += extra;
    return widths;
}

void paint_cell(Ui& ui, const ImRect& place, const Cell& cell, bool numeric, bool strong) {
    const float middle = place.GetCenter().y;
    if (is_verdict(cell)) {
        const float width = pill_width(TextStyle::body, cell.text);
        const float right = numeric ? place.Max.x : std::min(place.Min.x + width, place.Max.x);
        pill(ui, TextStyle::body, right, middle, cell.text, cell.tone);
        return;
    }
    const TextStyle style = strong ? TextStyle::body_strong : TextStyle::body;
    const Color color = ui.colors.tone(cell.tone);
    if (numeric) {
        const float lift = cell.bar >= 0 ? 3.0F : 0.0F;
        text_in(ui, style, {place.Min - ImVec2(0, lift), place.Max - ImVec2(0, lift)}, color,
                cell.text, Align::right);
        if (cell.bar >= 0) {
            const float length = std::min(64.0F, place.GetWidth());
            thin_bar(ui, {place.Max.x - length, middle + 9, place.Max.x, middle + 12},
                     static_cast<float>(cell.bar), ui.colors.accent);
        }
        return;
    }
    const float width = place.GetWidth() + 0.5F;
    const ImVec2 size = paragraph_size(style, width, cell.text);
    paragraph(ui, style, {place.Min.x, middle - size.y / 2}, width, color, cell.text);
}

float row_height(const Ui& ui, const Row& row, const Table& content,
                 const std::vector<float>& widths) {
    float height = ui.control_height > 40 ? ui.control_height - 2 * row_padding : 20;
    for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i) {
        const Cell& cell = row.cells[i];
        if (is_verdict(cell)) height = std::max(height, 22.0F);
        else if (content.columns[i].numeric) height = std::max(height, cell.bar >= 0 ? 28.0F : 20.0F);
        else height = std::max(height, paragraph_size(TextStyle::body, widths[i] + 0.5F, cell.text).y);
    }
    return height + 2 * row_padding;
}

/// A row or cell that acts when pressed; true when it did.
bool area(Ui& ui, std::string_view name, const ImRect& rect, const Action& action, bool first) {
    if (action.kind == Action::Kind::none) return false;
    const Item it = item(ui, name, rect, first ? item_none : item_no_tab_stop);
    if (it.hovered) fill(rect, with_alpha(ui.colors.text, 0.05F), radius::inner);
    Item ring = it;
    ring.rect.Expand(-1);
    focus_ring(ui, ring, radius::inner, 0);
    if (it.pressed) ui.act(action);
    return it.pressed;
}

float header_height(const Table& content, const std::vector<float>& widths) {
    float height = line_height(TextStyle::caption);
    for (std::size_t i = 0; i < widths.size(); ++i)
        height = std::max(height, paragraph_size(TextStyle::caption, widths[i] + 0.5F,
                                                 content.columns[i].label).y);
    return height;
}

float as_rows(Ui& ui, ImVec2 position, float width, const Table& content,
              const std::vector<float>& widths) {
    float y = position.y;
    const float header = header_height(content, widths);
    float x = position.x + edge;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto lines = wrap(TextStyle::caption, widths[i] + 0.5F, content.columns[i].label);
        float line_y = y + header - line_height(TextStyle::caption) * static_cast<float>(lines.size());
        for (const std::string_view line : lines) {
            text_between(ui, TextStyle::caption, x, x + widths[i] + 0.5F, line_y, ui.colors.dim, line,
                         content.columns[i].numeric ? Align::right : Align::left);
            line_y += line_height(TextStyle::caption);
        }
        x += widths[i] + column_gap;
    }
    y += header + 8;
    for (std::size_t r = 0; r < content.rows.size(); ++r) {
        const Row& row = content.rows[r];
        const IdScope scope(static_cast<int>(r));
        horizontal_line(ui, position.x, position.x + width, y, ui.colors.line);
        const float height = row_height(ui, row, content, widths);
        const ImRect line = snap(ui, ImRect(position.x, y, position.x + width, y + height));
        if (row.selected) fill(line, ui.colors.selected, radius::inner);
        area(ui, "row", line, row.action, r == 0 || row.selected);
        x = position.x + edge;
        for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i) {
            const IdScope cell_scope(static_cast<int>(i));
            const Cell& cell = row.cells[i];
            const ImRect place(x, line.Min.y, x + widths[i], line.Max.y);
            ImRect target = place;
            target.Expand({8, -3});
            area(ui, "cell", target, cell.action, false);
            paint_cell(ui, place, cell, content.columns[i].numeric, i == 0 && row.selected);
            tooltip(ui, "hint", place, cell.tooltip);
            x += widths[i] + column_gap;
        }
        y = line.Max.y;
    }
    return y - position.y;
}

/// One block a row: name and verdict on the first line, the rest as labelled figures.
float as_blocks(Ui& ui, ImVec2 position, float width, const Table& content) {
    float y = position.y;
    const float inner = width - 2 * edge;
    for (std::size_t r = 0; r < content.rows.size(); ++r) {
        const Row& row = content.rows[r];
        if (row.cells.empty()) continue;
        const IdScope scope(static_cast<int>(r));
        // A single verdict stands beside the name; several are figures.
        const auto verdicts = std::count_if(row.cells.begin(), row.cells.end(), is_verdict);
        std::size_t beside = row.cells.size();
        for (std::size_t i = 1; verdicts == 1 && i < row.cells.size(); ++i)
            if (is_verdict(row.cells[i])) beside = i;
        std::vector<std::size_t> rest;
        float cell = 84;
        float longest = 0;
        for (std::size_t i = 1; i < row.cells.size() && i < content.columns.size(); ++i) {
            if (i == beside || row.cells[i].text.empty()) continue;
            rest.push_back(i);
            const float needed =
                std::max(cell_width(row.cells[i]),
                         std::min(text_width(TextStyle::caption, content.columns[i].label), 110.0F));
            longest = std::max(longest, needed);
        }
        cell = std::max(cell, longest);
        const int count = static_cast<int>(rest.size());
        const int columns = std::max(1, std::min(count, static_cast<int>((inner + 16) / (cell + 16))));
        const float column = (inner - 16 * static_cast<float>(columns - 1)) / static_cast<float>(columns);

        const float side = beside < row.cells.size()
                               ? pill_width(TextStyle::body, row.cells[beside].text) + 12
                               : 0;
        const bool pill_below = side > inner * 0.6F;
        const float name_width = pill_below ? inner : inner - side;
        const float name_height =
            paragraph_size(TextStyle::body_strong, name_width, row.cells[0].text).y;
        float height = row_padding + 2 + name_height + (pill_below ? 28 : 0);
        std::vector<float> heights;
        for (int i = 0; i < count; i += columns) {
            float line = 0;
            for (int j = i; j < std::min(count, i + columns); ++j) {
                const std::size_t index = rest[static_cast<std::size_t>(j)];
                const float label =
                    paragraph_size(TextStyle::caption, column, content.columns[index].label).y;
                const float value = is_verdict(row.cells[index])
                                        ? 26
                                        : paragraph_size(TextStyle::body, column, row.cells[index].text).y;
                line = std::max(line, label + value);
            }
            heights.push_back(line);
            height += line + 8;
        }
        height += row_padding;

        horizontal_line(ui, position.x, position.x + width, y, ui.colors.line);
        const ImRect block = snap(ui, ImRect(position.x, y, position.x + width, y + height));
        if (row.selected) fill(block, ui.colors.selected, radius::inner);
        area(ui, "row", block, row.action, r == 0 || row.selected);
        const float left = block.Min.x + edge;
        float line_y = block.Min.y + row_padding + 2;
        paragraph(ui, TextStyle::body_strong, {left, line_y}, name_width, ui.colors.text,
                  row.cells[0].text);
        if (beside < row.cells.size()) {
            const float pill_y = pill_below ? line_y + name_height + 14 : line_y + 10;
            const float right = pill_below ? left + side - 12 : block.Max.x - edge;
            pill(ui, TextStyle::body, right, pill_y, row.cells[beside].text, row.cells[beside].tone);
            tooltip(ui, "hint", {right - side, pill_y - 12, right, pill_y + 12},
                    row.cells[beside].tooltip);
        }
        line_y += name_height + (pill_below ? 28 : 0) + 8;
        for (int i = 0; i < count; ++i) {
            const std::size_t index = rest[static_cast<std::size_t>(i)];
            const IdScope cell_scope(static_cast<int>(index));
            const Cell& value = row.cells[index];
            const float x = left + static_cast<float>(i % columns) * (column + 16);
            float top = line_y;
            const ImRect target(x - 6, top - 2, x + column, top + heights[static_cast<std::size_t>(i / columns)]);
            area(ui, "cell", target, value.action, false);
            top += paragraph(ui, TextStyle::caption, {x, top}, column, ui.colors.dim,
                             content.columns[index].label);
            if (is_verdict(value)) {
                const float pill_right = std::min(x + pill_width(TextStyle::body, value.text), x + column);
                pill(ui, TextStyle::body, pill_right, top + 13, value.text, value.tone);
            } else {
                paragraph(ui, TextStyle::body, {x, top}, column, ui.colors.tone(value.tone), value.text);
            }
            tooltip(ui, "hint", target, value.tooltip);
            if (i % columns == columns - 1)
                line_y += heights[static_cast<std::size_t>(i / columns)] + 8;
        }
        y = block.Max.y;
    }
    return y - position.y;
}

}  // namespace

float table_width(const Table& content) {
    std::vector<float> least;
    for (std::size_t i = 0; i < content.columns.size(); ++i)
        least.push_back(least_width(content, i));
    return total(least);
}

float table(Ui& ui, ImVec2 position, float width, const Table& content) {
    const IdScope scope(content.id);
    if (content.columns.empty() || content.rows.empty()) return 0;
    const std::vector<float> widths = column_widths(content, width);
    return widths.empty() ? as_blocks(ui, position, width, content)
                          : as_rows(ui, position, width, content, widths);
}

Table verdict_columns(const Table& content) {
    Table narrow;
    narrow.id = content.id + "-short";
    narrow.title = content.title;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        const bool verdicts = std::any_of(content.rows.begin(), content.rows.end(), [&](const Row& row) {
            return i < row.cells.size() && is_verdict(row.cells[i]);
        });
        if (i == 0 || verdicts) kept.push_back(i);
    }
    if (kept.size() < 2) return narrow;
    for (const std::size_t i : kept) narrow.columns.push_back(content.columns[i]);
    for (const Row& row : content.rows) {
        Row shorter{{}, row.selected, row.action};
        for (const std::size_t i : kept)
            shorter.cells.push_back(i < row.cells.size() ? row.cells[i] : Cell{});
        narrow.rows.push_back(std::move(shorter));
    }
    return narrow;
}

}  // namespace vramscope::app
