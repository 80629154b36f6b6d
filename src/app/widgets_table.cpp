#include "app/widgets_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/widgets_bar.h"
#include "app/widgets_button.h"
#include "core/sort.h"

namespace vramscope::app {

namespace {

/// Distances of a table.
struct Spacing {
    float column_gap;
    float row_padding;
    float edge; ///< from the row's surface to its text
};
constexpr Spacing normal_spacing{16, 9, 10};
constexpr Spacing compact_spacing{8, 6, 8};
constexpr float smallest_text_column = 96; ///< words wrap in wider columns

bool is_verdict(const Cell& cell) {
    return cell.tone == Tone::ok || cell.tone == Tone::warn || cell.tone == Tone::bad;
}

float cell_width(const Cell& cell) {
    if (is_verdict(cell))
        return pill_width(TextStyle::body, cell.text);
    return text_width(TextStyle::body, cell.text);
}

/// The least a column may get: numbers and pills stay whole, words may wrap.
float least_width(const Table& content, std::size_t column) {
    float width = widest_word(TextStyle::caption, content.columns[column].label);
    for (const Row& row : content.rows) {
        if (column >= row.cells.size())
            continue;
        const Cell& cell = row.cells[column];
        const bool whole = content.columns[column].numeric || is_verdict(cell);
        const float needed =
            whole ? cell_width(cell)
                  : std::max(std::min(cell_width(cell), smallest_text_column),
                             std::min(widest_word(TextStyle::body, cell.text), 180.0F));
        width = std::max(width, needed);
    }
    return width;
}

float natural_width(const Table& content, std::size_t column) {
    float width = std::min(text_width(TextStyle::caption, content.columns[column].label), 120.0F);
    for (const Row& row : content.rows)
        if (column < row.cells.size())
            width =
                std::max(width, column == 0 ? text_width(TextStyle::body_strong, row.cells[0].text)
                                            : cell_width(row.cells[column]));
    return std::max(width, least_width(content, column));
}

float total(const std::vector<float>& widths, const Spacing& spacing) {
    const float gaps =
        spacing.column_gap * static_cast<float>(widths.empty() ? 0 : widths.size() - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps + 2 * spacing.edge);
}

/// Gives the room to the columns that need least of it first, so that few columns wrap.
std::vector<float> fill_up(std::vector<float> widths, const std::vector<float>& natural,
                           float room) {
    std::vector<std::size_t> order(widths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    sort_short(order, [&](std::size_t a, std::size_t b) {
        return natural[a] - widths[a] < natural[b] - widths[b];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t column = order[i];
        const float share = room / static_cast<float>(order.size() - i);
        const float given = std::min(natural[column] - widths[column], share);
        widths[column] += given;
        room -= given;
    }
    return widths;
}

/// Column widths that fill `width`, or nothing when not even the least ones fit.
std::vector<float> column_widths(const Table& content, float width, const Spacing& spacing) {
    std::vector<float> least;
    std::vector<float> natural;
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        least.push_back(least_width(content, i));
        natural.push_back(natural_width(content, i));
    }
    if (total(least, spacing) > width + 0.5F)
        return {};
    const float room = width - total(least, spacing);
    const float wish = total(natural, spacing) - total(least, spacing);
    if (wish > room)
        return fill_up(least, natural, room);
    // What is left over goes between the columns, evenly, so that no figure strays from its row.
    std::vector<float> widths = natural;
    const float extra = (width - total(natural, spacing)) / static_cast<float>(widths.size());
    for (float& column : widths)
        column += extra;
    return widths;
}

void paint_cell(Ui& ui, const ImRect& place, const Cell& cell, bool numeric, TextStyle style) {
    const float middle = place.GetCenter().y;
    if (is_verdict(cell)) {
        const float width = pill_width(TextStyle::body, cell.text);
        const float right = numeric ? place.Max.x : std::min(place.Min.x + width, place.Max.x);
        pill(ui, TextStyle::body, right, middle, cell.text, cell.tone, cell.sign);
        return;
    }
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

/// The name of the chosen row is strong.
TextStyle cell_style(const Row& row, std::size_t column) {
    return column == 0 && (row.selected || row.marked) ? TextStyle::body_strong : TextStyle::body;
}

float row_height(const Ui& ui, const Row& row, const Table& content,
                 const std::vector<float>& widths, const Spacing& spacing) {
    float height = ui.control_height > 40 ? ui.control_height - 2 * spacing.row_padding : 20;
    for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i) {
        const Cell& cell = row.cells[i];
        if (is_verdict(cell))
            height = std::max(height, 22.0F);
        else if (content.columns[i].numeric)
            height = std::max(height, cell.bar >= 0 ? 28.0F : 20.0F);
        else
            height =
                std::max(height, paragraph_size(cell_style(row, i), widths[i] + 0.5F, cell.text).y);
    }
    return height + 2 * spacing.row_padding;
}

/// A row or cell that acts when pressed; true when it did.
bool area(Ui& ui, std::string_view name, const ImRect& rect, const Action& action, bool first) {
    if (action.kind == Action::Kind::none)
        return false;
    const Item it = item(ui, name, rect, first ? item_none : item_no_tab_stop);
    if (it.hovered)
        fill(rect, with_alpha(ui.colors.text, 0.05F), radius::inner);
    Item ring = it;
    ring.rect.Expand(-1);
    focus_ring(ui, ring, radius::inner, 0);
    if (it.pressed)
        ui.act(action);
    return it.pressed;
}

float header_height(const Table& content, const std::vector<float>& widths) {
    float height = line_height(TextStyle::caption);
    for (std::size_t i = 0; i < widths.size(); ++i)
        height = std::max(
            height,
            paragraph_size(TextStyle::caption, widths[i] + 0.5F, content.columns[i].label).y);
    return height;
}

float as_rows(Ui& ui, ImVec2 position, float width, const Table& content,
              const std::vector<float>& widths, const Spacing& spacing) {
    const float edge = spacing.edge;
    const float column_gap = spacing.column_gap;
    float y = position.y;
    const float header = header_height(content, widths);
    float x = position.x + edge;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto lines = wrap(TextStyle::caption, widths[i] + 0.5F, content.columns[i].label);
        float line_y =
            y + header - line_height(TextStyle::caption) * static_cast<float>(lines.size());
        for (const std::string_view line : lines) {
            text_between(ui, TextStyle::caption, x, x + widths[i] + 0.5F, line_y, ui.colors.dim,
                         line, content.columns[i].numeric ? Align::right : Align::left);
            line_y += line_height(TextStyle::caption);
        }
        x += widths[i] + column_gap;
    }
    y += header + 8;
    for (std::size_t r = 0; r < content.rows.size(); ++r) {
        const Row& row = content.rows[r];
        const IdScope scope(static_cast<int>(r));
        horizontal_line(ui, position.x, position.x + width, y, ui.colors.line);
        const float height = row_height(ui, row, content, widths, spacing);
        const ImRect line = snap(ui, ImRect(position.x, y, position.x + width, y + height));
        if (row.selected || row.marked)
            fill(line, row.selected ? ui.colors.selected : with_alpha(ui.colors.accent, 0.10F),
                 radius::inner);
        area(ui, content.id + ":row", line, row.action, r == 0 || row.selected);
        x = position.x + edge;
        for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i) {
            const IdScope cell_scope(static_cast<int>(i));
            const Cell& cell = row.cells[i];
            const ImRect place(x, line.Min.y, x + widths[i], line.Max.y);
            ImRect target = place;
            target.Expand({8, -3});
            area(ui, "cell", target, cell.action, false);
            paint_cell(ui, place, cell, content.columns[i].numeric, cell_style(row, i));
            tooltip(ui, "hint", place, cell.tooltip);
            x += widths[i] + column_gap;
        }
        y = line.Max.y;
    }
    return y - position.y;
}

/// Where the figures of a block stand: several beside each other, long ones on a line of their own.
struct BlockFlow {
    struct Place {
        std::size_t column;
        float x;
        float y;
        float width;
    };
    std::vector<Place> places;
    float height = 0;
};

constexpr float block_gap = 16;

float value_height(const Cell& cell, float width) {
    return is_verdict(cell) ? 26 : paragraph_size(TextStyle::body, width, cell.text).y;
}

BlockFlow flow(const Table& content, const Row& row, std::size_t beside, float width) {
    std::vector<std::size_t> shown;
    float cell = 84;
    const float half = (width - block_gap) / 2;
    for (std::size_t i = 1; i < row.cells.size() && i < content.columns.size(); ++i) {
        if (i == beside || row.cells[i].text.empty())
            continue;
        shown.push_back(i);
        const float needed = std::max(cell_width(row.cells[i]),
                                      widest_word(TextStyle::caption, content.columns[i].label));
        if (needed <= half)
            cell = std::max(cell, needed);
    }
    const int columns = std::clamp(static_cast<int>((width + block_gap) / (cell + block_gap)), 1,
                                   std::max(1, static_cast<int>(shown.size())));
    const auto n = static_cast<float>(columns);
    const float column_width = (width - block_gap * (n - 1)) / n;

    BlockFlow made;
    int column = 0;
    float line = 0;
    const auto new_line = [&] {
        if (column > 0)
            made.height += line + space::unit;
        column = 0;
        line = 0;
    };
    for (const std::size_t i : shown) {
        const bool wide = cell_width(row.cells[i]) > column_width;
        if (wide || column == columns)
            new_line();
        const float place_width = wide ? width : column_width;
        made.places.push_back(
            {i, static_cast<float>(column) * (column_width + block_gap), made.height, place_width});
        const float label =
            paragraph_size(TextStyle::caption, place_width, content.columns[i].label).y;
        line = std::max(line, label + value_height(row.cells[i], place_width));
        ++column;
        if (wide)
            new_line();
    }
    new_line();
    return made;
}

void paint_block_cell(Ui& ui, ImVec2 position, float width, const Column& column,
                      const Cell& cell) {
    const IdScope scope(column.label);
    const float label = paragraph_size(TextStyle::caption, width, column.label).y;
    const ImRect target(position - ImVec2(6, 3),
                        position + ImVec2(width, label + value_height(cell, width) + 3));
    area(ui, "cell", target, cell.action, false);
    float y = position.y;
    y += paragraph(ui, TextStyle::caption, {position.x, y}, width, ui.colors.dim, column.label);
    if (is_verdict(cell)) {
        const float right = position.x + std::min(pill_width(TextStyle::body, cell.text), width);
        pill(ui, TextStyle::body, right, y + 14, cell.text, cell.tone, cell.sign);
    } else {
        paragraph(ui, TextStyle::body, {position.x, y}, width, ui.colors.tone(cell.tone),
                  cell.text);
    }
    tooltip(ui, "hint", target, cell.tooltip);
}

/// Name and verdict on the first line, the rest as labelled figures. Gives the height.
float paint_block(Ui& ui, ImVec2 position, float width, const Table& content, const Row& row,
                  bool first) {
    const Spacing& spacing = normal_spacing;
    const float inner = width - 2 * spacing.edge;
    const float left = position.x + spacing.edge;
    // A single verdict stands beside the name; several are figures.
    const auto verdicts = std::count_if(row.cells.begin(), row.cells.end(), is_verdict);
    std::size_t beside = row.cells.size();
    for (std::size_t i = 1; verdicts == 1 && i < row.cells.size(); ++i)
        if (is_verdict(row.cells[i]))
            beside = i;
    const bool has_pill = beside < row.cells.size();
    const float side = has_pill ? pill_width(TextStyle::body, row.cells[beside].text) + 12 : 0;
    const bool pill_below = side > inner * 0.6F;
    const float name_width = pill_below ? inner : inner - side;
    const float name_height =
        paragraph_size(TextStyle::body_strong, name_width, row.cells[0].text).y;
    const float head = name_height + (pill_below ? 28 : 0) + space::unit;
    const BlockFlow figures = flow(content, row, beside, inner);
    const float height = spacing.row_padding * 2 + 2 + head + figures.height;

    horizontal_line(ui, position.x, position.x + width, position.y, ui.colors.line);
    const ImRect block = snap(ui, ImRect(position, position + ImVec2(width, height)));
    if (row.selected || row.marked)
        fill(block, row.selected ? ui.colors.selected : with_alpha(ui.colors.accent, 0.10F),
             radius::inner);
    area(ui, content.id + ":row", block, row.action, first || row.selected);
    const float top = block.Min.y + spacing.row_padding + 2;
    paragraph(ui, TextStyle::body_strong, {left, top}, name_width, ui.colors.text,
              row.cells[0].text);
    if (has_pill) {
        const Cell& verdict = row.cells[beside];
        const float right = pill_below ? left + side - 12 : block.Max.x - spacing.edge;
        const float middle = pill_below ? top + name_height + 14 : top + 10;
        pill(ui, TextStyle::body, right, middle, verdict.text, verdict.tone, verdict.sign);
        tooltip(ui, "verdict", {right - side, middle - 12, right, middle + 12}, verdict.tooltip);
    }
    for (const BlockFlow::Place& place : figures.places)
        paint_block_cell(ui, {left + place.x, top + head + place.y}, place.width,
                         content.columns[place.column], row.cells[place.column]);
    return block.GetHeight();
}

float as_blocks(Ui& ui, ImVec2 position, float width, const Table& content) {
    float y = position.y;
    for (std::size_t r = 0; r < content.rows.size(); ++r) {
        if (content.rows[r].cells.empty())
            continue;
        const IdScope scope(static_cast<int>(r));
        y += paint_block(ui, {position.x, y}, width, content, content.rows[r], r == 0);
    }
    return y - position.y;
}

} // namespace

float table_width(const Table& content, Density density) {
    const Spacing& spacing = density == Density::normal ? normal_spacing : compact_spacing;
    std::vector<float> least;
    for (std::size_t i = 0; i < content.columns.size(); ++i)
        least.push_back(least_width(content, i));
    return total(least, spacing);
}

float table(Ui& ui, ImVec2 position, float width, const Table& content, Density density) {
    const Spacing& spacing = density == Density::normal ? normal_spacing : compact_spacing;
    const IdScope scope(content.id);
    if (content.columns.empty() || content.rows.empty())
        return 0;
    const std::vector<float> widths = column_widths(content, width, spacing);
    return widths.empty() ? as_blocks(ui, position, width, content)
                          : as_rows(ui, position, width, content, widths, spacing);
}

Table verdict_columns(const Table& content) {
    Table narrow;
    narrow.id = content.id + "-short";
    narrow.title = content.title;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < content.columns.size(); ++i) {
        const bool verdicts =
            std::any_of(content.rows.begin(), content.rows.end(), [&](const Row& row) {
                return i < row.cells.size() && is_verdict(row.cells[i]);
            });
        if (i == 0 || verdicts)
            kept.push_back(i);
    }
    if (kept.size() < 2)
        return narrow;
    for (const std::size_t i : kept)
        narrow.columns.push_back(content.columns[i]);
    for (const Row& row : content.rows) {
        Row shorter{{}, row.selected, row.action};
        for (const std::size_t i : kept)
            shorter.cells.push_back(i < row.cells.size() ? row.cells[i] : Cell{});
        narrow.rows.push_back(std::move(shorter));
    }
    return narrow;
}

} // namespace vramscope::app
