// What a tensor of a GGUF is for, by its name.
//
// Source: llama.cpp src/llama-arch.cpp, LLM_TENSOR_NAMES (b9793); DeepSeek V4's names from its
// converters.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/tensors.h"

namespace vramscope::formats {

/// "blk.12.attn_q.weight" taken apart: layer 12, "attn_q.weight". Outside of layers the layer is -1
/// and the name is whole.
struct TensorPlace {
    std::int32_t layer = -1;
    std::string_view name;
};
TensorPlace place_of(std::string_view tensor_name);

/// The role, or count_ for a name that the core has no role for.
TensorRole role_of(TensorPlace place);

} // namespace vramscope::formats
