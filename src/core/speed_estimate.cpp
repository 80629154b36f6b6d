// What an estimate says about speed: one sequence, a prompt, and many sequences at once.
#include <algorithm>

#include "core/capacity.h"
#include "core/engines/llama_cpp_settings.h"
#include "core/solve.h"
#include "core/speed.h"

namespace vramscope {
namespace {

/// Tokens that one sequence can have behind it.
double depth_of(const EstimateRequest& request) {
    const Engine* engine = find_engine(request.engine);
    return static_cast<double>(engine->context_is_shared
                                   ? LlamaCppSettings::of(request).n_ctx_per_seq
                                   : request.options.n_ctx);
}

/// What takes which share of a step.
LimitShares shares_of(const StepTime& step) {
    LimitShares out{};
    const double seconds = step.seconds();
    for (std::size_t i = 0; i < limit_count && seconds > 0; ++i)
        out[i] = step.by_limit[i] / seconds;
    return out;
}

} // namespace

RateRange decode_tokens_per_second(const EstimateRequest& request, const MemoryPlan& plan) {
    if (request.engine == EngineId::quick)
        return quick_decode_rate(request, plan);
    const SpeedWork work = SpeedWork::of(request);
    return rate_of(serving_step(request, work, depth_of(request), 1),
                   tokens_per_step(request.options));
}

void set_speed(const EstimateRequest& request, const MemoryPlan& plan, Estimate& out) {
    if (request.engine == EngineId::quick) {
        out.decode_tokens_per_second = quick_decode_rate(request, plan);
        return;
    }
    const SpeedWork work = SpeedWork::of(request);
    const double depth = depth_of(request);
    const StepTime step = serving_step(request, work, depth, 1);
    out.decode_tokens_per_second = rate_of(step, tokens_per_step(request.options));
    out.decode_limit = step.limit();
    out.decode_shares = shares_of(step);
    out.speed_extrapolated = step.known && !step.calibrated;
    const StepTime prompt = prefill_step(request, work, 0, depth);
    out.prefill_tokens_per_second = rate_of(prompt, depth);
    out.prefill_limit = prompt.limit();
    out.prefill_shares = shares_of(prompt);
    out.first_token_seconds = prompt.known ? prompt.seconds() + step.seconds() : 0;
    if (out.speed_extrapolated)
        out.assumptions.push_back({.id = "assumption.speed_extrapolated", .text = {}});
    if (!step.known)
        return;
    Capacity many = capacity(request, out.max_sequences);
    out.batches = std::move(many.points);
    out.max_users = many.max_users;
    out.max_users_limit = many.max_users_limit;
}

} // namespace vramscope
