// How fast tokens come out: decode, prompt reading, and many sequences at once.
//
//   seconds = sum over devices and costs of (constant x nominal time) + links
//
// Nominal times are what the data sheet would give: bytes / bandwidth, flops / compute, or one
// microsecond a layer. The constants are fitted per class of hardware, never per card, by
// tests/reference/speed_calibration_test.cpp, and live in catalog/engines.json with the range that
// holds four of five measurements.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engines/engine.h"
#include "core/estimate.h"
#include "core/request.h"
#include "core/speed_work.h"

namespace vramscope {

/// Seconds of one step, by what takes them.
struct StepTime {
    std::array<double, limit_count> by_limit{};
    SpeedRange range;       ///< factors around the rate
    bool known = false;     ///< bandwidths and constants are there
    bool calibrated = true; ///< every device that works belongs to a calibrated class

    double seconds() const;
    /// What takes most of it.
    Limit limit() const;
};

/// Nominal times of a step on one device, in the order of DecodeCost: what the constants multiply.
DecodeCosts nominal_decode(const DeviceWork& work, const SpeedWork& model, const Device& device,
                           const SpeedConstants& constants, bool flash_attn, double depth,
                           double batch);
/// The same for `tokens` of a prompt that follow `depth` tokens.
PrefillCosts nominal_prefill(const DeviceWork& work, const SpeedWork& model, const Device& device,
                             const SpeedConstants& constants, bool sixteen_bit, bool flash_attn,
                             double depth, double tokens, double ubatch);

/// One new token for each of `batch` sequences that have `depth` tokens behind them.
StepTime decode_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                     double batch);
/// Reading `tokens` of a prompt.
StepTime prefill_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                      double tokens);

/// Constants of a device: boards with the same chips share them, whatever they are sold as.
const SpeedConstants& speed_constants(const EstimateRequest& request, const Device& device);

/// The `quick` profile's rate: bandwidth x class share x quantisation factor / (weights + KV), the
/// reference page's rule.
RateRange quick_decode_rate(const EstimateRequest& request, const MemoryPlan& plan);

/// Single-stream decode with the requested context filled; all zero when a bandwidth is unknown.
RateRange decode_tokens_per_second(const EstimateRequest& request, const MemoryPlan& plan);

/// Everything the estimate says about speed; the plan has a workspace.
void set_speed(const EstimateRequest& request, const MemoryPlan& plan, Estimate& out);

} // namespace vramscope
