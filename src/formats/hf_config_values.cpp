#include "formats/hf_config_values.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "formats/shape_reading.h"
#include "formats/weight_file.h"

namespace vramscope::formats {

using catalog::Json;

bool ConfigValues::has(std::string_view key) const {
    const Json& value = reader_.value();
    const auto found = value.is_object() ? value.find(key) : value.end();
    return value.is_object() && found != value.end() && !found->is_null();
}

std::int32_t ConfigValues::number(std::initializer_list<std::string_view> keys,
                                  std::int32_t fallback) const {
    for (const std::string_view key : keys) {
        if (!has(key))
            continue;
        if (reader_.value()[std::string(key)].is_array()) {
            const std::vector<std::int64_t> list = numbers(key);
            return list.empty() ? fallback
                                : static_cast<std::int32_t>(std::clamp<std::int64_t>(
                                      list.front(), 0, ArchitectureLimits::width + 1));
        }
        std::int32_t value = fallback;
        reader_.field(key, value, -1, ArchitectureLimits::width);
        return std::max(value, 0);
    }
    return fallback;
}

std::int64_t ConfigValues::long_number(std::initializer_list<std::string_view> keys) const {
    std::int64_t value = 0;
    for (const std::string_view key : keys) {
        if (!has(key) || reader_.value()[std::string(key)].is_array())
            continue;
        reader_.field(key, value, 0, ArchitectureLimits::context);
        break;
    }
    return value;
}

double ConfigValues::real(std::string_view key, double fallback) const {
    double value = fallback;
    if (has(key))
        reader_.field(key, value, 0.0, 1e9);
    return value;
}

bool ConfigValues::flag(std::initializer_list<std::string_view> keys, bool fallback) const {
    for (const std::string_view key : keys) {
        if (!has(key))
            continue;
        bool value = fallback;
        if (reader_.value()[std::string(key)].is_boolean())
            reader_.field(key, value);
        return value;
    }
    return fallback;
}

std::string ConfigValues::text(std::string_view key) const {
    std::string value;
    if (has(key) && reader_.value()[std::string(key)].is_string())
        reader_.field(key, value);
    return value;
}

std::vector<std::int64_t> ConfigValues::numbers(std::string_view key) const {
    std::vector<std::int64_t> list;
    if (!has(key))
        return list;
    const Json& value = reader_.value()[std::string(key)];
    if (!value.is_array() || value.size() > static_cast<std::size_t>(ArchitectureLimits::layers))
        return list;
    for (const Json& element : value) {
        if (element.is_number_unsigned())
            list.push_back(static_cast<std::int64_t>(
                std::min<std::uint64_t>(element.get<std::uint64_t>(), 1ULL << 40U)));
        else if (element.is_boolean())
            list.push_back(element.get<bool>() ? 1 : 0);
        else
            list.push_back(0);
    }
    return list;
}

std::vector<std::string> ConfigValues::words(std::string_view key) const {
    std::vector<std::string> list;
    if (!has(key))
        return list;
    const Json& value = reader_.value()[std::string(key)];
    if (!value.is_array() || value.size() > static_cast<std::size_t>(ArchitectureLimits::layers))
        return list;
    for (const Json& element : value)
        list.push_back(element.is_string() ? element.get_ref<const std::string&>() : std::string());
    return list;
}

void add_layer(Architecture& a, const Mixer& mixer, const FeedForward& feed_forward,
               bool shares_kv) {
    if (a.layers.size() > static_cast<std::size_t>(ArchitectureLimits::layers))
        return;
    a.layers.push_back(
        {index_of(a.mixers, mixer), index_of(a.feed_forwards, feed_forward), shares_kv});
}

Mixer config_attention(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    const ModelType& type = shape.type;
    Mixer m;
    m.q_heads =
        c.number({"num_attention_heads", "n_head", "num_heads", "n_heads"}, type.usual.heads);
    const std::int32_t kv = type.usual.kv_heads > 0 ? type.usual.kv_heads : m.q_heads;
    m.kv_heads =
        c.number({"num_key_value_heads", "num_kv_heads", "n_head_kv", "num_attention_groups"}, kv);
    if (m.kv_heads == 0)
        m.kv_heads = kv;
    const std::int32_t even = m.q_heads > 0 ? shape.architecture.n_embd / m.q_heads : 0;
    m.head_dim_k = c.number({"head_dim", "kv_channels", "attention_head_dim"},
                            type.usual.head_dim > 0 ? type.usual.head_dim : even);
    if (m.head_dim_k == 0)
        m.head_dim_k = even;
    m.head_dim_v = c.number({"v_head_dim"}, m.head_dim_k);
    const bool stated = c.flag({"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias",
                                "use_bias", "bias", "add_bias_linear"});
    m.qkv_bias = type.has(qkv_bias | all_bias) || (type.has(qkv_bias_key | all_bias_key) && stated);
    m.output_bias = type.has(all_bias) || (type.has(all_bias_key) && stated);
    m.output_bias = c.flag({"attention_out_bias"}, m.output_bias);
    if (type.has(qk_head))
        m.qk_norm = QkNorm::per_head;
    if (type.has(qk_full))
        m.qk_norm = QkNorm::full;
    if (type.has(gate_per_head))
        m.gate = AttentionGate::per_head;
    if (type.has(gate_full))
        m.gate = AttentionGate::full;
    m.sinks = type.has(sinks);
    m.fused_qkv = type.has(fused_qkv_gguf);
    return m;
}

namespace {

/// Whether layer `index` has experts.
bool has_experts(const ConfigShape& shape, std::int32_t index) {
    const ConfigValues& c = shape.values;
    const auto at = static_cast<std::size_t>(index);
    if (const auto kinds = c.words("mlp_layer_types"); at < kinds.size())
        return kinds[at] == "sparse" || kinds[at] == "moe";
    if (const auto list = c.numbers("moe_layer_freq"); at < list.size())
        return list[at] != 0;
    if (const auto list = c.numbers("moe_layers"); !list.empty())
        return std::find(list.begin(), list.end(), index) != list.end();
    // A list of layers as one text: "3,4,5" (Step).
    if (const std::string list = c.text("moe_layers_enum"); !list.empty()) {
        const std::string wanted = "," + std::to_string(index) + ",";
        return ("," + list + ",").find(wanted) != std::string::npos;
    }
    const auto dense = c.numbers("mlp_only_layers");
    if (std::find(dense.begin(), dense.end(), index) != dense.end())
        return false;
    if (index < c.number({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}))
        return false;
    if (c.has("moe_layer_end_index")) {
        const std::int64_t end = c.number({"moe_layer_end_index"});
        if (end > 0 && index > end)
            return false;
    }
    const std::int32_t step = c.number({"decoder_sparse_step", "interleave_moe_layer_step",
                                        "moe_layer_interval", "moe_layer_freq"},
                                       1);
    return step <= 1 || (index + 1) % step == 0;
}

std::int32_t at_or(const std::vector<std::int64_t>& list, std::int32_t index, std::int32_t usual) {
    const auto at = static_cast<std::size_t>(index);
    return at < list.size() ? static_cast<std::int32_t>(
                                  std::min<std::int64_t>(list[at], ArchitectureLimits::width + 1))
                            : usual;
}

} // namespace

FeedForward config_feed_forward(const ConfigShape& shape, std::int32_t index) {
    const ConfigValues& c = shape.values;
    const ModelType& type = shape.type;
    FeedForward f;
    const std::int32_t n_ff =
        at_or(c.numbers("intermediate_size"), index,
              c.number({"intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim"},
                       type.usual.feed_forward));
    f.n_ff = c.number({"intermediate_size_mlp", "dense_intermediate_size"}, n_ff);
    if (type.type == "qwen") // counts gate and up together
        f.n_ff /= 2;
    if (f.n_ff == 0 && type.has(plain_ffn))
        f.n_ff = 4 * shape.architecture.n_embd;
    f.gated = !type.has(plain_ffn);
    f.fused_gate_up = type.has(fused_up_gguf);
    f.bias = type.has(all_bias) || c.flag({"mlp_bias"});
    if (type.type == "apertus")
        f.activation_scalars = 2;

    const auto routed = c.numbers("moe_num_experts");
    const std::int32_t experts =
        routed.empty() ? c.number({"num_experts", "num_local_experts", "n_routed_experts",
                                   "moe_num_experts", "num_moe_experts"})
                       : at_or(routed, 0, 0);
    if (experts <= 1 || !has_experts(shape, index))
        return f;
    f = FeedForward{};
    f.kind = FeedForwardKind::experts;
    f.gated = !type.has(plain_ffn);
    f.n_experts = experts;
    f.n_experts_used = at_or(
        c.numbers("moe_topk"), index,
        c.number({"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk",
                  "moe_k", "top_k_experts", "moe_top_k", "num_selected_experts"}));
    const std::int32_t usual_width = type.has(own_moe) || type.gguf_arch == "llama4" ? n_ff : 0;
    f.n_ff_expert = at_or(c.numbers("moe_intermediate_size"), index,
                          c.number({"moe_intermediate_size", "expert_ffn_hidden_size",
                                    "moe_ffn_hidden_size", "expert_hidden_dim"},
                                   usual_width));
    if (f.n_ff_expert == 0)
        f.n_ff_expert = n_ff;
    std::int32_t shared = at_or(c.numbers("num_shared_expert"), index,
                                c.number({"n_shared_experts", "num_shared_experts",
                                          "num_shared_expert", "moe_num_shared_experts"}));
    f.n_ff_shared = c.number({"shared_expert_intermediate_size", "share_expert_dim",
                              "shared_intermediate_size", "share_expert_dims"});
    if (f.n_ff_shared == 0) {
        const std::int32_t each = c.number({"moe_shared_expert_intermediate_size"}, f.n_ff_expert);
        f.n_ff_shared = static_cast<std::int32_t>(
            std::min<std::int64_t>(std::int64_t{shared} * each, ArchitectureLimits::width + 1));
    }
    if (type.gguf_arch == "llama4")
        f.n_ff_shared = f.n_ff_expert;
    f.shared_gate = f.n_ff_shared > 0 && type.has(shared_gate);
    f.router_bias = type.has(router_bias);
    if (c.has("topk_method"))
        f.router_bias = c.text("topk_method") == "noaux_tc";
    f.router_bias = c.flag({"moe_router_enable_expert_bias", "use_expert_bias", "use_routing_bias",
                            "use_moe_router_bias"},
                           f.router_bias);
    f.expert_bias = type.has(sinks) && type.gguf_arch == "gpt-oss";
    return f;
}

} // namespace vramscope::formats
