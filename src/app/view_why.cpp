// Why each number: the terms of the estimate opened, what is assumed, and how to run it.
#include <algorithm>

#include "app/explain.h"
#include "app/view_context.h"
#include "report/architecture_text.h"
#include "report/launch.h"

namespace vramscope::app {
namespace {

struct NamedValue {
    std::string_view name;
    std::string text;
};

/// Replaces {name} by its value; a pattern names the symbols of its term.
std::string filled(std::string_view pattern, const std::vector<NamedValue>& values) {
    std::string text;
    while (!pattern.empty()) {
        const std::size_t open = std::min(pattern.find('{'), pattern.size());
        const std::size_t close = pattern.find('}', open);
        text += pattern.substr(0, open);
        if (close == std::string_view::npos)
            break;
        const std::string_view symbol = pattern.substr(open + 1, close - open - 1);
        const auto value = std::find_if(values.begin(), values.end(),
                                        [symbol](const NamedValue& v) { return v.name == symbol; });
        text += value != values.end() ? std::string_view(value->text) : symbol;
        pattern.remove_prefix(close + 1);
    }
    return text;
}

std::vector<NamedValue> values_of(const ViewContext& context, const Term& term) {
    std::vector<NamedValue> values;
    double tokens = 1;
    for (std::int32_t i = 0; i < term.value_count; ++i) {
        const TermValue& value = term.values[static_cast<std::size_t>(i)];
        values.push_back({value.symbol, context.locale.number(value.value)});
        const std::string_view symbol = value.symbol;
        if (symbol == "cells" || symbol == "streams")
            tokens *= value.value;
    }
    values.push_back({"tokens", context.locale.number(tokens)});
    values.push_back({"bytes_exact", context.locale.integer(term.bytes.expected)});
    values.push_back({"low", context.bytes(term.bytes.low)});
    values.push_back({"high", context.bytes(term.bytes.high)});
    if (const Mixer* mixer = report::global_attention(*context.request.architecture)) {
        values.push_back({"q_heads", context.locale.integer(mixer->q_heads)});
        values.push_back({"kv_heads", context.locale.integer(mixer->kv_heads)});
        values.push_back({"head_dim", context.locale.integer(mixer->head_dim_k)});
    }
    const double bits =
        context.request.storage_types->bits_per_element(context.request.options.type_k);
    values.push_back({"type_bytes", context.locale.number(bits / 8)});
    return values;
}

/// One mixer of full attention on all layers: the textbook product says it all.
bool is_textbook_attention(const Architecture& architecture) {
    const Mixer* mixer = report::global_attention(architecture);
    return mixer != nullptr && mixer->kind == MixerKind::full_attention &&
           mixer->head_dim_k == mixer->head_dim_v &&
           std::all_of(architecture.layers.begin(), architecture.layers.end(),
                       [&](const Layer& layer) {
                           return &architecture.mixer(layer) == mixer && !layer.shares_kv;
                       });
}

} // namespace

Explanation explain_term(const ViewContext& context, const Term& term, bool on_host) {
    const std::string base = std::string("why.") + term.formula;
    const std::vector<NamedValue> values = values_of(context, term);
    Explanation explanation;
    explanation.title = context.text(base + ".title");
    if (on_host)
        explanation.title = context.text("why.on_host", {explanation.title});
    explanation.value = context.bytes(term.bytes.expected);
    explanation.tone = tone_of(term.part);
    std::string formula = base + ".formula";
    const bool mixed = context.locale.has(base + ".mixed") &&
                       !(is_textbook_attention(*context.request.architecture) &&
                         context.request.options.type_k == context.request.options.type_v);
    if (mixed)
        formula = base + ".mixed";
    if (context.locale.has(formula))
        explanation.formula = filled(context.locale.text(formula), values);
    explanation.text = filled(context.locale.text(base + ".text"), values);
    explanation.source = term.source;
    return explanation;
}

void build_why(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    const std::size_t fullest = context.fullest_device();
    view.why_copy = context.text("explain.copy");
    view.why_title = context.text(
        "why.title", {context.bytes(estimate.devices[fullest].parts.total().expected)});
    // The fullest device first, then what lies on the host beside it.
    for (const bool host : {false, true}) {
        for (const Term& term : estimate.terms) {
            const auto device = static_cast<std::size_t>(term.device);
            const bool is_host = device != fullest && estimate.devices[device].is_host;
            const bool wanted = host ? is_host : device == fullest;
            if (wanted && term.bytes.high > 0)
                view.why.push_back(explain_term(context, term, is_host));
        }
    }
    if (!context.state.explained.empty())
        explain_figure(context, view);
}

void build_assumptions(const ViewContext& context, ViewModel& view) {
    view.assumptions_title = context.text("assumption.title");
    const auto add = [&](std::string text) { view.assumptions.push_back(std::move(text)); };
    for (const Remark& remark : context.estimate.assumptions) {
        add(context.text(remark.id, {context.locale.number(remark.first),
                                     context.locale.number(remark.second), remark.text}));
    }
    if (context.native_limit > 0 && context.context <= context.native_limit) {
        add(context.text("assumption.within_native",
                         {context.locale.integer(context.native_limit)}));
    }
    add(context.owned_text("assumption.context"));
    add(context.owned_text("assumption.all_parameters"));
    const catalog::Artifact* artifact = context.resolved.artifact;
    if (artifact != nullptr && context.request.engine != EngineId::quick) {
        add(context.owned_text("assumption.one_artifact"));
        if (!artifact->files.empty()) {
            std::vector<std::string> files;
            for (const catalog::WeightFile& file : artifact->files)
                files.push_back(file.name);
            add(context.text("assumption.files", {context.locale.list(files)}));
        }
    }
    add(context.text("assumption.download", {context.bytes(context.estimate.download_bytes),
                                             context.text(context.estimate.download_is_exact
                                                              ? "assumption.download.recorded"
                                                              : "assumption.download.computed")}));
    add(context.owned_text("assumption.sequences"));
    add(context.text("assumption.kv_type", {upper_case(name(context.request.options.type_k)),
                                            upper_case(name(context.request.options.type_v))}));
    for (const Remark& remark : context.estimate.assumptions) {
        add(context.text(remark.id, {context.locale.number(remark.first),
                                     context.locale.number(remark.second), remark.text}));
    }
    const std::string engine = "assumption.engine." + std::string(context.engine.key);
    if (context.locale.has(engine))
        add(context.owned_text(engine));
}

void build_commands(const ViewContext& context, ViewModel& view) {
    view.run_title = context.text("run.title");
    view.copy_label = context.text("run.copy");
    view.copied_label = context.text("run.copied");
    const catalog::Artifact* artifact = context.resolved.artifact;
    // `quick` knows formats only; to run one, a recorded file of it is needed all the same.
    catalog::Query query = context.state.query;
    if (artifact == nullptr && query.set(catalog::Field::engine, "llama.cpp")) {
        if (const auto runnable = catalog::resolve(query, context.catalog))
            artifact = runnable->artifact;
    }
    const report::LaunchInput input{context.model,   artifact,        context.resolved.quantization,
                                    context.request, context.context, context.sequences};
    const auto add = [&](std::vector<report::Launch> launches) {
        for (report::Launch& launch : launches) {
            view.commands.push_back({std::move(launch.id), std::move(launch.title),
                                     std::move(launch.text), std::move(launch.note)});
        }
    };
    add(report::launch_commands(input, context.locale));
    // The page's first answer knows one family, and does without the rest.
    if (context.catalog.models.front().family != context.catalog.models.back().family)
        add(report::more_launch_commands(input, context.locale));
}

} // namespace vramscope::app
