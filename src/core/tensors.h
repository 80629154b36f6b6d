// The tensor inventory: every weight tensor of an architecture, in the order of a GGUF file.
//
// One walk serves all: parameter counts (checked against published totals), file bytes under any
// quantisation (recipe.h), and what lies on which device (placement.h).
//
// Shapes follow llama.cpp's convention: `row_length` (ne0) is the contiguous dimension and the one
// that must be divisible by a quantisation block; `rows` (ne1); `depth` (ne2: experts, heads).
// Source of names and shapes: llama.cpp src/llama-arch.cpp and src/models/*.cpp (b9793, b10256),
// checked against the engine's own figures for 79 models.
#pragma once

#include <cstdint>

#include "core/architecture.h"
#include "core/units.h"

namespace vramscope {

/// What a tensor is for. The comment gives llama.cpp's tensor name where it is not obvious.
enum class TensorRole : std::uint8_t {
    token_embd,
    position_embd,
    per_layer_token_embd,
    per_layer_model_proj,
    per_layer_proj_norm,
    token_embd_norm,
    output,
    output_norm,
    rope_factors, // rope_freqs.weight and kin
    norm,         // attn_norm, ffn_norm, post_attention_norm, post_ffw_norm ...
    bias,         // any 1-D bias
    attn_q,
    attn_k,
    attn_v,
    attn_qkv,
    attn_output,
    attn_output_lora, // attn_output_a, attn_output_b of compressed attention
    attn_gate,
    attn_sinks,
    attn_q_a,
    attn_q_b,
    attn_kv_a_mqa,
    attn_k_b,
    attn_v_b,
    attn_kv_b,
    compressor, // attn_compressor_* and indexer_compressor_*
    indexer,    // indexer.* projections but for the next
    indexer_k,  // indexer.attn_k: llama-quantize takes it for an attn_k
    ffn_gate,
    ffn_up,
    ffn_down,
    ffn_gate_inp,     // router
    ffn_gate_tid2eid, // table from token to experts
    ffn_gate_exps,
    ffn_up_exps,
    ffn_down_exps,
    ffn_gate_up_exps,
    ffn_exps_bias, // one row per expert
    ffn_gate_shexp,
    ffn_up_shexp,
    ffn_down_shexp,
    ffn_gate_inp_shexp,
    ffn_latent, // ffn_latent_down / _up
    ssm_in,
    ssm_out,
    ssm_conv1d,
    ssm_small, // ssm_a, ssm_d, ssm_dt and other small state tensors kept in F32
    ssm_x,
    ssm_dt,
    ssm_beta_alpha,
    ssm_low_rank, // ssm_f_a, ssm_f_b, ssm_g_a, ssm_g_b of Kimi's delta attention
    shortconv_in,
    shortconv_out,
    shortconv_conv,
    time_mix,
    channel_mix,
    altup,          // altup.*, laurel.*: kept in F32 by the quantiser
    per_layer_gate, // inp_gate, proj of Gemma 3n/4
    nextn,          // eh_proj and the norms of an MTP layer
    hyper_connection,
    nextn_embd, // an MTP layer's own embedding / head
    count_
};

/// What a file may do to a tensor's numbers. Vectors are always kept in f32.
enum class Precision : std::uint8_t {
    quantisable, ///< follows the recipe
    source,      ///< a small matrix that the quantiser leaves in the checkpoint's 16 bits
    full         ///< always f32
};

struct Tensor {
    TensorRole role;
    Precision precision = Precision::quantisable;
    std::int32_t layer = -1; ///< -1: not part of a layer; >= n_layer(): an MTP layer
    std::int64_t row_length = 0;
    std::int64_t rows = 1;
    std::int64_t depth = 1;

    constexpr std::int64_t elements() const { return mul(row_length, rows, depth); }
    /// 1-D tensors (norms, biases, vectors) are never quantised.
    constexpr bool is_vector() const { return rows == 1 && depth == 1; }
};

/// A non-owning reference to a callable, so that the walk allocates nothing.
class TensorVisitor {
public:
    template <typename Callable>
    TensorVisitor(Callable& callable)
        : object_(&callable), call_([](void* object, const Tensor& tensor) {
              (*static_cast<Callable*>(object))(tensor);
          }) {}
    void operator()(const Tensor& tensor) const { call_(object_, tensor); }

private:
    void* object_;
    void (*call_)(void*, const Tensor&);
};

/// Which inventory is walked: the published checkpoint or its GGUF conversion. They differ in
/// vocabulary rows (Gemma 3) and rope factors; converters of some families drop the MTP layers.
enum class Inventory : std::uint8_t { checkpoint, gguf, gguf_without_mtp };

/// Visits every tensor, embeddings first, then layer by layer, then MTP layers, then output.
void for_each_tensor(const Architecture& architecture, Inventory inventory, TensorVisitor visit);

/// Element counts by group.
struct ParameterCount {
    std::int64_t text = 0;      ///< main layers, embeddings, head, norms
    std::int64_t mtp = 0;       ///< multi-token-prediction layers
    std::int64_t towers = 0;    ///< vision, audio
    std::int64_t active = 0;    ///< of `text`: used for one token; routed experts in part, tables
                                ///< (but for the token embedding) by the row
    std::int64_t embedding = 0; ///< of `text`: the token embedding, read one row per token
    std::int64_t total() const { return text + mtp + towers; }
};
ParameterCount count_parameters(const Architecture& architecture,
                                Inventory inventory = Inventory::checkpoint);

} // namespace vramscope
