// What a `model_type` of transformers means beyond the numbers of its config.
//
// One row says what the model's code fixes: which norms, biases and gates there are, how llama.cpp
// calls and stores it, and the widths its config may leave out. Source: transformers
// models/*/modeling_*.py and configuration_*.py (4.57, 5.x), llama.cpp conversion/*.py and
// src/models/*.cpp (b9793); every row with a published model is checked against its parameter
// count.
#pragma once

#include <cstdint>
#include <string_view>

namespace vramscope::formats {

/// How the layers are read; kinds that differ in more than flags have readers of their own.
enum class ConfigFamily : std::uint8_t {
    softmax,    ///< attention of one shape, perhaps with windows, dense or experts
    latent,     ///< DeepSeek and kin
    compressed, ///< DeepSeek V4
    gemma3n,
    gemma4,
    delta_net, ///< Qwen3-Next, Qwen3.5
    kimi_linear,
    nemotron_h,
    granite_hybrid, ///< also Bamba
    falcon_h1,
    jamba,
    mamba,
    lfm2,
    mimo2,
    block_list, ///< Nemotron-NAS (DeciLM)
    not_modelled
};

/// Facts of a type, combined with |.
enum Trait : std::uint32_t {
    tied_usually = 1U << 0,    ///< tie_word_embeddings when the config is silent
    qkv_bias = 1U << 1,        ///< always
    qkv_bias_key = 1U << 2,    ///< when attention_bias (or a kin key) says so
    all_bias_key = 1U << 3,    ///< the same, and the output projection
    all_bias = 1U << 4,        ///< attention, feed-forward
    qk_head = 1U << 5,         ///< norm per head on queries and keys
    qk_full = 1U << 6,         ///< norm over the whole projection
    sandwich = 1U << 7,        ///< norms before and after both parts
    post_only = 1U << 8,       ///< norms after both parts only
    shared_norm = 1U << 9,     ///< one norm, mixer and feed-forward side by side
    plain_ffn = 1U << 10,      ///< two matrices
    layer_norm = 1U << 11,     ///< norms with biases
    fused_qkv_gguf = 1U << 12, ///< llama.cpp stores attn_qkv
    fused_up_gguf = 1U << 13,  ///< llama.cpp stores gate and up together
    shared_gate = 1U << 14,    ///< a gate on the shared expert
    router_bias = 1U << 15,    ///< a score correction per expert
    gate_per_head = 1U << 16,
    gate_full = 1U << 17,
    sinks = 1U << 18,
    mtp_embeddings = 1U << 19, ///< each MTP layer stores embedding and head
    mtp_head = 1U << 20,       ///< each MTP layer stores its own head
    mtp_kept = 1U << 21,       ///< published checkpoints contain the MTP layers
    head_bias = 1U << 22,      ///< the output head has a bias
    ffn_post_norm = 1U << 23,  ///< a norm after the feed-forward part only
    parallel = 1U << 24,       ///< both norms, side by side
    own_moe = 1U << 25,        ///< expert widths in intermediate_size
    weightless = 1U << 26,
    no_final_norm_before_mtp_head = 1U << 27
};

/// Numbers that a config may leave out because the class has them as defaults; 0 = none.
struct UsualWidths {
    std::int32_t hidden = 0, feed_forward = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0,
                 vocabulary = 0, context = 0;
};

struct ModelType {
    std::string_view type;
    std::string_view gguf_arch;
    ConfigFamily family = ConfigFamily::softmax;
    std::uint32_t traits = 0;
    UsualWidths usual{};

    constexpr bool has(std::uint32_t trait) const { return (traits & trait) != 0; }
};

/// The row of a type; "…_text" and "…_text_model" fall back to the plain name. nullptr when
/// unknown.
const ModelType* find_model_type(std::string_view type);

} // namespace vramscope::formats
