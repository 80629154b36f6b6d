// Tensors of the feed-forward parts.
#include "core/tensor_walk.h"

namespace vramscope {
namespace {

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

} // namespace

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

} // namespace vramscope
