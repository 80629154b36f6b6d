// Tensors of the recurrent mixers, and the choice among all kinds.
#include "core/tensor_walk.h"

namespace vramscope {
namespace {

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

} // namespace

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

} // namespace vramscope
