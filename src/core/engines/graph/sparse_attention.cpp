// Block-sparse attention (MiniMax M3): thin index keys score blocks of positions, and each group of
// heads attends to the best blocks only. Without flash attention, or with several sequences in one
// cache, the engine falls back to plain attention.
// Source: llama.cpp src/models/minimax-m3.cpp with the cache of positions (September 2026); node
// counts equal those that 0.7.0 prints.
#include "core/engines/graph/builder.h"

#include <algorithm>

namespace vramscope::graph {
namespace {

constexpr std::int64_t block = 128;
/// While nothing is in the cache, as when memory is reserved, this many positions are covered.
constexpr std::int64_t reserved_positions = 256;

} // namespace

bool Builder::attends_sparsely(const Mixer& mixer) const {
    const CacheSettings& cache = context_.settings.cache;
    return mixer.kind == MixerKind::full_attention && mixer.indexer_head_dim > 0 && flash() &&
           (n_seqs_ == 1 || !cache.kv_unified);
}

Builder::SparseInputs& Builder::sparse_inputs(const Mixer& mixer, Id mask) {
    SparseInputs& inputs = sparse_inputs_;
    if (inputs.rows != none)
        return inputs;
    const std::int64_t blocks = reserved_positions / block;
    inputs.rows = input(Element::i64, {n_tokens_, 1, 1, 1});
    inputs.bias = input(Element::f32, {blocks, n_tokens_, 1, 1});
    inputs.visible = input(Element::f32, {reserved_positions, n_tokens_, 1, 1});
    inputs.cell_of_position = input(Element::i32, {reserved_positions, n_streams_, 1, 1});
    inputs.block_of_cell = input(Element::i32, {cells(mixer), n_streams_, 1, 1});
    inputs.mask = make(Op::other, shape(mask), {mask}); // in single precision
    return inputs;
}

Id Builder::in_place_sum(Id x, Id y) {
    const Id sum = in_place(Op::add, x);
    graph_[sum].sources[1] = y;
    return sum;
}

/// Which cells each group of heads may look at, for one stream.
Id Builder::block_mask(const Mixer& mixer, const SparseInputs& inputs, Id index_q, Id index_k) {
    const std::int64_t width = mixer.indexer_head_dim;
    const std::int64_t heads = mixer.indexer_heads;
    const std::int64_t rows = n_tokens_ / n_streams_;
    const std::int64_t positions = reserved_positions;
    const std::int64_t blocks = positions / block;
    const std::int64_t n_cells = cells(mixer);
    const std::int64_t top = std::min<std::int64_t>(mixer.indexer_top_k, blocks);
    const Id q = view(Op::view, index_q, {width, heads, rows, 1});
    const Id k = view(Op::view, index_k, {width, n_cells, 1, 1});
    const Id places = view(Op::view, inputs.cell_of_position, {positions, 1, 1, 1});
    const Id visible = view(Op::view, inputs.visible, {positions, 1, rows, 1});
    const Id block_of_cell = view(Op::view, inputs.block_of_cell, {n_cells, 1, 1, 1});
    const Id mask = view(Op::view, inputs.mask, {n_cells, rows, 1, 1});
    const Id bias = view(Op::view, inputs.bias, {blocks, 1, rows, 1});

    Id scores = mul_mat(get_rows(k, places), reshape(q, {width, heads * rows, 1, 1}));
    scores = in_place_sum(reshape(scores, {positions, heads, rows, 1}), visible);
    const Shape by_block{blocks, heads, rows, 1};
    scores = add(make(Op::other, by_block, {scores}), bias);
    const Id chosen = make(Op::other, {top, heads, rows, 1}, {scores}, Element::i32);

    Id closed = make(Op::other, shape(bias), {scale(bias)}, Element::f16);
    closed = make(Op::other, by_block, {closed}, Element::f16);
    const Id open = scale(make(Op::other, shape(chosen), {chosen}));
    const Id target = reshape(closed, {1, blocks, heads * rows, 1});
    const Id ones = reshape(open, {1, top, heads * rows, 1});
    const Id picked = reshape(chosen, {top, heads * rows, 1, 1});
    const Id opened = view(Op::set_rows, target, shape(target));
    graph_[opened].sources = {ones, picked, target, none, none, none, none, none};
    Id by_group = permute(reshape(opened, by_block), 0, 2, 1, 3);
    by_group = cont(by_group, shape(by_group));
    Id turned = transpose(reshape(by_group, {blocks, rows * heads, 1, 1}));
    turned = get_rows(cont(turned, shape(turned)), block_of_cell);
    turned = transpose(turned);
    turned = reshape(cont(turned, shape(turned)), {n_cells, rows, heads, 1});
    const Id full = in_place_sum(turned, mask);
    const Shape per_group{n_cells, rows, 1, heads};
    return make(Op::other, per_group, {reshape(full, per_group)}, Element::f16);
}

Id Builder::attend_sparsely(std::int32_t il, const Mixer& mixer, const Qkv& qkv, Id x) {
    const AttentionInputs inputs = attention_inputs(mixer);
    const SparseInputs& sparse = sparse_inputs(mixer, inputs.mask);
    const std::int64_t width = mixer.indexer_head_dim;
    const std::int64_t index_heads = mixer.indexer_heads;
    const std::int64_t rows = n_tokens_ / n_streams_;
    const std::int64_t n_cells = cells(mixer);
    const auto project = [&](std::int64_t heads) {
        return reshape(matmul(TensorRole::indexer, heads * width, x), {width, heads, n_tokens_, 1});
    };
    const Id index_q = rope(norm(project(index_heads)));
    const Id index_k = rope(norm(project(1)));
    Mixer keys;
    keys.kv_heads = 1;
    keys.head_dim_k = mixer.indexer_head_dim;
    const Id index_cache = cache(il, keys, false).k;
    store_keys(index_cache, index_k, sparse.rows);
    const Id all_index_keys = cached_keys(index_cache, width, 1, n_cells);

    const Id q = rotate(qkv.q, inputs.k_rotation);
    const Id k = rotate(qkv.k, inputs.k_rotation);
    const Id v = rotate(qkv.v, inputs.v_rotation);
    expand(q);
    expand(k);
    expand(v);
    const Cache stored = cache(il, mixer);
    store_keys(stored.k, k, inputs.k_rows);
    store_values(stored.v, v, inputs.v_rows);
    const std::int64_t groups = mixer.kv_heads;
    const std::int64_t size = mixer.q_heads / groups;
    const std::int64_t head = mixer.head_dim_k;
    const Id keys_of_all = cached_keys(stored.k, head, groups, n_cells);
    const Id values_of_all = cached_values(stored.v, mixer.head_dim_v, groups, n_cells);

    Id y = none;
    for (std::int64_t stream = 0; stream < n_streams_; ++stream) {
        const auto of_stream = [&](Id all, std::int64_t of_head) {
            const Id one = view(Op::view, all, {of_head, groups, n_cells, 1});
            return permute(one, 0, 3, 1, 2);
        };
        const Id mask = block_mask(mixer, sparse, index_q, all_index_keys);
        Id part = view(Op::view, q, {head, mixer.q_heads, rows, 1});
        part = permute(reshape(part, {head, size, groups, rows}), 0, 2, 3, 1);
        Id out = make(
            Op::flash_attn, {mixer.head_dim_v, size, rows, groups},
            {part, of_stream(keys_of_all, head), of_stream(values_of_all, mixer.head_dim_v), mask});
        out = permute(out, 0, 1, 3, 2);
        out = reshape(cont(out, shape(out)), {mixer.head_dim_v * mixer.q_heads, rows, 1, 1});
        y = y == none ? out : concat(y, out, 1);
    }
    return rotate(y, inputs.v_rotation);
}

} // namespace vramscope::graph
