// The answer: verdict, bars, figures.
#include <algorithm>
#include <utility>

#include "app/view_context.h"
#include "core/solve.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

std::string range_bytes(const ViewContext& context, const ByteRange& range) {
    return context.locale.bytes_range(range.low, range.high, context.state.unit);
}

/// "exactly 5,808,062,464 bytes" or "from … to … bytes".
std::string exact_text(const ViewContext& context, const ByteRange& range) {
    if (range.is_exact())
        return context.locale.exact_bytes(range.expected);
    return context.text("bytes.from_to",
                        {context.locale.integer(range.low), context.locale.integer(range.high),
                         context.locale.exact_bytes(range.expected)});
}

std::string device_name(const ViewContext& context, const DeviceEstimate& device) {
    if (!device.is_host)
        return device.name;
    return context.owned_text(context.request.devices.empty() ? "hardware.cpu" : "device.host");
}

/// "7.12 of 11.50 GiB on RTX 3060 12GB · 4.38 GiB free · range 7.07–7.41 GiB"
std::string verdict_detail(const ViewContext& context, const DeviceEstimate& device) {
    const ByteRange need = device.parts.total();
    const std::string name = device_name(context, device);
    std::string text;
    if (device.free_bytes <= 0) {
        text = context.text("verdict.detail.needs", {context.bytes(need.expected), name});
    } else {
        text = context.text("verdict.detail.of", {context.bytes_number(need.expected),
                                                  context.bytes(device.free_bytes), name});
        const Bytes room = device.free_bytes - need.expected;
        text += context.text("separator.dot");
        text += room >= 0 ? context.text("verdict.detail.free", {context.bytes(room)})
                          : context.text("verdict.detail.missing", {context.bytes(-room)});
    }
    if (!need.is_exact()) {
        text += context.text("separator.dot");
        text += context.text("verdict.detail.range", {range_bytes(context, need)});
    }
    return text;
}

void set_verdict(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    const DeviceEstimate& device = estimate.devices[context.fullest_device()];
    view.verdict_sign = sign_of(estimate.verdict);
    view.verdict_text = verdict_label(context.locale, estimate.verdict);
    view.verdict_tone = tone_of(estimate.verdict);
    view.verdict_detail = verdict_detail(context, device);
    view.announcement =
        context.text("announcement", {context.model.name, context.artifact_name(),
                                      context.tokens(context.context), context.hardware_name(),
                                      view.verdict_text, context.bytes(estimate.total().expected)});
}

Bar make_bar(const ViewContext& context, const DeviceEstimate& device) {
    const ByteRange total = device.parts.total();
    Bar bar;
    bar.label = device_name(context, device);
    bar.capacity = static_cast<double>(device.capacity_bytes);
    bar.free_limit = static_cast<double>(device.free_bytes);
    bar.total_bytes = static_cast<double>(total.expected);
    bar.value_text = device.capacity_bytes > 0
                         ? context.text("bar.of", {context.bytes_number(total.expected),
                                                   context.bytes(device.capacity_bytes)})
                         : context.bytes(total.expected);
    bar.verdict_tone = tone_of(device.verdict);
    bar.verdict_text = verdict_label(context.locale, device.verdict);
    for (std::size_t i = 0; i < part_count; ++i) {
        const auto part = static_cast<Part>(i);
        const ByteRange& bytes = device.parts[part];
        if (bytes.high <= 0)
            continue;
        Bar::Segment segment;
        segment.bytes = static_cast<double>(bytes.expected);
        segment.high_bytes = static_cast<double>(bytes.high);
        segment.tone = tone_of(part);
        segment.label = part_label(context.locale, part);
        segment.value_text = context.bytes(bytes.expected);
        if (total.expected > 0) {
            segment.percent_text = context.locale.percent(
                static_cast<double>(bytes.expected) / static_cast<double>(total.expected), 1);
        }
        segment.tooltip = exact_text(context, bytes);
        bar.segments.push_back(std::move(segment));
    }
    if (device.capacity_bytes > 0) {
        constexpr int steps = 4;
        const Bytes unit = context.state.unit == report::ByteUnit::gib ? gib : gb;
        for (int i = 0; i < steps; ++i) {
            bar.axis.push_back(context.locale.number(static_cast<double>(i) *
                                                     static_cast<double>(device.capacity_bytes) /
                                                     steps / static_cast<double>(unit)));
        }
        const int decimals = device.capacity_bytes % unit == 0 ? 0 : 2;
        bar.axis.push_back(
            context.locale.bytes(device.capacity_bytes, context.state.unit, decimals));
    }
    return bar;
}

void set_bars(const ViewContext& context, ViewModel& view) {
    for (const DeviceEstimate& device : context.estimate.devices) {
        if (device.is_host && device.parts.total().high == 0)
            continue;
        view.bars.push_back(make_bar(context, device));
    }
}

Figure bytes_figure(const ViewContext& context, std::string id, std::string label,
                    const ByteRange& bytes) {
    Figure figure;
    figure.id = std::move(id);
    figure.label = std::move(label);
    figure.value = context.bytes_number(bytes.expected);
    figure.unit = context.locale.unit_name(context.state.unit);
    figure.tooltip = exact_text(context, bytes);
    figure.exact = static_cast<double>(bytes.expected);
    return figure;
}

void set_parts(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    view.total =
        bytes_figure(context, "total", context.owned_text("figure.total"), estimate.total());
    if (!estimate.total().is_exact()) {
        view.total.detail = context.text("figure.range", {range_bytes(context, estimate.total())});
    }

    // The host's share of an accelerator's estimate is one figure of its own.
    const bool host_apart = estimate.devices.size() > 1;
    PartBytes parts;
    ByteRange host;
    for (const DeviceEstimate& device : estimate.devices) {
        if (device.is_host && host_apart) {
            host += device.parts.total();
        } else {
            parts += device.parts;
        }
    }
    const Bytes sum = parts.total().expected;
    for (std::size_t i = 0; i < part_count; ++i) {
        const auto part = static_cast<Part>(i);
        if (parts[part].high <= 0)
            continue;
        Figure figure =
            bytes_figure(context, name(part), part_label(context.locale, part), parts[part]);
        figure.tone = tone_of(part);
        const double share =
            sum > 0 ? static_cast<double>(parts[part].expected) / static_cast<double>(sum) : 0;
        figure.detail = context.locale.percent(share, 1);
        if (!parts[part].is_exact()) {
            figure.detail += context.text("separator.dot");
            figure.detail += range_bytes(context, parts[part]);
        }
        view.parts.push_back(std::move(figure));
    }
    if (host.high > 0) {
        Figure figure = bytes_figure(context, "host", context.owned_text("device.host"), host);
        figure.detail = context.text("figure.host.detail");
        view.parts.push_back(std::move(figure));
    }
}

Figure max_context_figure(const ViewContext& context) {
    const std::int64_t total = context.estimate.max_context_tokens;
    const std::int64_t tokens = context.engine.context_is_shared
                                    ? total / std::max<std::int64_t>(1, context.sequences)
                                    : total;
    Figure figure;
    figure.id = "max_context";
    figure.label = context.text("figure.max_context");
    const bool unbounded = total >= context_search_limit;
    figure.value =
        unbounded ? context.text("figure.max_context.unbounded") : context.locale.integer(tokens);
    figure.exact = static_cast<double>(tokens);
    figure.detail = context.native_limit > 0
                        ? context.text("figure.max_context.native",
                                       {context.locale.integer(context.native_limit)})
                        : std::string();
    figure.tooltip = context.text(context.sequences > 1 ? "figure.max_context.tooltip_each"
                                                        : "figure.max_context.tooltip");
    if (tokens < context.context)
        figure.tone = Tone::bad;
    return figure;
}

Figure rate_figure(const ViewContext& context, const RateRange& rate) {
    Figure figure;
    figure.id = "decode";
    figure.label = context.text("figure.decode");
    figure.value = context.locale.decimal(rate.expected, 1);
    figure.unit = context.text("unit.tokens_per_second");
    figure.exact = rate.expected;
    const std::string range = context.locale.range(context.locale.decimal(rate.low, 1),
                                                   context.locale.decimal(rate.high, 1));
    figure.detail = rate.low < rate.high ? context.text("figure.decode.range", {range})
                                         : context.text("figure.decode.detail");
    figure.tooltip = context.text("figure.decode.tooltip");
    return figure;
}

/// Reading a prompt of the whole context, but at most of 2,048 tokens.
Figure first_token_figure(const ViewContext& context, const RateRange& rate) {
    constexpr std::int64_t usual_prompt = 2048;
    const auto prompt = static_cast<double>(std::min(usual_prompt, context.context));
    Figure figure;
    figure.id = "first_token";
    figure.label = context.text("figure.first_token",
                                {context.locale.tokens_short(static_cast<std::int64_t>(prompt))});
    figure.exact = prompt / rate.expected;
    figure.value = context.locale.decimal(figure.exact, 1);
    figure.unit = context.text("unit.seconds");
    figure.detail = context.locale.range(context.locale.decimal(prompt / rate.high, 1),
                                         context.locale.decimal(prompt / rate.low, 1));
    figure.tooltip = context.text("figure.first_token.tooltip");
    return figure;
}

Figure saving_figure(const ViewContext& context) {
    const Estimate& estimate = context.estimate;
    Figure figure;
    figure.id = "kv_saving";
    const auto keys = report::attention_keys(*context.request.architecture);
    const std::string name =
        keys.empty() ? std::string() : context.owned_text(std::string(keys.front()) + ".short");
    figure.label = context.text("figure.kv_saving", {name});
    figure.value = context.locale.percent(estimate.kv_saving_fraction, 1);
    figure.exact = estimate.kv_saving_fraction;
    figure.detail = context.text("figure.kv_saving.detail", {context.bytes(estimate.kv_mha_bytes)});
    figure.tooltip = context.text("figure.kv_saving.tooltip");
    figure.tone = Tone::kv;
    return figure;
}

Figure max_sequences_figure(const ViewContext& context) {
    Figure figure;
    figure.id = "max_sequences";
    figure.label = context.text("figure.max_sequences");
    figure.value = context.locale.integer(context.estimate.max_sequences);
    figure.exact = static_cast<double>(context.estimate.max_sequences);
    figure.detail =
        context.text("figure.max_sequences.detail", {context.locale.tokens_short(context.context)});
    figure.tooltip = context.text("figure.max_sequences.tooltip");
    return figure;
}

/// The size of the files, and how long the person's line takes for them.
Figure download_figure(const ViewContext& context) {
    const Bytes bytes = context.estimate.download_bytes;
    Figure figure;
    figure.id = "download";
    figure.label = context.text("figure.download", {});
    figure.value = context.bytes_number(bytes);
    figure.unit = context.locale.unit_name(context.state.unit);
    figure.exact = static_cast<double>(bytes);
    const double minutes = static_cast<double>(bytes) * 8 / (context.state.line_mbit * 1e6) / 60;
    const std::string time =
        minutes < 90
            ? context.text("number.minutes", {context.locale.decimal(std::max(1.0, minutes), 0)})
            : context.text("number.hours", {context.locale.decimal(minutes / 60, 1)});
    figure.detail = context.text("figure.download.detail",
                                 {time, context.locale.number(context.state.line_mbit)});
    figure.tooltip = context.locale.exact_bytes(bytes);
    return figure;
}

void set_figures(const ViewContext& context, ViewModel& view) {
    const Estimate& estimate = context.estimate;
    view.figures.push_back(max_context_figure(context));
    if (estimate.decode_tokens_per_second.expected > 0) {
        view.figures.push_back(rate_figure(context, estimate.decode_tokens_per_second));
    }
    if (estimate.prefill_tokens_per_second.low > 0) {
        view.figures.push_back(first_token_figure(context, estimate.prefill_tokens_per_second));
    }
    if (estimate.kv_mha_bytes > 0)
        view.figures.push_back(saving_figure(context));
    view.figures.push_back(max_sequences_figure(context));
    if (estimate.download_bytes > 0)
        view.figures.push_back(download_figure(context));
}

void add_message(ViewModel& view, Tone tone, std::string text) {
    view.messages.push_back({tone, std::move(text)});
}

std::string remark_text(const ViewContext& context, const Remark& remark) {
    return context.text(remark.id, {context.locale.number(remark.first),
                                    context.locale.number(remark.second), remark.text});
}

void set_messages(const ViewContext& context, ViewModel& view) {
    const Options& options = context.request.options;
    for (const Remark& warning : context.estimate.warnings) {
        add_message(view, Tone::warn, remark_text(context, warning));
    }
    if (context.native_limit > 0 && context.context > context.native_limit) {
        add_message(
            view, Tone::warn,
            context.text("warning.beyond_native", {context.locale.integer(context.context),
                                                   context.locale.integer(context.native_limit)}));
    }
    if (context.request.engine == EngineId::llama_cpp &&
        options.flash_attn == FlashAttention::off && options.type_v != StorageType::f16 &&
        options.type_v != StorageType::f32 && options.type_v != StorageType::bf16) {
        add_message(view, Tone::warn, context.owned_text("warning.quantised_v_needs_flash_attn"));
    }
    if (context.resolved.artifact != nullptr && context.resolved.artifact->theoretical) {
        add_message(view, Tone::warn, context.owned_text("warning.theoretical"));
    }
    if (context.model.evidence != catalog::Evidence::verified) {
        add_message(view, Tone::dim,
                    context.owned_text(context.model.evidence == catalog::Evidence::derived
                                           ? "warning.model_derived"
                                           : "warning.model_reported"));
    }
    // What is worse has its button (view_advice.cpp).
    if (context.estimate.verdict == Verdict::tight) {
        add_message(view, Tone::dim,
                    context.owned_text(std::string("advice.") + name(context.estimate.verdict)));
    }
}

} // namespace

void build_answer(const ViewContext& context, ViewModel& view) {
    view.answer_title = context.text("title.answer");
    set_verdict(context, view);
    set_bars(context, view);
    set_parts(context, view);
    set_figures(context, view);
    set_messages(context, view);
    const auto opens = [](Figure& figure) {
        figure.action = {Action::Kind::explain, {}, figure.id};
    };
    opens(view.total);
    for (std::vector<Figure>* list : {&view.parts, &view.figures})
        for (Figure& figure : *list)
            if (figure.id != "download")
                opens(figure);
}

} // namespace vramscope::app
