// What to change so that it fits: the ranked steps of report/advise.h as a table, one click each.
// Worked out only when somebody looks: it takes a hundred estimates.
#include <algorithm>
#include <utility>

#include "app/view_context.h"
#include "core/engines/engine.h"
#include "report/advise.h"

namespace vramscope::app {
namespace {

using catalog::Field;

const std::string* value_of(const report::AdvisedStep& step, Field field) {
    for (const report::FieldValue& set : step.set)
        if (set.field == field)
            return &set.value;
    return nullptr;
}

std::string given(const report::AdvisedStep& step, Field field) {
    const std::string* value = value_of(step, field);
    return value != nullptr ? *value : std::string();
}

/// "rtx-4090-24gb,rtx-4090-24gb*3" -> "4 × RTX 4090 24GB"
std::string hardware_names(const ViewContext& context, std::string_view list) {
    std::vector<std::pair<std::string, std::int64_t>> counted;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::string_view item = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        std::int64_t count = 1;
        if (const std::size_t star = item.find('*'); star != std::string_view::npos) {
            count = std::strtoll(std::string(item.substr(star + 1)).c_str(), nullptr, 10);
            item = item.substr(0, star);
        }
        const catalog::HardwareEntry* entry = context.catalog.find_hardware(item);
        std::string name = entry != nullptr ? entry_name(context, *entry) : std::string(item);
        const auto same = std::find_if(counted.begin(), counted.end(),
                                       [&](const auto& known) { return known.first == name; });
        if (same != counted.end())
            same->second += count;
        else
            counted.emplace_back(std::move(name), count);
    }
    std::string names;
    for (const auto& [name, count] : counted) {
        if (!names.empty())
            names += " + ";
        names += count > 1 ? context.locale.integer(count) + " × " + name : name;
    }
    return names;
}

std::string weights_name(const ViewContext& context, const std::string& artifact) {
    if (const catalog::Artifact* known = catalog::find_artifact(context.model, artifact))
        return known->name;
    const catalog::QuantizationFormat* format = context.catalog.find_quantization(artifact);
    return format != nullptr ? format->name : upper_case(artifact);
}

/// "KV cache as K Q8_0, V Q8_0"
std::string change_text(const ViewContext& context, const report::AdvisedStep& step,
                        const Change& change) {
    const std::string key = std::string("change.") + name(change.kind);
    std::string argument;
    switch (change.kind) {
    case ChangeKind::kv_types:
        argument = upper_case(given(step, Field::type_k));
        if (given(step, Field::type_v) != given(step, Field::type_k))
            argument += " / " + upper_case(given(step, Field::type_v));
        break;
    case ChangeKind::weights:
        argument = weights_name(context, given(step, Field::artifact));
        break;
    case ChangeKind::another_device:
    case ChangeKind::larger_device:
        argument = hardware_names(context, given(step, Field::hardware));
        break;
    case ChangeKind::context:
        argument = context.locale.integer(
            change.number / (context.engine.context_is_shared ? context.sequences : 1));
        break;
    default:
        argument = context.locale.integer(change.number);
    }
    return context.text(key, {argument});
}

/// As App takes fields: the context is that of one sequence.
Action action_of(const ViewContext& context, const report::AdvisedStep& step) {
    Action action{Action::Kind::set_fields, {}, {}};
    for (const report::FieldValue& set : step.set) {
        std::string value = set.value;
        if (set.field == Field::n_ctx && !value.empty() && context.engine.context_is_shared) {
            const std::string* given = value_of(step, Field::n_seq);
            const std::int64_t sequences = given != nullptr && !given->empty()
                                               ? std::strtoll(given->c_str(), nullptr, 10)
                                               : context.sequences;
            value = std::to_string(std::strtoll(value.c_str(), nullptr, 10) /
                                   std::max<std::int64_t>(1, sequences));
        }
        if (!action.value.empty())
            action.value += '&';
        action.value += catalog::all_fields()[static_cast<std::size_t>(set.field)].key;
        action.value += '=' + value;
    }
    return action;
}

Row row_of(const ViewContext& context, const report::AdvisedStep& advised) {
    const AdviceStep& step = advised.step;
    Row row;
    row.action = action_of(context, advised);
    row.selected = false;
    Cell what;
    for (const Change& change : step.list()) {
        if (!what.text.empty())
            what.text += " + ";
        what.text += change_text(context, advised, change);
    }
    what.action = row.action;
    Cell saved;
    saved.text = step.saved_bytes > 0 ? context.bytes(step.saved_bytes) : std::string("–");
    saved.exact = static_cast<double>(step.saved_bytes);
    Cell verdict;
    verdict.text = verdict_label(context.locale, step.verdict);
    verdict.sign = sign_of(step.verdict);
    verdict.tone = tone_of(step.verdict);
    Cell rate;
    const double tokens_per_second = step.decode_tokens_per_second.expected;
    rate.text = tokens_per_second > 0 ? context.locale.decimal(tokens_per_second, 1) : "–";
    rate.exact = tokens_per_second;
    row.cells = {std::move(what), std::move(saved), std::move(verdict), std::move(rate)};
    return row;
}

/// Kept out of the first answer's code.
[[gnu::noinline]] Table make_advice(const ViewContext& context) {
    Table table;
    table.id = "advice";
    table.title = context.text("tab.change");
    const auto advised = report::advise(context.state.query, context.catalog);
    if (!advised)
        return table;
    const Advice& advice = advised->advice;
    if (advice.device >= 0)
        table.caption = context.text("advice.missing", {context.bytes(advice.missing_bytes)});
    for (const char* key : {"advice.change", "advice.saves", "hardware.verdict", "advice.rate"})
        table.columns.push_back(
            {context.owned_text(key), key != std::string_view("advice.change") &&
                                          key != std::string_view("hardware.verdict")});
    for (const report::AdvisedStep& step : advised->steps)
        table.rows.push_back(row_of(context, step));
    table.note = context.text(table.rows.empty() ? "advice.nothing" : "advice.note");
    return table;
}

} // namespace

bool wants_advice(const Estimate& estimate) {
    return estimate.verdict == Verdict::offload || estimate.verdict == Verdict::does_not_fit;
}

void build_advice(const ViewContext& context, ViewModel& view) {
    if (!wants_advice(context.estimate))
        return;
    view.change.label = context.text("tab.change");
    view.change.detail = context.text(std::string("advice.") + name(context.estimate.verdict));
    view.change.action = {Action::Kind::select_tab, {}, "change"};
    view.change.selected = context.state.tab == "change";
    view.tabs.insert(view.tabs.begin(), {"change", view.change.label, view.change.selected});
    if (!view.change.selected)
        return;
    const std::string key = context.request_key + '|' + context.text_key;
    if (context.memo.advice_key != key) {
        context.memo.advice = make_advice(context);
        context.memo.advice_key = key;
    }
    view.advice = context.memo.advice;
}

} // namespace vramscope::app
