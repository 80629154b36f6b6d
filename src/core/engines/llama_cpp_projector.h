// What llama.cpp needs to read images: the towers' weights, and scratch memory for one image.
#pragma once

#include "core/engines/engine.h"

namespace vramscope {

/// Bytes of a tower as the converter writes it: vectors and learned positions in 32 bits, matrices
/// in `type`, or in 16 bits where a row is no whole number of its blocks.
/// Source: llama.cpp convert_hf_to_gguf.py, MmprojModel.tensor_force_quant (b10256).
Bytes tower_bytes(const Tower& tower, StorageType type, const StorageTypeTable& types);

/// Tokens of the image that llama.cpp warms up with, given the largest allowed (0: the projector's
/// own limit), and of the largest image.
/// Source: llama.cpp tools/mtmd/clip.cpp load_hparams (b11118).
struct ImageTokens {
    std::int64_t warm_up = 0;
    std::int64_t largest = 0;
};
ImageTokens image_tokens(const Tower& tower, std::int64_t allowed);

struct TowerBuffers {
    Bytes device = 0;
    Bytes host = 0;
};
/// Scratch memory of a tower for an image of that many tokens; on the CPU alone without a device.
/// Zero when the projector's graph is not known.
TowerBuffers tower_buffers(const EstimateRequest& request, const Tower& tower, std::int64_t tokens);

/// Adds the towers of a request that loads them (`mmproj`).
void put_towers(const EstimateRequest& request, MemoryPlan& plan);

} // namespace vramscope
