#include "core/engines/graph/allocator.h"

#include <algorithm>

namespace vramscope::graph {

void Arena::reset(Bytes alignment) {
    alignment_ = alignment;
    blocks_[0] = {{}, {bytes_limit, 0}};
    n_blocks_ = 1;
    high_water_ = {};
}

void Arena::erase(std::size_t i) {
    for (; i + 1 < n_blocks_; ++i)
        blocks_[i] = blocks_[i + 1];
    --n_blocks_;
}

Affine Arena::take(Affine size, StepRange& range) {
    size = rounded(size);
    // The last block is the unused rest of the arena: only when nothing else fits.
    const std::size_t rest = n_blocks_ - 1;
    std::size_t best = rest;
    for (std::size_t i = 0; i < rest; ++i) {
        if (range.less_or_equal(size, blocks_[i].size) &&
            (best == rest || range.less_or_equal(blocks_[i].size, blocks_[best].size))) {
            best = i;
        }
    }
    Block& block = blocks_[best];
    const Affine offset = block.offset;
    const bool is_used_up = best != rest && range.equal(block.size, size);
    block.offset += size;
    block.size = block.size - size;
    if (is_used_up)
        erase(best);
    if (best == rest && range.less(high_water_, offset + size))
        high_water_ = offset + size;
    return offset;
}

void Arena::give_back(const Affine& offset, Affine size, StepRange& range) {
    size = rounded(size);
    // Neighbours stay neighbours, whatever grows between others.
    const auto meet = [&range](const Affine& end, const Affine& begin) {
        if (end.at == begin.at && end.growth != begin.growth)
            range.stay();
        return end.at == begin.at;
    };
    for (std::size_t i = 0; i < n_blocks_; ++i) {
        Block& block = blocks_[i];
        if (meet(block.offset + block.size, offset)) {
            block.size += size;
            if (i + 1 < n_blocks_ && meet(block.offset + block.size, blocks_[i + 1].offset)) {
                block.size += blocks_[i + 1].size;
                erase(i + 1);
            }
            return;
        }
        if (meet(offset + size, block.offset)) {
            block.offset = offset;
            block.size += size;
            if (i > 0 && meet(blocks_[i - 1].offset + blocks_[i - 1].size, block.offset)) {
                blocks_[i - 1].size += block.size;
                erase(i);
            }
            return;
        }
    }
    if (n_blocks_ == max_blocks)
        return; // ggml aborts here; no graph comes near
    std::size_t at = 0;
    while (at < n_blocks_ && blocks_[at].offset.at < offset.at)
        ++at;
    for (std::size_t i = n_blocks_; i > at; --i)
        blocks_[i] = blocks_[i - 1];
    blocks_[at] = {offset, size};
    ++n_blocks_;
}

namespace {

/// Use counts and addresses of tensors while a schedule is walked.
class Allocation {
public:
    Allocation(const Graph& graph, std::size_t n_backends, const Alignments& alignments,
               AllocatorScratch& scratch, StepRange& range)
        : graph_(graph), state_(scratch.placed), n_backends_(n_backends), arenas_(scratch.arenas),
          range_(range) {
        state_.assign(graph.tensors.size(), {});
        arenas_.resize(std::max(arenas_.size(), n_backends));
        for (std::size_t b = 0; b < n_backends; ++b)
            arenas_[b].reset(b + 1 == n_backends ? alignments.host : alignments.device);
    }

    ArenaSizes run(const Schedule& schedule) {
        for (const Step& leaf : schedule.leafs)
            place(leaf.tensor, leaf.backend);
        for (const Step& step : schedule.steps)
            count_uses(step);
        for (const Step& step : schedule.steps)
            compute(step);
        ArenaSizes sizes{};
        for (std::size_t b = 0; b < n_backends_; ++b)
            sizes[b] = arenas_[b].high_water();
        return sizes;
    }

private:
    Placed& state(Id id) { return state_[static_cast<std::size_t>(id)]; }
    Arena& arena(std::int8_t backend) { return arenas_[static_cast<std::size_t>(backend)]; }

    void count_uses(const Step& step) {
        const Tensor& tensor = graph_[step.tensor];
        if (tensor.view_of != none && tensor.op != Op::leaf)
            ++state(tensor.view_of).views;
        if (tensor.is_input)
            place(step.tensor, step.backend);
        for (const Id source : tensor.sources) {
            if (source == none)
                continue;
            ++state(source).readers;
            if (graph_[source].is_input)
                place(source, step.backend);
        }
    }

    void compute(const Step& step) {
        const Tensor& tensor = graph_[step.tensor];
        for (const Id source : tensor.sources) {
            if (source != none)
                place(source, step.backend);
        }
        place(step.tensor, step.backend);
        for (const Id source : tensor.sources) {
            if (source == none)
                continue;
            Placed& read = state(source);
            --read.readers;
            if (read.readers > 0 || read.views > 0)
                continue;
            const Id owner = graph_[source].view_of;
            if (owner != none) {
                Placed& owned = state(owner);
                --owned.views;
                if (owned.views == 0 && owned.readers == 0 && owned.allocated)
                    release(owner);
            } else if (read.allocated) {
                release(source);
            }
        }
    }

    void place(Id id, std::int8_t backend) {
        const Tensor& tensor = graph_[id];
        Placed& placed = state(id);
        if (placed.allocated || tensor.view_of != none || tensor.lies_on != none)
            return;
        placed.allocated = true;
        if (may_overwrite_source(tensor.op) && overwrite_source(tensor, placed))
            return;
        placed.backend = backend;
        placed.offset = arena(backend).take(tensor.size(), range_);
    }

    bool overwrite_source(const Tensor& tensor, Placed& placed) {
        for (const Id source : tensor.sources) {
            if (source == none)
                continue;
            const Tensor& candidate = graph_[source];
            Placed& old = state(source);
            if (!old.allocated || candidate.is_output || candidate.view_of != none)
                continue;
            if (candidate.element != tensor.element || !same_shape(candidate, tensor) ||
                !candidate.contiguous) {
                continue;
            }
            if (old.readers != 1 || old.views != 0)
                continue;
            placed.backend = old.backend;
            placed.offset = old.offset;
            old.allocated = false;
            return true;
        }
        return false;
    }

    /// Shapes that grow in the same way are the same everywhere or nowhere; others where they have
    /// as many bytes at most.
    bool same_shape(const Tensor& a, const Tensor& b) {
        if (a.grows != b.grows || a.widening != b.widening) {
            if (range_.equal(a.size(), b.size()))
                range_.stay();
        }
        return a.shape == b.shape;
    }

    void release(Id id) {
        if (graph_[id].is_output)
            return;
        Placed& freed = state(id);
        arena(freed.backend).give_back(freed.offset, graph_[id].size(), range_);
        freed.allocated = false;
    }

    const Graph& graph_;
    std::vector<Placed>& state_;
    std::size_t n_backends_;
    std::vector<Arena>& arenas_;
    StepRange& range_;
};

} // namespace

ArenaSizes allocate(const Graph& graph, const Schedule& schedule, std::size_t n_backends,
                    const Alignments& alignments, AllocatorScratch& scratch, StepRange& range) {
    return Allocation(graph, n_backends, alignments, scratch, range).run(schedule);
}

} // namespace vramscope::graph
