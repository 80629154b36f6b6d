// Recipes: which tensor gets which storage type, so that the bytes of a weight file are known
// before anybody uploads it.
//
// A GGUF mixture (Q4_K_M …) is a default type plus rules by tensor role, layer and shape, with
// fall-backs for odd row lengths (llama.cpp src/llama-quant.cpp, b9793, the same in 0.7.0). Formats
// that are no mixture (FP8, AWQ, MLX …) have a nominal width in catalog/quantization.json.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/architecture.h"
#include "core/storage_type.h"
#include "core/tensors.h"

namespace vramscope {

/// The quantisation mixtures of llama.cpp's `llama-quantize` (its file types).
enum class Mixture : std::uint8_t {
    f32,
    f16,
    bf16,
    q8_0,
    q4_0,
    q4_1,
    q5_0,
    q5_1,
    q2_k,
    q2_k_s,
    q3_k_s,
    q3_k_m,
    q3_k_l,
    q4_k_s,
    q4_k_m,
    q5_k_s,
    q5_k_m,
    q6_k,
    iq1_s,
    iq1_m,
    iq2_xxs,
    iq2_xs,
    iq2_s,
    iq2_m,
    iq3_xxs,
    iq3_xs,
    iq3_s,
    iq3_m,
    iq4_nl,
    iq4_xs,
    tq1_0,
    tq2_0,
    mxfp4_moe,
    q1_0,
    q2_0,
    count_
};
/// Upper-case name as people write it ("Q4_K_M").
std::string_view name(Mixture mixture);
/// The mixture of that name (any case), or count_ when there is none.
Mixture mixture_from_name(std::string_view text);

/// Classes of tensors that the rules know (llama-quant.cpp, tensor_category); `v_like` are its
/// attention V, fused QKV and KV_B, which share every rule.
enum class TensorCategory : std::uint8_t {
    output,
    token_embd,
    v_like,
    k,
    q,
    o,
    up,
    gate,
    down,
    other
};

/// Counters that the rules need while the tensors go by in file order.
class RecipeWalker {
public:
    /// `types` must outlive the walker. The inventory is one of the GGUF ones.
    RecipeWalker(const Architecture& architecture, Mixture mixture, bool importance_matrix,
                 const StorageTypeTable& types, Inventory inventory = Inventory::gguf);
    /// The storage type of the next tensor; call in the order of for_each_tensor. `count_` when
    /// llama-quantize refuses: a row length that no block of the type and its fall-back divides.
    StorageType type_of(const Tensor& tensor);
    /// Bytes of the next tensor under the same rules; 0 when refused.
    Bytes bytes_of(const Tensor& tensor);
    /// Whether any tensor so far was refused, so that no such file exists.
    bool refused() const { return refused_; }

private:
    StorageType mixture_type(const Tensor& tensor, StorageType type);
    StorageType output_type(StorageType type, std::int64_t row_length) const;
    StorageType token_embd_type(StorageType type) const;
    StorageType small_type(StorageType type, TensorCategory category);
    StorageType v_type(StorageType type);
    StorageType down_type(StorageType type, std::int32_t layer);
    StorageType o_type(StorageType type) const;

    const StorageTypeTable& types_;
    Mixture mixture_;
    bool importance_matrix_;
    // What the rules look at of the model.
    std::int32_t n_layer_; ///< with the MTP layers that the file holds
    std::int32_t n_experts_;
    std::int32_t n_gqa_;
    std::int32_t n_v_like_ = 0;
    bool has_output_;
    bool is_falcon_;
    bool is_70b_;
    // Running numbers.
    std::int32_t i_v_like_ = 0;
    std::int32_t i_ffn_down_ = 0;
    std::int32_t i_ffn_gate_ = 0;
    std::int32_t i_ffn_up_ = 0;
    bool refused_ = false;
};

/// Bytes of all tensors of the GGUF under a mixture, without header and metadata; 0 when
/// llama-quantize refuses the mixture for these shapes.
Bytes mixture_bytes(const Architecture& architecture, Mixture mixture, bool importance_matrix,
                    const StorageTypeTable& types, Inventory inventory = Inventory::gguf);

} // namespace vramscope
