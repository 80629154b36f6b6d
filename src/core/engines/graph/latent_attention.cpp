// Multi-head latent attention (DeepSeek), absorbed or expanded, and the sparse selection of
// DeepSeek 3.2. Sources: llama.cpp src/models/deepseek2.cpp, deepseek32.cpp (b10256) as changed in
// 0.7.0.
#include "core/engines/graph/builder.h"

#include <algorithm>

namespace vramscope::graph {

Builder::Qkv Builder::absorbed_qkv(const Mixer& mixer, Id q, Id x) {
    const std::int64_t heads = mixer.q_heads;
    const std::int64_t nope = mixer.qk_nope_head_dim;
    const std::int64_t rot = mixer.qk_rope_head_dim;
    const std::int64_t rank = mixer.kv_lora_rank;
    const Id q_nope = permute(view(Op::view, q, {nope, heads, n_tokens_, 1}, false), 0, 2, 1, 3);
    const Id q_absorbed =
        permute(mul_mat(weight(TensorRole::attn_k_b, nope, rank, heads), q_nope), 0, 2, 1, 3);
    const auto position = [&](Id y) { return traits_.rope == RopeUse::never ? y : rope(y); };
    const Id q_rotary = position(view(Op::view, q, {rot, heads, n_tokens_, 1}, false));
    const Id low = matmul(TensorRole::attn_kv_a_mqa, rank + rot, x);
    const Id k_rotary = position(view(Op::view, low, {rot, 1, n_tokens_, 1}, false));
    const Id compressed = norm(view(Op::view, low, {rank, n_tokens_, 1, 1}, false));
    Qkv out;
    out.q = concat(q_absorbed, q_rotary, 0);
    out.v = reshape(compressed, {rank, 1, n_tokens_, 1});
    out.k = concat(out.v, k_rotary, 0);
    return out;
}

Builder::Qkv Builder::expanded_qkv(const Mixer& mixer, Id q, Id x) {
    const std::int64_t heads = mixer.q_heads;
    const std::int64_t nope = mixer.qk_nope_head_dim;
    const std::int64_t rot = mixer.qk_rope_head_dim;
    const std::int64_t rank = mixer.kv_lora_rank;
    const std::int64_t v_dim = mixer.head_dim_v;
    const Id low = matmul(TensorRole::attn_kv_a_mqa, rank + rot, x);
    const Id k_rotary = rope(view(Op::view, low, {rot, 1, n_tokens_, 1}, false));
    const Id compressed = norm(view(Op::view, low, {rank, n_tokens_, 1, 1}, false));
    const Id kv = matmul(TensorRole::attn_kv_b, heads * (nope + v_dim), compressed);
    const Id k_nope = view(Op::view, kv, {nope, heads, n_tokens_, 1}, false);
    const Id v = view(Op::view, kv, {v_dim, heads, n_tokens_, 1}, false);
    Qkv out;
    out.v = cont(v, shape(v));
    out.q = rope(q);
    out.k = concat(k_nope, make(Op::other, {rot, heads, n_tokens_, 1}, {k_rotary}), 0);
    return out;
}

Builder::AttentionInputs& Builder::indexer_inputs(const Mixer& mixer) {
    AttentionInputs& inputs = indexer_inputs_;
    if (inputs.mask != none)
        return inputs;
    inputs.k_rows = input(Element::i64, {n_tokens_, 1, 1, 1});
    // The indexer's own mask is half precision with and without flash attention.
    inputs.mask = input(Element::f16, {cells(mixer), n_tokens_ / n_streams_, 1, n_streams_});
    std::int64_t n = 64;
    while (mixer.indexer_head_dim % (2 * n) == 0)
        n *= 2;
    inputs.k_rotation = input(Element::f32, {n, n, 1, 1});
    return inputs;
}

void Builder::store_indexer_keys(const Mixer& mixer, Id x) {
    const AttentionInputs& inputs = indexer_inputs(mixer);
    const std::int64_t width = mixer.indexer_head_dim;
    Id k = matmul(TensorRole::indexer, width, x);
    k = like(Op::other, k); // a norm with weight and bias
    k = add(mul(k, weight(TensorRole::norm, width)), weight(TensorRole::bias, width));
    k = rope(reshape(k, {width, 1, n_tokens_, 1}), false);
    k = mul_mat(inputs.k_rotation, k);
    Mixer keys;
    keys.kv_heads = 1;
    keys.head_dim_k = mixer.indexer_head_dim;
    indexer_cache_ = cache(il_, keys, false).k;
    store_keys(indexer_cache_, k, inputs.k_rows);
}

Id Builder::sparse_mask(const Mixer& mixer, Id x, Id q_low, Id kq_mask) {
    const AttentionInputs& inputs = indexer_inputs(mixer);
    const std::int64_t heads = mixer.indexer_heads;
    const std::int64_t width = mixer.indexer_head_dim;
    const std::int64_t rows = n_tokens_ / n_streams_;
    const std::int64_t n_cells = cells(mixer);
    const std::int64_t top = std::min<std::int64_t>(n_cells, mixer.indexer_top_k);

    Id q = reshape(matmul(TensorRole::indexer, heads * width, q_low), {width, heads, n_tokens_, 1});
    q = mul_mat(inputs.k_rotation, rope(q, false));
    q = view(Op::view, q, {width, heads, rows, n_streams_});
    const Id k = cached_keys(indexer_cache_, width, 1, n_cells);
    Id weights = matmul(TensorRole::indexer, heads, x);
    weights = scale(view(Op::view, weights, {heads, rows, 1, n_streams_}));
    const Shape score_shape{n_cells, rows, 1, n_streams_};
    const Id scores = make(Op::other, score_shape, {q, k, weights, inputs.mask});
    const Shape top_shape{top, rows, 1, n_streams_};
    const Id picked = make(Op::other, top_shape, {scores}, Element::i32);
    const Id chosen = make(Op::other, top_shape, {picked}, Element::i32);

    Tensor blank;
    blank.shape = {1, top, rows, n_streams_};
    blank.bytes = vramscope::mul(elements_of(blank.shape), 4);
    const Id zeros = like(Op::fill, graph_.add(blank));
    const Id chosen_rows = view(Op::view, chosen, {top, rows, n_streams_, 1});
    const Id closed = make(Op::fill, shape(kq_mask), {kq_mask}, graph_[kq_mask].element);
    const Id by_cell = view(Op::view, closed, {1, n_cells, rows, n_streams_});
    const Id opened = view(Op::set_rows, by_cell, shape(by_cell));
    graph_[opened].sources = {zeros, chosen_rows, by_cell, none, none, none, none, none};
    const Id restored = view(Op::view, opened, score_shape);
    return make(Op::add, score_shape, {restored, kq_mask}, graph_[kq_mask].element);
}

Id Builder::latent_attention(std::int32_t il, const Mixer& mixer, Id x) {
    const std::int64_t heads = mixer.q_heads;
    const std::int64_t key = mixer.qk_nope_head_dim + mixer.qk_rope_head_dim;
    const bool sparse = mixer.indexer_head_dim > 0;
    AttentionInputs& inputs = attention_inputs(mixer);
    if (sparse)
        store_indexer_keys(mixer, x);
    Id q_low = none;
    Id q = none;
    if (mixer.q_lora_rank > 0) {
        q_low = norm(matmul(TensorRole::attn_q_a, mixer.q_lora_rank, x));
        q = matmul(TensorRole::attn_q_b, heads * key, q_low);
    } else {
        q = matmul(TensorRole::attn_q, heads * key, x);
    }
    const bool ropes = traits_.rope != RopeUse::never; // not in Kimi Linear
    if (!sparse && ropes)
        q = reshape(q, {key, heads, n_tokens_, 1});
    Qkv qkv = mixer.absorbed ? absorbed_qkv(mixer, q, x) : expanded_qkv(mixer, q, x);
    if (traits_.query_temperature) {
        if (q_temperature_ == none)
            q_temperature_ = input(Element::f32, {1, 1, n_tokens_, 1});
        qkv.q = mul(qkv.q, q_temperature_);
    }
    if (!mixer.absorbed) {
        qkv.q = rotate(qkv.q, inputs.k_rotation);
        qkv.k = rotate(qkv.k, inputs.k_rotation);
        qkv.v = rotate(qkv.v, inputs.v_rotation);
    }
    expand(qkv.q);
    expand(qkv.v);
    expand(qkv.k);
    const Cache stored = cache(il, mixer);
    store_keys(stored.k, qkv.k, inputs.k_rows);
    Id y = none;
    if (mixer.absorbed) {
        const Id keys = cached_keys(stored.k, shape(qkv.k)[0], 1, cells(mixer));
        const Id values =
            view(Op::view, keys, {mixer.kv_lora_rank, 1, cells(mixer), n_streams_}, false);
        const Id decompress =
            weight(TensorRole::attn_v_b, mixer.kv_lora_rank, mixer.head_dim_v, heads);
        const Id kq_mask = sparse ? sparse_mask(mixer, x, q_low, inputs.mask) : inputs.mask;
        y = attend_cached(mixer, qkv.q, keys, values, kq_mask, none, decompress, false);
    } else {
        store_values(stored.v, qkv.v, inputs.v_rows);
        const Id keys = cached_keys(stored.k, key, heads, cells(mixer));
        const Id values = cached_values(stored.v, mixer.head_dim_v, heads, cells(mixer));
        y = attend_cached(mixer, qkv.q, keys, values, inputs.mask, none, none, true);
        y = rotate(y, inputs.v_rotation);
    }
    return matmul(TensorRole::attn_output, architecture_.n_embd, y);
}

} // namespace vramscope::graph
