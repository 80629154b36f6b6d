// How fast tokens come out: decode of a single stream.
//
// seconds per token = sum over devices of (weights read / (share x bandwidth) + cache read /
// (share x bandwidth)) + a fixed cost per token. The shares are constants per hardware class
// (catalog/engines.json: fitted to measured points there named), never per card.
#pragma once

#include "core/engines/engine.h"
#include "core/estimate.h"
#include "core/request.h"

namespace vramscope {

/// All zero when a device's bandwidth is not known.
RateRange decode_tokens_per_second(const EstimateRequest& request, const MemoryPlan& plan);

}  // namespace vramscope
