// The layers one by one: what each of them holds and where it lies, for a picture of the model.
//
// For llama.cpp and Ollama every byte is counted with the functions of the plan itself. The other
// engines state a sum per device only; it is shared out in proportion to the layers' tensors and
// caches. Either way the layers and what belongs to none of them add up to the plan, byte by byte.
#pragma once

#include <vector>

#include "core/engines/engine.h"

namespace vramscope {

struct LayerShare {
    /// Index into Estimate::devices; several_devices: every device holds a part (tensor parallel).
    std::int32_t device = 0;
    Bytes weights = 0;
    Bytes host_weights = 0; ///< part of `weights` that main memory keeps (experts)
    Bytes kv = 0;
    Bytes state = 0;
};
inline constexpr std::int32_t several_devices = -1;

struct LayerMap {
    std::vector<LayerShare> layers; ///< as in Architecture::layers
    Bytes other_weights = 0;        ///< embeddings, head, towers, drafting layers
    bool counted = true;            ///< false: sums of the engine shared out in proportion
};

/// `plan` is the request's own.
LayerMap layer_map(const EstimateRequest& request, const MemoryPlan& plan);

} // namespace vramscope
