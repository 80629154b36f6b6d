// The graph of a vision tower that llama.cpp's clip reserves memory for: one image of the size that
// it warms up with.
// Source: llama.cpp tools/mtmd/clip.cpp and tools/mtmd/models/*.cpp (b11118); window masks as 0.7.0
// makes them (16 bits when flash attention reads them).
#pragma once

#include "core/architecture.h"
#include "core/engines/graph/operations.h"

namespace vramscope::graph {

struct TowerImage {
    std::int64_t side = 0; ///< patches per side
    bool flash_attn = true;
    bool f32_patches = false; ///< the kernel that cuts the image into patches is stored in 32 bits
    std::int8_t device = 0;   ///< backend that holds the weights
};

/// Builds the tower's graph; false when its projector is not known.
bool build_tower(Graph& graph, const Tower& tower, const TowerImage& image);

} // namespace vramscope::graph
