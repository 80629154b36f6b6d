// Which layers of a model need to be looked at to know its peak.
//
// Layers repeat, and after a few repetitions the allocator repeats, too: every further repetition
// takes and gives back the same memory. So of a run of repetitions only the first few are built. In
// the reference set the result equals that of the whole graph on all but 10 of 16,000 rows (worst
// 4 %).
#pragma once

#include <cstdint>
#include <vector>

namespace vramscope::graph {

/// Indices of the layers to build, in order. `kinds` has one number per layer; layers with the same
/// number make the same operations on tensors of the same size, on the same device.
void representative_layers(const std::vector<std::uint64_t>& kinds,
                           std::vector<std::int32_t>& chosen);

} // namespace vramscope::graph
