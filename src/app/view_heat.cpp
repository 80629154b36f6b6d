// Precision x context as a heat map for the chosen hardware: finer than the table of the reference
// pages below it. Made only while somebody looks at it.
#include <algorithm>

#include "app/plot_axes.h"
#include "app/weights_options.h"

namespace vramscope::app {
namespace {

/// Powers of two from 4K to the end of the plots, at most nine of them.
std::vector<std::int64_t> heat_contexts(const ViewContext& context) {
    constexpr std::int64_t first = 4096;
    const std::int64_t end = right_end(context);
    std::vector<std::int64_t> contexts;
    const std::int64_t step = end > first << 8 ? 4 : 2;
    for (std::int64_t tokens = end; tokens >= first; tokens /= step)
        contexts.insert(contexts.begin(), tokens);
    return contexts;
}

Row heat_row(const ViewContext& context, const WeightsOption& option,
             const std::vector<std::int64_t>& contexts) {
    Row row;
    row.selected = option.selected;
    Cell name;
    name.text = option_name(context, option);
    row.cells.push_back(std::move(name));
    EstimateRequest request = with_weights(context, option);
    for (const std::int64_t tokens : contexts) {
        request.options.n_ctx = engine_context(request, tokens);
        const MemoryPlan plan = plan_memory(request);
        const Verdict verdict = judge(request, plan).overall;
        const ByteRange need = accelerators_of(plan);
        Cell cell;
        cell.text = context.bytes_number(need.expected);
        cell.sign = sign_of(verdict);
        cell.tone = tone_of(verdict);
        cell.exact = static_cast<double>(need.expected);
        cell.tooltip =
            context.text("matrix.cell",
                         {option_name(context, option), context.tokens(tokens),
                          context.bytes(need.expected), verdict_label(context.locale, verdict)}) +
            '\n' + context.locale.exact_bytes(need.expected);
        cell.action = set_fields({{catalog::Field::artifact, option.request},
                                  {catalog::Field::n_ctx, std::to_string(tokens)}});
        row.cells.push_back(std::move(cell));
    }
    return row;
}

Table make_heat(const ViewContext& context) {
    Table table;
    table.id = "heat";
    table.title = context.text("heat.title", {context.hardware_name()});
    table.caption = context.text("heat.caption", {});
    table.columns.push_back({context.owned_text("matrix.format"), false});
    const std::vector<std::int64_t> contexts = heat_contexts(context);
    for (const std::int64_t tokens : contexts)
        table.columns.push_back({context.locale.tokens_short(tokens), true});
    for (const WeightsOption& option : matrix_options(context))
        table.rows.push_back(heat_row(context, option, contexts));
    for (const Verdict verdict :
         {Verdict::fits, Verdict::tight, Verdict::offload, Verdict::does_not_fit}) {
        if (!table.note.empty())
            table.note += "   ";
        table.note +=
            std::string(sign_of(verdict)) + "\u00a0" + verdict_label(context.locale, verdict);
    }
    return table;
}

} // namespace

[[gnu::noinline]] void build_heat(const ViewContext& context, ViewModel& view) {
    const std::string key = context.key_without_context + '|' + context.text_key + '|' +
                            std::to_string(right_end(context));
    if (context.memo.heat_key != key) {
        context.memo.heat = make_heat(context);
        context.memo.heat_key = key;
    }
    view.heat = context.memo.heat;
    // The chosen cell, which moves while the table stays.
    const std::string here = context.locale.tokens_short(context.context);
    for (std::size_t i = 1; i < view.heat.columns.size(); ++i)
        if (view.heat.columns[i].label == here)
            for (Row& row : view.heat.rows)
                row.cells[i].selected = row.selected;
}

} // namespace vramscope::app
