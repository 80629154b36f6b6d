#include "core/solve.h"

#include <algorithm>

#include "core/engines/engine.h"
#include "core/estimator.h"
#include "core/largest_fitting.h"
#include "core/verdict.h"

namespace vramscope {
namespace {

/// Smallest head-room over all devices, negative when something does not fit.
Bytes head_room(const EstimateRequest& request, const MemoryPlan& plan) {
    Bytes smallest = bytes_limit;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const Bytes room = free_bytes(request, plan, i);
        if (room == 0 && static_cast<std::int32_t>(i) == plan.host)
            continue;
        smallest = std::min(smallest, room - plan.devices[i].total().expected);
    }
    return smallest;
}

/// Head-room of the workspace's trial request.
Bytes room_of_trial(const Engine& engine, Workspace& workspace) {
    MemoryPlan plan;
    plan.workspace = &workspace;
    engine.plan(workspace.trial, plan);
    return head_room(workspace.trial, plan);
}

} // namespace

std::int64_t max_context_tokens(const EstimateRequest& request, Workspace& workspace) {
    const Engine* engine = find_engine(request.engine);
    if (engine->max_context != nullptr)
        return engine->max_context(request);
    workspace.select(request);
    workspace.trial = request;
    const std::int64_t step = engine->context_step;
    return step * largest_fitting(context_search_limit / step, [&](std::int64_t steps) {
               workspace.trial.options.n_ctx = steps * step;
               return room_of_trial(*engine, workspace);
           });
}

std::int64_t max_sequences(const EstimateRequest& request, Workspace& workspace) {
    const Engine* engine = find_engine(request.engine);
    workspace.select(request);
    workspace.trial = request;
    const std::int64_t now = std::max<std::int64_t>(1, engine->sequences(request));
    const std::int64_t each =
        engine->context_is_shared ? ceil_div(request.options.n_ctx, now) : request.options.n_ctx;
    return largest_fitting(sequence_search_limit, [&](std::int64_t sequences) {
        workspace.trial.options.n_seq = static_cast<std::int32_t>(sequences);
        if (engine->context_is_shared)
            workspace.trial.options.n_ctx = each * sequences;
        return room_of_trial(*engine, workspace);
    });
}

std::int64_t max_context_tokens(const EstimateRequest& request) {
    Workspace workspace;
    return max_context_tokens(request, workspace);
}

std::int64_t max_sequences(const EstimateRequest& request) {
    Workspace workspace;
    return max_sequences(request, workspace);
}

} // namespace vramscope
