// Compute buffers of llama.cpp: the scratch memory of one graph, per device.
//
// The graph that the engine reserves for (one full micro-batch) is built, scheduled over the
// devices and allocated the way ggml does it; see graph/.
#pragma once

#include <array>

#include "core/engines/llama_cpp_settings.h"

namespace vramscope {

struct ComputeBuffers {
    std::array<Bytes, max_devices> devices{};
    Bytes host = 0;
    std::int32_t n_splits = 0;
};

ComputeBuffers llama_cpp_compute_buffers(const EstimateRequest& request,
                                         const LlamaCppSettings& settings, const LayerSplit& split);

} // namespace vramscope
