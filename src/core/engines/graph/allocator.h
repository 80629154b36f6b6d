// How ggml hands out scratch memory: one growing arena per backend, best fit among freed blocks,
// results that overwrite their sources where an operation allows it.
//
// Source: ggml/src/ggml-alloc.c (ggml_dyn_tallocr_*, ggml_gallocr_*), b10256; the arena sizes equal
// the engine's own in every graph compared.
#pragma once

#include <array>
#include <vector>

#include "core/engines/graph/tensor_graph.h"
#include "core/hardware.h"

namespace vramscope::graph {

inline constexpr std::size_t max_backends = max_devices + 1;

/// One backend's arena.
class Arena {
public:
    explicit Arena(Bytes alignment = 16) : alignment_(alignment) { reset(); }
    void reset();
    Bytes take(Bytes size); ///< offset of a block of at least `size` bytes
    void give_back(Bytes offset, Bytes size);
    Bytes high_water() const { return high_water_; }

private:
    struct Block {
        Bytes offset;
        Bytes size;
    };
    static constexpr std::size_t max_blocks = 256; // as in ggml
    void erase(std::size_t i);

    std::array<Block, max_blocks> blocks_;
    std::size_t n_blocks_ = 0;
    Bytes high_water_ = 0;
    Bytes alignment_;
};

/// One step of the schedule: a tensor to compute (or a copy or dependency) on a backend.
struct Step {
    Id tensor;
    std::int8_t backend;
};

/// A graph in its final order, ready for allocation.
struct Schedule {
    std::vector<Step> steps;
    std::vector<Step> leafs;
    std::int32_t n_splits = 0;
};

using ArenaSizes = std::array<Bytes, max_backends>;

/// Blocks start at multiples of these: 16 as ggml-vulkan asks for on common hardware (CUDA: 128, a
/// difference of a few bytes), 64 in memory pinned for a device, 32 in plain memory.
struct Alignments {
    Bytes device = 16;
    Bytes host = 64;
};

/// Bytes of every backend's arena that the schedule needs; the last of n_backends is the CPU.
ArenaSizes allocate(const Graph& graph, const Schedule& schedule, std::size_t n_backends,
                    const Alignments& alignments);

} // namespace vramscope::graph
