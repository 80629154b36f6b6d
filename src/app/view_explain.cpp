#include <algorithm>

#include "app/explain.h"
#include "core/capacity.h"

namespace vramscope::app {
namespace {

constexpr const char* speed_source =
    "constants fitted per class of hardware: tests/reference/speed_points.txt";

std::string milliseconds(const ViewContext& context, double seconds) {
    return context.text("number.milliseconds",
                        {context.locale.decimal(seconds * 1e3, seconds < 0.01 ? 2 : 1)});
}

std::string range_of(const ViewContext& context, const ByteRange& bytes) {
    if (bytes.is_exact())
        return context.text("explain.exact", {context.locale.exact_bytes(bytes.expected)});
    return context.text("explain.between",
                        {context.locale.bytes_range(bytes.low, bytes.high, context.state.unit)});
}

void add(ViewModel& view, std::string title, std::string value, std::string formula,
         std::string text, Tone tone, const char* source = "") {
    Explanation made;
    made.title = std::move(title);
    made.value = std::move(value);
    made.formula = std::move(formula);
    made.text = std::move(text);
    made.source = source;
    made.tone = tone;
    view.why.push_back(std::move(made));
}

/// The terms of one part on the accelerators, of the host, or of everything.
void explain_bytes(const ViewContext& context, std::string_view id, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    const bool host_apart = estimate.devices.size() > 1;
    std::size_t accelerators = 0;
    for (const DeviceEstimate& device : estimate.devices)
        accelerators += device.is_host && host_apart ? 0U : 1U;
    for (const Term& term : estimate.terms) {
        const DeviceEstimate& device = estimate.devices[static_cast<std::size_t>(term.device)];
        const bool host = device.is_host && host_apart;
        const bool wanted = id == "total" || (id == "host" ? host : !host && id == name(term.part));
        if (!wanted || term.bytes.high <= 0)
            continue;
        Explanation made = explain_term(context, term, host && id == "total");
        if (accelerators > 1 && !host)
            made.title += context.owned_text("separator.dot") + device.name;
        made.range = range_of(context, term.bytes);
        view.why.push_back(std::move(made));
    }
}

/// What the costs of a step have in common for a reader.
const char* cost_key(DecodeCost cost) {
    switch (cost) {
    case DecodeCost::dense:
        return "weights";
    case DecodeCost::expert:
        return "experts";
    case DecodeCost::kv:
    case DecodeCost::kv_plain:
        return "cache";
    case DecodeCost::state:
        return "state";
    case DecodeCost::arithmetic:
        return "arithmetic";
    case DecodeCost::attention:
        return "attention";
    default:
        return "launch";
    }
}

Tone cost_tone(DecodeCost cost) {
    switch (cost) {
    case DecodeCost::dense:
    case DecodeCost::expert:
        return Tone::weights;
    case DecodeCost::kv:
    case DecodeCost::kv_plain:
        return Tone::kv;
    case DecodeCost::state:
        return Tone::state;
    case DecodeCost::arithmetic:
    case DecodeCost::attention:
        return Tone::compute;
    default:
        return Tone::overhead;
    }
}

std::string rate_text(const ViewContext& context, double rate) {
    return context.locale.decimal(rate, 1) + "\u00a0" +
           context.owned_text("unit.tokens_per_second");
}

void explain_device_step(const ViewContext& context, const DeviceWork& work, const SpeedWork& model,
                         const Device& device, ViewModel& view) {
    if (work.is_idle())
        return;
    const EstimateRequest& request = context.request;
    const SpeedConstants& constants = speed_constants(request, device);
    const auto depth = static_cast<double>(context.context);
    const DecodeCosts nominal =
        nominal_decode(work, model, device, constants,
                       request.options.flash_attn != FlashAttention::off, depth, 1);
    for (std::size_t i = 0; i < decode_cost_count; ++i) {
        const double seconds = constants.decode[i] * nominal[i];
        if (seconds * 1e5 < 1)
            continue;
        const auto cost = static_cast<DecodeCost>(i);
        const std::string key = std::string("explain.cost.") + cost_key(cost);
        const bool reads = cost_key(cost) == std::string_view("launch");
        const double per_byte = device.bandwidth_gb_per_s * model.parallel;
        std::string formula;
        if (cost_tone(cost) != Tone::compute && !reads) {
            formula =
                context.text("explain.read", {context.locale.decimal(nominal[i] * per_byte, 2),
                                              context.locale.number(per_byte),
                                              context.locale.decimal(constants.decode[i], 2)});
        } else {
            formula =
                context.text("explain.nominal", {milliseconds(context, nominal[i]),
                                                 context.locale.decimal(constants.decode[i], 2)});
        }
        std::string title = context.text(key + ".title", {});
        if (model.n_devices > 1 || &work == &model.host())
            title += context.owned_text("separator.dot") +
                     (&work == &model.host() ? context.owned_text("device.host") : device.name);
        add(view, std::move(title), milliseconds(context, seconds), std::move(formula),
            context.text(key + ".text", {}), cost_tone(cost));
    }
}

void explain_decode(const ViewContext& context, ViewModel& view) {
    const RateRange& rate = context.estimate.decode_tokens_per_second;
    const double seconds = 1.0 / rate.expected;
    const double tokens = tokens_per_step(context.request.options);
    add(view, context.text("figure.decode", {}), rate_text(context, rate.expected),
        context.text("explain.rate",
                     {context.locale.decimal(tokens, 2), milliseconds(context, seconds * tokens)}),
        context.text("explain.rate.text", {}), Tone::accent, speed_source);
    view.why.back().range =
        context.text("explain.four_of_five",
                     {context.locale.decimal(rate.low, 1), context.locale.decimal(rate.high, 1)});
    if (context.request.engine == EngineId::quick)
        return;
    const SpeedWork work = SpeedWork::of(context.request);
    for (std::int32_t i = 0; i < work.n_devices; ++i) {
        const auto d = static_cast<std::size_t>(i);
        explain_device_step(context, work.devices[d], work, context.request.devices[d], view);
    }
    Device host;
    host.hardware_class = HardwareClass::cpu;
    host.backend = Backend::cpu;
    host.bandwidth_gb_per_s = context.request.host.bandwidth_gb_per_s;
    explain_device_step(context, work.host(), work, host, view);
    const double link =
        context.estimate.decode_shares[static_cast<std::size_t>(Limit::link)] * seconds * tokens;
    if (link * 1e5 >= 1)
        add(view, context.text("speed.share.link", {}), milliseconds(context, link), {},
            context.text("explain.link.text", {}), Tone::overhead);
}

/// The same prompt as the figure's.
void explain_first_token(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    const RateRange& rate = estimate.prefill_tokens_per_second;
    const auto prompt = static_cast<double>(std::min<std::int64_t>(2048, context.context));
    const std::string seconds = context.locale.decimal(prompt / rate.expected, 1) + "\u00a0" +
                                context.owned_text("unit.seconds");
    add(view, context.text("explain.prompt", {}), seconds,
        context.text("explain.prompt.formula",
                     {context.locale.number(prompt), rate_text(context, rate.expected)}),
        context.text("explain.prompt.text", {}), Tone::accent, speed_source);
    view.why.back().range =
        context.text("explain.four_of_five",
                     {context.locale.decimal(rate.low, 0), context.locale.decimal(rate.high, 0)});
    for (std::size_t i = 0; i < limit_count; ++i) {
        const double share = estimate.prefill_shares[i];
        if (share < 0.005)
            continue;
        add(view, context.text(std::string("speed.share.") + name(static_cast<Limit>(i)), {}),
            context.locale.percent(share), {}, {}, Tone::compute);
    }
}

/// What stays and what every further token (or sequence) takes, on the fullest device.
void explain_growth(const ViewContext& context, bool tokens, ViewModel& view) {
    const std::size_t d = context.fullest_device();
    const DeviceEstimate& device = context.estimate.devices[d];
    const std::int64_t most = tokens
                                  ? context.estimate.max_context_tokens /
                                        (context.engine.context_is_shared ? context.sequences : 1)
                                  : context.estimate.max_sequences;
    const auto need = [&](std::int64_t n) {
        EstimateRequest request = context.request;
        if (tokens) {
            request = context.with_context(n);
        } else {
            request.options.n_seq = static_cast<std::int32_t>(n);
            request.options.n_ctx =
                context.engine.context_is_shared ? context.context * n : context.context;
        }
        return plan_memory(request).devices[d].total().expected;
    };
    const std::int64_t step = tokens ? 4096 : 1;
    const Bytes first = need(step);
    const Bytes second = need(2 * step);
    const double each = static_cast<double>(second - first) / static_cast<double>(step);
    const double fixed = static_cast<double>(first) - each * static_cast<double>(step);
    const auto bytes = [&](double value) { return context.bytes(static_cast<Bytes>(value + 0.5)); };
    add(view, context.text("explain.room.free", {}), context.bytes(device.free_bytes), device.name,
        context.text("explain.room.free.text", {}), Tone::normal);
    add(view, context.text("explain.room.fixed", {}), bytes(std::max(0.0, fixed)), {},
        context.text("explain.room.fixed.text", {}), Tone::weights);
    add(view, context.text(tokens ? "explain.room.token" : "explain.room.sequence", {}),
        tokens ? context.locale.exact_bytes(static_cast<Bytes>(each + 0.5)) : bytes(each), {},
        context.text("explain.room.each.text", {}), Tone::kv);
    add(view, context.text(tokens ? "figure.max_context" : "figure.max_sequences", {}),
        most >= std::int64_t{1} << 30 ? context.text("figure.max_context.unbounded", {})
                                      : context.locale.integer(most),
        context.text(
            "explain.room.formula",
            {context.bytes(device.free_bytes), bytes(std::max(0.0, fixed)),
             tokens ? context.locale.exact_bytes(static_cast<Bytes>(each + 0.5)) : bytes(each)}),
        context.text("explain.room.text", {}), Tone::accent);
}

void explain_saving(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    add(view, context.text("explain.saving", {}),
        context.locale.percent(estimate.kv_saving_fraction, 1),
        context.text("explain.saving.formula", {context.bytes(estimate.parts[Part::kv].expected),
                                                context.bytes(estimate.kv_mha_bytes)}),
        context.text("figure.kv_saving.tooltip", {}), Tone::kv);
    explain_bytes(context, "kv", view);
}

const Figure* find_figure(const ViewModel& view, std::string_view id) {
    if (view.total.id == id)
        return &view.total;
    for (const std::vector<Figure>* list : {&view.parts, &view.figures})
        for (const Figure& figure : *list)
            if (figure.id == id)
                return &figure;
    return nullptr;
}

} // namespace

[[gnu::noinline]] void explain_figure(const ViewContext& context, ViewModel& view) {
    const std::string& id = context.state.explained;
    const Figure* figure = find_figure(view, id);
    if (figure == nullptr || !context.locale.has("explain.title"))
        return;
    view.explained = id;
    view.why.clear();
    std::string value = figure->value;
    if (!figure->unit.empty())
        value += "\u00a0" + figure->unit;
    view.why_title = context.text("explain.title", {figure->label, value});
    view.why_back = {context.text("explain.back", {}), {}, {}, {Action::Kind::explain, {}, {}}};
    if (id == "decode")
        explain_decode(context, view);
    else if (id == "first_token")
        explain_first_token(context, view);
    else if (id == "max_context" || id == "max_sequences")
        explain_growth(context, id == "max_context", view);
    else if (id == "kv_saving")
        explain_saving(context, view);
    else
        explain_bytes(context, id, view);
}

std::string explanation_markdown(const ViewModel& view) {
    std::string text =
        "### " + view.why_title + "\n\n" + view.model_name + ": " + view.verdict_detail + "\n\n";
    for (const Explanation& term : view.why) {
        text += "- **" + term.title + ": " + term.value + "**";
        if (!term.formula.empty())
            text += " = `" + term.formula + "`";
        text += '\n';
        for (const std::string* line : {&term.range, &term.text, &term.source})
            if (!line->empty())
                text += "  " + *line + "  \n";
    }
    return text;
}

} // namespace vramscope::app
