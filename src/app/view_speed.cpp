// The "Speed" tab: decoding against context and against users, what takes the time of a token, and
// measured points of the same setting. Made only while somebody looks at it.
#include <algorithm>
#include <cmath>

#include "app/measured_points.h"
#include "app/plot_axes.h"
#include "app/view_context.h"
#include "core/capacity.h"

namespace vramscope::app {
namespace {

std::string rate_text(const ViewContext& context, double rate) {
    return context.locale.decimal(rate, rate < 100 ? 1 : 0) + "\u00a0" +
           context.owned_text("unit.tokens_per_second");
}

std::string range_text(const ViewContext& context, double low, double high) {
    const int digits = high < 100 ? 1 : 0;
    return context.locale.range(context.locale.decimal(low, digits),
                                context.locale.decimal(high, digits));
}

/// "32,768 tokens\n40.1 tok/s\n34.0–46.1".
std::string point_text(const ViewContext& context, std::string_view where, double low,
                       double expected, double high) {
    std::string text(where);
    text += '\n';
    text += rate_text(context, expected);
    if (low < high)
        text += '\n' + context.text("figure.range", {range_text(context, low, high)});
    return text;
}

/// Steps of 1, 2 or 5 times a power of ten, four to seven of them.
std::vector<ContextPlot::Tick> rate_ticks(const ViewContext& context, double highest) {
    double step = 1;
    while (step * 6 < highest)
        step *= 10;
    while (step * 6 > highest * 10 && step > 1e-3)
        step /= 10;
    for (const double factor : {2.0, 2.5})
        if (step * 6 < highest)
            step *= factor;
    while (step * 3 > highest)
        step /= 2;
    std::vector<ContextPlot::Tick> ticks;
    for (double value = 0; value < highest + step * 0.5; value += step)
        ticks.push_back({value, context.locale.number(value)});
    return ticks;
}

double highest_of(const RatePlot& plot) {
    double highest = 0;
    for (const double value : plot.high)
        highest = std::max(highest, value);
    for (const RatePlot::Dot& dot : plot.dots)
        highest = std::max(highest, dot.y);
    return highest;
}

void add_point(const ViewContext& context, RatePlot& plot, double x, std::string_view where,
               double low, double expected, double high) {
    plot.x.push_back(x);
    plot.low.push_back(low);
    plot.expected.push_back(expected);
    plot.high.push_back(high);
    plot.point_labels.push_back(point_text(context, where, low, expected, high));
}

RatePlot make_decode(const ViewContext& context, std::int64_t end) {
    RatePlot plot;
    plot.title = context.text("speed.decode.title", {});
    plot.caption = context.text("speed.decode.caption", {});
    plot.field = "n_ctx";
    const std::vector<std::int64_t> depths = sample_contexts(end);
    for (const DepthPoint& point : decode_by_depth(context.request, depths)) {
        const RateRange& rate = point.tokens_per_second;
        add_point(context, plot, static_cast<double>(point.tokens == 1 ? 0 : point.tokens),
                  context.tokens(point.tokens), rate.low, rate.expected, rate.high);
    }
    plot.x_ticks = context_ticks(context, end);
    return plot;
}

/// The first number of sequences at which arithmetic takes most of a step; 0: none up to `most`.
std::int64_t crossover(const EstimateRequest& request, double depth, std::int64_t most) {
    const SpeedWork work = SpeedWork::of(request);
    const auto computes = [&](std::int64_t sequences) {
        const StepTime step = serving_step(request, work, depth, static_cast<double>(sequences));
        return step.known && step.limit() == Limit::compute;
    };
    if (!computes(most))
        return 0;
    std::int64_t low = 0;
    std::int64_t high = most;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (computes(middle) ? high : low) = middle;
    }
    return high;
}

/// Up to the power of two beyond what fits.
void make_capacity(const ViewContext& context, RatePlot& together, RatePlot& each) {
    const std::int64_t fitting = context.estimate.max_sequences;
    std::int64_t end = 8;
    while (end <= std::max(fitting, context.sequences) && end < 4096)
        end *= 2;
    const Capacity many = capacity(context.request, end);
    for (RatePlot* plot : {&together, &each}) {
        plot->field = "n_seq";
        plot->logarithmic = true;
        if (fitting > 0 && fitting < end) {
            plot->limit = static_cast<double>(fitting);
            plot->limit_label =
                context.text("speed.memory_ends", {context.locale.integer(fitting)});
        }
        for (std::int64_t tick = 1; tick <= end; tick *= 2)
            plot->x_ticks.push_back({static_cast<double>(tick), context.locale.integer(tick)});
    }
    together.title = context.text("speed.together.title", {});
    each.title = context.text("speed.each.title", {});
    for (const BatchPoint& point : many.points) {
        const auto n = static_cast<double>(point.sequences);
        const RateRange& rate = point.tokens_per_second;
        const std::string where = context.sequences_text(point.sequences);
        add_point(context, together, n, where, rate.low, rate.expected, rate.high);
        add_point(context, each, n, where, rate.low / n, rate.expected / n, rate.high / n);
    }
    const std::int64_t turns =
        crossover(context.request, static_cast<double>(context.context), end);
    if (turns > 1) {
        together.lines.push_back({static_cast<double>(turns),
                                  context.text("speed.crossover", {context.locale.integer(turns)}),
                                  Tone::compute});
    }
}

Tone tone_of(Limit limit) {
    switch (limit) {
    case Limit::bandwidth:
        return Tone::weights;
    case Limit::compute:
        return Tone::compute;
    case Limit::link:
        return Tone::state;
    default:
        return Tone::overhead;
    }
}

void set_limit(const ViewContext& context, SpeedPanel& out) {
    const Estimate& estimate = context.estimate;
    out.limit_title = context.text("limit.title", {});
    const std::string key = std::string("limit.") + name(estimate.decode_limit);
    out.limit_text = context.text(key, {});
    for (std::size_t i = 0; i < limit_count; ++i) {
        const double share = estimate.decode_shares[i];
        if (share < 0.005)
            continue;
        const auto limit = static_cast<Limit>(i);
        Bar::Segment segment;
        segment.bytes = segment.high_bytes = share;
        segment.tone = tone_of(limit);
        segment.label = context.text(std::string("speed.share.") + name(limit), {});
        segment.percent_text = context.locale.percent(share);
        const double rate = estimate.decode_tokens_per_second.expected;
        if (rate > 0) {
            segment.value_text = context.text("number.milliseconds",
                                              {context.locale.decimal(1000 * share / rate, 1)});
        }
        segment.tooltip = segment.label + ": " + segment.value_text;
        out.shares.push_back(std::move(segment));
    }
    if (estimate.decode_tokens_per_second.expected > 0 && !estimate.batches.empty()) {
        out.users_text = context.text(
            "speed.users",
            {context.locale.integer(estimate.max_users),
             context.locale.number(context.request.options.user_rate),
             context.owned_text(std::string("speed.next.") + name(estimate.max_users_limit))});
    }
}

void set_native(const ViewContext& context, RatePlot& plot, std::int64_t end) {
    if (context.native_limit > 0 && context.native_limit <= end) {
        plot.lines.push_back({static_cast<double>(context.native_limit),
                              context.text("plot.native", {}), Tone::warn});
    }
    const std::int64_t limit = limit_per_sequence(context);
    if (limit > 0 && limit <= end) {
        plot.limit = static_cast<double>(limit);
        plot.limit_label = context.text("plot.limit", {context.locale.integer(limit)});
    }
}

/// What of a source's address names it: repository and file.
std::string_view short_source(std::string_view source) {
    return source.substr(0, source.find('@'));
}

/// The weights as the list of measurements calls them.
std::string_view weights_name(const ViewContext& context) {
    return context.resolved.quantization != nullptr
               ? std::string_view(context.resolved.quantization->id)
               : std::string_view();
}

void set_measured(const ViewContext& context, const MeasuredPoints& measured, SpeedPanel& out) {
    const catalog::HardwareEntry* device =
        context.resolved.hardware.size() == 1 ? context.resolved.hardware.front() : nullptr;
    std::vector<MeasuredPoints::Point> points;
    if (device != nullptr)
        points =
            measured.find(context.engine.key, device->id, context.model.id, weights_name(context));
    if (points.empty()) {
        out.dots_label = context.text("speed.no_measurements", {});
        return;
    }
    Table& table = out.measured;
    table.id = "measured";
    table.title = context.text("speed.measured", {});
    table.caption = context.text("speed.measured.caption", {});
    for (const char* key : {"speed.column.depth", "field.n_seq", "speed.column.rate"})
        table.columns.push_back({context.owned_text(key), true});
    table.columns.push_back({context.owned_text("fact.source"), false});
    const auto current = static_cast<double>(context.context);
    for (const MeasuredPoints::Point& point : points) {
        const std::string depth = context.locale.integer(static_cast<std::int64_t>(point.depth));
        const std::string rate = rate_text(context, point.tokens_per_second);
        const std::string source =
            std::string(short_source(point.source)) + ", " + std::string(point.date);
        if (point.sequences == 1 && point.depth <= out.decode.x.back()) {
            out.decode.dots.push_back({point.depth, point.tokens_per_second,
                                       context.text("speed.dot", {rate, depth, source})});
        }
        // Beside the capacity plot, only what was measured at a like depth.
        if (point.depth > current * 0.5 && point.depth < current * 2 &&
            point.sequences <= out.together.x.back()) {
            const std::string tooltip = context.text("speed.dot", {rate, depth, source});
            out.together.dots.push_back({point.sequences, point.tokens_per_second, tooltip});
            out.each.dots.push_back(
                {point.sequences, point.tokens_per_second / point.sequences, tooltip});
        }
        Row row;
        for (const std::string& text :
             {depth, context.locale.integer(static_cast<std::int64_t>(point.sequences)), rate,
              source}) {
            Cell cell;
            cell.text = text;
            row.cells.push_back(std::move(cell));
        }
        row.cells[2].exact = point.tokens_per_second;
        table.rows.push_back(std::move(row));
    }
    out.dots_label = context.text(
        "speed.dots", {context.locale.integer(static_cast<std::int64_t>(points.size()))});
}

Table table_of(const ViewContext& context, const RatePlot& plot, const char* id,
               std::string first_column, const RatePlot* second) {
    Table table;
    table.id = id;
    table.title = plot.title;
    table.caption = plot.caption;
    table.columns.push_back({std::move(first_column), true});
    table.columns.push_back({second == nullptr ? context.owned_text("speed.column.rate")
                                               : context.owned_text("speed.together.title"),
                             true});
    table.columns.push_back({second == nullptr ? context.owned_text("speed.column.range")
                                               : context.owned_text("speed.each.title"),
                             true});
    for (std::size_t i = 0; i < plot.x.size(); ++i) {
        Row row;
        const auto x = static_cast<std::int64_t>(plot.x[i]);
        Cell where;
        where.text = context.locale.integer(x);
        where.exact = plot.x[i];
        if (x > 0)
            where.action = {Action::Kind::set_field, plot.field, std::to_string(x)};
        Cell rate;
        rate.text = rate_text(context, plot.expected[i]);
        rate.exact = plot.expected[i];
        Cell other;
        other.text = second == nullptr ? range_text(context, plot.low[i], plot.high[i])
                                       : rate_text(context, second->expected[i]);
        row.cells = {std::move(where), std::move(rate), std::move(other)};
        table.rows.push_back(std::move(row));
    }
    return table;
}

void set_current(const ViewContext& context, RatePlot& plot, double x, double rate,
                 std::string_view where) {
    plot.current_x = x;
    plot.current_y = rate;
    plot.current_label = std::string(where) + '\n' + rate_text(context, rate);
}

void make_speed(const ViewContext& context, const MeasuredPoints* measured, SpeedPanel& out) {
    const std::int64_t end = right_end(context);
    const std::string decode_key =
        context.key_without_context + '|' + context.text_key + '|' + std::to_string(end);
    if (context.memo.decode_key != decode_key) {
        context.memo.decode = make_decode(context, end);
        context.memo.decode_key = decode_key;
    }
    const std::string capacity_key = context.request_key + '|' + context.text_key;
    if (context.memo.capacity_key != capacity_key) {
        context.memo.together = context.memo.each = {};
        if (context.request.engine != EngineId::quick)
            make_capacity(context, context.memo.together, context.memo.each);
        context.memo.capacity_key = capacity_key;
    }
    out.decode = context.memo.decode;
    out.together = context.memo.together;
    out.each = context.memo.each;
    set_native(context, out.decode, end);
    set_current(context, out.decode, static_cast<double>(context.context),
                context.estimate.decode_tokens_per_second.expected,
                context.tokens(context.context));
    set_limit(context, out);
    const bool many = !out.together.x.empty();
    if (many) {
        const std::string where = context.sequences_text(context.sequences);
        const auto n = static_cast<double>(context.sequences);
        const SpeedWork work = SpeedWork::of(context.request);
        const double together =
            rate_of(serving_step(context.request, work, static_cast<double>(context.context), n),
                    n * tokens_per_step(context.request.options))
                .expected;
        set_current(context, out.together, n, together, where);
        set_current(context, out.each, n, together / n, where);
    }
    if (measured != nullptr && !measured->empty() && many)
        set_measured(context, *measured, out);
    for (RatePlot* plot : {&out.decode, &out.together, &out.each})
        plot->y_ticks = rate_ticks(context, std::max(highest_of(*plot), 0.01));
    out.decode_table =
        table_of(context, out.decode, "decode", context.text("speed.column.depth", {}), nullptr);
    if (many)
        out.capacity_table =
            table_of(context, out.together, "capacity", context.text("field.n_seq", {}), &out.each);
}

} // namespace

[[gnu::noinline]] void build_speed(const ViewContext& context, const MeasuredPoints* measured,
                                   ViewModel& view) {
    if (context.estimate.decode_tokens_per_second.expected <= 0) {
        view.speed.limit_text = context.text("hardware.no_rate", {});
        return;
    }
    make_speed(context, measured, view.speed);
}

} // namespace vramscope::app
