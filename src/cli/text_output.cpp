#include "cli/text_output.h"

#include <algorithm>

#include "app/view_model.h"
#include "catalog/resolve.h"
#include "core/estimator.h"
#include "report/serving_text.h"

namespace vramscope::cli {
namespace {

constexpr std::size_t label_width = 26;

/// Columns on a terminal: one per code point (East Asian text is wider, which only shifts a
/// column).
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80U; }));
}

void add_line(std::string& out, const std::string& label, const std::string& value,
              const std::string& detail) {
    out += "  " + label;
    const std::size_t width = width_of(label);
    out.append(width < label_width ? label_width - width : 1, ' ');
    out += value;
    if (!detail.empty())
        out += "  (" + detail + ")";
    out += '\n';
}

void add_figure(std::string& out, const app::Figure& figure) {
    std::string value = figure.value;
    if (!figure.unit.empty())
        value += " " + figure.unit;
    add_line(out, figure.label, value, figure.detail);
}

} // namespace

catalog::Result<std::string> estimate_text(const catalog::Query& query,
                                           const catalog::Catalog& catalog,
                                           const report::Locale& locale) {
    const auto resolved = catalog::resolve(query, catalog);
    if (!resolved)
        return resolved.error();
    app::UiState state;
    state.query = query;
    state.language = locale.language();
    const std::vector<app::Fault> faults;
    const app::ViewModel view = app::build_view({state, catalog, locale, faults});

    std::string out = view.model_name + "\n" + view.model_subtitle + "\n\n";
    out += view.verdict_sign + " " + view.verdict_text + "\n  " + view.verdict_detail + "\n\n";
    for (const app::Figure& part : view.parts)
        add_figure(out, part);
    add_figure(out, view.total);
    out += '\n';
    for (const app::Figure& figure : view.figures)
        add_figure(out, figure);
    const Estimate estimate = vramscope::estimate(resolved->request);
    for (const std::string& line : report::serving_lines(resolved->request, estimate.serving))
        out += "  " + line + "\n";
    for (const app::Message& message : view.messages)
        out += "\n! " + message.text + "\n";
    out += "\n" + view.why_title + "\n";
    for (const app::Explanation& term : view.why)
        add_line(out, term.title, term.value, term.formula);
    out += '\n' + view.footer + '\n';
    return out;
}

} // namespace vramscope::cli
