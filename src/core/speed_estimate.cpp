// What an estimate says about speed: one sequence, a prompt, and many sequences at once.
#include <algorithm>

#include "core/capacity.h"
#include "core/engines/llama_cpp_settings.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/workspace.h"

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
    const auto rate_with = [&](const SpeedWork& work) {
        return rate_of(serving_step(request, work, depth_of(request), 1),
                       tokens_per_step(request.options));
    };
    if (plan.workspace != nullptr)
        return rate_with(speed_work(request, plan.workspace->facts, plan.workspace->speed));
    return rate_with(SpeedWork::of(request));
}

void set_speed(const EstimateRequest& request, const MemoryPlan& plan, Estimate& out) {
    out.decode_tokens_per_second = out.prefill_tokens_per_second = {};
    out.first_token_seconds = 0;
    out.decode_limit = Limit::bandwidth;
    out.decode_shares = out.prefill_shares = {};
    out.prefill_limit = Limit::compute;
    out.speed_extrapolated = false;
    out.batches.clear();
    out.max_users = 0;
    out.max_users_limit = Limit::memory;
    if (request.engine == EngineId::quick) {
        out.decode_tokens_per_second = quick_decode_rate(request, plan);
        return;
    }
    const SpeedWork& work = speed_work(request, plan.workspace->facts, plan.workspace->speed);
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
    Capacity many;
    many.points.swap(out.batches); // for its memory
    set_capacity(request, work, out.max_sequences, many);
    many.points.swap(out.batches);
    out.max_users = many.max_users;
    out.max_users_limit = many.max_users_limit;
}

} // namespace vramscope
