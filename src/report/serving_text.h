// What a serving engine prints of its cache at start, in its own words: lines to search a log for.
#pragma once

#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/request.h"

namespace vramscope::report {

/// Empty for engines without a pool. Wording: vLLM v1/core/kv_cache_utils.py and
/// v1/worker/gpu_worker.py ("GPU KV cache size", "Maximum concurrency"), SGLang
/// mem_cache/memory_pool.py, TensorRT-LLM's KV cache manager.
std::vector<std::string> serving_lines(const EstimateRequest& request,
                                       const ServingEstimate& serving);

} // namespace vramscope::report
