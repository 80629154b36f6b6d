// Compute buffers of llama.cpp: the scratch memory of one graph, per device.
//
// The graph that the engine reserves for (one full micro-batch) is built, scheduled over the
// devices and allocated the way ggml does it; see graph/. One graph answers for all contexts at
// which it is laid out in the same way, so what was found is kept: questions about other contexts
// of the same model are mostly a multiplication.
#pragma once

#include <array>
#include <vector>

#include "core/engines/graph/scheduler.h"
#include "core/engines/graph/traits.h"
#include "core/engines/llama_cpp_settings.h"

namespace vramscope {

struct ComputeBuffers {
    std::array<Bytes, max_devices> devices{};
    Bytes host = 0;
    std::int32_t n_splits = 0;
};

/// Everything but the context that decides a graph of one architecture. In `settings` the fields
/// that follow from the context are zero, and those that no graph looks at.
struct ComputeKey {
    LlamaCppSettings settings;
    LayerSplit split;
    std::int8_t n_devices = 0;
    bool vulkan = false;
    SplitMode split_mode = SplitMode::layer;
    Mixture host_mixture = Mixture::count_; ///< of weights that a device takes from the host, else
                                            ///< count_
    bool host_importance_matrix = false;
    bool host_weights = false;

    friend bool operator==(const ComputeKey&, const ComputeKey&) = default;
};

/// Buffers for a range of contexts, counted in steps of cache_padding cells per stream.
struct ComputePiece {
    std::size_t key = 0; ///< index into ComputeMemo::keys
    std::int64_t low = 0;
    std::int64_t at = 0;
    std::int64_t high = 0;
    bool wide = false; ///< for all contexts that it can hold for
    std::int32_t n_splits = 0;
    graph::ArenaSizes sizes{}; ///< devices, then the host

    ComputeBuffers buffers(std::int64_t steps, std::size_t n_devices) const;
};

/// Graphs of one architecture: those found, and the memory that finding them takes.
struct ComputeMemo {
    std::vector<ComputeKey> keys;
    std::vector<ComputePiece> pieces;
    graph::Traits traits;

    graph::Graph graph;
    graph::Graph next; ///< the same graph one step of the context further
    // What `graph` and `schedule` are for, when they can be moved to other contexts.
    bool is_movable = false;
    ComputeKey graph_key;
    std::int64_t graph_at = 0;
    graph::StepRange graph_range;
    std::size_t resets = 0; ///< so many architectures so far
    graph::SchedulerScratch scheduler;
    graph::AllocatorScratch allocator;
    graph::Schedule schedule;
    std::vector<std::uint64_t> kinds;
    std::vector<std::int32_t> layers;

    /// Forgets what was found, for another architecture.
    void reset(const Architecture& architecture);
};

ComputeBuffers llama_cpp_compute_buffers(const EstimateRequest& request,
                                         const LlamaCppSettings& settings, const LayerSplit& split,
                                         ComputeMemo& memo);

/// The buffers around a context, for as many contexts as they hold for.
const ComputePiece& llama_cpp_compute_piece(const EstimateRequest& request,
                                            const LlamaCppSettings& settings,
                                            const LayerSplit& split, ComputeMemo& memo);

} // namespace vramscope
