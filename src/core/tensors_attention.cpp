// Tensors of the attending mixers.
#include "core/tensor_walk.h"

namespace vramscope {
namespace {

void walk_qk_norms(const Walk& walk, const Mixer& m, bool has_keys) {
    if (m.qk_norm == QkNorm::per_head) {
        walk.norm(m.head_dim_k);
        if (has_keys)
            walk.norm(m.head_dim_k);
    } else if (m.qk_norm == QkNorm::full) {
        walk.norm(mul(m.q_heads, m.head_dim_k));
        if (has_keys)
            walk.norm(mul(m.kv_heads, m.head_dim_k));
    }
}

/// Sums up `ratio` tokens into one entry of `elements`; overlapping windows need two halves.
void walk_compressor(const Walk& walk, std::int64_t elements, std::int64_t ratio, bool overlaps) {
    const std::int64_t rows = overlaps ? 2 * elements : elements;
    walk.matrix(TensorRole::compressor, walk.width(), rows); // values
    walk.matrix(TensorRole::compressor, walk.width(), rows); // gates
    walk.matrix(TensorRole::compressor, rows, ratio);        // positions
    walk.norm(elements);
}

} // namespace

void walk_softmax(const Walk& walk, const Mixer& m, bool shares_kv) {
    const std::int64_t width = walk.width();
    const std::int64_t q = mul(m.q_heads, m.head_dim_k);
    const std::int64_t k = mul(m.kv_heads, m.head_dim_k);
    const std::int64_t v = mul(m.kv_heads, m.head_dim_v);
    const std::int64_t output = mul(m.q_heads, m.head_dim_v);
    const std::int64_t q_rows = m.gate == AttentionGate::inside_q ? 2 * q : q;
    const bool has_keys = !shares_kv;
    const bool has_values = !shares_kv && !m.values_from_keys;

    if (m.fused_qkv && walk.gguf) {
        walk.matrix(TensorRole::attn_qkv, width, q_rows + k + v);
        walk.bias(m.qkv_bias, q_rows + k + v);
    } else {
        walk.matrix(TensorRole::attn_q, width, q_rows);
        walk.bias(m.qkv_bias, q_rows);
        if (has_keys) {
            walk.matrix(TensorRole::attn_k, width, k);
            walk.bias(m.qkv_bias, k);
        }
        if (has_values) {
            walk.matrix(TensorRole::attn_v, width, v);
            walk.bias(m.qkv_bias, v);
        }
    }
    walk.matrix(TensorRole::attn_output, output, width);
    walk.bias(m.output_bias, width);
    walk_qk_norms(walk, m, has_keys);
    if (m.sinks)
        walk.full(TensorRole::attn_sinks, m.q_heads);
    if (m.gate == AttentionGate::per_head)
        walk.matrix(TensorRole::attn_gate, width, m.q_heads);
    if (m.gate == AttentionGate::full)
        walk.matrix(TensorRole::attn_gate, width, output);
    if (m.indexer_heads > 0) { // MiniMax sparse attention; the quantiser leaves it alone
        const std::int64_t rows = mul(m.indexer_heads, m.indexer_head_dim);
        walk.matrix(TensorRole::indexer, width, rows, Precision::source);
        walk.matrix(TensorRole::indexer, width, m.indexer_head_dim, Precision::source);
        walk.norm(m.indexer_head_dim);
        walk.norm(m.indexer_head_dim);
    }
}

void walk_latent(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    const std::int64_t q = mul(m.q_heads, m.qk_nope_head_dim + m.qk_rope_head_dim);
    if (m.q_lora_rank > 0) {
        walk.matrix(TensorRole::attn_q_a, width, m.q_lora_rank);
        walk.norm(m.q_lora_rank);
        walk.matrix(TensorRole::attn_q_b, m.q_lora_rank, q);
    } else {
        walk.matrix(TensorRole::attn_q, width, q);
    }
    walk.matrix(TensorRole::attn_kv_a_mqa, width, m.kv_lora_rank + m.qk_rope_head_dim);
    walk.norm(m.kv_lora_rank);
    if (m.absorbed && walk.gguf) {
        walk.bank(TensorRole::attn_k_b, m.qk_nope_head_dim, m.kv_lora_rank, m.q_heads);
        walk.bank(TensorRole::attn_v_b, m.kv_lora_rank, m.head_dim_v, m.q_heads);
    } else {
        walk.matrix(TensorRole::attn_kv_b, m.kv_lora_rank,
                    mul(m.q_heads, m.qk_nope_head_dim + m.head_dim_v));
    }
    walk.matrix(TensorRole::attn_output, mul(m.q_heads, m.head_dim_v), width);
    if (m.gate == AttentionGate::full) {
        walk.matrix(TensorRole::attn_gate, width, mul(m.q_heads, m.head_dim_v));
    }
    if (m.indexer_heads > 0) {
        walk.norm(m.indexer_head_dim, true);
        walk.matrix(TensorRole::indexer, width, m.indexer_heads);
        walk.matrix(TensorRole::indexer_k, width, m.indexer_head_dim);
        walk.matrix(TensorRole::indexer, m.q_lora_rank > 0 ? m.q_lora_rank : width,
                    mul(m.indexer_heads, m.indexer_head_dim));
    }
}

/// Names and shapes: llama.cpp src/models/deepseek4.cpp.
void walk_compressed(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    const std::int64_t q = mul(m.q_heads, m.head_dim_k);
    const std::int64_t low_rank = mul(m.output_groups, m.output_lora_rank);
    walk.matrix(TensorRole::attn_q_a, width, m.q_lora_rank);
    walk.norm(m.q_lora_rank);
    walk.matrix(TensorRole::attn_q_b, m.q_lora_rank, q);
    walk.matrix(TensorRole::attn_kv_a_mqa, width, m.head_dim_k);
    walk.norm(m.head_dim_k);
    if (m.sinks)
        walk.full(TensorRole::attn_sinks, m.q_heads);
    walk.matrix(TensorRole::attn_output_lora, q / m.output_groups, low_rank);
    walk.matrix(TensorRole::attn_output_lora, low_rank, width);
    if (m.compress_ratio == 0)
        return;
    const bool picks = m.indexer_heads > 0;
    walk_compressor(walk, m.head_dim_k, m.compress_ratio, picks);
    if (picks) {
        walk.matrix(TensorRole::indexer, width, m.indexer_heads);
        walk.matrix(TensorRole::indexer, m.q_lora_rank, mul(m.indexer_heads, m.indexer_head_dim));
        walk_compressor(walk, m.indexer_head_dim, m.compress_ratio, true);
    }
}

} // namespace vramscope
