// Speed as a curve: against the context behind a token, and against the number of users.
//
// The plots "decode against context" and "capacity" are these series. A point equals what
// estimate() says of the same setting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/request.h"
#include "core/speed.h"

namespace vramscope {

/// Decoding of one sequence that has `tokens` behind it.
struct DepthPoint {
    std::int64_t tokens = 0;
    RateRange tokens_per_second;
    Limit limit = Limit::bandwidth;
};
/// One point for each of `depths`; all zero where a bandwidth is unknown. Whether the cache fits is
/// not asked.
std::vector<DepthPoint> decode_by_depth(const EstimateRequest& request,
                                        std::span<const std::int64_t> depths);

/// Many users with the requested context each.
struct Capacity {
    std::vector<BatchPoint> points;        ///< 1, 2, 4 … sequences, up to what fits
    std::int64_t max_users = 0;            ///< most that each get Options::user_rate
    Limit max_users_limit = Limit::memory; ///< what keeps the next one out
};
/// `fitting` is how many sequences fit (Estimate::max_sequences).
Capacity capacity(const EstimateRequest& request, std::int64_t fitting);
/// The same into one that exists, when the work is known.
void set_capacity(const EstimateRequest& request, const SpeedWork& work, std::int64_t fitting,
                  Capacity& out);

/// A step of `sequences` and the tokens each of them gets from it: one, or more when drafts are
/// checked.
StepTime serving_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                      double sequences);
double tokens_per_step(const Options& options);
/// Tokens per second of a step that yields `tokens`.
RateRange rate_of(const StepTime& step, double tokens);

} // namespace vramscope
