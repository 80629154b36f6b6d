// The feed-forward part of a layer from its tensors.
#include "formats/gguf_layers.h"

namespace vramscope::formats {
namespace {

void read_dense(const LayerTensors& layer, const LayerMetadata& metadata, FeedForward& f) {
    f.n_ff = layer.row_length("ffn_down");
    f.fused_gate_up = !layer.has("ffn_gate") && layer.rows("ffn_up") == 2 * std::int64_t{f.n_ff};
    f.gated = f.fused_gate_up || layer.has("ffn_gate");
    f.bias = layer.has_bias("ffn_down");
    if (metadata.has("xielu.alpha_n"))
        f.activation_scalars = 2;
}

void read_experts(const LayerTensors& layer, const LayerMetadata& metadata, FeedForward& f) {
    f.kind = FeedForwardKind::experts;
    if (layer.has("ffn_down_exps")) {
        f.n_experts = layer.depth("ffn_down_exps");
        f.n_ff_expert = layer.row_length("ffn_down_exps");
        f.fused_expert_gate_up = layer.has("ffn_gate_up_exps");
        f.gated = f.fused_expert_gate_up || layer.has("ffn_gate_exps");
    } else { // one tensor an expert, as files of 2023 have it
        f.n_experts = layer.count_numbered("ffn_down");
        f.n_ff_expert = layer.row_length("ffn_down.0");
        f.gated = layer.has("ffn_gate.0");
    }
    f.n_experts_used = metadata.number("expert_used_count");
    f.n_zero_experts = layer.rows("ffn_gate_inp") - f.n_experts;
    if (layer.has("ffn_down_shexp")) {
        f.n_ff_shared = layer.row_length("ffn_down_shexp");
        f.shared_gate = layer.has("ffn_gate_inp_shexp");
    }
    f.router_bias = layer.has("exp_probs_b.bias") || layer.has("exp_probs_b");
    f.expert_bias = layer.has_bias("ffn_down_exps");
    f.latent_size = layer.rows("ffn_latent_down");
    f.hash_routed = layer.has("ffn_gate_tid2eid");
    f.router_scale = layer.has("ffn_gate_inp.scale");
    f.expert_scale = layer.has("ffn_down_exps.scale");
    for (const char* norm : {"pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"})
        f.extra_norms += layer.has(norm) ? 1 : 0;
    if (layer.has("ffn_down")) {
        FeedForward dense;
        read_dense(layer, metadata, dense);
        f.dense_beside_experts = true;
        f.n_ff = dense.n_ff;
        f.fused_gate_up = dense.fused_gate_up;
        f.bias = dense.bias;
    }
}

} // namespace

bool read_gguf_feed_forward(const LayerTensors& layer, const LayerMetadata& metadata,
                            const Mixer& mixer, FeedForward& f) {
    f = FeedForward{};
    if (mixer.kind == MixerKind::rwkv7) {
        f.n_ff = layer.rows("channel_mix_key");
        f.gated = false;
        return f.n_ff > 0;
    }
    if (layer.has("ffn_gate_inp")) {
        read_experts(layer, metadata, f);
    } else if (layer.has("ffn_down")) {
        read_dense(layer, metadata, f);
    } else {
        f.kind = FeedForwardKind::none;
        return !layer.has("ffn_up") && !layer.has("channel_mix_key");
    }
    return true;
}

} // namespace vramscope::formats
