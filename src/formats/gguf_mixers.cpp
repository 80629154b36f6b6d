// The mixer of a layer from its tensors.
#include "formats/gguf_layers.h"

namespace vramscope::formats {
namespace {

void read_rwkv7(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::rwkv7;
    m.d_state = metadata.number("wkv.head_size", 64);
    m.lora_decay = layer.rows("time_mix_w1");
    m.lora_iclr = layer.rows("time_mix_a1");
    // Layer 0 fills the slot of the value residual at the rank of `iclr`.
    m.lora_value =
        metadata.number("attention.value_residual_mix_lora_rank", layer.rows("time_mix_v1"));
    m.lora_gate = layer.rows("time_mix_g1");
}

void read_kimi_delta(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::kimi_delta;
    m.d_conv = layer.row_length("ssm_conv1d_q");
    m.d_inner = layer.rows("attn_q");
    m.d_state = metadata.number("kda.head_dim", layer.rows("ssm_f_a"));
    m.dt_rank = layer.rows("ssm_beta");
    if (layer.has("attn_gate") && !layer.has("ssm_g_a"))
        m.gate = AttentionGate::full;
}

void read_gated_delta_net(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::gated_delta_net;
    m.d_conv = layer.row_length("ssm_conv1d");
    m.d_inner = layer.row_length("ssm_out");
    m.d_state = metadata.number("ssm.state_size");
    m.n_groups = metadata.number("ssm.group_count");
    m.dt_rank = metadata.number("ssm.time_step_rank");
}

void read_mamba(const LayerTensors& layer, Mixer& m) {
    m.kind = MixerKind::mamba;
    m.d_conv = layer.row_length("ssm_conv1d");
    m.d_inner = layer.rows("ssm_conv1d");
    m.d_state = layer.row_length("ssm_a");
    m.dt_rank = layer.row_length("ssm_dt");
    m.dt_norms = layer.has("ssm_dt_norm");
}

void read_mamba2(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::mamba2;
    m.d_conv = layer.row_length("ssm_conv1d");
    m.d_inner = layer.row_length("ssm_out");
    m.d_state = metadata.number("ssm.state_size");
    m.n_groups = metadata.number("ssm.group_count", 1);
    m.dt_rank = static_cast<std::int32_t>(layer.elements("ssm_a"));
    m.inner_norm = layer.has("ssm_norm");
}

void read_indexer(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    if (!layer.has("indexer.proj") && !layer.has("indexer.q_proj"))
        return;
    m.indexer_heads = metadata.number("attention.indexer.head_count", layer.rows("indexer.proj"));
    m.indexer_head_dim = metadata.number("attention.indexer.key_length");
    m.indexer_top_k = metadata.number("attention.indexer.top_k");
}

void read_latent(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::latent;
    m.q_heads = m.kv_heads = metadata.number("attention.head_count");
    m.q_lora_rank = layer.rows("attn_q_a");
    m.kv_lora_rank = metadata.number("attention.kv_lora_rank", layer.row_length("attn_kv_a_norm"));
    m.qk_rope_head_dim = layer.rows("attn_kv_a_mqa") - m.kv_lora_rank;
    m.absorbed = layer.has("attn_k_b");
    const std::int32_t heads = m.q_heads > 0 ? m.q_heads : 1;
    if (m.absorbed) {
        m.qk_nope_head_dim = layer.row_length("attn_k_b");
        m.head_dim_v = layer.rows("attn_v_b");
    } else {
        const std::int32_t q = layer.rows(m.q_lora_rank > 0 ? "attn_q_b" : "attn_q");
        m.qk_nope_head_dim = q / heads - m.qk_rope_head_dim;
        m.head_dim_v = layer.row_length("attn_output") / heads;
    }
    if (layer.has("attn_gate"))
        m.gate = AttentionGate::full;
    read_indexer(layer, metadata, m);
}

/// DeepSeek V4.
void read_compressed(const LayerTensors& layer, const LayerMetadata& metadata, Mixer& m) {
    m.kind = MixerKind::compressed;
    m.q_heads = metadata.number("attention.head_count");
    m.head_dim_k = layer.rows("attn_kv");
    m.q_lora_rank = layer.rows("attn_q_a");
    m.qk_rope_head_dim = metadata.number("rope.dimension_count");
    m.window = metadata.number("attention.sliding_window");
    m.sinks = layer.has("attn_sinks");
    const std::int32_t q = layer.rows("attn_q_b");
    const std::int32_t per_group = layer.row_length("attn_output_a");
    if (per_group > 0)
        m.output_groups = q / per_group;
    if (m.output_groups > 0)
        m.output_lora_rank = layer.row_length("attn_output_b") / m.output_groups;
    m.compress_ratio = layer.rows("attn_compressor_ape");
    read_indexer(layer, metadata, m);
}

bool is_delta_net(const LayerTensors& layer) {
    return layer.has("ssm_beta") || layer.has("ssm_ba") || layer.has("ssm_alpha");
}

/// Softmax attention, beside Mamba-2 when `m` is that already.
bool read_softmax(const LayerTensors& layer, const LayerMetadata& metadata, bool windowed,
                  std::int32_t n_embd, Mixer& m) {
    m.q_heads = metadata.number("attention.head_count");
    if (m.q_heads <= 0)
        return false;
    m.kv_heads = metadata.number("attention.head_count_kv", m.q_heads);
    const std::int32_t head_dim = metadata.number("attention.key_length", n_embd / m.q_heads);
    m.head_dim_k = windowed ? metadata.number("attention.key_length_swa", head_dim) : head_dim;
    m.head_dim_v = layer.row_length("attn_output") / m.q_heads;
    m.fused_qkv = layer.has("attn_qkv");
    m.values_from_keys = layer.has("attn_k") && !layer.has("attn_v");
    m.qkv_bias = layer.has_bias("attn_q") || layer.has_bias("attn_qkv");
    m.output_bias = layer.has_bias("attn_output");
    m.sinks = layer.has("attn_sinks");
    // A file may state its key heads once for layers that differ.
    if (layer.has("attn_k") && m.head_dim_k > 0)
        m.kv_heads = layer.rows("attn_k") / m.head_dim_k;
    const std::int64_t q = std::int64_t{m.q_heads} * m.head_dim_k;
    if (layer.has("attn_q") && layer.rows("attn_q") == 2 * q)
        m.gate = AttentionGate::inside_q;
    if (layer.has("attn_gate")) {
        m.gate =
            layer.rows("attn_gate") == m.q_heads ? AttentionGate::per_head : AttentionGate::full;
    }
    if (layer.has("attn_q_norm")) {
        m.qk_norm = layer.elements("attn_q_norm") == m.head_dim_k ? QkNorm::per_head : QkNorm::full;
    }
    read_indexer(layer, metadata, m);
    if (m.kind == MixerKind::mamba2) {
        m.kind = MixerKind::attention_and_mamba2;
    } else if (windowed) {
        m.kind = MixerKind::sliding_window;
    } else {
        m.kind = MixerKind::full_attention;
    }
    return true;
}

} // namespace

bool read_gguf_mixer(const LayerTensors& layer, const LayerMetadata& metadata, bool windowed,
                     std::int32_t n_embd, Mixer& m) {
    m = Mixer{};
    const bool attends = layer.has("attn_q") || layer.has("attn_qkv");
    if (layer.has("time_mix_w0") && layer.has("time_mix_lerp_fused")) {
        read_rwkv7(layer, metadata, m);
    } else if (layer.has("shortconv.conv")) {
        m.kind = MixerKind::short_convolution;
        m.d_conv = layer.row_length("shortconv.conv");
    } else if (layer.has("ssm_conv1d_q")) {
        read_kimi_delta(layer, metadata, m);
    } else if (is_delta_net(layer)) {
        read_gated_delta_net(layer, metadata, m);
    } else if (layer.has("ssm_x")) {
        read_mamba(layer, m);
    } else if (layer.has("ssm_in")) {
        read_mamba2(layer, metadata, m);
        return !attends || read_softmax(layer, metadata, windowed, n_embd, m);
    } else if (layer.has("attn_kv_a_mqa")) {
        read_latent(layer, metadata, m);
    } else if (layer.has("attn_kv") && layer.has("attn_output_a")) {
        read_compressed(layer, metadata, m);
    } else if (attends) {
        return read_softmax(layer, metadata, windowed, n_embd, m);
    } else {
        m.kind = MixerKind::none;
        m.inner_norm = true;
        return !layer.has("attn_output") && !layer.has("time_mix_key");
    }
    return true;
}

} // namespace vramscope::formats
