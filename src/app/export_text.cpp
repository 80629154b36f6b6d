#include "app/export_text.h"

#include "core/decimal.h"

namespace vramscope::app {
namespace {

/// A cell of a Markdown table; bars would end it.
std::string markdown_cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
        return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

/// The value behind a cell where there is one, so that no digit is lost.
std::string csv_value(const std::string& text, double exact) {
    return exact >= 0 ? decimal_text(exact, 15) : csv_cell(text);
}

void markdown_line(std::string& out, const std::vector<std::string>& cells) {
    for (const std::string& cell : cells)
        out += "| " + markdown_cell(cell) + ' ';
    out += "|\n";
}

template <typename Columns, typename RowAt>
void markdown_table(std::string& out, const Columns& columns, std::size_t count, RowAt row_at) {
    std::vector<std::string> cells;
    std::string rule;
    for (const auto& column : columns) {
        cells.push_back(column.label);
        rule += column.numeric ? "|--:" : "|---";
    }
    markdown_line(out, cells);
    out += rule + "|\n";
    for (std::size_t i = 0; i < count; ++i) {
        cells.clear();
        for (const Cell& cell : row_at(i).cells)
            cells.push_back(cell.sign.empty() ? cell.text : cell.sign + ' ' + cell.text);
        markdown_line(out, cells);
    }
    out += '\n';
}

template <typename Columns, typename RowAt>
void csv_table(std::string& out, const Columns& columns, std::size_t count, RowAt row_at) {
    const char* comma = "";
    for (const auto& column : columns) {
        out += comma + csv_cell(column.label);
        comma = ",";
    }
    out += "\r\n";
    for (std::size_t i = 0; i < count; ++i) {
        comma = "";
        for (const Cell& cell : row_at(i).cells) {
            out += comma + csv_value(cell.text, cell.exact);
            comma = ",";
        }
        out += "\r\n";
    }
}

/// The figures of the answer as a table of name, value and what is exact.
Table figures_table(const ViewModel& view) {
    Table table;
    table.columns = {{view.answer_title, false}, {view.total.label, true}, {{}, false}};
    table.columns[1].label = view.model_name;
    const auto add = [&](const Figure& figure) {
        Row row;
        row.cells.resize(3);
        row.cells[0].text = figure.label;
        row.cells[1].text = figure.value + (figure.unit.empty() ? "" : "\u00a0" + figure.unit);
        row.cells[1].exact = figure.exact;
        row.cells[2].text = figure.detail;
        table.rows.push_back(std::move(row));
    };
    add(view.total);
    for (const Figure& figure : view.parts)
        add(figure);
    for (const Figure& figure : view.figures)
        add(figure);
    return table;
}

std::string markdown(const ViewModel& view, std::string_view link) {
    std::string out = "# " + (view.mode == nullptr ? view.model_name : view.mode->title) + "\n\n";
    if (view.mode == nullptr) {
        out += "**" + view.verdict_sign + ' ' + view.verdict_text + "** " + view.verdict_detail;
        out += "\n\n";
        for (const Control& control : view.controls) {
            if (!control.advanced && !control.value_text.empty())
                out += "- " + control.label + ": " + control.value_text + '\n';
        }
        out += '\n';
        const Table table = figures_table(view);
        markdown_table(out, table.columns, table.rows.size(),
                       [&](std::size_t i) -> const Row& { return table.rows[i]; });
        for (const Explanation& part : view.why) {
            out += "- " + part.title + ": " + part.value;
            if (!part.formula.empty())
                out += " = `" + part.formula + '`';
            out += '\n';
        }
        out += '\n';
    } else {
        out += view.mode->lead + "\n\n";
        if (!view.mode->comparison.rows.empty()) {
            const Table& table = view.mode->comparison;
            markdown_table(out, table.columns, table.rows.size(),
                           [&](std::size_t i) -> const Row& { return table.rows[i]; });
        }
        const LongTable& table = view.mode->table;
        if (table.source != nullptr)
            markdown_table(out, table.columns, table.count,
                           [&](std::size_t i) { return table.source->row(i); });
    }
    out += '<';
    out += link;
    out += ">\n\n" + view.footer + '\n';
    return out;
}

std::string csv(const ViewModel& view) {
    std::string out;
    if (view.mode != nullptr && view.mode->table.source != nullptr) {
        const LongTable& table = view.mode->table;
        csv_table(out, table.columns, table.count,
                  [&](std::size_t i) { return table.source->row(i); });
        return out;
    }
    const Table made = view.mode == nullptr ? figures_table(view) : view.mode->comparison;
    csv_table(out, made.columns, made.rows.size(),
              [&](std::size_t i) -> const Row& { return made.rows[i]; });
    return out;
}

} // namespace

[[gnu::noinline]] std::string export_text(const ViewModel& view, std::string_view what,
                                          std::string_view link) {
    if (what == "markdown")
        return markdown(view, link);
    return what == "csv" ? csv(view) : std::string();
}

} // namespace vramscope::app
