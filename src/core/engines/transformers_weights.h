// Weights of a checkpoint as engines load it that read safetensors: which part lies on which rank.
//
// Matrices of layers have the format's width; embeddings, head, norms, routers, small state tensors
// and towers stay in 16 bits (AWQ, GPTQ, FP8 and NVFP4 checkpoints do so: a 27B in NVFP4
// loads 19.75 GiB, not 14). With tensor parallelism matrices, embedding and head are shared out;
// norms, routers, latent down-projections and towers are on every rank, and so are K and V once
// there are more ranks than heads. Sources: vLLM model_executor/layers/linear.py and
// vocab_parallel_embedding.py; logs T186, T083, T218, T221, T227 in
// tests/reference/serving_cases.txt.
#pragma once

#include "core/request.h"

namespace vramscope {

struct RankLayout {
    std::int32_t tensor_parallel = 1;
    std::int32_t pipeline_parallel = 1;
    std::int32_t ranks = 1;

    /// As the request asks; devices that it leaves over join tensor parallelism.
    static RankLayout of(const EstimateRequest& request);
    /// Pipeline stage of a layer; the head is on the last one.
    std::int32_t stage_of(std::int32_t layer, std::int32_t n_layer) const {
        return layer < 0          ? 0
               : layer >= n_layer ? pipeline_parallel - 1
                                  : layer * pipeline_parallel / n_layer;
    }
};

struct CheckpointBytes {
    std::array<double, max_devices> shared{};     ///< by pipeline stage: a rank's share
    std::array<double, max_devices> replicated{}; ///< by stage: on every rank of it
    double total = 0;                             ///< all tensors once

    static CheckpointBytes of(const EstimateRequest& request, const RankLayout& ranks);
    Bytes on(std::int32_t stage) const {
        const auto i = static_cast<std::size_t>(stage);
        return static_cast<Bytes>(shared[i] + replicated[i] + 0.5);
    }
};

} // namespace vramscope
