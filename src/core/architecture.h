// What a model is: the shape of a network, in the field's own terms.
//
// An architecture is a list of layers. Each layer names a *mixer* (how tokens see each other) and a
// *feed-forward* part; both are shared descriptions, since a model of 60 layers has only one to
// four different ones. Repeated patterns ("5 local : 1 global") are data made when a catalog entry,
// a GGUF header or a config.json is read; nothing here knows a model by name.
//
// Numbers are counts of elements, never bytes. Which tensors follow from a shape: tensors.h. What a
// cache of it costs: cache.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units.h"

namespace vramscope {

/// How a layer mixes tokens.
enum class MixerKind : std::uint8_t {
    none,                 ///< no mixer (feed-forward-only layers of Nemotron-H)
    full_attention,       ///< softmax attention over the whole context: MHA, GQA, MQA
    sliding_window,       ///< softmax attention over the last `window` tokens
    chunked,              ///< softmax attention inside fixed chunks of `window` tokens (Llama 4)
    latent,               ///< multi-head latent attention (DeepSeek MLA), with an indexer when
                          ///< `indexer_head_dim` > 0 (DeepSeek sparse attention)
    mamba,                ///< Mamba-1 selective scan
    mamba2,               ///< Mamba-2 / SSD
    gated_delta_net,      ///< Qwen3-Next, Qwen3.5
    kimi_delta,           ///< Kimi Linear (KDA)
    rwkv7,                ///< RWKV-7 time mix
    short_convolution,    ///< LFM2 gated short convolution
    linear_attention,     ///< lightning attention (MiniMax-Text-01, Ling linear)
    attention_and_mamba2, ///< both side by side in one layer (Falcon-H1)
    compressed ///< one shared key-value head: a short window, and entries that each stand
               ///< for `compress_ratio` tokens (DeepSeek V4)
};

/// Softmax or latent attention that keeps keys (and values) of tokens in a cache.
constexpr bool attends(MixerKind kind) {
    return kind == MixerKind::full_attention || kind == MixerKind::sliding_window ||
           kind == MixerKind::chunked || kind == MixerKind::latent ||
           kind == MixerKind::attention_and_mamba2 || kind == MixerKind::compressed;
}

/// Attention that sees only `window` tokens, so that its cache stops growing.
constexpr bool is_windowed(MixerKind kind) {
    return kind == MixerKind::sliding_window || kind == MixerKind::chunked;
}

/// Keeps a state of fixed size per sequence instead of (or beside) a cache that grows.
constexpr bool is_recurrent(MixerKind kind) {
    return kind == MixerKind::mamba || kind == MixerKind::mamba2 ||
           kind == MixerKind::gated_delta_net || kind == MixerKind::kimi_delta ||
           kind == MixerKind::rwkv7 || kind == MixerKind::short_convolution ||
           kind == MixerKind::linear_attention || kind == MixerKind::attention_and_mamba2;
}

/// Norm on queries and keys: one weight per head dimension, or one per whole projection.
enum class QkNorm : std::uint8_t { none, per_head, full };

/// An extra projection that gates the attention output (Qwen3.5: elementwise inside q; Step: one
/// number a head; Trinity: a full separate projection). For `kimi_delta`, `full` replaces the usual
/// low-rank gate.
enum class AttentionGate : std::uint8_t { none, inside_q, per_head, full };

/// One kind of mixer of a model; fields that a kind does not use stay 0.
struct Mixer {
    MixerKind kind = MixerKind::full_attention;

    // Softmax attention (for `latent`: q_heads and head_dim_v only, kv_heads = q_heads).
    std::int32_t q_heads = 0;
    std::int32_t kv_heads = 0;
    std::int32_t head_dim_k = 0; ///< elements of one key (and query) head
    std::int32_t head_dim_v = 0; ///< elements of one value head
    std::int32_t window = 0;     ///< tokens seen by sliding_window, chunk length of chunked
    QkNorm qk_norm = QkNorm::none;
    AttentionGate gate = AttentionGate::none;
    bool qkv_bias = false;
    bool output_bias = false;
    bool sinks = false;            ///< one learned sink logit per query head (gpt-oss)
    bool fused_qkv = false;        ///< the GGUF stores one attn_qkv tensor
    bool values_from_keys = false; ///< no value projection, V = K (Gemma 4 global layers)

    // Latent attention (MLA) and its indexer (DSA).
    std::int32_t q_lora_rank = 0;  ///< 0: one direct q projection
    std::int32_t kv_lora_rank = 0; ///< elements of the compressed latent
    std::int32_t qk_nope_head_dim = 0;
    std::int32_t qk_rope_head_dim = 0;
    bool absorbed = false; ///< the engine caches the latent only (MLA tensors present)
    std::int32_t indexer_heads = 0;
    std::int32_t indexer_head_dim = 0; ///< elements cached per token beside the latent
    std::int32_t indexer_top_k = 0;

    // Compressed attention (with q_heads, head_dim_k, q_lora_rank, window, sinks and, where it
    // picks among its entries, an indexer; keys serve as values).
    std::int32_t compress_ratio = 0;   ///< tokens per entry, 0: the window only
    std::int32_t output_groups = 0;    ///< groups of the low-rank output projection
    std::int32_t output_lora_rank = 0; ///< its rank per group

    // Recurrent kinds.
    std::int32_t d_conv = 0;   ///< convolution kernel length
    std::int32_t d_inner = 0;  ///< inner width (gated_delta_net: value heads * value head dim)
    std::int32_t d_state = 0;  ///< state size per channel (delta nets: key head dim)
    std::int32_t n_groups = 0; ///< B/C groups (gated_delta_net: key heads)
    std::int32_t dt_rank = 0;  ///< Mamba-1: rank of dt; Mamba-2: heads; delta nets: value heads
    std::int32_t lora_decay = 0, lora_iclr = 0, lora_value = 0, lora_gate = 0; ///< RWKV-7 ranks
    bool dt_norms = false;  ///< stored norms on dt, B and C (Jamba; Falcon-Mamba's have no weight)
    bool inner_norm = true; ///< Mamba-2: gated norm before the output projection (not Falcon-H1)

    friend bool operator==(const Mixer&, const Mixer&) = default;
};

/// Feed-forward part of a layer.
enum class FeedForwardKind : std::uint8_t { none, dense, experts };

struct FeedForward {
    FeedForwardKind kind = FeedForwardKind::dense;
    std::int32_t n_ff = 0;      ///< inner width of the dense part (0 when experts only)
    bool gated = true;          ///< three matrices (SwiGLU and kin), else two
    bool fused_gate_up = false; ///< the GGUF stores gate and up as one ffn_up of 2 * n_ff rows
    bool bias = false;
    std::int32_t activation_scalars = 0; ///< learned numbers of the activation (Apertus: 2); a GGUF
                                         ///< has them in its metadata

    std::int32_t n_experts = 0;
    std::int32_t n_experts_used = 0;   ///< routed experts per token
    std::int32_t n_zero_experts = 0;   ///< further choices of the router that do nothing (LongCat)
    std::int32_t n_ff_expert = 0;      ///< inner width of one expert
    std::int32_t n_ff_shared = 0;      ///< total inner width of the shared experts, 0 = none
    bool shared_gate = false;          ///< a gate vector on the shared expert (Qwen2-MoE)
    bool router_bias = false;          ///< DeepSeek-style expert score correction
    bool expert_bias = false;          ///< gpt-oss: biases on experts and router
    bool fused_expert_gate_up = false; ///< one ffn_gate_up_exps tensor
    bool dense_beside_experts = false; ///< a dense part runs in parallel with the experts
    std::int32_t latent_size = 0;      ///< experts work on a projected width (Nemotron 3 Super)
    std::int32_t extra_norms = 0;      ///< norms around parallel branches (Gemma 4 MoE: 3)
    bool hash_routed = false;          ///< a table from token to experts instead of a router bias
    bool router_scale = false;         ///< a scale per hidden element in front of the router
    bool expert_scale = false;         ///< one scale per expert

    friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

/// One layer: indices into Architecture::mixers and ::feed_forwards.
struct Layer {
    std::uint8_t mixer = 0;
    std::uint8_t feed_forward = 0;
    bool shares_kv = false; ///< re-uses an earlier layer's cache and has no K/V of its own

    friend bool operator==(const Layer&, const Layer&) = default;
};

/// Which norms a layer has. `biased` adds a bias vector to each (LayerNorm), `weightless` means the
/// norm has no parameters at all (OLMo 1).
struct LayerNorms {
    bool before_mixer = true;
    bool after_mixer = false; ///< on the mixer's output, before the residual sum
    bool before_feed_forward = true;
    bool after_feed_forward = false;
    bool biased = false;
    bool weightless = false;

    friend bool operator==(const LayerNorms&, const LayerNorms&) = default;
};

/// How a tower's output reaches the model, by llama.cpp's names (clip.projector_type). `unknown`:
/// the tower's weights count, its graph does not.
enum class Projector : std::uint8_t {
    unknown,
    gemma3,
    gemma4v,
    pixtral,
    qwen2vl,
    qwen2_5vl,
    qwen3vl,
    count_
};
inline constexpr std::size_t projector_count = static_cast<std::size_t>(Projector::count_);

/// A vision or audio tower with its projector. Its shape is needed for the scratch memory of an
/// image only; a tower without one is counted as a whole.
struct Tower {
    std::string name; ///< "vision", "audio"
    std::int64_t parameters = 0;
    Projector projector = Projector::unknown;
    std::int32_t n_layer = 0;
    std::int32_t n_embd = 0;
    std::int32_t n_ff = 0;
    std::int32_t n_head = 0;
    std::int32_t patch_size = 0;       ///< pixels per side
    std::int32_t image_size = 0;       ///< pixels per side where every image has the same, else 0
    std::int32_t merge = 1;            ///< patches per side that make one token
    std::int32_t n_positions = 0;      ///< learned position embeddings
    std::int32_t n_output = 0;         ///< width of the model that reads it
    std::int32_t deepstack_layers = 0; ///< layers whose features go to the model as well
    std::int32_t full_attention_every = 0; ///< the other layers attend within windows; 0: all full
    Bytes file_bytes = 0;                  ///< of its tensors where a file was read, else 0
    bool file_f32_patches = false;         ///< that file's patch kernel has 32 bits

    bool has_rms_norms() const {
        return projector == Projector::pixtral || projector == Projector::qwen2_5vl ||
               projector == Projector::gemma4v;
    }
    bool has_gates() const { return has_rms_norms(); }
    bool has_biases() const {
        return projector != Projector::pixtral && projector != Projector::gemma4v;
    }
    bool has_fused_qkv() const { return projector == Projector::qwen3vl; }

    friend bool operator==(const Tower&, const Tower&) = default;
};

struct Architecture {
    std::string gguf_arch;         ///< llama.cpp's name ("glm4", "qwen3moe"); may be empty
    std::int32_t n_embd = 0;       ///< hidden size
    std::int32_t n_vocab = 0;      ///< rows of the embedding in the checkpoint
    std::int32_t n_vocab_gguf = 0; ///< rows in a GGUF when they differ, else 0
    bool tied_embeddings = false;  ///< output head = token embedding
    bool output_bias = false;
    bool embedding_norm = false; ///< a norm right after the embedding
    bool final_norm = true;
    bool final_norm_bias = false;
    std::int32_t n_positions = 0;  ///< learned position embedding rows (GPT-2), else 0
    std::int32_t rope_factors = 0; ///< elements of each rope factor vector of the GGUF, else 0
    std::int32_t rope_factor_vectors = 1; ///< 1: rope_freqs, 2: long and short (Phi-3 kin)
    LayerNorms norms;
    std::vector<Mixer> mixers;
    std::vector<FeedForward> feed_forwards;
    std::vector<Layer> layers;            ///< main layers, in order
    std::vector<Layer> mtp_layers;        ///< multi-token-prediction layers behind them
    bool mtp_own_embeddings = false;      ///< each MTP layer stores its own embedding and head
    bool mtp_own_head = false;            ///< each MTP layer stores its own head only
    bool mtp_head_norm = true;            ///< each MTP layer has a norm before the head
    std::int32_t per_layer_embedding = 0; ///< elements per layer and token (Gemma 3n/4 E models)
    std::int32_t n_vocab_per_layer = 0;   ///< rows of that embedding when not n_vocab, else 0
    bool layer_scale = false;             ///< one output scale per layer (Gemma 4)
    bool shared_kv_stored = false; ///< layers that share KV store K and V all the same (Gemma 3n)
    bool altup = false;            ///< Gemma 3n: four residual streams, LAuReL rank 64
    std::int32_t hyper_connections = 0; ///< residual streams with learned mixing (DeepSeek V4: 4)
    bool parallel_residual = false; ///< mixer and feed-forward read the same norm (Falcon, Phi-2)
    std::int32_t deepstack_layers = 0; ///< Qwen3-VL: extra embedding widths fed to first layers
    std::vector<Tower> towers;
    std::int64_t native_context = 0;   ///< tokens trained on, as recorded
    std::int64_t extended_context = 0; ///< with the published extension (YaRN …), 0 = none

    std::int32_t n_layer() const { return static_cast<std::int32_t>(layers.size()); }
    std::int32_t vocab_rows_in_gguf() const { return n_vocab_gguf > 0 ? n_vocab_gguf : n_vocab; }
    const Mixer& mixer(const Layer& layer) const { return mixers[layer.mixer]; }
    const FeedForward& feed_forward(const Layer& layer) const {
        return feed_forwards[layer.feed_forward];
    }
    friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// Limits that keep every product of the core far away from overflow; readers refuse shapes
/// outside.
struct ArchitectureLimits {
    static constexpr std::int64_t layers = 4096;
    static constexpr std::int64_t width = std::int64_t{1} << 24; ///< any width, rank or vocabulary
    static constexpr std::int64_t experts = 65536;
    static constexpr std::int64_t context = std::int64_t{1} << 40;
};

/// What is wrong with a shape: the field, in catalog spelling, and why it is refused.
struct ArchitectureFault {
    const char* field;
    const char* reason;
};

/// Why a shape cannot be computed with, or nothing when it can: indices in range, positive widths
/// where a kind needs them, everything within ArchitectureLimits.
std::optional<ArchitectureFault> find_fault(const Architecture& architecture);

} // namespace vramscope
