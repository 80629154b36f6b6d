#include "core/capacity.h"

#include <algorithm>

#include "core/engines/engine.h"
#include "core/estimator.h"

namespace vramscope {

RateRange rate_of(const StepTime& step, double tokens) {
    const double seconds = step.seconds();
    if (!step.known || seconds <= 0)
        return {};
    const double rate = tokens / seconds;
    return {rate * step.range.low, rate, rate * step.range.high};
}

/// Tokens that a step yields when drafts are checked: 1 + a + a^2 … for drafts accepted in a row.
double tokens_per_step(const Options& options) {
    double sum = 1;
    double accepted = 1;
    for (std::int32_t i = 0; i < options.speculative_tokens; ++i) {
        accepted *= options.acceptance_rate;
        sum += accepted;
    }
    return sum;
}

/// A step that drafts with the model's own extra layer and checks all drafts together.
StepTime serving_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                      double sequences) {
    const auto drafts = static_cast<double>(request.options.speculative_tokens);
    StepTime step = decode_step(request, work, depth, sequences);
    if (drafts <= 0 || !step.known)
        return step;
    // Checking reads the weights once and the cache once; experts and arithmetic grow with tokens.
    const StepTime checked = decode_step(request, work, depth, sequences * (1.0 + drafts));
    const auto cache_seconds = [&](double batch) {
        double bytes = 0;
        double bandwidth = 0;
        for (std::int32_t i = 0; i < work.n_devices; ++i) {
            bytes += work.devices[static_cast<std::size_t>(i)].cache_bytes(depth) * batch;
            bandwidth = request.devices[static_cast<std::size_t>(i)].bandwidth_gb_per_s * 1e9;
        }
        return bandwidth > 0 ? bytes / bandwidth / work.parallel : 0.0;
    };
    const double layers = std::max(1.0, static_cast<double>(request.architecture->n_layer()));
    const double draft_share = drafts * (1.0 / layers);
    StepTime out = checked;
    for (std::size_t i = 0; i < limit_count; ++i)
        out.by_limit[i] += draft_share * step.by_limit[i];
    double& bandwidth = out.by_limit[static_cast<std::size_t>(Limit::bandwidth)];
    bandwidth = std::max(0.0, bandwidth - cache_seconds(sequences * drafts));
    return out;
}

std::vector<DepthPoint> decode_by_depth(const EstimateRequest& request,
                                        std::span<const std::int64_t> depths) {
    std::vector<DepthPoint> out;
    out.reserve(depths.size());
    if (request.engine == EngineId::quick) {
        EstimateRequest trial = request;
        for (const std::int64_t depth : depths) {
            trial.options.n_ctx = depth;
            out.push_back({depth, quick_decode_rate(trial, plan_memory(trial)), Limit::bandwidth});
        }
        return out;
    }
    const SpeedWork work = SpeedWork::of(request);
    const double tokens = tokens_per_step(request.options);
    for (const std::int64_t depth : depths) {
        const StepTime step = serving_step(request, work, static_cast<double>(depth), 1);
        out.push_back({depth, rate_of(step, tokens), step.limit()});
    }
    return out;
}

Capacity capacity(const EstimateRequest& request, std::int64_t fitting) {
    Capacity out;
    set_capacity(request, SpeedWork::of(request), fitting, out);
    return out;
}

void set_capacity(const EstimateRequest& request, const SpeedWork& work, std::int64_t fitting,
                  Capacity& out) {
    out.points.clear();
    out.max_users = 0;
    out.max_users_limit = Limit::memory;
    const Engine* engine = find_engine(request.engine);
    const std::int64_t now = std::max<std::int64_t>(1, engine->sequences(request));
    const auto depth = static_cast<double>(
        engine->context_is_shared ? ceil_div(request.options.n_ctx, now) : request.options.n_ctx);
    const double tokens = tokens_per_step(request.options);
    const auto point_at = [&](std::int64_t sequences) {
        const auto batch = static_cast<double>(sequences);
        const StepTime step = serving_step(request, work, depth, batch);
        const RateRange rate = rate_of(step, batch * tokens);
        return BatchPoint{sequences, rate, rate.expected / batch, step.limit()};
    };
    const std::int64_t most = std::max<std::int64_t>(1, fitting);
    for (std::int64_t sequences = 1;; sequences = std::min(2 * sequences, most)) {
        out.points.push_back(point_at(sequences));
        if (sequences >= most)
            break;
    }
    if (out.points.front().per_sequence <= 0) {
        out.points.clear(); // a bandwidth is unknown
        return;
    }
    // The rate of each falls with every further user: halve the interval.
    if (fitting < 1 || out.points.front().per_sequence < request.options.user_rate) {
        out.max_users_limit = fitting < 1 ? Limit::memory : out.points.front().limit;
        return;
    }
    std::int64_t low = 1;
    std::int64_t high = most + 1;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (point_at(middle).per_sequence >= request.options.user_rate ? low : high) = middle;
    }
    out.max_users = low;
    out.max_users_limit = low == most ? Limit::memory : point_at(low + 1).limit;
}

} // namespace vramscope
