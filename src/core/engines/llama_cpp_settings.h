// What llama.cpp makes of a request: options left open get the engine's and the tool's defaults,
// and contexts and batches are rounded and capped as the engine does.
//
// Sources: llama.cpp src/llama-context.cpp (llama_context constructor, b10256) for rounding and
// caps; logs of llama-server, llama-cli and llama-bench 0.7.0 for the tools' defaults:
//   llama-server           4 sequences, unified cache, 1 output row per sequence
//   llama-server -np N     N sequences, separate streams
//   llama-cli              1 sequence, 1 output row
//   llama-bench            1 sequence, an output row per token of the batch
#pragma once

#include "core/cache.h"
#include "core/placement.h"
#include "core/request.h"

namespace vramscope {

struct LlamaCppSettings {
    LlamaCppVersion version = LlamaCppVersion::v0_7_0;
    CacheSettings cache; ///< n_ctx, n_seq, n_ubatch, types, flash attention …
    std::int64_t n_ctx_per_seq = 0;
    std::int32_t n_batch = 2048;
    std::int32_t n_ubatch = 512;
    std::int32_t n_outputs_max = 1; ///< logit rows of one batch
    std::int32_t n_gpu_layers = 0;
    ExpertPlacement experts;
    bool offload_kqv = true;
    bool op_offload = true;
    bool embeddings = false;

    static LlamaCppSettings of(const EstimateRequest& request);
    friend bool operator==(const LlamaCppSettings&, const LlamaCppSettings&) = default;
};

/// What decides how layers are split over the request's devices: tensor_split, or free memory.
struct LayerShares {
    std::int32_t n_gpu_layers = 0;
    std::int32_t n_devices = 0;
    std::array<double, max_devices> shares{};

    static LayerShares of(const EstimateRequest& request, const LlamaCppSettings& settings);
    friend bool operator==(const LayerShares&, const LayerShares&) = default;
};
LayerSplit split_layers(const EstimateRequest& request, const LayerShares& shares);
LayerSplit split_layers(const EstimateRequest& request, const LlamaCppSettings& settings);

} // namespace vramscope
