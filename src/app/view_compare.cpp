// Configurations side by side: one column each, and what differs stands out.
#include <algorithm>
#include <utility>

#include "app/view_modes.h"
#include "core/estimator.h"

namespace vramscope::app {
namespace {

using catalog::Field;

/// One configuration with what it comes to.
struct Compared {
    catalog::ResolvedRequest resolved;
    const Estimate* estimate = nullptr;
};

const Estimate& estimate_of(ViewMemo& memo, const std::string& query,
                            const EstimateRequest& request) {
    for (const auto& [known, estimate] : memo.compared) {
        if (known == query)
            return estimate;
    }
    memo.compared.emplace_back(query, vramscope::estimate(request));
    return memo.compared.back().second;
}

std::string hardware_text(const ViewContext& context, const Compared& one) {
    const auto& devices = one.resolved.request.devices;
    if (devices.empty())
        return context.owned_text("hardware.cpu");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < devices.size();) {
        std::size_t same = i + 1;
        while (same < devices.size() && devices[same].name == devices[i].name)
            ++same;
        names.push_back(same - i == 1 ? devices[i].name
                                      : context.text("hardware.several",
                                                     {std::to_string(same - i), devices[i].name}));
        i = same;
    }
    return context.locale.list(names);
}

std::string weights_text(const Compared& one) {
    if (one.resolved.artifact != nullptr)
        return one.resolved.artifact->name;
    return one.resolved.quantization != nullptr ? one.resolved.quantization->name : "\u2014";
}

class Comparison {
public:
    Comparison(const ViewContext& context, const std::vector<Compared>& all, Table& table)
        : context_(context), all_(all), table_(table) {}

    template <typename Make>
    void add(std::string_view label, Make make) {
        Row row;
        Cell head;
        head.text = context_.text(label);
        row.cells.push_back(std::move(head));
        for (const Compared& one : all_)
            row.cells.push_back(make(one));
        row.marked = std::any_of(row.cells.begin() + 1, row.cells.end(),
                                 [&](const Cell& cell) { return cell.text != row.cells[1].text; });
        if (row.marked)
            row.cells[0].text = "\u2260 " + row.cells[0].text;
        table_.rows.push_back(std::move(row));
    }
    void bytes(std::string_view label, Bytes (*of)(const Estimate&)) {
        add(label, [&](const Compared& one) {
            const Bytes value = of(*one.estimate);
            return figure_cell(context_.bytes(value), static_cast<double>(value));
        });
    }

private:
    const ViewContext& context_;
    const std::vector<Compared>& all_;
    Table& table_;
};

template <Part part>
Bytes part_bytes(const Estimate& estimate) {
    return estimate.parts[part].expected;
}

void build_rows(const ViewContext& context, const std::vector<Compared>& all, Table& table) {
    const report::Locale& locale = context.locale;
    Comparison rows(context, all, table);
    rows.add("field.model",
             [](const Compared& one) { return figure_cell(one.resolved.model->name); });
    rows.add("files.format", [](const Compared& one) { return figure_cell(weights_text(one)); });
    rows.add("field.engine", [&](const Compared& one) {
        const std::string id(find_engine(one.resolved.request.engine)->key);
        const catalog::EngineEntry* entry = context.catalog.find_engine(id);
        return figure_cell(entry != nullptr ? entry->name : id);
    });
    rows.add("field.hardware",
             [&](const Compared& one) { return figure_cell(hardware_text(context, one)); });
    rows.add("field.n_ctx", [&](const Compared& one) {
        return figure_cell(locale.integer(context_per_sequence(one.resolved.request)));
    });
    rows.add("field.n_seq", [&](const Compared& one) {
        const EstimateRequest& request = one.resolved.request;
        return figure_cell(locale.integer(find_engine(request.engine)->sequences(request)));
    });
    rows.add("field.kv_type", [](const Compared& one) {
        const Options& options = one.resolved.request.options;
        std::string text = upper_case(name(options.type_k));
        if (options.type_v != options.type_k)
            text += " / " + upper_case(name(options.type_v));
        return figure_cell(std::move(text));
    });
    rows.add("verdict.label",
             [&](const Compared& one) { return verdict_cell(locale, one.estimate->verdict); });
    rows.bytes("figure.total",
               [](const Estimate& estimate) { return estimate.parts.total().expected; });
    rows.bytes("part.weights", part_bytes<Part::weights>);
    rows.bytes("part.kv", part_bytes<Part::kv>);
    rows.bytes("part.compute", part_bytes<Part::compute>);
    rows.bytes("part.overhead", part_bytes<Part::overhead>);
    rows.add("figure.max_context", [&](const Compared& one) {
        const EstimateRequest& request = one.resolved.request;
        const Engine& engine = *find_engine(request.engine);
        std::int64_t tokens = one.estimate->max_context_tokens;
        if (engine.context_is_shared)
            tokens /= std::max<std::int64_t>(1, engine.sequences(request));
        return figure_cell(locale.integer(tokens), static_cast<double>(tokens));
    });
    rows.add("hardware.decode", [&](const Compared& one) {
        const RateRange& rate = one.estimate->decode_tokens_per_second;
        return figure_cell(rate.expected > 0 ? locale.decimal(rate.expected, 1)
                                             : context.owned_text("hardware.no_rate"),
                           rate.expected);
    });
    rows.bytes("modes.download", [](const Estimate& estimate) { return estimate.download_bytes; });
}

Choice card_action(const ViewContext& context, std::string_view label, Action action,
                   bool enabled = true) {
    Choice choice;
    choice.label = context.text(label);
    choice.action = std::move(action);
    choice.enabled = enabled;
    return choice;
}

} // namespace

[[gnu::noinline]] void build_compare(const ViewContext& context, ViewModel& view) {
    using Kind = Action::Kind;
    ModeView& mode = *view.mode;
    const std::vector<std::string>& queries = context.state.modes.compared;
    Table& table = mode.comparison;
    table.id = "compare";
    table.title = mode.title;
    table.caption = context.text("compare.caption");
    table.columns.push_back({});
    table.columns.back().label = context.text("compare.property");
    std::vector<Compared> all;
    ViewMemo& memo = context.memo;
    memo.compared.reserve(2 * most_compared);
    if (memo.compared.size() > most_compared)
        memo.compared.clear();
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const auto query = catalog::query_from_url(queries[i]);
        if (!query)
            continue;
        auto resolved = catalog::resolve(*query, context.catalog);
        if (!resolved)
            continue;
        Compared one{std::move(*resolved), nullptr};
        one.estimate = &estimate_of(memo, queries[i], one.resolved.request);
        ComparedCard card;
        card.letter = std::string(1, static_cast<char>('A' + i));
        card.title = one.resolved.model->name;
        card.detail =
            weights_text(one) + context.owned_text("separator.dot") + hardware_text(context, one);
        const std::string index = std::to_string(i);
        card.actions.push_back(
            card_action(context, "compare.open", {Kind::compare_open, {}, index}));
        card.actions.push_back(card_action(context, "compare.left",
                                           {Kind::compare_move, index, std::to_string(i - (i > 0))},
                                           i > 0));
        card.actions.push_back(card_action(context, "compare.right",
                                           {Kind::compare_move, index, std::to_string(i + 1)},
                                           i + 1 < queries.size()));
        card.actions.push_back(
            card_action(context, "compare.remove", {Kind::compare_remove, {}, index}));
        table.columns.push_back({});
        table.columns.back().label =
            card.letter + context.owned_text("separator.dot") + one.resolved.model->name;
        mode.cards.push_back(std::move(card));
        all.push_back(std::move(one));
    }
    mode.empty = context.text("compare.empty");
    mode.add = view.add_to_compare;
    if (!all.empty())
        build_rows(context, all, table);
    view.announcement = context.text(
        "compare.count", {context.locale.integer(static_cast<std::int64_t>(all.size()))});
}

} // namespace vramscope::app
