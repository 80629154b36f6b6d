#include "pages/pieces.h"

#include <algorithm>

#include "core/solve.h"
#include "pages/address.h"
#include "report/architecture_text.h"

namespace vramscope::pages {
namespace {

using app::Cell;
using app::Tone;

void head_row(Html& html, const std::vector<app::Column>& columns,
              std::initializer_list<std::size_t> optional) {
    html.open("thead").open("tr");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::string css = columns[i].numeric ? "n" : "";
        if (std::ranges::find(optional, i) != optional.end())
            css += css.empty() ? "opt" : " opt";
        html.element("th", {{"scope", "col"}, {"class", css.empty() ? no_value : css}},
                     columns[i].label);
    }
    html.close("tr").close("thead");
}

void number_cell(Html& html, std::string_view text, std::string_view css = "n") {
    html.element("td", {{"class", css}}, text);
}

/// Verdicts of cells as classes: their sign and colour come from the style.
std::string_view verdict_class(const Cell& cell) {
    if (cell.sign == "\u2713")
        return "n fits";
    if (cell.sign == "~")
        return "n tight";
    if (cell.sign == "\u21a7")
        return "n offload";
    return cell.sign.empty() ? "n" : "n not";
}

void figure(Html& html, const app::Figure& figure) {
    html.open("div").element("dt", figure.label);
    html.open("dd").element("b", figure.value);
    if (!figure.unit.empty())
        html.text(" ").element("span", figure.unit);
    html.close("dd");
    if (!figure.detail.empty())
        html.element("dd", {{"class", "detail"}}, figure.detail);
    html.close("div");
}

} // namespace

void write_answer(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    html.open("section", {{"class", "answer"}, {"aria-label", view.answer_title}});
    html.open("p", {{"class", "verdict"}});
    page.verdict(view.verdict_sign, view.verdict_text, view.verdict_tone);
    html.text(" ").element("span", view.verdict_detail).close("p");
    html.open("dl", {{"class", "figures"}});
    figure(html, view.total);
    for (const app::Figure& one : view.figures)
        figure(html, one);
    html.close("dl");
    // Equal devices of a preset look alike: the first one stands for them.
    std::vector<std::string_view> drawn;
    for (const app::Bar& bar : view.bars) {
        const std::string_view key = bar.label;
        if (std::ranges::find(drawn, key) == drawn.end())
            write_bar(page, bar);
        drawn.push_back(key);
    }
    for (const app::Message& message : view.messages)
        page.paragraph(message.text, message.tone == Tone::dim ? "dim" : "note");
    html.close("section");
}

void write_matrix(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    const app::Table& table = view.matrix;
    page.open_section("matrix", table.title);
    open_table(page, table.title, table.caption);
    head_row(html, table.columns, {1});
    html.open("tbody");
    for (const app::Row& row : table.rows) {
        html.open("tr", {{"class", row.selected ? "chosen" : no_value}});
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const Cell& cell = row.cells[i];
            if (i == 0) {
                html.element("th", {{"scope", "row"}}, cell.text);
            } else if (i + 1 == row.cells.size()) {
                html.open("td");
                const auto* entry = page.site().catalog.find_hardware(cell.action.value);
                if (entry != nullptr)
                    page.hardware_link(*entry);
                else
                    html.text(cell.text);
                html.close("td");
            } else {
                number_cell(html, cell.text, i == 1 ? "n opt" : verdict_class(cell));
            }
        }
        html.close("tr");
    }
    html.close("tbody");
    close_table(page);
    page.paragraph(page.text("pages.matrix.note"), "dim");
    page.close_section();
}

void write_hardware(Page& page, const app::ViewModel& view, std::string_view model) {
    Html& html = page.html();
    const app::Table& table = view.hardware;
    page.open_section("hardware", table.title);
    open_table(page, table.title, table.caption);
    head_row(html, table.columns, {1, 3});
    html.open("tbody");
    for (const app::Row& row : table.rows) {
        html.open("tr", {{"class", row.selected ? "chosen" : no_value}});
        html.open("th", {{"scope", "row"}});
        const auto* entry = page.site().catalog.find_hardware(row.action.value);
        if (entry != nullptr && page.site().has_pair(model, entry->id))
            html.link(page.to(pair_path(model, entry->id)), row.cells[0].text);
        else if (entry != nullptr)
            page.hardware_link(*entry);
        html.close("th");
        html.element("td", {{"class", "dim opt"}}, row.cells[1].text);
        number_cell(html, row.cells[2].text);
        number_cell(html, row.cells[3].text, "n opt");
        html.open("td");
        page.verdict(row.cells[4].sign, row.cells[4].text, row.cells[4].tone);
        html.close("td");
        number_cell(html, row.cells[5].text);
        html.close("tr");
    }
    html.close("tbody");
    close_table(page);
    page.close_section();
}

void write_files(Page& page, const app::ViewModel& view, const catalog::Model& model) {
    Html& html = page.html();
    const app::Table& table = view.files;
    page.open_section("files", table.title);
    if (table.rows.empty()) {
        page.paragraph(table.note);
        page.close_section();
        return;
    }
    open_table(page, table.title, table.caption);
    head_row(html, table.columns, {4});
    html.open("tbody");
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const std::vector<Cell>& cells = table.rows[i].cells;
        html.open("tr").open("th", {{"scope", "row"}});
        const std::string& repo =
            i < model.artifacts.size() ? model.artifacts[i].repo : std::string();
        if (repo.empty())
            html.text(cells[0].text);
        else
            html.link("https://huggingface.co/" + repo, cells[0].text);
        html.close("th");
        html.element("td", {{"class", "names"}}, cells[1].text);
        number_cell(html, cells[2].text);
        number_cell(html, cells[3].text);
        number_cell(html, cells[4].text, "n opt");
        html.element("td", cells[5].text).element("td", cells[6].text).close("tr");
    }
    html.close("tbody");
    close_table(page);
    if (!table.note.empty())
        page.paragraph(table.note, "dim");
    page.close_section();
}

void write_facts(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    page.open_section("architecture", view.architecture_title);
    html.open("table", {{"class", "facts"}}).open("tbody");
    for (const app::Fact& fact : view.architecture) {
        html.open("tr").element("th", {{"scope", "row"}}, fact.label).open("td");
        if (!fact.url.empty())
            html.link(fact.url, fact.value);
        else if (fact.value.starts_with("https://"))
            html.link(fact.value, fact.value);
        else
            html.text(fact.value);
        html.close("td").close("tr");
    }
    html.close("tbody").close("table");
    page.close_section();
}

void write_notes(Page& page, const app::ViewModel& view) {
    page.open_section("kv", page.text("pages.kv.title"));
    for (const app::Message& note : view.notes)
        page.paragraph(note.text);
    page.close_section();
}

void write_why(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    page.open_section("why", view.why_title);
    html.open("dl", {{"class", "why"}});
    for (const app::Explanation& one : view.why) {
        html.open("div", {{"class", tone_class(one.tone)}}).open("dt").element("span", one.title);
        html.element("b", one.value).close("dt").open("dd");
        if (!one.formula.empty())
            html.element("code", one.formula);
        html.element("p", one.text).element("small", one.source).close("dd").close("div");
    }
    html.close("dl");
    page.close_section();
}

void write_assumptions(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    page.open_section("assumptions", view.assumptions_title);
    html.open("ul");
    std::vector<std::string_view> said;
    for (const std::string& assumption : view.assumptions) {
        if (std::ranges::find(said, std::string_view(assumption)) == said.end())
            html.element("li", assumption);
        said.push_back(assumption);
    }
    html.close("ul");
    page.close_section();
}

void write_commands(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    page.open_section("run", view.run_title);
    for (const app::Command& command : view.commands) {
        html.element("h3", command.title);
        if (!command.note.empty())
            page.paragraph(command.note, "dim");
        if (!command.text.empty()) {
            html.open("pre",
                      {{"tabindex", "0"}, {"translate", "no"}, {"aria-label", command.title}});
            html.element("code", command.text).close("pre");
        }
    }
    page.close_section();
}

void write_simulator(Page& page, const catalog::Query& query, std::string_view model) {
    Html& html = page.html();
    const std::string address = page.to_simulator(catalog::query_to_url(query));
    page.open_section("simulator", page.text("pages.simulator.title"));
    page.paragraph(page.text("pages.simulator.about"));
    html.open("p").element("a", {{"class", "button"}, {"href", address}},
                           page.text("pages.simulator.open"));
    html.close("p");
    // A closed element is not laid out, so its lazy frame does not load.
    html.open("details").element("summary", page.text("pages.simulator.here"));
    html.open("iframe", {{"src", address},
                         {"loading", "lazy"},
                         {"title", page.format("pages.simulator.frame", {model})}});
    html.close("iframe").close("details");
    page.close_section();
}

std::string summary_of(const Page& page, const ModelEntry& entry, std::string_view weights) {
    const report::Locale& locale = page.locale();
    const Estimate& estimate = entry.estimate;
    std::string text =
        page.format("pages.summary.need", {entry.model->name, weights, page.tokens(entry.context),
                                           page.gib(entry.needed_bytes)});
    const std::string hardware = hardware_name(locale, *entry.hardware);
    text += page.text("pages.sentence_gap");
    text += page.format(estimate.verdict == Verdict::fits ? "pages.summary.class"
                                                          : "pages.summary.no_class",
                        {hardware});
    const double rate = estimate.decode_tokens_per_second.expected;
    const bool bounded = estimate.max_context_tokens < context_search_limit;
    if (rate > 0) {
        text += page.text("pages.sentence_gap");
        text += page.format(
            bounded ? "pages.summary.rate_and_context" : "pages.summary.rate",
            {locale.decimal(rate, rate < 20 ? 1 : 0), page.tokens(estimate.max_context_tokens)});
    }
    return text;
}

void write_models(Page& page, const std::vector<const ModelEntry*>& models,
                  std::string_view label) {
    Html& html = page.html();
    const report::Locale& locale = page.locale();
    open_table(page, label, page.text("pages.list.caption"));
    head_row(html,
             {{std::string(page.text("field.model")), false},
              {std::string(page.text("fact.parameters")), true},
              {std::string(page.text("fact.attention")), false},
              {std::string(page.text("pages.list.context")), true},
              {std::string(page.text("pages.list.needed")), true},
              {std::string(page.text("pages.list.class")), false},
              {std::string(page.text("hardware.decode")), true}},
             {2, 3});
    html.open("tbody");
    for (const ModelEntry* entry : models) {
        const Estimate& estimate = entry->estimate;
        html.open("tr").open("th", {{"scope", "row"}});
        page.model_link(*entry->model);
        html.close("th");
        const auto total = static_cast<double>(entry->parameters.total());
        const auto active = static_cast<double>(entry->parameters.active);
        std::string size = report::parameters_text(total, locale);
        if (std::string_view(report::topology_key(entry->model->architecture)) ==
            "topology.experts")
            size = page.format("chip.experts", {size, report::parameters_text(active, locale)});
        number_cell(html, size);
        const auto keys = report::attention_keys(entry->model->architecture);
        html.element("td", {{"class", "dim opt"}},
                     keys.empty() ? std::string_view()
                                  : page.text(std::string(keys.front()) + ".short"));
        number_cell(html,
                    entry->native_context > 0 ? locale.tokens_short(entry->native_context) : "",
                    "n opt");
        number_cell(html, page.gib_number(entry->needed_bytes));
        html.open("td");
        page.hardware_link(*entry->hardware);
        html.close("td");
        number_cell(html, estimate.decode_tokens_per_second.expected > 0
                              ? locale.decimal(estimate.decode_tokens_per_second.expected, 1)
                              : std::string(page.text("hardware.no_rate")));
        html.close("tr");
    }
    html.close("tbody");
    close_table(page);
}

} // namespace vramscope::pages
