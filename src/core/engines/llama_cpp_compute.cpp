#include "core/engines/llama_cpp_compute.h"

#include <algorithm>
#include <optional>
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

ComputeKey key_of(const EstimateRequest& request, const LlamaCppSettings& settings,
                  const LayerSplit& split) {
    ComputeKey key;
    key.settings = settings;
    key.settings.n_ctx_per_seq = key.settings.cache.n_ctx = 0;
    key.settings.n_batch = key.settings.n_gpu_layers = 0; // the micro-batch and the split count
    key.split = split;
    key.n_devices = static_cast<std::int8_t>(std::min(request.devices.size(), max_devices));
    key.vulkan = key.n_devices > 0 && request.devices[0].backend == Backend::vulkan;
    key.split_mode = request.options.split_mode;
    key.host_weights =
        key.n_devices > 0 && (!split.offloads_everything() || settings.experts.all_on_host ||
                              settings.experts.layers_on_host > 0);
    if (key.host_weights) {
        key.host_mixture = request.weights.mixture;
        key.host_importance_matrix = request.weights.importance_matrix;
    }
    return key;
}

/// Where sizes stop growing or start to: a full window, as many cells as an indexer picks.
void stay_between_kinks(const Architecture& architecture, const CacheSettings& settings,
                        std::int64_t at, std::int64_t& low, std::int64_t& high) {
    const auto kink = [&](std::int64_t cells) {
        const std::int64_t before = cells / cache_padding;
        const std::int64_t behind = ceil_div(cells, cache_padding);
        if (at <= before)
            high = std::min(high, before);
        if (at >= behind)
            low = std::max(low, behind);
    };
    CacheLayout endless = CacheLayout::of(settings);
    endless.cells = bytes_limit;
    for (const Mixer& mixer : architecture.mixers) {
        if (is_windowed(mixer.kind) && !settings.swa_full)
            kink(endless.cells_of(mixer, settings));
        if (mixer.indexer_top_k > 0)
            kink(mixer.indexer_top_k);
    }
}

/// Notes how every tensor of `graph` grows up to `next`, `steps` further on (+1 or -1); false when
/// they are not the same graph, or when something does not grow evenly.
bool compare(graph::Graph& graph, const graph::Graph& next, std::int64_t steps, Bytes& largest,
             Bytes& steepest) {
    constexpr Bytes coarsest_alignment = 128;
    if (graph.tensors.size() != next.tensors.size() || graph.nodes != next.nodes ||
        graph.leafs != next.leafs) {
        return false;
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        graph::Tensor& here = graph.tensors[i];
        const graph::Tensor& there = next.tensors[i];
        if (here.op != there.op || here.view_of != there.view_of ||
            here.contiguous != there.contiguous || here.sources != there.sources) {
            return false;
        }
        for (std::size_t d = 0; d < here.shape.size(); ++d) {
            if (here.shape[d] == there.shape[d])
                continue;
            if (here.grows != graph::none)
                return false;
            here.grows = static_cast<std::int8_t>(d);
            here.widening = (there.shape[d] - here.shape[d]) * steps;
        }
        here.growth = (there.bytes - here.bytes) * steps;
        if (here.growth < 0 || here.growth % coarsest_alignment != 0)
            return false;
        largest = std::max(largest, here.bytes);
        steepest = std::max(steepest, here.growth);
    }
    return true;
}

/// One look at the graph of a request.
class Look {
public:
    Look(const EstimateRequest& request, const LlamaCppSettings& settings, const LayerSplit& split,
         const ComputeKey& key, ComputeMemo& memo)
        : request_(request), settings_(settings), split_(split), key_(key), memo_(memo),
          at_(CacheLayout::of(settings.cache).cells / cache_padding) {}

    std::int64_t at() const { return at_; }

    /// `widely`: for as many contexts as possible, which takes a second graph; else for this one.
    void run(bool widely, ComputePiece& piece) {
        const bool moves = memo_.is_movable && memo_.graph_key == key_ &&
                           at_ >= memo_.graph_at + memo_.graph_range.low &&
                           at_ <= memo_.graph_at + memo_.graph_range.high;
        if (moves)
            move_graph();
        else
            make_graph(widely);
        graph::Alignments alignments;
        if (key_.n_devices == 0)
            alignments.host = 32;
        else if (!key_.vulkan)
            alignments.device = 128;
        graph::StepRange range = memo_.graph_range;
        piece.sizes = graph::allocate(memo_.graph, memo_.schedule,
                                      static_cast<std::size_t>(key_.n_devices) + 1, alignments,
                                      memo_.allocator, range);
        piece.n_splits = memo_.schedule.n_splits;
        piece.at = at_;
        piece.low = at_ + range.low;
        piece.high = at_ + range.high;
    }

private:
    void build(const LlamaCppSettings& settings, const WeightTable* weights, graph::Graph& graph) {
        const graph::BuildContext context{*request_.architecture,
                                          settings,
                                          split_,
                                          *request_.storage_types,
                                          key_.n_devices,
                                          weights != nullptr ? &WeightTable::bytes : nullptr,
                                          weights,
                                          key_.vulkan,
                                          &memo_.layers,
                                          &memo_.traits};
        graph::Builder(graph, context).build();
    }

    /// Builds and schedules.
    void make_graph(bool widely) {
        const Architecture& architecture = *request_.architecture;
        std::optional<WeightTable> table;
        if (key_.host_weights)
            table.emplace(request_);
        const WeightTable* weights = table ? &*table : nullptr;
        describe_layers(architecture, settings_, split_, weights, memo_.kinds);
        // Layers with an indexer have a constant each, laid out before anything is computed; and
        // where weights are copied in and out, the allocator takes long to settle.
        if (has_indexer(architecture) || table) {
            memo_.layers.clear();
            for (std::int32_t il = 0; il < architecture.n_layer(); ++il)
                memo_.layers.push_back(il);
        } else {
            graph::representative_layers(memo_.kinds, memo_.layers);
        }
        build(settings_, weights, memo_.graph);

        graph::SchedulerSettings scheduling;
        scheduling.n_backends = static_cast<std::int8_t>(key_.n_devices + 1);
        scheduling.op_offload = settings_.op_offload;
        scheduling.n_copies = is_pipelined(request_, settings_, split_) ? 4 : 1;
        // ggml-vulkan sorts its part of a graph. CUDA and HIP do so on demand only
        // (GGML_CUDA_GRAPH_OPT); Metal has an order of its own, which is not modelled.
        scheduling.reorders = key_.vulkan;
        scheduling.reorders_early = masks_in_32_bits(settings_.version);
        scheduling.copies_unused_inputs = settings_.version == LlamaCppVersion::v0_7_0;
        scheduling.limits_split_inputs = settings_.version != LlamaCppVersion::v0_7_0;
        // ggml-vulkan computes nothing that has a tensor of 4 GiB or more.
        if (key_.vulkan)
            scheduling.largest_tensor = 4 * gib - 1;
        memo_.is_movable = widely;
        memo_.graph_key = key_;
        memo_.graph_at = at_;
        memo_.graph_range =
            widely ? find_range(weights, scheduling.largest_tensor) : graph::StepRange{};
        graph::schedule(memo_.graph, scheduling, memo_.scheduler, memo_.schedule);
    }

    /// The graph of another context within the range: the same, but for some sizes.
    void move_graph() {
        const std::int64_t steps = at_ - memo_.graph_at;
        for (graph::Tensor& tensor : memo_.graph.tensors) {
            if (tensor.grows == graph::none)
                continue;
            tensor.bytes += tensor.growth * steps;
            tensor.shape[static_cast<std::size_t>(tensor.grows)] += tensor.widening * steps;
        }
        memo_.graph_at = at_;
        memo_.graph_range.low -= steps;
        memo_.graph_range.high -= steps;
    }

    /// Notes in the graph how its tensors grow; the range within which they do so.
    graph::StepRange find_range(const WeightTable* weights, Bytes largest_tensor) {
        constexpr Bytes far_from_saturation = bytes_limit >> 4;
        const std::int64_t streams = CacheLayout::of(settings_.cache).streams;
        // A micro-batch is no longer than the context.
        std::int64_t low = ceil_div(settings_.n_ubatch, cache_padding * streams);
        std::int64_t high = bytes_limit;
        stay_between_kinks(*request_.architecture, settings_.cache, at_, low, high);
        const std::int64_t step = at_ < high ? 1 : -1;
        if (at_ + step < low)
            return {};
        LlamaCppSettings other = settings_;
        other.cache.n_ctx += step * cache_padding * streams;
        build(other, weights, memo_.next);
        Bytes largest = 0;
        Bytes steepest = 0;
        if (!compare(memo_.graph, memo_.next, step, largest, steepest) ||
            largest >= far_from_saturation) {
            forget_growth();
            return {};
        }
        graph::StepRange range;
        range.low = low - at_;
        range.high = high - at_;
        if (steepest > 0)
            range.high = std::min(range.high, (far_from_saturation - largest) / steepest);
        if (key_.vulkan) {
            for (const graph::Tensor& tensor : memo_.graph.tensors)
                range.less_or_equal(tensor.size(), {largest_tensor, 0});
        }
        return range;
    }
    void forget_growth() {
        for (graph::Tensor& tensor : memo_.graph.tensors) {
            tensor.growth = tensor.widening = 0;
            tensor.grows = graph::none;
        }
    }

    const EstimateRequest& request_;
    const LlamaCppSettings& settings_;
    const LayerSplit& split_;
    const ComputeKey& key_;
    ComputeMemo& memo_;
    std::int64_t at_;
};

/// What a memo holds before it starts anew: enough for all questions of an estimate.
constexpr std::size_t most_keys = 96;
constexpr std::size_t most_pieces = 192;

const ComputePiece& find_piece(const EstimateRequest& request, const LlamaCppSettings& settings,
                               const LayerSplit& split, ComputeMemo& memo, bool widely) {
    const ComputeKey key = key_of(request, settings, split);
    std::size_t index = 0;
    while (index < memo.keys.size() && !(memo.keys[index] == key))
        ++index;
    Look look(request, settings, split, key, memo);
    if (index < memo.keys.size()) {
        for (const ComputePiece& piece : memo.pieces) {
            if (piece.key == index && look.at() >= piece.low && look.at() <= piece.high &&
                (piece.wide || !widely)) {
                return piece;
            }
        }
        widely = true; // a second context of the same graph: there will be more
    } else {
        if (memo.keys.size() >= most_keys) {
            memo.keys.clear();
            memo.pieces.clear();
        }
        index = memo.keys.size();
        memo.keys.push_back(key);
    }
    if (memo.pieces.size() >= most_pieces) {
        memo.pieces.clear();
        memo.keys.assign(1, key);
        index = 0;
    }
    ComputePiece& piece = memo.pieces.emplace_back();
    piece.key = index;
    piece.wide = widely;
    look.run(widely, piece);
    return piece;
}

} // namespace

ComputeBuffers ComputePiece::buffers(std::int64_t steps, std::size_t n_devices) const {
    ComputeBuffers out;
    for (std::size_t d = 0; d < n_devices; ++d)
        out.devices[d] = sizes[d].value(steps - at);
    out.host = sizes[n_devices].value(steps - at);
    out.n_splits = n_splits;
    return out;
}

void ComputeMemo::reset(const Architecture& architecture) {
    keys.clear();
    pieces.clear();
    is_movable = false;
    ++resets;
    traits = graph::traits_of(architecture);
}

const ComputePiece& llama_cpp_compute_piece(const EstimateRequest& request,
                                            const LlamaCppSettings& settings,
                                            const LayerSplit& split, ComputeMemo& memo) {
    return find_piece(request, settings, split, memo, true);
}

ComputeBuffers llama_cpp_compute_buffers(const EstimateRequest& request,
                                         const LlamaCppSettings& settings, const LayerSplit& split,
                                         ComputeMemo& memo) {
    return find_piece(request, settings, split, memo, false)
        .buffers(CacheLayout::of(settings.cache).cells / cache_padding,
                 std::min(request.devices.size(), max_devices));
}

} // namespace vramscope
