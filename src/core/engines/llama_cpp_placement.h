// Where llama.cpp puts layers, weights and caches; the same for all contexts of a request.
#pragma once

#include <array>
#include <vector>

#include "core/engines/llama_cpp_settings.h"
#include "core/model_facts.h"

namespace vramscope {

/// Layers with the same mixer on the same device.
struct CacheGroup {
    std::uint8_t mixer = 0;
    std::int32_t device = on_host;
    std::int32_t n_layers = 0;
    std::int32_t n_owners = 0; ///< of them: with a cache of their own
};

/// The placement found last.
struct PlacementMemo {
    // What it was found for.
    std::uint64_t generation = 0; ///< of ModelFacts, 0: nothing yet
    LayerShares shares;
    ExpertPlacement experts;
    bool offload_kqv = true;
    bool unified = false;
    std::array<bool, max_devices> vulkan{};

    LayerSplit split;
    std::array<Bytes, max_devices + 1> layers{}; ///< weights in layers; last: the host
    std::array<Bytes, max_devices + 1> other{};
    std::vector<CacheGroup> groups; ///< by mixer, then by device
};

/// The placement of a request whose model and weights `facts` has selected.
const PlacementMemo& llama_cpp_placement(const EstimateRequest& request,
                                         const LlamaCppSettings& settings, ModelFacts& facts,
                                         PlacementMemo& memo);

} // namespace vramscope
