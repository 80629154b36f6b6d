// What an estimate says about speed: one sequence, a prompt, and many sequences at once.
#include <algorithm>

#include "core/engines/llama_cpp_settings.h"
#include "core/solve.h"
#include "core/speed.h"

namespace vramscope {
namespace {

RateRange rate_of(const StepTime& step, double tokens) {
    const double seconds = step.seconds();
    if (!step.known || seconds <= 0)
        return {};
    const double rate = tokens / seconds;
    return {rate * step.range.low, rate, rate * step.range.high};
}

/// Tokens that one sequence can have behind it.
double depth_of(const EstimateRequest& request) {
    const Engine* engine = find_engine(request.engine);
    return static_cast<double>(engine->context_is_shared
                                   ? LlamaCppSettings::of(request).n_ctx_per_seq
                                   : request.options.n_ctx);
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
StepTime speculative_step(const EstimateRequest& request, const SpeedWork& work, double depth,
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

void set_batches(const EstimateRequest& request, const SpeedWork& work, Estimate& out) {
    const Engine* engine = find_engine(request.engine);
    const std::int64_t now = std::max<std::int64_t>(1, engine->sequences(request));
    const auto depth = static_cast<double>(
        engine->context_is_shared ? ceil_div(request.options.n_ctx, now) : request.options.n_ctx);
    const double tokens = tokens_per_step(request.options);
    const auto point_at = [&](std::int64_t sequences) {
        const auto batch = static_cast<double>(sequences);
        const StepTime step = speculative_step(request, work, depth, batch);
        const RateRange rate = rate_of(step, batch * tokens);
        return BatchPoint{sequences, rate, rate.expected / batch, step.limit()};
    };
    const std::int64_t most = std::max<std::int64_t>(1, out.max_sequences);
    for (std::int64_t sequences = 1;; sequences = std::min(2 * sequences, most)) {
        out.batches.push_back(point_at(sequences));
        if (sequences >= most)
            break;
    }
    // The rate of each falls with every further user: halve the interval.
    if (out.max_sequences < 1 || out.batches.front().per_sequence < request.options.user_rate) {
        out.max_users_limit = out.max_sequences < 1 ? Limit::memory : out.batches.front().limit;
        return;
    }
    std::int64_t low = 1;
    std::int64_t high = most + 1;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (point_at(middle).per_sequence >= request.options.user_rate ? low : high) = middle;
    }
    out.max_users = low;
    out.max_users_limit = low == most ? Limit::memory : point_at(low).limit;
}

} // namespace

RateRange decode_tokens_per_second(const EstimateRequest& request, const MemoryPlan& plan) {
    if (request.engine == EngineId::quick)
        return quick_decode_rate(request, plan);
    const SpeedWork work = SpeedWork::of(request);
    return rate_of(speculative_step(request, work, depth_of(request), 1),
                   tokens_per_step(request.options));
}

void set_speed(const EstimateRequest& request, const MemoryPlan& plan, Estimate& out) {
    if (request.engine == EngineId::quick) {
        out.decode_tokens_per_second = quick_decode_rate(request, plan);
        return;
    }
    const SpeedWork work = SpeedWork::of(request);
    const double depth = depth_of(request);
    const StepTime step = speculative_step(request, work, depth, 1);
    out.decode_tokens_per_second = rate_of(step, tokens_per_step(request.options));
    out.decode_limit = step.limit();
    out.speed_extrapolated = step.known && !step.calibrated;
    const StepTime prompt = prefill_step(request, work, 0, depth);
    out.prefill_tokens_per_second = rate_of(prompt, depth);
    out.first_token_seconds = prompt.known ? prompt.seconds() + step.seconds() : 0;
    if (out.speed_extrapolated)
        out.assumptions.push_back({.id = "assumption.speed_extrapolated", .text = {}});
    if (step.known)
        set_batches(request, work, out);
}

} // namespace vramscope
