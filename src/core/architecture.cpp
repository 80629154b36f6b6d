#include "core/architecture.h"

namespace vramscope {
namespace {

using Fault = std::optional<ArchitectureFault>;

constexpr const char* not_positive = "must be a positive number for this kind";
constexpr const char* too_large = "is beyond what any model has";
constexpr const char* negative = "must not be negative";

/// A field that may be 0 (unused) but never negative or absurd.
struct Width {
    const char* field;
    std::int64_t value;
    std::int64_t limit = ArchitectureLimits::width;
};

template <std::size_t count>
Fault check_range(const Width (&widths)[count]) {
    for (const Width& width : widths) {
        if (width.value < 0)
            return ArchitectureFault{width.field, negative};
        if (width.value > width.limit)
            return ArchitectureFault{width.field, too_large};
    }
    return std::nullopt;
}

template <std::size_t count>
Fault check_positive(const Width (&widths)[count]) {
    for (const Width& width : widths) {
        if (width.value <= 0)
            return ArchitectureFault{width.field, not_positive};
    }
    return std::nullopt;
}

Fault softmax_fault(const Mixer& m) {
    if (Fault fault = check_positive({{"mixers.q_heads", m.q_heads},
                                      {"mixers.kv_heads", m.kv_heads},
                                      {"mixers.head_dim_k", m.head_dim_k},
                                      {"mixers.head_dim_v", m.head_dim_v}})) {
        return fault;
    }
    if (m.kv_heads > m.q_heads) {
        return ArchitectureFault{"mixers.kv_heads", "must not exceed q_heads"};
    }
    return std::nullopt;
}

Fault latent_fault(const Mixer& m) {
    return check_positive({{"mixers.q_heads", m.q_heads},
                           {"mixers.head_dim_v", m.head_dim_v},
                           {"mixers.kv_lora_rank", m.kv_lora_rank},
                           {"mixers.qk_nope_head_dim", m.qk_nope_head_dim},
                           {"mixers.qk_rope_head_dim", m.qk_rope_head_dim}});
}

Fault mamba2_fault(const Mixer& m) {
    if (Fault fault = check_positive({{"mixers.d_conv", m.d_conv},
                                      {"mixers.d_inner", m.d_inner},
                                      {"mixers.d_state", m.d_state},
                                      {"mixers.n_groups", m.n_groups},
                                      {"mixers.dt_rank", m.dt_rank}})) {
        return fault;
    }
    if (m.d_inner % m.n_groups != 0) {
        return ArchitectureFault{"mixers.n_groups", "must divide d_inner"};
    }
    return std::nullopt;
}

Fault delta_net_fault(const Mixer& m) {
    if (Fault fault = check_positive({{"mixers.d_conv", m.d_conv},
                                      {"mixers.d_inner", m.d_inner},
                                      {"mixers.d_state", m.d_state},
                                      {"mixers.n_groups", m.n_groups},
                                      {"mixers.dt_rank", m.dt_rank}})) {
        return fault;
    }
    if (m.d_inner % m.dt_rank != 0) {
        return ArchitectureFault{"mixers.dt_rank", "must divide d_inner"};
    }
    return std::nullopt;
}

Fault compressed_fault(const Mixer& m) {
    if (Fault fault = check_positive({{"mixers.q_heads", m.q_heads},
                                      {"mixers.head_dim_k", m.head_dim_k},
                                      {"mixers.q_lora_rank", m.q_lora_rank},
                                      {"mixers.window", m.window},
                                      {"mixers.output_groups", m.output_groups},
                                      {"mixers.output_lora_rank", m.output_lora_rank}})) {
        return fault;
    }
    if (m.q_heads % m.output_groups != 0) {
        return ArchitectureFault{"mixers.output_groups", "must divide q_heads"};
    }
    return std::nullopt;
}

Fault kind_fault(const Mixer& m) {
    switch (m.kind) {
    case MixerKind::none:
        return std::nullopt;
    case MixerKind::sliding_window:
    case MixerKind::chunked:
        if (m.window <= 0)
            return ArchitectureFault{"mixers.window", not_positive};
        return softmax_fault(m);
    case MixerKind::full_attention:
        return softmax_fault(m);
    case MixerKind::linear_attention:
        return check_positive({{"mixers.d_inner", m.d_inner}, {"mixers.d_state", m.d_state}});
    case MixerKind::compressed:
        return compressed_fault(m);
    case MixerKind::latent:
        return latent_fault(m);
    case MixerKind::mamba:
        return check_positive({{"mixers.d_conv", m.d_conv},
                               {"mixers.d_inner", m.d_inner},
                               {"mixers.d_state", m.d_state},
                               {"mixers.dt_rank", m.dt_rank}});
    case MixerKind::mamba2:
        return mamba2_fault(m);
    case MixerKind::attention_and_mamba2:
        if (Fault fault = softmax_fault(m))
            return fault;
        return mamba2_fault(m);
    case MixerKind::gated_delta_net:
        return delta_net_fault(m);
    case MixerKind::kimi_delta:
        return check_positive({{"mixers.d_conv", m.d_conv},
                               {"mixers.d_inner", m.d_inner},
                               {"mixers.d_state", m.d_state},
                               {"mixers.dt_rank", m.dt_rank}});
    case MixerKind::rwkv7:
        return check_positive({{"mixers.d_state", m.d_state},
                               {"mixers.lora_decay", m.lora_decay},
                               {"mixers.lora_iclr", m.lora_iclr},
                               {"mixers.lora_value", m.lora_value},
                               {"mixers.lora_gate", m.lora_gate}});
    case MixerKind::short_convolution:
        return check_positive({{"mixers.d_conv", m.d_conv}});
    }
    return ArchitectureFault{"mixers.kind", "is not a known kind"};
}

Fault mixer_fault(const Mixer& m) {
    if (Fault fault = check_range({{"mixers.q_heads", m.q_heads},
                                   {"mixers.kv_heads", m.kv_heads},
                                   {"mixers.head_dim_k", m.head_dim_k},
                                   {"mixers.head_dim_v", m.head_dim_v},
                                   {"mixers.window", m.window},
                                   {"mixers.q_lora_rank", m.q_lora_rank},
                                   {"mixers.kv_lora_rank", m.kv_lora_rank},
                                   {"mixers.qk_nope_head_dim", m.qk_nope_head_dim},
                                   {"mixers.qk_rope_head_dim", m.qk_rope_head_dim},
                                   {"mixers.indexer_heads", m.indexer_heads},
                                   {"mixers.indexer_head_dim", m.indexer_head_dim},
                                   {"mixers.indexer_top_k", m.indexer_top_k},
                                   {"mixers.compress_ratio", m.compress_ratio},
                                   {"mixers.output_groups", m.output_groups},
                                   {"mixers.output_lora_rank", m.output_lora_rank},
                                   {"mixers.d_conv", m.d_conv},
                                   {"mixers.d_inner", m.d_inner},
                                   {"mixers.d_state", m.d_state},
                                   {"mixers.n_groups", m.n_groups},
                                   {"mixers.dt_rank", m.dt_rank},
                                   {"mixers.lora_decay", m.lora_decay},
                                   {"mixers.lora_iclr", m.lora_iclr},
                                   {"mixers.lora_value", m.lora_value},
                                   {"mixers.lora_gate", m.lora_gate}})) {
        return fault;
    }
    if ((m.indexer_heads > 0) != (m.indexer_head_dim > 0)) {
        return ArchitectureFault{"mixers.indexer_heads", "goes together with indexer_head_dim"};
    }
    return kind_fault(m);
}

Fault feed_forward_fault(const FeedForward& f) {
    if (Fault fault = check_range(
            {{"feed_forwards.n_ff", f.n_ff},
             {"feed_forwards.n_experts", f.n_experts, ArchitectureLimits::experts},
             {"feed_forwards.n_experts_used", f.n_experts_used, ArchitectureLimits::experts},
             {"feed_forwards.n_zero_experts", f.n_zero_experts, ArchitectureLimits::experts},
             {"feed_forwards.n_ff_expert", f.n_ff_expert},
             {"feed_forwards.n_ff_shared", f.n_ff_shared},
             {"feed_forwards.latent_size", f.latent_size},
             {"feed_forwards.extra_norms", f.extra_norms, 16},
             {"feed_forwards.activation_scalars", f.activation_scalars, 16}})) {
        return fault;
    }
    const bool has_dense = f.kind == FeedForwardKind::dense ||
                           (f.kind == FeedForwardKind::experts && f.dense_beside_experts);
    if (has_dense && f.n_ff <= 0)
        return ArchitectureFault{"feed_forwards.n_ff", not_positive};
    if (f.kind == FeedForwardKind::experts) {
        if (Fault fault = check_positive({{"feed_forwards.n_experts", f.n_experts},
                                          {"feed_forwards.n_experts_used", f.n_experts_used},
                                          {"feed_forwards.n_ff_expert", f.n_ff_expert}})) {
            return fault;
        }
        if (f.n_experts_used > f.n_experts) {
            return ArchitectureFault{"feed_forwards.n_experts_used", "must not exceed n_experts"};
        }
    }
    return std::nullopt;
}

/// A tower with a shape has all of it, small enough that squares of images stay far from overflow.
Fault tower_fault(const Tower& t) {
    if (t.projector == Projector::unknown)
        return std::nullopt;
    if (Fault fault = check_positive({{"towers.n_layer", t.n_layer},
                                      {"towers.n_embd", t.n_embd},
                                      {"towers.n_ff", t.n_ff},
                                      {"towers.n_head", t.n_head},
                                      {"towers.patch_size", t.patch_size},
                                      {"towers.merge", t.merge},
                                      {"towers.n_output", t.n_output}})) {
        return fault;
    }
    constexpr std::int64_t side = 4096;
    if (Fault fault = check_range({{"towers.n_layer", t.n_layer, ArchitectureLimits::layers},
                                   {"towers.patch_size", t.patch_size, side},
                                   {"towers.image_size", t.image_size, side},
                                   {"towers.merge", t.merge, 64},
                                   {"towers.n_positions", t.n_positions},
                                   {"towers.deepstack_layers", t.deepstack_layers, t.n_layer - 1},
                                   {"towers.full_attention_every", t.full_attention_every},
                                   {"towers.file_bytes", t.file_bytes, bytes_limit}})) {
        return fault;
    }
    if (t.n_embd % t.n_head != 0)
        return ArchitectureFault{"towers.n_head", "must divide n_embd"};
    return std::nullopt;
}

Fault layers_fault(const Architecture& a, const std::vector<Layer>& layers, const char* field) {
    for (const Layer& layer : layers) {
        if (layer.mixer >= a.mixers.size()) {
            return ArchitectureFault{field, "names a mixer that is not there"};
        }
        if (layer.feed_forward >= a.feed_forwards.size()) {
            return ArchitectureFault{field, "names a feed-forward part that is not there"};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<ArchitectureFault> find_fault(const Architecture& a) {
    if (Fault fault = check_positive({{"n_embd", a.n_embd}, {"n_vocab", a.n_vocab}}))
        return fault;
    if (Fault fault = check_range(
            {{"n_embd", a.n_embd},
             {"n_vocab", a.n_vocab},
             {"n_vocab_gguf", a.n_vocab_gguf},
             {"n_positions", a.n_positions},
             {"rope_factors", a.rope_factors},
             {"rope_factor_vectors", a.rope_factor_vectors, 2},
             {"per_layer_embedding", a.per_layer_embedding},
             {"n_vocab_per_layer", a.n_vocab_per_layer},
             {"hyper_connections", a.hyper_connections, 64},
             {"deepstack_layers", a.deepstack_layers, ArchitectureLimits::layers},
             {"native_context", a.native_context, ArchitectureLimits::context},
             {"extended_context", a.extended_context, ArchitectureLimits::context},
             {"layers", static_cast<std::int64_t>(a.layers.size()), ArchitectureLimits::layers},
             {"mtp_layers", static_cast<std::int64_t>(a.mtp_layers.size()),
              ArchitectureLimits::layers}})) {
        return fault;
    }
    if (a.layers.empty())
        return ArchitectureFault{"layers", "must not be empty"};
    for (const Mixer& mixer : a.mixers) {
        if (Fault fault = mixer_fault(mixer))
            return fault;
    }
    for (const FeedForward& feed_forward : a.feed_forwards) {
        if (Fault fault = feed_forward_fault(feed_forward))
            return fault;
    }
    if (Fault fault = layers_fault(a, a.layers, "layers"))
        return fault;
    if (Fault fault = layers_fault(a, a.mtp_layers, "mtp_layers"))
        return fault;
    for (const Tower& tower : a.towers) {
        if (tower.parameters < 0)
            return ArchitectureFault{"towers.parameters", negative};
        if (tower.parameters > ArchitectureLimits::context) {
            return ArchitectureFault{"towers.parameters", too_large};
        }
        if (Fault fault = tower_fault(tower))
            return fault;
    }
    return std::nullopt;
}

} // namespace vramscope
