// Layers of configs: softmax attention with windows, DeepSeek and kin, Gemma 3n and 4, MiMo,
// DeciLM.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "formats/hf_config_values.h"
#include "formats/shape_reading.h"
#include "formats/windows.h"

namespace vramscope::formats {
namespace {

/// Which layers see a window: `layer_types`, a period, or what the architecture implies.
class ConfigWindows {
public:
    explicit ConfigWindows(const ConfigShape& shape)
        : types_(shape.values.words("layer_types")), rule_(find_window_rule(shape.type.gguf_arch)) {
        const ConfigValues& c = shape.values;
        const bool chunks = rule_ != nullptr && rule_->chunked;
        window_ =
            c.number({chunks ? "attention_chunk_size" : "sliding_window", "sliding_window_size"});
        if (window_ == 0 && rule_ != nullptr && !c.has("sliding_window"))
            window_ = rule_->usual_window;
        if (window_ == 0 && rule_ != nullptr && rule_->gguf_arch == "gemma3")
            window_ = 4096;
        pattern_ = c.text("sliding_window_pattern"); // EXAONE: "LLLG"
        if (pattern_.find_first_not_of("LG") != std::string::npos)
            pattern_.clear();
        if (rule_ != nullptr && rule_->only_layers != 0 && types_.empty() && pattern_.empty() &&
            rule_->only_layers != shape.layers) {
            window_ = 0;
        }
        if (!c.flag({"use_sliding_window"}, true))
            window_ = 0;
        period_ = rule_ != nullptr ? rule_->period : 0;
        if (pattern_.empty())
            period_ = c.number({"sliding_window_pattern", "_sliding_window_pattern"}, period_);
        no_rope_ = c.numbers("no_rope_layers");
    }
    bool at(std::int32_t layer) const {
        const auto index = static_cast<std::size_t>(layer);
        if (window_ <= 0)
            return false;
        if (index < types_.size())
            return types_[index] == "sliding_attention" || types_[index] == "chunked_attention";
        if (!pattern_.empty())
            return pattern_[index % pattern_.size()] == 'L';
        if (rule_ != nullptr && rule_->chunked && index < no_rope_.size())
            return no_rope_[index] != 0;
        return period_ > 0 &&
               is_windowed_layer(layer, period_, rule_ != nullptr && rule_->global_first);
    }
    Mixer windowed(Mixer mixer) const {
        mixer.kind =
            rule_ != nullptr && rule_->chunked ? MixerKind::chunked : MixerKind::sliding_window;
        mixer.window = window_;
        return mixer;
    }

private:
    std::vector<std::string> types_;
    const WindowRule* rule_;
    std::int32_t window_ = 0;
    std::int32_t period_ = 0;
    std::vector<std::int64_t> no_rope_;
    std::string pattern_;
};

/// MiniMax M3: an indexer beside the keys of the sparse layers.
void read_sparse_attention(const ConfigShape& shape, std::int32_t index, Mixer& mixer) {
    const auto& reader = shape.values.reader();
    if (!shape.values.has("sparse_attention_config") ||
        !reader.value()["sparse_attention_config"].is_object()) {
        return;
    }
    const auto sparse = reader.object("sparse_attention_config");
    const ConfigValues own(*sparse);
    const auto where = own.numbers("sparse_attention_freq");
    const auto at = static_cast<std::size_t>(index);
    if (at < where.size() && where[at] == 0)
        return;
    mixer.indexer_heads = own.number({"sparse_num_index_heads"});
    mixer.indexer_head_dim = own.number({"sparse_index_dim"});
    mixer.indexer_top_k = own.number({"sparse_topk_blocks"});
}

/// Query heads that differ between full and windowed layers (Step, Laguna).
std::int32_t heads_at(const ConfigShape& shape, std::int32_t index, bool windowed,
                      std::int32_t usual) {
    const ConfigValues& c = shape.values;
    const auto list = c.numbers("num_attention_heads_per_layer");
    const auto at = static_cast<std::size_t>(index);
    if (at < list.size())
        return static_cast<std::int32_t>(
            std::min<std::int64_t>(list[at], ArchitectureLimits::width + 1));
    if (!windowed)
        return usual;
    if (c.has("attention_other_setting") &&
        c.reader().value()["attention_other_setting"].is_object()) {
        const auto other = c.reader().object("attention_other_setting");
        return ConfigValues(*other).number({"num_attention_heads"}, usual);
    }
    return c.number({"num_swa_attention_heads", "swa_num_attention_heads"}, usual);
}

} // namespace

void read_softmax_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Mixer base = config_attention(shape);
    if (shape.type.gguf_arch == "chatglm") {
        if (c.flag({"multi_query_attention"}, false))
            base.kv_heads = c.number({"multi_query_group_num"}, base.kv_heads);
    }
    if (shape.type.gguf_arch == "falcon") {
        if (!c.flag({"new_decoder_architecture"}) && c.flag({"multi_query"}, true))
            base.kv_heads = 1;
    }
    if (shape.type.gguf_arch == "starcoder" && c.flag({"multi_query"}, true))
        base.kv_heads = 1;
    if (shape.type.gguf_arch == "command-r" && c.flag({"use_qk_norm"}))
        base.qk_norm = QkNorm::full;
    if (shape.type.type == "minimax_m2" && !c.flag({"use_qk_norm"}, true))
        base.qk_norm = QkNorm::none;
    if (shape.type.type == "glm4_moe" && c.flag({"use_qk_norm"}))
        base.qk_norm = QkNorm::per_head;
    if (c.has("use_qk_norm") && !c.flag({"use_qk_norm"}))
        base.qk_norm = shape.type.gguf_arch == "hunyuan-moe" ? QkNorm::none : base.qk_norm;
    const ConfigWindows windows(shape);
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        Mixer mixer = base;
        const bool windowed = windows.at(i);
        mixer.q_heads = heads_at(shape, i, windowed, base.q_heads);
        if (shape.type.type == "minimax_m3")
            read_sparse_attention(shape, i, mixer);
        if (windowed)
            mixer = windows.windowed(mixer);
        add_layer(shape.architecture, mixer, config_feed_forward(shape, i));
    }
}

Mixer config_latent(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Mixer m;
    m.kind = MixerKind::latent;
    m.q_heads = m.kv_heads = c.number({"num_attention_heads"});
    m.q_lora_rank = c.number({"q_lora_rank"});
    m.kv_lora_rank = c.number({"kv_lora_rank"});
    m.qk_nope_head_dim = c.number({"qk_nope_head_dim"});
    m.qk_rope_head_dim = c.number({"qk_rope_head_dim"});
    m.head_dim_v = c.number({"v_head_dim"}, shape.architecture.n_embd / std::max(m.q_heads, 1));
    m.absorbed = shape.type.gguf_arch != "minicpm3";
    m.indexer_heads = c.number({"index_n_heads"});
    m.indexer_head_dim = c.number({"index_head_dim"});
    m.indexer_top_k = c.number({"index_topk"});
    return m;
}

void read_latent_layers(const ConfigShape& shape) {
    const Mixer mixer = config_latent(shape);
    const auto kinds = shape.values.words("indexer_types"); // GLM-5.2: shared indexers
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        Mixer own = mixer;
        if (static_cast<std::size_t>(i) < kinds.size() &&
            kinds[static_cast<std::size_t>(i)] == "shared")
            own.indexer_heads = own.indexer_head_dim = own.indexer_top_k = 0;
        add_layer(shape.architecture, own, config_feed_forward(shape, i));
    }
}

/// DeepSeek V4.
void read_compressed_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Mixer window;
    window.kind = MixerKind::compressed;
    window.q_heads = c.number({"num_attention_heads"});
    window.head_dim_k = c.number({"head_dim"});
    window.q_lora_rank = c.number({"q_lora_rank"});
    window.qk_rope_head_dim = c.number({"qk_rope_head_dim"});
    window.window = c.number({"sliding_window"});
    window.output_groups = c.number({"o_groups"});
    window.output_lora_rank = c.number({"o_lora_rank"});
    window.sinks = true;
    shape.architecture.hyper_connections = c.number({"hc_mult"});
    const auto ratios = c.numbers("compress_ratios");
    const std::int32_t hashed = c.number({"num_hash_layers"});
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        Mixer mixer = window;
        if (static_cast<std::size_t>(i) < ratios.size()) {
            mixer.compress_ratio = static_cast<std::int32_t>(std::min<std::int64_t>(
                ratios[static_cast<std::size_t>(i)], ArchitectureLimits::width));
        }
        if (mixer.compress_ratio == 4) { // the fine one is picked from
            mixer.indexer_heads = c.number({"index_n_heads"});
            mixer.indexer_head_dim = c.number({"index_head_dim"});
            mixer.indexer_top_k = c.number({"index_topk"});
        }
        FeedForward feed_forward = config_feed_forward(shape, i);
        if (i < hashed) {
            feed_forward.hash_routed = true;
            feed_forward.router_bias = false;
        }
        add_layer(shape.architecture, mixer, feed_forward);
    }
}

void read_gemma3n_layers(const ConfigShape& shape) {
    Architecture& a = shape.architecture;
    const ConfigValues& c = shape.values;
    a.altup = true;
    a.shared_kv_stored = true;
    a.per_layer_embedding = c.number({"hidden_size_per_layer_input"}, 256);
    const std::int32_t rows = c.number({"vocab_size_per_layer_input"}, 262144);
    a.n_vocab_per_layer = rows == a.n_vocab ? 0 : rows;
    const std::int32_t shared = c.number({"num_kv_shared_layers"}, 15);
    const ConfigWindows windows(shape);
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        Mixer mixer = config_attention(shape);
        if (windows.at(i))
            mixer = windows.windowed(mixer);
        add_layer(a, mixer, config_feed_forward(shape, i), i >= shape.layers - shared);
    }
}

void read_gemma4_layers(const ConfigShape& shape) {
    Architecture& a = shape.architecture;
    const ConfigValues& c = shape.values;
    a.layer_scale = true;
    a.per_layer_embedding = c.number({"hidden_size_per_layer_input"});
    if (a.per_layer_embedding > 0) {
        const std::int32_t rows = c.number({"vocab_size_per_layer_input"}, a.n_vocab);
        a.n_vocab_per_layer = rows == a.n_vocab ? 0 : rows;
    }
    const std::int32_t shared = c.number({"num_kv_shared_layers"});
    a.shared_kv_stored = shared > 0; // keys and values that no layer uses
    const bool wide = c.flag({"use_double_wide_mlp"});
    const bool experts = c.flag({"enable_moe_block"});
    const ConfigWindows windows(shape);
    const Mixer local = config_attention(shape);
    Mixer global = local;
    global.head_dim_k = global.head_dim_v = c.number({"global_head_dim"}, local.head_dim_k);
    global.kv_heads = c.number({"num_global_key_value_heads"}, local.kv_heads);
    global.values_from_keys = c.flag({"attention_k_eq_v"});
    a.rope_factors = global.head_dim_k / 2;
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const bool shares = i >= shape.layers - shared;
        FeedForward f = config_feed_forward(shape, i);
        if (experts) {
            f.dense_beside_experts = true;
            f.fused_expert_gate_up = true;
            f.extra_norms = 3;
            f.router_scale = f.expert_scale = true;
            f.n_ff = c.number({"intermediate_size"});
        } else if (wide && shares) {
            f.n_ff *= 2;
        }
        add_layer(a, windows.at(i) ? windows.windowed(local) : global, f, shares);
    }
}

void read_mimo2_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const Mixer global = [&] {
        Mixer m = config_attention(shape);
        m.sinks = c.flag({"add_full_attention_sink_bias"});
        return m;
    }();
    Mixer local = global;
    local.kind = MixerKind::sliding_window;
    local.window = c.number({"sliding_window", "sliding_window_size"});
    local.q_heads = c.number({"swa_num_attention_heads"}, global.q_heads);
    local.kv_heads = c.number({"swa_num_key_value_heads"}, global.kv_heads);
    local.head_dim_k = c.number({"swa_head_dim"}, global.head_dim_k);
    local.head_dim_v = c.number({"swa_v_head_dim"}, global.head_dim_v);
    local.sinks = c.flag({"add_swa_attention_sink_bias"});
    const auto pattern = c.numbers("hybrid_layer_pattern");
    for (std::int32_t i = 0; i < shape.layers; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool windowed = at < pattern.size() && pattern[at] != 0;
        add_layer(shape.architecture, windowed ? local : global, config_feed_forward(shape, i));
    }
}

/// Nemotron-NAS: every layer has its own attention and feed-forward part, or none.
void read_block_list_layers(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const auto blocks = c.reader().array("block_configs");
    if (!blocks) {
        shape.missing.push_back("block_configs is missing, which tells what the layers are.");
        return;
    }
    const Mixer base = config_attention(shape);
    const std::int32_t n_embd = shape.architecture.n_embd;
    blocks->for_each_element([&](const catalog::JsonReader& block) {
        Mixer mixer = base;
        FeedForward f;
        if (const auto attention = block.object("attention")) {
            const ConfigValues own(*attention);
            if (own.flag({"no_op"})) {
                mixer = Mixer{};
                mixer.kind = MixerKind::none;
            } else if (own.flag({"replace_with_linear"})) {
                shape.missing.push_back("Layers whose attention is one matrix are taken as none.");
                mixer = Mixer{};
                mixer.kind = MixerKind::none;
            } else if (const std::int32_t group = own.number({"n_heads_in_group"}); group > 0) {
                mixer.kv_heads = base.q_heads / group;
            }
        }
        f.kind = FeedForwardKind::none;
        if (const auto ffn = block.object("ffn")) {
            const ConfigValues own(*ffn);
            const double factor = own.real("ffn_mult", 0);
            if (!own.flag({"no_op"}) && factor > 0) {
                f.kind = FeedForwardKind::dense;
                // Rounded up to 256, as modeling_decilm.py does.
                const auto raw = static_cast<std::int64_t>(2.0 * factor * n_embd / 3.0);
                f.n_ff = static_cast<std::int32_t>(
                    std::min<std::int64_t>((raw + 255) / 256 * 256, ArchitectureLimits::width + 1));
            }
        }
        add_layer(shape.architecture, mixer, f);
    });
    if (shape.architecture.layers.size() != static_cast<std::size_t>(shape.layers)) {
        shape.missing.push_back("block_configs has " +
                                std::to_string(shape.architecture.layers.size()) + " layers, not " +
                                std::to_string(shape.layers) + ".");
    }
}

} // namespace vramscope::formats
