#include "core/solve.h"

#include <algorithm>

#include "core/engines/engine.h"
#include "core/estimator.h"
#include "core/verdict.h"

namespace vramscope {
namespace {

/// Smallest head-room over all devices, negative when something does not fit.
Bytes head_room(const EstimateRequest& request, const MemoryPlan& plan) {
    Bytes smallest = bytes_limit;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const Bytes room = free_bytes(request, plan, i);
        if (room == 0 && static_cast<std::int32_t>(i) == plan.host) continue;
        smallest = std::min(smallest, room - plan.devices[i].total().expected);
    }
    return smallest;
}

/// Largest count in [0, limit] for which need(count) leaves head-room >= 0, given that head-room
/// falls with the count. Memory is nearly linear in contexts and sequences, so a secant step lands
/// next to the answer; bisection guards the rest. Typically six evaluations instead of thirty.
template <typename HeadRoom>
std::int64_t largest_fitting(std::int64_t limit, HeadRoom room_at) {
    std::int64_t low = 1;
    Bytes low_room = room_at(low);
    if (low_room < 0) return 0;
    std::int64_t high = limit;
    Bytes high_room = room_at(high);
    if (high_room >= 0) return limit;
    bool bisect = false;
    while (high - low > 1) {
        std::int64_t middle = low + (high - low) / 2;
        if (!bisect) {
            const double share = static_cast<double>(low_room) /
                                 (static_cast<double>(low_room) - static_cast<double>(high_room));
            const double guess = static_cast<double>(low) + share * static_cast<double>(high - low);
            middle = std::clamp(static_cast<std::int64_t>(guess), low + 1, high - 1);
        }
        const std::int64_t width = high - low;
        const Bytes room = room_at(middle);
        if (room >= 0) {
            low = middle;
            low_room = room;
            // The secant often stops exactly at the answer: look one further before halving.
            if (high - low > 1) {
                const Bytes next = room_at(low + 1);
                if (next < 0) return low;
                ++low;
                low_room = next;
            }
        } else {
            high = middle;
            high_room = room;
        }
        bisect = high - low > width / 2;
    }
    return low;
}

}  // namespace

std::int64_t max_context_tokens(const EstimateRequest& request) {
    const Engine* engine = find_engine(request.engine);
    if (engine->max_context != nullptr) return engine->max_context(request);
    EstimateRequest trial = request;
    const std::int64_t step = engine->context_step;
    return step * largest_fitting(context_search_limit / step, [&](std::int64_t steps) {
               trial.options.n_ctx = steps * step;
               return head_room(trial, plan_memory(trial));
           });
}

std::int64_t max_sequences(const EstimateRequest& request) {
    const Engine* engine = find_engine(request.engine);
    EstimateRequest trial = request;
    const std::int64_t now = std::max<std::int64_t>(1, engine->sequences(request));
    const std::int64_t each =
        engine->context_is_shared ? ceil_div(request.options.n_ctx, now) : request.options.n_ctx;
    return largest_fitting(sequence_search_limit, [&](std::int64_t sequences) {
        trial.options.n_seq = static_cast<std::int32_t>(sequences);
        if (engine->context_is_shared) trial.options.n_ctx = each * sequences;
        return head_room(trial, plan_memory(trial));
    });
}

}  // namespace vramscope
