// Which backend computes what, where the graph is cut, and what is copied across the cuts.
//
// Source: ggml/src/ggml-backend.cpp ggml_backend_sched_split_graph(), b10256. Backends are the
// devices in order, the CPU last; the CPU computes only what nobody else is asked to.
#pragma once

#include "core/engines/graph/allocator.h"

namespace vramscope::graph {

struct SchedulerSettings {
    std::int8_t n_backends = 1;       ///< devices and the CPU
    bool op_offload = true;           ///< big batches over host weights run on the first device
    std::int32_t n_copies = 1;        ///< 4 with pipeline parallelism
    bool copies_unused_inputs = true; ///< inputs that no operation reads have copies, too (0.7.0)
    bool limits_split_inputs = true;  ///< a split takes at most 30 copied inputs (before 0.7.0)
    bool reorders = false;            ///< the device backend sorts a graph for parallelism (Vulkan)
    bool reorders_early = false;      ///< … by the rules of 2025
    Bytes largest_tensor = bytes_limit; ///< operations on anything bigger run on the CPU
};

/// Batches of at least this many rows are worth copying host weights to a device.
inline constexpr std::int64_t min_offload_rows = 32;

/// A run of nodes on one backend.
struct Split {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t first_input = 0;
    std::size_t n_inputs = 0;
    std::int8_t backend = 0;
};
struct Copy {
    Id of;
    Id copy; // the first of n_copies consecutive tensors
    std::int8_t backend;
    std::int32_t earlier; // another copy of the same tensor: index of Copy, or none
};
/// Kept from graph to graph, so that nothing is allocated anew.
struct ReorderScratch {
    std::vector<Id> nodes;
    std::vector<char> used;
    std::vector<char> done;
    std::vector<Id> order;
    std::vector<std::size_t> set;
};
struct SchedulerScratch {
    std::vector<std::int8_t> backend;
    std::vector<Copy> copies;
    std::vector<std::int32_t> latest_copy; // by tensor: its last one in `copies`, or none
    std::vector<Id> inputs;
    std::vector<Id> graph_inputs;
    std::vector<Split> splits;
    ReorderScratch reorder;
};

/// Assigns, cuts and orders; adds the copies it needs to the graph.
void schedule(Graph& graph, const SchedulerSettings& settings, SchedulerScratch& scratch,
              Schedule& result);

/// Sorts nodes [begin, end) of the graph as ggml-vulkan's graph_optimize does; `early`: as it did
/// in 2025, with fewer pairs of operations to keep together.
void reorder_for_parallelism(Graph& graph, std::size_t begin, std::size_t end, bool early,
                             ReorderScratch& scratch);

/// Length of the expert routing that starts at node i and is computed in one go, 0 when none does.
std::size_t fused_routing_length(const Graph& graph, std::size_t i, std::size_t end);

} // namespace vramscope::graph
