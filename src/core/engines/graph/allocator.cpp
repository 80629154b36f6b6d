#include "core/engines/graph/allocator.h"

namespace vramscope::graph {

void Arena::reset() {
    blocks_[0] = {0, bytes_limit};
    n_blocks_ = 1;
    high_water_ = 0;
}

void Arena::erase(std::size_t i) {
    for (; i + 1 < n_blocks_; ++i)
        blocks_[i] = blocks_[i + 1];
    --n_blocks_;
}

Bytes Arena::take(Bytes size) {
    size = round_up(size, alignment_);
    // The last block is the unused rest of the arena: only when nothing else fits.
    std::size_t best = n_blocks_ - 1;
    Bytes best_size = bytes_limit;
    for (std::size_t i = 0; i + 1 < n_blocks_; ++i) {
        if (blocks_[i].size >= size && blocks_[i].size <= best_size) {
            best = i;
            best_size = blocks_[i].size;
        }
    }
    const Bytes offset = blocks_[best].offset;
    blocks_[best].offset += size;
    blocks_[best].size -= size;
    if (blocks_[best].size == 0)
        erase(best);
    if (offset + size > high_water_)
        high_water_ = offset + size;
    return offset;
}

void Arena::give_back(Bytes offset, Bytes size) {
    size = round_up(size, alignment_);
    for (std::size_t i = 0; i < n_blocks_; ++i) {
        Block& block = blocks_[i];
        if (block.offset + block.size == offset) {
            block.size += size;
            if (i + 1 < n_blocks_ && block.offset + block.size == blocks_[i + 1].offset) {
                block.size += blocks_[i + 1].size;
                erase(i + 1);
            }
            return;
        }
        if (offset + size == block.offset) {
            block.offset = offset;
            block.size += size;
            if (i > 0 && blocks_[i - 1].offset + blocks_[i - 1].size == block.offset) {
                blocks_[i - 1].size += block.size;
                erase(i);
            }
            return;
        }
    }
    if (n_blocks_ == max_blocks)
        return; // ggml aborts here; no graph comes near
    std::size_t at = 0;
    while (at < n_blocks_ && blocks_[at].offset < offset)
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
    Allocation(const Graph& graph, std::size_t n_backends, const Alignments& alignments)
        : graph_(graph), state_(graph.tensors.size()), n_backends_(n_backends) {
        for (std::size_t b = 0; b < n_backends; ++b) {
            arenas_[b] = Arena(b + 1 == n_backends ? alignments.host : alignments.device);
        }
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
    struct State {
        Bytes offset = 0;
        std::int32_t readers = 0;
        std::int32_t views = 0;
        std::int8_t backend = none;
        bool allocated = false;
    };
    State& state(Id id) { return state_[static_cast<std::size_t>(id)]; }
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
            State& read = state(source);
            --read.readers;
            if (read.readers > 0 || read.views > 0)
                continue;
            const Id owner = graph_[source].view_of;
            if (owner != none) {
                State& owned = state(owner);
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
        State& placed = state(id);
        if (placed.allocated || tensor.view_of != none || tensor.lies_on != none)
            return;
        placed.allocated = true;
        if (may_overwrite_source(tensor.op) && overwrite_source(tensor, placed))
            return;
        placed.backend = backend;
        placed.offset = arena(backend).take(tensor.bytes);
    }

    bool overwrite_source(const Tensor& tensor, State& placed) {
        for (const Id source : tensor.sources) {
            if (source == none)
                continue;
            const Tensor& candidate = graph_[source];
            State& old = state(source);
            if (!old.allocated || candidate.is_output || candidate.view_of != none)
                continue;
            if (candidate.element != tensor.element || candidate.shape != tensor.shape ||
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

    void release(Id id) {
        if (graph_[id].is_output)
            return;
        State& freed = state(id);
        arena(freed.backend).give_back(freed.offset, graph_[id].bytes);
        freed.allocated = false;
    }

    const Graph& graph_;
    std::vector<State> state_;
    std::size_t n_backends_;
    std::array<Arena, max_backends> arenas_;
};

} // namespace

ArenaSizes allocate(const Graph& graph, const Schedule& schedule, std::size_t n_backends,
                    const Alignments& alignments) {
    return Allocation(graph, n_backends, alignments).run(schedule);
}

} // namespace vramscope::graph
