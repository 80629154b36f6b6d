#include "core/engines/llama_cpp_compute.h"

#include <algorithm>
#include <vector>

#include "core/engines/graph/builder.h"
#include "core/engines/graph/representative_layers.h"
#include "core/engines/graph/scheduler.h"

namespace vramscope {
namespace {

/// Bytes of the weights that stay in host memory and may be copied to a device to be used there.
class WeightTable {
public:
    explicit WeightTable(const EstimateRequest& request)
        : types_(*request.storage_types),
          roles_(roles * static_cast<std::size_t>(request.architecture->n_layer() + 1)) {
        RecipeWalker walker(*request.architecture,
                            request.weights.mixture == Mixture::count_ ? Mixture::f16
                                                                       : request.weights.mixture,
                            request.weights.importance_matrix, types_);
        auto visit = [&](const Tensor& tensor) {
            const StorageType type = walker.type_of(tensor);
            const std::size_t slot = slot_of(tensor.role, tensor.layer);
            if (slot < roles_.size())
                stored_.push_back({slot, tensor.row_length, tensor.rows, type});
        };
        for_each_tensor(*request.architecture, Inventory::gguf, visit);
        if (request.architecture->tied_embeddings) {
            const std::size_t embedding = slot_of(TensorRole::token_embd, -1);
            for (std::size_t i = 0; i < stored_.size(); ++i) {
                if (stored_[i].slot == embedding) {
                    Stored head = stored_[i];
                    head.slot = slot_of(TensorRole::output, -1);
                    stored_.push_back(head);
                    break;
                }
            }
        }
        std::stable_sort(stored_.begin(), stored_.end(),
                         [](const Stored& a, const Stored& b) { return a.slot < b.slot; });
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            Role& role = roles_[stored_[i].slot];
            if (role.count++ == 0)
                role.first = role.next = i;
        }
    }

    /// A role may stand for several tensors of a layer: those of the same shape are asked for in
    /// the order of the file.
    static Bytes bytes(const void* table, TensorRole role, std::int32_t layer,
                       std::int64_t row_length, std::int64_t rows, std::int64_t depth) {
        const auto& self = *static_cast<const WeightTable*>(table);
        const StorageType type = self.type_of(slot_of(role, layer), row_length, rows);
        return mul(self.types_.row_bytes(type, row_length), rows, depth);
    }

    /// A number for the storage types of a layer: equal numbers, equal types.
    std::uint64_t fingerprint(std::int32_t layer) const {
        std::uint64_t hash = 14695981039346656037u; // FNV-1a
        const std::size_t first = roles * static_cast<std::size_t>(layer + 1);
        for (const Stored& stored : stored_) {
            if (stored.slot >= first && stored.slot < first + roles)
                hash = (hash ^ static_cast<std::uint64_t>(stored.type)) * 1099511628211u;
        }
        return hash;
    }

private:
    struct Stored {
        std::size_t slot;
        std::int64_t row_length;
        std::int64_t rows;
        StorageType type;
    };
    struct Role {
        std::size_t first = 0;
        std::size_t count = 0;
        std::size_t next = 0; ///< where the search for the next tensor starts
    };
    static constexpr auto roles = static_cast<std::size_t>(TensorRole::count_);
    static std::size_t slot_of(TensorRole role, std::int32_t layer) {
        return roles * static_cast<std::size_t>(layer + 1) + static_cast<std::size_t>(role);
    }
    StorageType type_of(std::size_t slot, std::int64_t row_length, std::int64_t rows) const {
        if (slot >= roles_.size() || roles_[slot].count == 0)
            return StorageType::f32;
        Role& role = roles_[slot];
        for (std::size_t n = 0; n < role.count; ++n) {
            const std::size_t i = role.first + (role.next - role.first + n) % role.count;
            if (stored_[i].row_length == row_length && stored_[i].rows == rows) {
                role.next = i + 1;
                return stored_[i].type;
            }
        }
        return stored_[role.first + role.count - 1].type;
    }

    const StorageTypeTable& types_;
    mutable std::vector<Role> roles_;
    std::vector<Stored> stored_;
};

/// Several devices work on different micro-batches at once when everything is offloaded.
bool is_pipelined(const EstimateRequest& request, const LlamaCppSettings& settings,
                  const LayerSplit& split) {
    return split.n_devices > 1 && split.offloads_everything() && settings.offload_kqv &&
           !settings.experts.all_on_host && settings.experts.layers_on_host == 0 &&
           request.options.split_mode == SplitMode::layer;
}

bool has_indexer(const Architecture& architecture) {
    for (const Mixer& mixer : architecture.mixers) {
        if (mixer.indexer_head_dim > 0)
            return true;
    }
    return false;
}

/// What makes layers alike: their shape, where they lie, and their weights' types when those move.
void describe_layers(const Architecture& architecture, const LlamaCppSettings& settings,
                     const LayerSplit& split, const WeightTable* table,
                     std::vector<std::uint64_t>& kinds) {
    kinds.clear();
    for (std::int32_t il = 0; il < architecture.n_layer(); ++il) {
        const Layer& layer = architecture.layers[static_cast<std::size_t>(il)];
        std::uint64_t kind = layer.mixer;
        kind = kind << 8 | layer.feed_forward;
        kind = kind << 1 | (layer.shares_kv ? 1u : 0u);
        kind = kind << 6 | static_cast<std::uint64_t>(split.device_of(il) + 1);
        kind = kind << 1 | (il < settings.experts.layers_on_host ? 1u : 0u);
        kind = kind << 1 | (il < architecture.deepstack_layers ? 1u : 0u);
        kind = kind << 1 | (il + 1 == architecture.n_layer() ? 1u : 0u);
        if (table != nullptr)
            kind = (kind ^ table->fingerprint(il)) * 1099511628211u;
        kinds.push_back(kind);
    }
}

} // namespace

ComputeBuffers llama_cpp_compute_buffers(const EstimateRequest& request,
                                         const LlamaCppSettings& settings,
                                         const LayerSplit& split) {
    const std::size_t n_devices = std::min(request.devices.size(), max_devices);
    const auto cpu = static_cast<std::int8_t>(n_devices);
    const bool host_weights =
        n_devices > 0 && (!split.offloads_everything() || settings.experts.all_on_host ||
                          settings.experts.layers_on_host > 0);
    const std::vector<WeightTable> table =
        host_weights ? std::vector<WeightTable>{WeightTable(request)} : std::vector<WeightTable>{};
    std::vector<std::uint64_t> kinds;
    std::vector<std::int32_t> layers;
    describe_layers(*request.architecture, settings, split,
                    table.empty() ? nullptr : &table.front(), kinds);
    // Layers with an indexer have a constant each, laid out before anything is computed; and where
    // weights are copied in and out, the allocator takes long to settle.
    if (has_indexer(*request.architecture) || !table.empty()) {
        for (std::int32_t il = 0; il < request.architecture->n_layer(); ++il)
            layers.push_back(il);
    } else {
        graph::representative_layers(kinds, layers);
    }
    const graph::BuildContext context{*request.architecture,
                                      settings,
                                      split,
                                      *request.storage_types,
                                      cpu,
                                      table.empty() ? nullptr : &WeightTable::bytes,
                                      table.empty() ? nullptr : &table.front(),
                                      n_devices > 0 &&
                                          request.devices[0].backend == Backend::vulkan,
                                      &layers};
    graph::Graph graph;
    graph::Builder(graph, context).build();

    graph::SchedulerSettings scheduling;
    scheduling.n_backends = static_cast<std::int8_t>(n_devices + 1);
    scheduling.op_offload = settings.op_offload;
    scheduling.n_copies = is_pipelined(request, settings, split) ? 4 : 1;
    // ggml-vulkan sorts its part of a graph. CUDA and HIP do so on demand only
    // (GGML_CUDA_GRAPH_OPT); Metal has an order of its own, which is not modelled.
    const bool vulkan = n_devices > 0 && request.devices[0].backend == Backend::vulkan;
    scheduling.reorders = vulkan;
    scheduling.reorders_early = settings.version == LlamaCppVersion::b7324;
    scheduling.copies_unused_inputs = settings.version == LlamaCppVersion::v0_7_0;
    scheduling.limits_split_inputs = settings.version != LlamaCppVersion::v0_7_0;
    // ggml-vulkan computes nothing that has a tensor of 4 GiB or more.
    if (vulkan)
        scheduling.largest_tensor = 4 * gib - 1;
    graph::Schedule schedule;
    graph::schedule(graph, scheduling, schedule);

    graph::Alignments alignments;
    if (n_devices == 0)
        alignments.host = 32;
    else if (!vulkan)
        alignments.device = 128;
    const graph::ArenaSizes sizes = graph::allocate(graph, schedule, n_devices + 1, alignments);
    ComputeBuffers buffers;
    for (std::size_t d = 0; d < n_devices; ++d)
        buffers.devices[d] = sizes[d];
    buffers.host = sizes[n_devices];
    buffers.n_splits = schedule.n_splits;
    return buffers;
}

} // namespace vramscope
