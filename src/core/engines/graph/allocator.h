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
    void reset(Bytes alignment);
    /// Offset of a block of at least `size` bytes.
    Affine take(Affine size, StepRange& range);
    void give_back(const Affine& offset, Affine size, StepRange& range);
    const Affine& high_water() const { return high_water_; }

private:
    struct Block {
        Affine offset;
        Affine size;
    };
    /// What grows does so by whole steps of every alignment (llama_cpp_compute.cpp sees to it).
    Affine rounded(const Affine& size) const {
        return {round_up(size.at, alignment_), size.growth};
    }
    static constexpr std::size_t max_blocks = 256; // as in ggml
    void erase(std::size_t i);

    std::array<Block, max_blocks> blocks_;
    std::size_t n_blocks_ = 0;
    Affine high_water_;
    Bytes alignment_ = 16;
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

using ArenaSizes = std::array<Affine, max_backends>;

/// Blocks start at multiples of these: 16 as ggml-vulkan asks for on common hardware (CUDA: 128, a
/// difference of a few bytes), 64 in memory pinned for a device, 32 in plain memory.
struct Alignments {
    Bytes device = 16;
    Bytes host = 64;
};

/// Where tensors are while a schedule is walked.
struct Placed {
    Affine offset;
    std::int32_t readers = 0;
    std::int32_t views = 0;
    std::int8_t backend = none;
    bool allocated = false;
};
/// Kept from graph to graph, so that nothing is allocated anew.
struct AllocatorScratch {
    std::vector<Placed> placed;
    std::vector<Arena> arenas;
};

/// Bytes of every backend's arena that the schedule needs; the last of n_backends is the CPU.
/// `range` is narrowed to the contexts for which they hold.
ArenaSizes allocate(const Graph& graph, const Schedule& schedule, std::size_t n_backends,
                    const Alignments& alignments, AllocatorScratch& scratch, StepRange& range);

} // namespace vramscope::graph
