#include "core/engines/graph/scheduler.h"

namespace vramscope::graph {
namespace {

/// A split takes at most this many copied inputs (GGML_SCHED_MAX_SPLIT_INPUTS).
constexpr std::size_t max_split_inputs = 30;

class Scheduler {
public:
    Scheduler(Graph& graph, const SchedulerSettings& settings, SchedulerScratch& scratch,
              Schedule& result)
        : graph_(graph), settings_(settings), result_(result),
          cpu_(static_cast<std::int8_t>(settings.n_backends - 1)), backend_(scratch.backend),
          copies_(scratch.copies), latest_copy_(scratch.latest_copy), inputs_(scratch.inputs),
          graph_inputs_(scratch.graph_inputs), splits_(scratch.splits), reorder_(scratch.reorder) {
        backend_.assign(graph.tensors.size(), static_cast<std::int8_t>(none));
        copies_.clear();
        latest_copy_.clear();
        inputs_.clear();
        graph_inputs_.clear();
        splits_.clear();
    }

    void run() {
        assign_from_data();
        expand_devices();
        expand_rest();
        assign_rest();
        assign_sources();
        split();
        emit();
    }

private:
    std::int8_t& backend(Id id) { return backend_[static_cast<std::size_t>(id)]; }

    bool wants_offload(const Tensor& tensor) const {
        const Shape& s = tensor.shape;
        switch (tensor.op) {
        case Op::get_rows:
            return false;
        case Op::mul_mat:
            return s[1] >= min_offload_rows;
        case Op::mul_mat_id:
            return s[2] >= min_offload_rows;
        default:
            return s[1] * s[2] * s[3] >= min_offload_rows;
        }
    }

    bool supports(std::int8_t on, const Tensor& tensor) const {
        if (on == cpu_)
            return true;
        if (tensor.bytes > settings_.largest_tensor)
            return false;
        // Nor does it multiply by banks of matrices in full precision.
        if (settings_.reorders && tensor.op == Op::mul_mat_id && tensor.full_precision)
            return false;
        // It scans Mamba-2's states only.
        if (settings_.reorders && tensor.op == Op::ssm_scan &&
            graph_[tensor.sources[0]].shape[1] == 1) {
            return false;
        }
        if (settings_.reorders && tensor.op == Op::mul_mat) {
            // ggml-vulkan multiplies no permuted quantised matrix (keys of a quantised cache, where
            // they have several heads or streams), and spreads no matrix over streams.
            const Tensor& matrix = graph_[tensor.sources[0]];
            const Tensor& columns = graph_[tensor.sources[1]];
            if (matrix.element == Element::stored && (!matrix.contiguous || matrix.shape[3] > 1))
                return false;
            if (matrix.shape[3] != columns.shape[3])
                return false;
        }
        for (const Id source : tensor.sources) {
            if (source != none && graph_[source].bytes > settings_.largest_tensor)
                return false;
        }
        return true;
    }

    std::int8_t from_data(const Tensor& tensor) const {
        if (tensor.pinned != none)
            return tensor.pinned;
        if (tensor.lies_on != none)
            return tensor.lies_on;
        if (tensor.view_of != none && graph_[tensor.view_of].lies_on != none) {
            return graph_[tensor.view_of].lies_on;
        }
        if (tensor.is_input)
            return cpu_;
        if (tensor.op == Op::rope || tensor.op == Op::flash_attn)
            return none;
        for (const Id source : tensor.sources) {
            if (source == none || !graph_[source].is_weight)
                continue;
            const std::int8_t home = graph_[source].lies_on;
            if (settings_.op_offload && home == cpu_ && cpu_ > 0 && wants_offload(tensor) &&
                supports(0, tensor)) {
                return 0;
            }
            return supports(home, tensor) ? home : static_cast<std::int8_t>(none);
        }
        return none;
    }

    void assign_from_data() {
        for (const Id leaf : graph_.leafs)
            backend(leaf) = from_data(graph_[leaf]);
        for (const Id node : graph_.nodes)
            backend(node) = from_data(graph_[node]);
    }

    template <typename Range>
    void spread(Range first, Range last, bool devices_only) {
        std::int8_t current = none;
        for (; first != last; ++first) {
            if (is_view_op(graph_[*first].op))
                continue;
            std::int8_t& own = backend(*first);
            if (own != none) {
                current = devices_only && own == cpu_ ? static_cast<std::int8_t>(none) : own;
            } else if (current != none && supports(current, graph_[*first])) {
                own = current;
            }
        }
    }
    /// Whatever no neighbour could take goes where most of its sources are, devices first.
    void assign_rest() {
        for (const Id node : graph_.nodes) {
            if (backend(node) != none || is_view_op(graph_[node].op))
                continue;
            std::int32_t best = -1;
            for (std::int8_t b = 0; b < settings_.n_backends; ++b) {
                if (!supports(b, graph_[node]))
                    continue;
                std::int32_t readable_sources = 0;
                for (const Id source : graph_[node].sources) {
                    if (source != none && home_of(source) == b)
                        ++readable_sources;
                }
                if (readable_sources > best) {
                    best = readable_sources;
                    backend(node) = b;
                }
            }
        }
    }
    std::int8_t home_of(Id id) {
        const Id owner = graph_[id].view_of;
        return backend(id) == none && owner != none ? backend(owner) : backend(id);
    }
    void expand_devices() {
        spread(graph_.nodes.begin(), graph_.nodes.end(), true);
        spread(graph_.nodes.rbegin(), graph_.nodes.rend(), true);
    }
    void expand_rest() {
        spread(graph_.nodes.begin(), graph_.nodes.end(), false);
        spread(graph_.nodes.rbegin(), graph_.nodes.rend(), false);
    }

    void assign_sources() {
        for (const Id node : graph_.nodes) {
            const Tensor& tensor = graph_[node];
            if (tensor.view_of != none && backend(node) == none)
                backend(node) = backend(tensor.view_of);
            for (const Id source : tensor.sources) {
                if (source == none || backend(source) != none)
                    continue;
                const Id owner = graph_[source].view_of;
                backend(source) = owner != none ? backend(owner) : backend(node);
            }
            if (backend(node) == none)
                backend(node) = 0;
        }
    }

    /// Whether the split's backend can read the tensor where it is. Devices read their own memory
    /// only, and so does the CPU.
    bool readable(Id id, std::int8_t on) { return backend(id) == on; }

    Id find_copy(Id of, std::int8_t on) const {
        const auto id = static_cast<std::size_t>(of);
        std::int32_t at = id < latest_copy_.size() ? latest_copy_[id] : none;
        while (at != none) {
            const Copy& copy = copies_[static_cast<std::size_t>(at)];
            if (copy.backend == on)
                return copy.copy;
            at = copy.earlier;
        }
        return none;
    }

    void remember_copy(Id of, Id first, std::int8_t on) {
        const auto id = static_cast<std::size_t>(of);
        if (id >= latest_copy_.size())
            latest_copy_.resize(id + 1, none);
        copies_.push_back({of, first, on, latest_copy_[id]});
        latest_copy_[id] = static_cast<std::int32_t>(copies_.size()) - 1;
    }

    Id make_copy(Id of, std::int8_t on) {
        Tensor copy;
        copy.shape = graph_[of].shape;
        copy.element = graph_[of].element;
        copy.contiguous = graph_[of].contiguous;
        copy.bytes = graph_[of].bytes;
        copy.growth = graph_[of].growth;
        copy.grows = graph_[of].grows;
        copy.widening = graph_[of].widening;
        copy.is_input = copy.is_output = settings_.n_copies > 1;
        Id first = none;
        for (std::int32_t c = 0; c < settings_.n_copies; ++c) {
            const Id made = graph_.add(copy);
            if (first == none)
                first = made;
            backend_.push_back(on);
        }
        remember_copy(of, first, on);
        return first;
    }

    /// With pipeline parallelism a graph input has one original and three copies where it lies.
    void copy_graph_input(Id source) {
        const std::int8_t home = backend(source);
        if (find_copy(source, home) != none)
            return;
        Tensor copy = graph_[source];
        copy.is_input = copy.is_output = true;
        graph_[source].is_output = true;
        graph_inputs_.push_back(source);
        Id first = none;
        for (std::int32_t c = 1; c < settings_.n_copies; ++c) {
            const Id made = graph_.add(copy);
            if (first == none)
                first = made;
            backend_.push_back(home);
        }
        remember_copy(source, first, home);
    }

    bool needs_new_split(const Tensor& tensor, const Split& current) {
        if (current.n_inputs == 0)
            return false;
        for (const Id source : tensor.sources) {
            if (source == none)
                continue;
            if (graph_[source].is_weight && !readable(source, current.backend))
                return true;
            if (settings_.limits_split_inputs && current.n_inputs >= max_split_inputs &&
                !readable(source, current.backend) && find_copy(source, current.backend) == none) {
                return true;
            }
        }
        return false;
    }

    void split() {
        if (settings_.n_copies > 1 && settings_.copies_unused_inputs) {
            for (const Id leaf : graph_.leafs) {
                if (graph_[leaf].is_input)
                    copy_graph_input(leaf);
            }
        }
        Split current;
        std::size_t i = 0;
        while (i < graph_.nodes.size() && is_view_op(graph_[graph_.nodes[i]].op))
            ++i;
        if (i < graph_.nodes.size())
            current.backend = backend(graph_.nodes[i]);
        for (; i < graph_.nodes.size(); ++i) {
            const Id node = graph_.nodes[i];
            if (is_view_op(graph_[node].op))
                continue;
            const std::int8_t own = backend(node);
            if (own != current.backend || needs_new_split(graph_[node], current)) {
                current.end = i;
                splits_.push_back(current);
                current = {i, i, inputs_.size(), 0, own};
            }
            for (std::size_t j = 0; j < max_sources; ++j) {
                const Id source = graph_[node].sources[j];
                if (source == none)
                    continue;
                if (graph_[source].is_input && settings_.n_copies > 1)
                    copy_graph_input(source);
                if (readable(source, current.backend))
                    continue;
                Id copy = find_copy(source, current.backend);
                if (copy == none) {
                    copy = make_copy(source, current.backend);
                    inputs_.push_back(source);
                    ++current.n_inputs;
                }
                graph_[node].sources[j] = copy;
            }
        }
        current.end = graph_.nodes.size();
        splits_.push_back(current);
    }

    void emit() {
        result_.steps.clear();
        result_.leafs.clear();
        result_.n_splits = static_cast<std::int32_t>(splits_.size());
        for (const Split& part : splits_) {
            if (settings_.reorders && part.backend != cpu_) {
                reorder_for_parallelism(graph_, part.begin, part.end, settings_.reorders_early,
                                        reorder_);
            }
            for (std::size_t k = 0; k < part.n_inputs; ++k) {
                const Id input = inputs_[part.first_input + k];
                // A reader at this point keeps the source alive until it has been copied.
                Tensor reader;
                reader.view_of = graph_[input].view_of != none ? graph_[input].view_of : input;
                reader.sources[0] = input;
                const Id dependency = graph_.add(reader);
                backend_.push_back(backend(input));
                result_.steps.push_back({dependency, backend(input)});
                result_.steps.push_back({find_copy(input, part.backend), part.backend});
            }
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const std::size_t fused =
                    settings_.reorders && !settings_.reorders_early && part.backend != cpu_
                        ? fused_routing_length(graph_, i, part.end)
                        : 0;
                for (std::size_t j = 0; j < fused; ++j)
                    emit_node(graph_.nodes[i + j]);
                if (fused > 0) {
                    keep_inputs_alive(i, i + fused);
                    i += fused - 1;
                } else {
                    emit_node(graph_.nodes[i]);
                }
            }
        }
        if (settings_.n_copies > 1)
            emit_pipeline_copies();
        for (const Id leaf : graph_.leafs)
            result_.leafs.push_back({leaf, backend(leaf)});
    }

    void emit_node(Id node) { result_.steps.push_back({node, backend(node)}); }

    /// Nodes [begin, end) are computed in one go: what they read from outside must not be
    /// overwritten before the last of them.
    void keep_inputs_alive(std::size_t begin, std::size_t end) {
        Tensor reader;
        std::size_t n = 0;
        for (std::size_t i = begin; i < end; ++i) {
            for (const Id source : graph_[graph_.nodes[i]].sources) {
                if (source == none || n == max_sources)
                    continue;
                bool inside = false;
                for (std::size_t j = begin; j < i && !inside; ++j)
                    inside = graph_.nodes[j] == source;
                for (std::size_t j = 0; j < n && !inside; ++j)
                    inside = reader.sources[j] == source;
                if (!inside)
                    reader.sources[n++] = source;
            }
        }
        if (n == 0)
            return;
        const Id first = reader.sources[0];
        reader.view_of = graph_[first].view_of != none ? graph_[first].view_of : first;
        const std::int8_t own = backend(graph_.nodes[begin]);
        const Id dependency = graph_.add(reader);
        backend_.push_back(own);
        result_.steps.push_back({dependency, own});
    }

    void emit_pipeline_copies() {
        for (const Id input : graph_inputs_) {
            const Id first = find_copy(input, backend(input));
            result_.leafs.push_back({input, backend(input)});
            for (std::int32_t c = 0; c + 1 < settings_.n_copies; ++c) {
                result_.leafs.push_back({first + c, backend(input)});
            }
        }
        for (const Split& part : splits_) {
            for (std::size_t k = 0; k < part.n_inputs; ++k) {
                const Id first = find_copy(inputs_[part.first_input + k], part.backend);
                for (std::int32_t c = 0; c < settings_.n_copies; ++c) {
                    result_.leafs.push_back({first + c, part.backend});
                }
            }
        }
    }

    Graph& graph_;
    const SchedulerSettings& settings_;
    Schedule& result_;
    std::int8_t cpu_;
    std::vector<std::int8_t>& backend_;
    std::vector<Copy>& copies_;
    std::vector<std::int32_t>& latest_copy_;
    std::vector<Id>& inputs_;
    std::vector<Id>& graph_inputs_;
    std::vector<Split>& splits_;
    ReorderScratch& reorder_;
};

} // namespace

void schedule(Graph& graph, const SchedulerSettings& settings, SchedulerScratch& scratch,
              Schedule& result) {
    Scheduler(graph, settings, scratch, result).run();
}

} // namespace vramscope::graph
