#include "core/tensors.h"

namespace vramscope {
namespace {

/// One walk: what every emitting step needs to know.
struct Walk {
    const Architecture& architecture;
    TensorVisitor visit;
    bool gguf;
    std::int32_t layer = -1;

    std::int64_t width() const { return architecture.n_embd; }

    void matrix(TensorRole role, std::int64_t row_length, std::int64_t rows,
                Precision precision = Precision::quantisable) const {
        visit(Tensor{role, precision, layer, row_length, rows, 1});
    }
    void bank(TensorRole role, std::int64_t row_length, std::int64_t rows,
              std::int64_t depth) const {
        visit(Tensor{role, Precision::quantisable, layer, row_length, rows, depth});
    }
    /// Small tensors of any shape that stay f32.
    void full(TensorRole role, std::int64_t row_length, std::int64_t rows = 1) const {
        visit(Tensor{role, Precision::full, layer, row_length, rows, 1});
    }
    void bias(bool present, std::int64_t elements) const {
        if (present)
            full(TensorRole::bias, elements);
    }
    void norm(std::int64_t elements, bool biased = false) const {
        full(TensorRole::norm, elements);
        bias(biased, elements);
    }
    /// One of the layer's own norms, in the style of the model.
    void layer_norm(bool present) const {
        const LayerNorms& norms = architecture.norms;
        if (present && !norms.weightless)
            norm(width(), norms.biased);
    }
};

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

void walk_mamba(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    walk.matrix(TensorRole::ssm_in, width, 2 * std::int64_t{m.d_inner});
    walk.full(TensorRole::ssm_conv1d, m.d_conv, m.d_inner);
    walk.bias(true, m.d_inner);
    walk.matrix(TensorRole::ssm_x, m.d_inner, m.dt_rank + 2 * std::int64_t{m.d_state});
    walk.matrix(TensorRole::ssm_dt, m.dt_rank, m.d_inner);
    walk.bias(true, m.d_inner);
    walk.full(TensorRole::ssm_small, m.d_state, m.d_inner); // ssm_a
    walk.full(TensorRole::ssm_small, m.d_inner);            // ssm_d
    walk.matrix(TensorRole::ssm_out, m.d_inner, width);
    if (m.dt_norms) {
        walk.norm(m.dt_rank);
        walk.norm(m.d_state);
        walk.norm(m.d_state);
    }
}

void walk_mamba2(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    const std::int64_t groups = 2 * mul(m.n_groups, m.d_state);
    walk.matrix(TensorRole::ssm_in, width, 2 * std::int64_t{m.d_inner} + groups + m.dt_rank);
    walk.full(TensorRole::ssm_conv1d, m.d_conv, m.d_inner + groups);
    walk.bias(true, m.d_inner + groups);
    walk.bias(true, m.dt_rank);
    walk.full(TensorRole::ssm_small, 1, m.dt_rank); // ssm_a
    walk.full(TensorRole::ssm_small, 1, m.dt_rank); // ssm_d
    if (m.inner_norm)
        walk.full(TensorRole::norm, m.d_inner / m.n_groups, m.n_groups);
    walk.matrix(TensorRole::ssm_out, m.d_inner, width);
}

void walk_gated_delta_net(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    const std::int64_t qkv = 2 * mul(m.d_state, m.n_groups) + m.d_inner;
    walk.matrix(TensorRole::attn_qkv, width, qkv);
    walk.matrix(TensorRole::attn_gate, width, m.d_inner);
    walk.full(TensorRole::ssm_conv1d, m.d_conv, qkv);
    walk.bias(true, m.dt_rank);
    walk.full(TensorRole::ssm_small, m.dt_rank); // ssm_a
    walk.matrix(TensorRole::ssm_beta_alpha, width, 2 * std::int64_t{m.dt_rank});
    walk.norm(m.d_inner / m.dt_rank);
    walk.matrix(TensorRole::ssm_out, m.d_inner, width);
}

void walk_kimi_delta(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    for (const TensorRole role : {TensorRole::attn_k, TensorRole::attn_q, TensorRole::attn_v}) {
        walk.matrix(role, width, m.d_inner);
        walk.full(TensorRole::ssm_conv1d, m.d_conv, m.d_inner);
    }
    const bool full_gate = m.gate == AttentionGate::full;
    if (full_gate)
        walk.matrix(TensorRole::attn_gate, width, m.d_inner);
    const int low_rank_pairs = full_gate ? 1 : 2; // forget gate f, output gate g
    for (int pair = 0; pair < low_rank_pairs; ++pair) {
        walk.matrix(TensorRole::ssm_low_rank, width, m.d_state);
        walk.matrix(TensorRole::ssm_low_rank, m.d_state, m.d_inner);
    }
    walk.matrix(TensorRole::ssm_beta_alpha, width, m.dt_rank);
    walk.full(TensorRole::ssm_small, 1, m.dt_rank); // ssm_a
    walk.bias(true, m.d_inner);                     // ssm_dt
    walk.norm(m.d_state);
    walk.matrix(TensorRole::attn_output, m.d_inner, width);
}

void walk_rwkv7(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    const auto vector = [&](int count) {
        for (int i = 0; i < count; ++i)
            walk.full(TensorRole::time_mix, width);
    };
    // The second norm sits in front of the channel mix.
    walk.full(TensorRole::time_mix, width, 6); // lerp_fused
    vector(3);                                 // w0, a0, v0
    walk.full(TensorRole::time_mix, width, m.lora_decay);
    walk.full(TensorRole::time_mix, m.lora_decay, width);
    // Layer 0 has no value residual; the converter fills its slot at the rank of `iclr`.
    const std::int64_t value_rank = walk.layer == 0 ? m.lora_iclr : m.lora_value;
    for (const std::int64_t rank :
         {std::int64_t{m.lora_iclr}, value_rank, std::int64_t{m.lora_gate}}) {
        walk.matrix(TensorRole::time_mix, width, rank, Precision::source);
        walk.matrix(TensorRole::time_mix, rank, width, Precision::source);
    }
    vector(3); // k_k, k_a, r_k
    for (int i = 0; i < 4; ++i)
        walk.matrix(TensorRole::time_mix, width, width); // k, v, r, out
    vector(2);                                           // ln
}

void walk_short_convolution(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    walk.full(TensorRole::shortconv_conv, m.d_conv, width);
    walk.matrix(TensorRole::shortconv_in, width, 3 * width);
    walk.matrix(TensorRole::shortconv_out, width, width);
}

/// Lightning attention: fused q, k and v, an output gate, a norm on the mixed values.
void walk_linear_attention(const Walk& walk, const Mixer& m) {
    const std::int64_t width = walk.width();
    walk.matrix(TensorRole::attn_qkv, width, 3 * std::int64_t{m.d_inner});
    if (m.qk_norm != QkNorm::none) {
        walk.norm(m.d_state);
        walk.norm(m.d_state);
    }
    walk.matrix(TensorRole::attn_gate, width, m.d_inner);
    walk.norm(m.d_inner);
    walk.matrix(TensorRole::attn_output, m.d_inner, width);
}

/// Sums up `ratio` tokens into one entry of `elements`; overlapping windows need two halves.
void walk_compressor(const Walk& walk, std::int64_t elements, std::int64_t ratio, bool overlaps) {
    const std::int64_t rows = overlaps ? 2 * elements : elements;
    walk.matrix(TensorRole::compressor, walk.width(), rows); // values
    walk.matrix(TensorRole::compressor, walk.width(), rows); // gates
    walk.matrix(TensorRole::compressor, rows, ratio);        // positions
    walk.norm(elements);
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

void walk_mixer(const Walk& walk, const Mixer& m, bool shares_kv) {
    switch (m.kind) {
    case MixerKind::none:
        return;
    case MixerKind::full_attention:
    case MixerKind::sliding_window:
    case MixerKind::chunked:
        return walk_softmax(walk, m, shares_kv);
    case MixerKind::latent:
        return walk_latent(walk, m);
    case MixerKind::mamba:
        return walk_mamba(walk, m);
    case MixerKind::mamba2:
        return walk_mamba2(walk, m);
    case MixerKind::gated_delta_net:
        return walk_gated_delta_net(walk, m);
    case MixerKind::kimi_delta:
        return walk_kimi_delta(walk, m);
    case MixerKind::rwkv7:
        return walk_rwkv7(walk, m);
    case MixerKind::short_convolution:
        return walk_short_convolution(walk, m);
    case MixerKind::linear_attention:
        return walk_linear_attention(walk, m);
    case MixerKind::compressed:
        return walk_compressed(walk, m);
    case MixerKind::attention_and_mamba2:
        walk_mamba2(walk, m);
        return walk_softmax(walk, m, shares_kv);
    }
}

void walk_dense(const Walk& walk, const FeedForward& f) {
    const std::int64_t width = walk.width();
    walk.matrix(TensorRole::ffn_down, f.n_ff, width);
    walk.bias(f.bias, width);
    if (f.gated && f.fused_gate_up && walk.gguf) {
        walk.matrix(TensorRole::ffn_up, width, 2 * std::int64_t{f.n_ff});
        walk.bias(f.bias, 2 * std::int64_t{f.n_ff});
        return;
    }
    if (f.gated) {
        walk.matrix(TensorRole::ffn_gate, width, f.n_ff);
        walk.bias(f.bias, f.n_ff);
    }
    walk.matrix(TensorRole::ffn_up, width, f.n_ff);
    walk.bias(f.bias, f.n_ff);
}

void walk_experts(const Walk& walk, const FeedForward& f) {
    const std::int64_t width = walk.width();
    const std::int64_t expert_width = f.latent_size > 0 ? f.latent_size : width;
    const std::int64_t inner = f.n_ff_expert;
    const std::int64_t count = f.n_experts;

    walk.bank(TensorRole::ffn_down_exps, inner, expert_width, count);
    if (f.gated && f.fused_expert_gate_up && walk.gguf) {
        walk.bank(TensorRole::ffn_gate_up_exps, expert_width, 2 * inner, count);
    } else {
        if (f.gated)
            walk.bank(TensorRole::ffn_gate_exps, expert_width, inner, count);
        walk.bank(TensorRole::ffn_up_exps, expert_width, inner, count);
    }
    walk.full(TensorRole::ffn_gate_inp, width, count + f.n_zero_experts);
    walk.bias(f.router_bias, count + f.n_zero_experts);
    if (f.hash_routed) { // four bytes a choice, as wide as an f32
        const Architecture& a = walk.architecture;
        walk.full(TensorRole::ffn_gate_tid2eid, f.n_experts_used,
                  walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab);
    }
    if (f.expert_bias) {
        walk.bias(true, count);
        walk.full(TensorRole::ffn_exps_bias, expert_width, count);
        walk.full(TensorRole::ffn_exps_bias, inner, count);
        if (f.gated)
            walk.full(TensorRole::ffn_exps_bias, inner, count);
    }
    if (f.router_scale)
        walk.norm(width);
    if (f.expert_scale)
        walk.norm(count);
    if (f.n_ff_shared > 0) {
        walk.matrix(TensorRole::ffn_down_shexp, f.n_ff_shared, width);
        if (f.gated)
            walk.matrix(TensorRole::ffn_gate_shexp, width, f.n_ff_shared);
        walk.matrix(TensorRole::ffn_up_shexp, width, f.n_ff_shared);
        if (f.shared_gate)
            walk.full(TensorRole::ffn_gate_inp_shexp, width);
    }
    if (f.latent_size > 0) {
        walk.matrix(TensorRole::ffn_latent, width, f.latent_size);
        walk.matrix(TensorRole::ffn_latent, f.latent_size, width);
    }
}

/// RWKV's feed-forward part: two matrices and an interpolation vector.
void walk_channel_mix(const Walk& walk, const FeedForward& f) {
    walk.full(TensorRole::channel_mix, walk.width());
    walk.matrix(TensorRole::channel_mix, walk.width(), f.n_ff);
    walk.matrix(TensorRole::channel_mix, f.n_ff, walk.width());
}

void walk_feed_forward(const Walk& walk, const FeedForward& f, MixerKind mixer) {
    if (f.kind == FeedForwardKind::none)
        return;
    if (mixer == MixerKind::rwkv7)
        return walk_channel_mix(walk, f);
    if (!walk.gguf && f.activation_scalars > 0)
        walk.norm(f.activation_scalars);
    if (f.kind == FeedForwardKind::dense || f.dense_beside_experts)
        walk_dense(walk, f);
    if (f.kind == FeedForwardKind::experts)
        walk_experts(walk, f);
    for (int i = 0; i < f.extra_norms; ++i)
        walk.norm(walk.width());
}

/// Gemma 3n: router and mixing coefficients of the four streams, and the rank-64 LAuReL branch.
void walk_altup_layer(const Walk& walk) {
    const std::int64_t width = walk.width();
    constexpr std::int64_t streams = 4;
    constexpr std::int64_t laurel_rank = 64;
    walk.full(TensorRole::altup, streams, streams);
    walk.full(TensorRole::altup, width);
    walk.full(TensorRole::altup, streams, streams * streams);
    walk.matrix(TensorRole::altup, width, streams, Precision::source);
    walk.norm(width);
    walk.matrix(TensorRole::altup, width, laurel_rank, Precision::source);
    walk.matrix(TensorRole::altup, laurel_rank, width, Precision::source);
    walk.norm(width);
}

/// Mixing of the residual streams around one part of a layer.
void walk_hyper_connection(const Walk& walk) {
    const std::int64_t streams = walk.architecture.hyper_connections;
    if (streams == 0)
        return;
    const std::int64_t mix = (2 + streams) * streams;
    walk.matrix(TensorRole::hyper_connection, streams * walk.width(), mix);
    walk.full(TensorRole::hyper_connection, mix);
    walk.full(TensorRole::hyper_connection, 3);
}

/// Brings the streams together in front of a head.
void walk_hyper_connection_head(const Walk& walk) {
    const std::int64_t streams = walk.architecture.hyper_connections;
    if (streams == 0)
        return;
    walk.matrix(TensorRole::hyper_connection, streams * walk.width(), streams);
    walk.full(TensorRole::hyper_connection, streams);
    walk.full(TensorRole::hyper_connection, 1);
}

void walk_layer(const Walk& walk, const Layer& layer) {
    const Architecture& a = walk.architecture;
    const Mixer& mixer = a.mixer(layer);
    const FeedForward& feed_forward = a.feed_forward(layer);
    const bool mixes = mixer.kind != MixerKind::none;
    const bool feeds = feed_forward.kind != FeedForwardKind::none;

    walk.layer_norm(mixes && a.norms.before_mixer);
    walk_mixer(walk, mixer, layer.shares_kv && !a.shared_kv_stored);
    walk.layer_norm(mixes && a.norms.after_mixer);
    walk.layer_norm(feeds && a.norms.before_feed_forward);
    walk_feed_forward(walk, feed_forward, mixer.kind);
    walk.layer_norm(feeds && a.norms.after_feed_forward);
    if (mixes)
        walk_hyper_connection(walk);
    if (feeds)
        walk_hyper_connection(walk);
    if (a.layer_scale)
        walk.norm(1);
    if (a.altup)
        walk_altup_layer(walk);
    if (a.per_layer_embedding > 0) {
        walk.matrix(TensorRole::per_layer_gate, walk.width(), a.per_layer_embedding);
        walk.matrix(TensorRole::per_layer_gate, a.per_layer_embedding, walk.width());
        walk.norm(walk.width());
    }
}

void walk_embeddings(const Walk& walk) {
    const Architecture& a = walk.architecture;
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    walk.matrix(TensorRole::token_embd, width, rows);
    if (a.n_positions > 0)
        walk.full(TensorRole::position_embd, width, a.n_positions);
    if (a.embedding_norm) {
        walk.full(TensorRole::token_embd_norm, width);
        if (a.norms.biased)
            walk.full(TensorRole::token_embd_norm, width);
    }
    if (walk.gguf && a.rope_factors > 0) {
        for (int i = 0; i < a.rope_factor_vectors; ++i) {
            walk.full(TensorRole::rope_factors, a.rope_factors);
        }
    }
    if (a.per_layer_embedding > 0) {
        const std::int64_t all = mul(a.per_layer_embedding, a.n_layer());
        const std::int64_t own_rows = a.n_vocab_per_layer > 0 ? a.n_vocab_per_layer : rows;
        walk.matrix(TensorRole::per_layer_token_embd, all, own_rows);
        walk.matrix(TensorRole::per_layer_model_proj, width, all, Precision::source);
        walk.full(TensorRole::per_layer_proj_norm, a.per_layer_embedding);
    }
    if (a.altup) { // to and from the three extra streams
        walk.visit(Tensor{TensorRole::altup, Precision::source, -1, width, width, 3});
        walk.visit(Tensor{TensorRole::altup, Precision::source, -1, width, width, 3});
    }
}

void walk_mtp_layer(const Walk& walk, const Layer& layer) {
    const Architecture& a = walk.architecture;
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    walk_layer(walk, layer);
    walk.matrix(TensorRole::nextn, 2 * width, width);
    walk.full(TensorRole::nextn, width); // enorm
    walk.full(TensorRole::nextn, width); // hnorm
    if (a.mtp_head_norm)
        walk.full(TensorRole::nextn, width);
    walk_hyper_connection_head(walk);
    if (a.mtp_own_embeddings)
        walk.matrix(TensorRole::nextn_embd, width, rows);
    if (a.mtp_own_embeddings || a.mtp_own_head)
        walk.matrix(TensorRole::nextn_embd, width, rows);
}

void walk_head(const Walk& walk) {
    const Architecture& a = walk.architecture;
    walk_hyper_connection_head(walk);
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    if (a.final_norm && !a.norms.weightless) {
        walk.full(TensorRole::output_norm, width);
        if (a.norms.biased || a.final_norm_bias)
            walk.full(TensorRole::output_norm, width);
    }
    if (!a.tied_embeddings)
        walk.matrix(TensorRole::output, width, rows);
    if (a.output_bias)
        walk.full(TensorRole::output, rows);
}

} // namespace

void for_each_tensor(const Architecture& architecture, Inventory inventory, TensorVisitor visit) {
    Walk walk{architecture, visit, inventory != Inventory::checkpoint};
    walk_embeddings(walk);
    for (const Layer& layer : architecture.layers) {
        ++walk.layer;
        walk_layer(walk, layer);
    }
    if (inventory != Inventory::gguf_without_mtp) {
        for (const Layer& layer : architecture.mtp_layers) {
            ++walk.layer;
            walk_mtp_layer(walk, layer);
        }
    }
    walk.layer = -1;
    walk_head(walk);
}

namespace {

/// Elements of a tensor that one token uses: its share of the routed experts, one row of a table.
std::int64_t used_by_a_token(const Architecture& architecture, const Tensor& tensor) {
    switch (tensor.role) {
    case TensorRole::per_layer_token_embd:
        return tensor.row_length;
    case TensorRole::ffn_gate_exps:
    case TensorRole::ffn_up_exps:
    case TensorRole::ffn_down_exps:
    case TensorRole::ffn_gate_up_exps: {
        const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
        return mul(tensor.row_length, tensor.rows, architecture.feed_forward(layer).n_experts_used);
    }
    case TensorRole::ffn_exps_bias: {
        const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
        return mul(tensor.row_length, architecture.feed_forward(layer).n_experts_used);
    }
    case TensorRole::ffn_gate_tid2eid:
        return tensor.row_length;
    default:
        return tensor.elements();
    }
}

} // namespace

ParameterCount count_parameters(const Architecture& architecture, Inventory inventory) {
    ParameterCount count;
    const std::int32_t n_layer = architecture.n_layer();
    auto visit = [&](const Tensor& tensor) {
        if (tensor.layer >= n_layer) {
            count.mtp = add(count.mtp, tensor.elements());
            return;
        }
        count.text = add(count.text, tensor.elements());
        count.active = add(count.active, used_by_a_token(architecture, tensor));
        if (tensor.role == TensorRole::token_embd)
            count.embedding = tensor.elements();
    };
    for_each_tensor(architecture, inventory, visit);
    for (const Tower& tower : architecture.towers) {
        count.towers = add(count.towers, tower.parameters);
    }
    return count;
}

} // namespace vramscope
