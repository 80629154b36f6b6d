// The order in which ggml-vulkan runs a graph. It pulls independent operations together so that
// they can overlap, without tearing apart pairs that it fuses. More tensors are then alive at once,
// which is why the order matters here. Source: ggml/src/ggml-vulkan/ggml-vulkan.cpp,
// ggml_vk_graph_optimize (2025-2026); the order equals the engine's in every graph compared.
#include "core/engines/graph/scheduler.h"

#include <algorithm>
#include <vector>

namespace vramscope::graph {
namespace {

constexpr std::size_t look_ahead = 20;
constexpr std::size_t fusion_reach = 15;
constexpr std::size_t rope_reach = 10;

constexpr Op early_softmax_norm[] = {Op::soft_max, Op::reshape, Op::argsort,  Op::view,
                                     Op::get_rows, Op::reshape, Op::sum_rows, Op::clamp,
                                     Op::div,      Op::reshape};
constexpr Op sigmoid_norm_bias[] = {Op::unary, Op::reshape,  Op::add,     Op::argsort,
                                    Op::view,  Op::get_rows, Op::reshape, Op::sum_rows,
                                    Op::clamp, Op::div,      Op::reshape};
constexpr Op early_softmax[] = {Op::soft_max, Op::reshape, Op::argsort, Op::view, Op::get_rows};
constexpr Op norm_rope_store[] = {Op::rms_norm, Op::mul, Op::rope, Op::view, Op::set_rows};
constexpr Op norm_add[] = {Op::rms_norm, Op::mul, Op::add};
constexpr Op rope_store[] = {Op::rope, Op::view, Op::set_rows};
constexpr Op late_softmax[] = {Op::argsort, Op::view,     Op::get_rows,
                               Op::reshape, Op::soft_max, Op::reshape};

bool is_empty(Op op) {
    return op == Op::leaf || is_view_op(op);
}

class Sorter {
public:
    Sorter(Graph& graph, std::size_t begin, std::size_t end, bool early, ReorderScratch& scratch)
        : graph_(graph), early_(early), nodes_(scratch.nodes), used_(scratch.used),
          done_(scratch.done), order_(scratch.order), set_(scratch.set) {
        nodes_.assign(graph.nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                      graph.nodes.begin() + static_cast<std::ptrdiff_t>(end));
        used_.assign(nodes_.size(), 0);
        done_.assign(graph.tensors.size(), 0);
        order_.clear();
    }

    const std::vector<Id>& run() {
        while (first_ < nodes_.size()) {
            if (keep(early_softmax_norm) || keep(early_softmax) || keep(late_softmax) ||
                (!early_ && (keep(sigmoid_norm_bias) || keep(norm_rope_store) || keep(rope_store) ||
                             keep(norm_add)))) {
                continue;
            }
            set_.clear();
            set_.push_back(first_);
            gather_operations();
            if (node(set_.back()).op != Op::add)
                gather_views();
            for (const std::size_t i : set_)
                emit(i);
            skip_used();
        }
        return order_;
    }

private:
    const Tensor& node(std::size_t i) const { return graph_[nodes_[i]]; }
    std::size_t limit(std::size_t from, std::size_t reach) const {
        return std::min(from + reach, nodes_.size());
    }

    bool reads(std::size_t i, std::size_t what) const {
        const Tensor& reader = node(i);
        for (const Id source : reader.sources) {
            if (source == nodes_[what])
                return true;
        }
        const Id own = reader.view_of != none ? reader.view_of : nodes_[i];
        const Tensor& written = node(what);
        const Id other = written.view_of != none ? written.view_of : nodes_[what];
        if (own == other)
            return true;
        // An operation that writes into a cache comes before whoever reads that cache later, and
        // behind whoever has read it.
        return !early_ &&
               (reads_what_it_writes(reader, written) || reads_what_it_writes(written, reader));
    }

    /// Whether one operation reads memory that another, no mere view, writes into.
    bool reads_what_it_writes(const Tensor& reader, const Tensor& writer) const {
        if (writer.view_of == none || is_view_op(writer.op))
            return false;
        for (const Id source : reader.sources) {
            if (source != none && graph_[source].view_of == writer.view_of)
                return true;
        }
        return false;
    }

    template <std::size_t N>
    bool matches(const Op (&pattern)[N], std::size_t start) const {
        if (start + N > nodes_.size())
            return false;
        for (std::size_t j = 0; j < N; ++j) {
            if (node(start + j).op != pattern[j] || used_[start + j] != 0)
                return false;
        }
        return true;
    }
    bool starts_pattern(std::size_t i) const {
        return matches(early_softmax_norm, i) || matches(early_softmax, i) ||
               matches(late_softmax, i) ||
               (!early_ && (matches(sigmoid_norm_bias, i) || matches(norm_rope_store, i) ||
                            matches(rope_store, i) || matches(norm_add, i)));
    }
    template <std::size_t N>
    bool keep(const Op (&pattern)[N]) {
        if (!matches(pattern, first_))
            return false;
        for (std::size_t j = 0; j < N; ++j)
            emit(first_ + j);
        skip_used();
        return true;
    }

    void emit(std::size_t i) {
        order_.push_back(nodes_[i]);
        done_[static_cast<std::size_t>(nodes_[i])] = 1;
        used_[i] = 1;
    }
    void skip_used() {
        while (first_ < nodes_.size() && used_[first_] != 0)
            ++first_;
    }

    /// A pair that is computed in one go may follow its own source at once.
    bool fuses(std::size_t c, std::size_t j) const {
        if (j != c + 1 || c != set_.back())
            return false;
        const Op first = node(c).op;
        const Op second = node(j).op;
        if (early_ && (first == Op::mul || first == Op::unary || first == Op::ssm_conv))
            return false;
        return (first == Op::rms_norm && second == Op::mul) ||
               (first == Op::mul_mat && second == Op::add) ||
               (first == Op::mul_mat_id && (second == Op::add_id || second == Op::mul)) ||
               (first == Op::unary && second == Op::mul) ||
               (first == Op::add && second == Op::add) ||
               (first == Op::ssm_conv && (second == Op::add || second == Op::unary));
    }

    void gather_operations() {
        for (std::size_t j = first_ + 1; j < limit(first_, look_ahead); ++j) {
            if (used_[j] != 0 || is_empty(node(j).op) || starts_pattern(j))
                continue;
            bool ready = true;
            for (std::size_t c = first_; c < j && ready; ++c) {
                ready = used_[c] != 0 || !reads(j, c) || fuses(c, j);
            }
            if (!ready)
                continue;
            set_.push_back(j);
            follow_store(follow_norm(j));
            follow_scaled_experts(j);
            follow_second_add(j);
            follow_convolution(j);
        }
    }

    void pull(std::size_t k) {
        set_.push_back(k);
        used_[k] = 1;
    }
    bool is_leaf_or_absent(Id id) const { return id == none || graph_[id].op == Op::leaf; }

    /// RMS_NORM + MUL takes the ROPE that reads it along.
    std::size_t follow_norm(std::size_t j) {
        if (node(j).op != Op::mul || node(j - 1).op != Op::rms_norm)
            return j;
        for (std::size_t k = j + 1; k < limit(j, fusion_reach); ++k) {
            const Tensor& rope = node(k);
            if (rope.op == Op::rope && rope.sources[0] == nodes_[j] &&
                is_leaf_or_absent(rope.sources[1]) && is_leaf_or_absent(rope.sources[2])) {
                pull(k);
                return k;
            }
        }
        return j;
    }
    /// ROPE, and RMS_NORM of values, take along the view and the store into the cache.
    void follow_store(std::size_t rope) {
        if (node(rope).op != Op::rope && (early_ || node(rope).op != Op::rms_norm))
            return;
        std::size_t view = 0;
        for (std::size_t k = rope + 1; k < limit(rope, rope_reach); ++k) {
            if (view == 0 && node(k).op == Op::view && node(k).sources[0] == nodes_[rope]) {
                view = k;
            } else if (view != 0 && node(k).op == Op::set_rows &&
                       node(k).sources[0] == nodes_[view]) {
                pull(view);
                pull(k);
                return;
            }
        }
    }
    bool is_ready(Id id) const {
        return graph_[id].op == Op::leaf || done_[static_cast<std::size_t>(id)] != 0;
    }
    void follow_scaled_experts(std::size_t j) {
        if (node(j).op != Op::add_id || node(j - 1).op != Op::mul_mat_id)
            return;
        follow_with_ready_second(j, Op::mul);
    }
    void follow_second_add(std::size_t j) {
        if (node(j).op != Op::add || node(j - 1).op != Op::mul_mat)
            return;
        follow_with_ready_second(j, Op::add);
    }
    void follow_convolution(std::size_t j) {
        if (node(j).op != Op::add || node(j - 1).op != Op::ssm_conv)
            return;
        for (std::size_t k = j + 1; k < limit(j, fusion_reach); ++k) {
            if (node(k).op == Op::unary && node(k).sources[0] == nodes_[j]) {
                pull(k);
                return;
            }
        }
    }
    void follow_with_ready_second(std::size_t j, Op op) {
        for (std::size_t k = j + 1; k < limit(j, fusion_reach); ++k) {
            if (node(k).op == op && node(k).sources[0] == nodes_[j] &&
                is_ready(node(k).sources[1])) {
                pull(k);
                return;
            }
        }
    }

    void gather_views() {
        for (std::size_t j = first_ + 1; j < limit(first_, look_ahead); ++j) {
            if (used_[j] != 0 || !is_empty(node(j).op))
                continue;
            bool ready = true;
            for (std::size_t c = first_; c < j && ready; ++c) {
                ready = used_[c] != 0 || !reads(j, c) ||
                        std::find(set_.begin(), set_.end(), c) != set_.end();
            }
            if (ready)
                set_.push_back(j);
        }
    }

    const Graph& graph_;
    bool early_;
    std::vector<Id>& nodes_;
    std::vector<char>& used_;
    std::vector<char>& done_;
    std::vector<Id>& order_;
    std::vector<std::size_t>& set_;
    std::size_t first_ = 0;
};

} // namespace

std::size_t fused_routing_length(const Graph& graph, std::size_t i, std::size_t end) {
    const auto matches = [&]<std::size_t N>(const Op(&pattern)[N]) -> std::size_t {
        if (i + N > end)
            return 0;
        for (std::size_t j = 0; j < N; ++j) {
            if (graph[graph.nodes[i + j]].op != pattern[j])
                return 0;
        }
        const bool scaled = i + N < end && graph[graph.nodes[i + N]].op == Op::scale &&
                            graph[graph.nodes[i + N]].sources[0] == graph.nodes[i + N - 1];
        return scaled ? N + 1 : N;
    };
    std::size_t length = matches(early_softmax_norm);
    if (length == 0)
        length = matches(sigmoid_norm_bias);
    if (length == 0)
        length = matches(early_softmax);
    if (length == 0)
        length = matches(late_softmax);
    return length;
}

void reorder_for_parallelism(Graph& graph, std::size_t begin, std::size_t end, bool early,
                             ReorderScratch& scratch) {
    Sorter sorter(graph, begin, end, early, scratch);
    const std::vector<Id>& order = sorter.run();
    std::copy(order.begin(), order.end(), graph.nodes.begin() + static_cast<std::ptrdiff_t>(begin));
}

} // namespace vramscope::graph
