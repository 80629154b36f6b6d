// Layers of configs with recurrent mixers: Qwen3-Next and 3.5, Kimi Linear, Nemotron-H, Granite 4,
// Falcon-H1, Jamba, Mamba, LFM2.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "formats/hf_config_values.h"
#include "formats/shape_reading.h"

namespace vramscope::formats {
namespace {

Mixer no_mixer() {
    Mixer m;
    m.kind = MixerKind::none;
    return m;
}

FeedForward no_feed_forward() {
    FeedForward f;
    f.kind = FeedForwardKind::none;
    return f;
}

std::int32_t product(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(
        std::min<std::int64_t>(std::int64_t{a} * b, ArchitectureLimits::width + 1));
}

Mixer mamba2(const ConfigValues& c, std::int32_t n_embd) {
    Mixer m;
    m.kind = MixerKind::mamba2;
    m.d_conv = c.number({"mamba_d_conv", "conv_kernel"}, 4);
    m.d_state = c.number({"mamba_d_state", "ssm_state_size"}, 128);
    m.dt_rank = c.number({"mamba_n_heads", "mamba_num_heads"});
    m.n_groups = c.number({"mamba_n_groups", "n_groups", "mamba_num_groups"}, 1);
    const std::int32_t head_dim = c.number({"mamba_d_head", "mamba_head_dim"});
    m.d_inner = c.number({"mamba_d_ssm"});
    if (m.d_inner == 0)
        m.d_inner = head_dim > 0 && m.dt_rank > 0 ? product(m.dt_rank, head_dim)
                                                  : product(n_embd, c.number({"mamba_expand"}, 2));
    return m;
}

Mixer mamba1(const ConfigValues& c, std::int32_t n_embd) {
    Mixer m;
    m.kind = MixerKind::mamba;
    m.d_conv = c.number({"mamba_d_conv", "conv_kernel"}, 4);
    m.d_state = c.number({"mamba_d_state", "state_size", "ssm_state_size"}, 16);
    // Mamba's intermediate_size is the inner width and wins over expand (Falcon-Mamba has expand 16
    // beside it); Jamba's is that of the feed-forward part.
    if (!c.has("mamba_expand"))
        m.d_inner = c.number({"intermediate_size", "d_inner"});
    if (m.d_inner == 0)
        m.d_inner = product(n_embd, c.number({"mamba_expand", "expand"}, 2));
    m.dt_rank = c.number({"mamba_dt_rank", "time_step_rank"}, (n_embd + 15) / 16);
    return m;
}

/// ["mamba", "moe", "attention", "mlp"] in the letters of the older pattern.
std::string block_letters(const std::vector<std::string>& kinds) {
    std::string letters;
    for (const std::string& kind : kinds)
        letters += kind == "mamba" ? 'M' : kind == "attention" ? '*' : kind == "moe" ? 'E' : '-';
    return letters;
}

bool attends_at(const std::vector<std::string>& kinds, std::int32_t index) {
    const auto at = static_cast<std::size_t>(index);
    return at < kinds.size() && (kinds[at] == "attention" || kinds[at] == "full_attention");
}

} // namespace

void read_delta_net_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Mixer attention = config_attention(shape);
    if (c.flag({"attn_output_gate"}, true))
        attention.gate = AttentionGate::inside_q;
    Mixer delta;
    delta.kind = MixerKind::gated_delta_net;
    delta.d_conv = c.number({"linear_conv_kernel_dim"}, 4);
    delta.d_state = c.number({"linear_key_head_dim"});
    delta.n_groups = c.number({"linear_num_key_heads"});
    delta.dt_rank = c.number({"linear_num_value_heads"});
    delta.d_inner = product(delta.dt_rank, c.number({"linear_value_head_dim"}));
    const auto kinds = c.words("layer_types");
    const std::int32_t interval = std::max(c.number({"full_attention_interval"}, 4), 1);
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool full = kinds.empty() ? (i + 1) % interval == 0 : attends_at(kinds, i);
        add_layer(shape.architecture, full ? attention : delta, config_feed_forward(shape, i));
    }
}

void read_kimi_linear_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    if (!c.has("linear_attn_config") || !c.reader().value()["linear_attn_config"].is_object()) {
        shape.missing.push_back("linear_attn_config is missing, which tells what the layers are.");
        return;
    }
    const auto linear = c.reader().object("linear_attn_config");
    const ConfigValues own(*linear);
    Mixer delta;
    delta.kind = MixerKind::kimi_delta;
    delta.d_conv = own.number({"short_conv_kernel_size"}, 4);
    delta.d_state = own.number({"head_dim"}, 128);
    delta.dt_rank = own.number({"num_heads"});
    delta.d_inner = product(delta.dt_rank, delta.d_state);
    if (own.flag({"use_full_rank_gate"}))
        delta.gate = AttentionGate::full;
    Mixer latent = config_latent(shape);
    if (c.flag({"mla_use_output_gate"}))
        latent.gate = AttentionGate::full;
    const auto full = own.numbers("full_attn_layers"); // counted from 1
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool attends = std::find(full.begin(), full.end(), i + 1) != full.end();
        FeedForward feed_forward = config_feed_forward(shape, i);
        if (feed_forward.kind == FeedForwardKind::experts)
            feed_forward.latent_size = c.number({"routed_expert_hidden_size"});
        add_layer(shape.architecture, attends ? latent : delta, feed_forward);
    }
}

void read_nemotron_h_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Architecture& a = shape.architecture;
    std::string pattern = c.text("hybrid_override_pattern");
    if (pattern.empty())
        pattern = block_letters(c.words("layers_block_type"));
    if (pattern.empty()) {
        shape.missing.push_back(
            "hybrid_override_pattern is missing, which tells what the layers are.");
        return;
    }
    if (pattern.size() > static_cast<std::size_t>(ArchitectureLimits::layers))
        pattern.resize(static_cast<std::size_t>(ArchitectureLimits::layers));
    const Mixer attention = config_attention(shape);
    const Mixer recurrent = mamba2(c, a.n_embd);
    FeedForward dense;
    dense.gated = false;
    dense.n_ff = c.number({"intermediate_size"});
    FeedForward experts;
    experts.kind = FeedForwardKind::experts;
    experts.gated = false;
    experts.n_experts = c.number({"n_routed_experts"});
    experts.n_experts_used = c.number({"num_experts_per_tok"});
    experts.n_ff_expert = c.number({"moe_intermediate_size"});
    experts.n_ff_shared =
        product(c.number({"n_shared_experts"}), c.number({"moe_shared_expert_intermediate_size"}));
    experts.latent_size = c.number({"moe_latent_size"});
    experts.router_bias = true;
    if (experts.n_experts > 0)
        a.gguf_arch = "nemotron_h_moe";
    const auto mixer_of = [&](char kind) {
        return index_of(a.mixers, kind == 'M' ? recurrent : kind == '*' ? attention : no_mixer());
    };
    const auto part_of = [&](char kind) {
        return index_of(a.feed_forwards, kind == 'E'   ? experts
                                         : kind == '-' ? dense
                                                       : no_feed_forward());
    };
    for (const char kind : pattern)
        a.layers.push_back({mixer_of(kind), part_of(kind), false});
    // The predictor has a pattern of its own, "*E": the two halves of one layer.
    if (c.number({"num_nextn_predict_layers"}) > 0) {
        std::string own = c.text("mtp_hybrid_override_pattern").substr(0, 64);
        if (own.empty())
            own = block_letters(c.words("mtp_layers_block_type"));
        for (std::size_t i = 0; i + 1 < own.size(); i += 2)
            a.mtp_layers.push_back({mixer_of(own[i]), part_of(own[i + 1]), false});
    }
    if (a.layers.size() != static_cast<std::size_t>(shape.layers)) {
        shape.missing.push_back("hybrid_override_pattern has " + std::to_string(a.layers.size()) +
                                " layers, not " + std::to_string(shape.layers) + ".");
    }
}

void read_granite_hybrid_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const Mixer attention = config_attention(shape);
    const Mixer recurrent = mamba2(c, shape.architecture.n_embd);
    auto kinds = c.words("layer_types");
    if (kinds.empty())
        kinds = c.words("layers_block_type");
    const auto where = c.numbers("attn_layer_indices");
    FeedForward f;
    f.n_ff = c.number({"intermediate_size"});
    if (c.number({"num_local_experts"}) > 0) {
        f.kind = FeedForwardKind::experts;
        f.n_experts = c.number({"num_local_experts"});
        f.n_experts_used = c.number({"num_experts_per_tok"});
        f.n_ff_expert = f.n_ff;
        f.n_ff = 0;
        f.n_ff_shared = c.number({"shared_intermediate_size"});
    } else if (c.has("shared_intermediate_size")) {
        f.n_ff = c.number({"shared_intermediate_size"});
    }
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool attends = kinds.empty() ? std::find(where.begin(), where.end(), i) != where.end()
                                           : attends_at(kinds, i);
        add_layer(shape.architecture, attends ? attention : recurrent, f);
    }
}

void read_falcon_h1_layers(const ConfigShape& shape) {
    Mixer m = config_attention(shape);
    const Mixer recurrent = mamba2(shape.values, shape.architecture.n_embd);
    m.kind = MixerKind::attention_and_mamba2;
    m.d_conv = recurrent.d_conv;
    m.d_state = recurrent.d_state;
    m.d_inner = recurrent.d_inner;
    m.dt_rank = recurrent.dt_rank;
    m.n_groups = recurrent.n_groups;
    m.inner_norm = shape.values.flag({"mamba_rms_norm"});
    for (std::int32_t i = 0; i < shape.layers; ++i)
        add_layer(shape.architecture, m, config_feed_forward(shape, i));
}

void read_jamba_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const Mixer attention = config_attention(shape);
    Mixer recurrent = mamba1(c, shape.architecture.n_embd);
    recurrent.dt_norms = true;
    const std::int32_t period = std::max(c.number({"attn_layer_period"}, 8), 1);
    const std::int32_t offset = c.number({"attn_layer_offset"}, 4);
    const std::int32_t expert_period = std::max(c.number({"expert_layer_period"}, 2), 1);
    const std::int32_t expert_offset = c.number({"expert_layer_offset"}, 1);
    FeedForward dense;
    dense.n_ff = c.number({"intermediate_size"});
    FeedForward experts;
    experts.kind = FeedForwardKind::experts;
    experts.n_experts = c.number({"num_experts"}, 16);
    experts.n_experts_used = c.number({"num_experts_per_tok"}, 2);
    experts.n_ff_expert = dense.n_ff;
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool routed = experts.n_experts > 1 && i % expert_period == expert_offset;
        add_layer(shape.architecture, i % period == offset ? attention : recurrent,
                  routed ? experts : dense);
    }
}

void read_mamba_layers(const ConfigShape& shape) {
    const Mixer m = mamba1(shape.values, shape.architecture.n_embd);
    for (std::int32_t i = 0; i < shape.layers; ++i)
        add_layer(shape.architecture, m, no_feed_forward());
}

void read_lfm2_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const Mixer attention = config_attention(shape);
    Mixer convolution;
    convolution.kind = MixerKind::short_convolution;
    convolution.d_conv = c.number({"conv_L_cache"}, 3);
    auto kinds = c.words("layer_types");
    const auto where = c.numbers("full_attn_idxs");
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool attends = kinds.empty() ? std::find(where.begin(), where.end(), i) != where.end()
                                           : attends_at(kinds, i);
        FeedForward f = config_feed_forward(shape, i);
        // LFM2 states the width before two thirds of it are taken and rounded up.
        if (f.kind == FeedForwardKind::dense && c.flag({"block_auto_adjust_ff_dim"}) &&
            c.number({"block_ff_dim", "intermediate_size"}) > 0) {
            const std::int64_t raw =
                2 * std::int64_t{c.number({"block_ff_dim", "intermediate_size"})} / 3;
            const auto scaled = static_cast<std::int64_t>(c.real("block_ffn_dim_multiplier", 1.0) *
                                                          static_cast<double>(raw));
            const std::int64_t step = std::max(c.number({"block_multiple_of"}, 256), 1);
            f.n_ff = static_cast<std::int32_t>(std::clamp<std::int64_t>(
                (scaled + step - 1) / step * step, 0, ArchitectureLimits::width + 1));
        }
        add_layer(shape.architecture, attends ? attention : convolution, f);
    }
}

} // namespace vramscope::formats
