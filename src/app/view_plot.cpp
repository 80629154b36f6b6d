// Memory against context: the fullest device, part by part.
#include <algorithm>

#include "app/plot_axes.h"
#include "app/view_context.h"
#include "core/sort.h"

namespace vramscope::app {
namespace {

constexpr std::int64_t steps = 16;
constexpr std::array<Part, part_count> stacked = {Part::weights, Part::overhead, Part::compute,
                                                  Part::output,  Part::state,    Part::kv};

/// Ticks at round steps from 0 on, four to seven of them.
double round_step(double span) {
    double step = 1;
    while (span / step > 6)
        step *= 2;
    while (span / step < 3)
        step /= 2;
    return step;
}

void sample(const ViewContext& context, std::size_t device, std::int64_t end, ViewMemo& memo) {
    memo.plot_tokens.clear();
    memo.plot_series.clear();
    for (const Part part : stacked)
        memo.plot_series.push_back({tone_of(part), part_label(context.locale, part), {}});
    for (const std::int64_t tokens : sample_contexts(end)) {
        const MemoryPlan plan = plan_memory(context.with_context(tokens), memo.workspace);
        memo.plot_tokens.push_back(static_cast<double>(tokens == 1 ? 0 : tokens));
        for (std::size_t s = 0; s < stacked.size(); ++s) {
            memo.plot_series[s].bytes.push_back(
                static_cast<double>(plan.devices[device][stacked[s]].expected));
        }
    }
    std::erase_if(memo.plot_series, [](const ContextPlot::Series& series) {
        return std::all_of(series.bytes.begin(), series.bytes.end(),
                           [](double bytes) { return bytes == 0; });
    });
}

} // namespace

std::int64_t right_end(const ViewContext& context) {
    const std::int64_t wanted =
        std::max({std::int64_t{131072}, context.native_limit, context.context});
    std::int64_t end = 1024;
    while (end < wanted)
        end *= 2;
    return end;
}

std::vector<std::int64_t> sample_contexts(std::int64_t end) {
    std::vector<std::int64_t> contexts = {1, 1024, 2048, 4096};
    for (std::int64_t i = 1; i <= steps; ++i)
        contexts.push_back(end * i / steps);
    sort_short(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    return contexts;
}

std::vector<ContextPlot::Tick> context_ticks(const ViewContext& context, std::int64_t end) {
    constexpr int count = 4;
    std::vector<ContextPlot::Tick> ticks;
    for (int i = 0; i <= count; ++i) {
        const std::int64_t tokens = end * i / count;
        ticks.push_back({static_cast<double>(tokens), context.locale.tokens_short(tokens)});
    }
    return ticks;
}

std::int64_t limit_per_sequence(const ViewContext& context) {
    return context.engine.context_is_shared
               ? context.estimate.max_context_tokens / context.sequences
               : context.estimate.max_context_tokens;
}

void build_plot(const ViewContext& context, ViewModel& view) {
    ContextPlot& plot = view.context_plot;
    const std::size_t device = context.fullest_device();
    const std::int64_t end = right_end(context);
    plot.title = context.text("plot.title");
    const std::string key = context.key_without_context + '|' + context.text_key + '|' +
                            std::to_string(end) + '|' + std::to_string(device);
    if (context.memo.plot_key != key) {
        sample(context, device, end, context.memo);
        context.memo.plot_key = key;
    }
    plot.tokens = context.memo.plot_tokens;
    plot.series = context.memo.plot_series;
    double highest = 0;
    for (std::size_t i = 0; i < plot.tokens.size(); ++i) {
        double sum = 0;
        for (const ContextPlot::Series& series : plot.series)
            sum += series.bytes[i];
        highest = std::max(highest, sum);
    }

    const DeviceEstimate& estimate = context.estimate.devices[device];
    plot.capacity_bytes = static_cast<double>(estimate.free_bytes);
    if (estimate.free_bytes > 0) {
        plot.capacity_label = context.text(
            "plot.capacity", {estimate.is_host ? context.text("device.host") : estimate.name,
                              context.bytes(estimate.free_bytes)});
    }
    if (context.native_limit > 0 && context.native_limit <= end) {
        plot.native_tokens = static_cast<double>(context.native_limit);
        plot.native_label = context.text("plot.native");
    }
    const std::int64_t limit = limit_per_sequence(context);
    if (limit > 0 && limit <= end) {
        plot.limit_tokens = static_cast<double>(limit);
        plot.limit_label = context.text("plot.limit", {context.locale.integer(limit)});
    }
    plot.current_tokens = static_cast<double>(context.context);
    plot.current_bytes = static_cast<double>(estimate.parts.total().expected);
    plot.current_label =
        context.tokens(context.context) + "\n" + context.bytes(estimate.parts.total().expected);

    plot.x_ticks = context_ticks(context, end);
    const auto unit = static_cast<double>(context.state.unit == report::ByteUnit::gib ? gib : gb);
    const double span =
        std::max(highest, plot.capacity_bytes < 3 * highest ? plot.capacity_bytes : 0) / unit;
    const double step = round_step(std::max(span, 0.01));
    for (double value = 0; value < span + step; value += step) {
        plot.y_ticks.push_back({value * unit, context.locale.number(value)});
    }
    plot.y_ticks.back().label =
        context.text(context.state.unit == report::ByteUnit::gib ? "number.gib" : "number.gb",
                     {plot.y_ticks.back().label});
}

} // namespace vramscope::app
