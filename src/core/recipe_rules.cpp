// The rules of llama.cpp's mixtures by class of tensor (src/llama-quant.cpp,
// llama_tensor_get_type_impl; b9793, unchanged in 0.7.0).
#include "core/recipe.h"

namespace vramscope {
namespace {

using enum StorageType;
using Category = TensorCategory;

constexpr Category category_of(TensorRole role) {
    switch (role) {
    case TensorRole::output:
        return Category::output;
    case TensorRole::token_embd:
    case TensorRole::per_layer_token_embd:
        return Category::token_embd;
    case TensorRole::attn_v:
    case TensorRole::attn_qkv:
    case TensorRole::attn_kv_b:
        return Category::v_like;
    case TensorRole::attn_k:
    case TensorRole::indexer_k:
        return Category::k;
    case TensorRole::attn_q:
        return Category::q;
    case TensorRole::attn_output:
        return Category::o;
    case TensorRole::ffn_up:
    case TensorRole::ffn_up_exps:
    case TensorRole::ffn_up_shexp:
        return Category::up;
    case TensorRole::ffn_gate:
    case TensorRole::ffn_gate_exps:
    case TensorRole::ffn_gate_up_exps:
    case TensorRole::ffn_gate_shexp:
        return Category::gate;
    case TensorRole::ffn_down:
    case TensorRole::ffn_down_exps:
    case TensorRole::ffn_down_shexp:
        return Category::down;
    default:
        return Category::other;
    }
}

/// The first and last eighth of the layers, and every third between.
constexpr bool use_more_bits(std::int32_t i, std::int32_t n) {
    return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
}

constexpr bool is_below_three_bits(Mixture m) {
    return m == Mixture::iq1_s || m == Mixture::iq1_m || m == Mixture::iq2_xxs ||
           m == Mixture::iq2_xs || m == Mixture::iq2_s || m == Mixture::iq2_m;
}
constexpr bool is_iq2_s_or_m(Mixture m) {
    return m == Mixture::iq2_s || m == Mixture::iq2_m;
}

} // namespace

StorageType RecipeWalker::output_type(StorageType type, std::int64_t row_length) const {
    if (mixture_ == Mixture::mxfp4_moe)
        return q8_0;
    if (is_falcon_ || row_length % types_[type].block_elements != 0)
        return q8_0;
    if (is_below_three_bits(mixture_) || mixture_ == Mixture::iq3_xxs)
        return q5_k;
    return type == q8_0 ? q8_0 : q6_k;
}

StorageType RecipeWalker::token_embd_type(StorageType type) const {
    switch (mixture_) {
    case Mixture::iq1_s:
    case Mixture::iq1_m:
    case Mixture::iq2_xxs:
    case Mixture::iq2_xs:
        return q2_k;
    case Mixture::iq2_s:
    case Mixture::iq2_m:
    case Mixture::iq3_xxs:
        return iq3_s;
    case Mixture::tq1_0:
    case Mixture::tq2_0:
    case Mixture::q2_0:
        return q4_k;
    default:
        return type;
    }
}

/// The rules of the mixtures below three bits, which branch off before all others.
StorageType RecipeWalker::small_type(StorageType type, Category category) {
    switch (category) {
    case Category::v_like:
        ++i_v_like_;
        if (n_gqa_ >= 4 || n_experts_ >= 4)
            return q4_k;
        return is_iq2_s_or_m(mixture_) ? iq3_s : q2_k;
    case Category::k:
        return n_experts_ == 8 ? q4_k : type;
    case Category::down:
        // The running number, even for models with experts.
        if (i_ffn_down_++ < n_layer_ / 8)
            return is_iq2_s_or_m(mixture_) ? iq3_s : q2_k;
        return type;
    case Category::o:
        if (n_experts_ == 8)
            return q5_k;
        if (mixture_ == Mixture::iq1_s || mixture_ == Mixture::iq1_m)
            return iq2_xxs;
        return is_iq2_s_or_m(mixture_) ? iq3_s : type;
    default:
        return type;
    }
}

StorageType RecipeWalker::v_type(StorageType type) {
    const std::int32_t i = i_v_like_++;
    switch (mixture_) {
    case Mixture::q2_k:
        type = n_gqa_ >= 4 ? q4_k : q3_k;
        break;
    case Mixture::q2_k_s:
    case Mixture::iq3_xs:
    case Mixture::iq3_s:
        if (n_gqa_ >= 4)
            type = q4_k;
        break;
    case Mixture::iq3_xxs:
        type = n_gqa_ >= 4 ? q4_k : importance_matrix_ ? iq3_xxs : iq3_s;
        break;
    case Mixture::iq3_m:
        type = q4_k;
        break;
    case Mixture::q3_k_m:
        type = i < 2 ? q5_k : q4_k;
        break;
    case Mixture::q3_k_l:
        type = q5_k;
        break;
    case Mixture::iq4_nl:
    case Mixture::iq4_xs:
        if (n_gqa_ >= 4)
            type = q5_k;
        break;
    case Mixture::q4_k_m:
    case Mixture::q5_k_m:
        if (use_more_bits(i, n_v_like_))
            type = q6_k;
        break;
    case Mixture::q4_k_s:
        if (i < 4)
            type = q5_k;
        break;
    default:
        break;
    }
    if (is_70b_ && (type == q3_k || type == q4_k))
        type = q5_k;
    return n_experts_ == 8 ? q8_0 : type;
}

StorageType RecipeWalker::down_type(StorageType type, std::int32_t layer) {
    const std::int32_t i = n_experts_ > 1 ? layer : i_ffn_down_;
    ++i_ffn_down_;
    const std::int32_t n = n_layer_;
    const bool early = i < n / 8;
    const bool more = use_more_bits(i, n);
    switch (mixture_) {
    case Mixture::q2_k:
        return q3_k;
    case Mixture::q2_k_s:
        return early ? q4_k : type;
    case Mixture::iq3_xxs:
        if (importance_matrix_)
            return type;
        return early ? q4_k : q3_k;
    case Mixture::q3_k_m:
        if (i < n / 16)
            return q5_k;
        return !is_falcon_ || more ? q4_k : q3_k;
    case Mixture::iq3_m:
        return early || (n_experts_ == 8 && more) ? q4_k : type;
    case Mixture::q3_k_l:
        return is_falcon_ ? q4_k : q5_k;
    case Mixture::q4_k_m:
        if (is_falcon_)
            return i < n / 16 ? q6_k : more ? q5_k : q4_k;
        return more ? q6_k : type;
    case Mixture::iq4_nl:
    case Mixture::iq4_xs:
        return early && !importance_matrix_ ? q5_k : type;
    case Mixture::q5_k_m:
        return more ? q6_k : type;
    case Mixture::q4_k_s:
        return early && !is_falcon_ ? q5_k : type;
    case Mixture::q4_0:
        return early && importance_matrix_ ? q4_1 : type;
    case Mixture::q5_0:
        return early && importance_matrix_ ? q5_1 : type;
    default:
        return type;
    }
}

StorageType RecipeWalker::o_type(StorageType type) const {
    if (is_falcon_)
        return mixture_ == Mixture::q3_k_l ? q4_k : type;
    if (n_experts_ == 8) {
        switch (mixture_) {
        case Mixture::q2_k:
        case Mixture::iq3_xs:
        case Mixture::iq3_xxs:
        case Mixture::q3_k_s:
        case Mixture::q3_k_m:
        case Mixture::iq4_nl:
        case Mixture::q4_k_s:
        case Mixture::q4_k_m:
        case Mixture::iq3_s:
        case Mixture::iq3_m:
        case Mixture::iq4_xs:
            return q5_k;
        default:
            return type;
        }
    }
    switch (mixture_) {
    case Mixture::q2_k:
        return q3_k;
    case Mixture::iq3_xxs:
        return iq3_s;
    case Mixture::q3_k_m:
    case Mixture::iq3_m:
        return q4_k;
    case Mixture::q3_k_l:
        return q5_k;
    default:
        return type;
    }
}

StorageType RecipeWalker::mixture_type(const Tensor& tensor, StorageType type) {
    const Category category = category_of(tensor.role);
    if (category == Category::output || (!has_output_ && category == Category::token_embd)) {
        return output_type(type, tensor.row_length);
    }
    if (mixture_ == Mixture::mxfp4_moe)
        return tensor.depth > 1 ? mxfp4 : q8_0;
    if (category == Category::token_embd)
        return token_embd_type(type);
    if (is_below_three_bits(mixture_))
        return small_type(type, category);
    switch (category) {
    case Category::v_like:
        return v_type(type);
    case Category::k:
        if (n_experts_ == 8)
            return q8_0;
        [[fallthrough]];
    case Category::q:
        if (mixture_ == Mixture::iq3_xs)
            return iq3_xxs;
        return mixture_ == Mixture::iq3_xxs ? iq2_s : type;
    case Category::down:
        return down_type(type, tensor.layer);
    case Category::o:
        return o_type(type);
    case Category::gate:
    case Category::up: {
        std::int32_t& counter = category == Category::gate ? i_ffn_gate_ : i_ffn_up_;
        const std::int32_t i = n_experts_ > 1 ? tensor.layer : counter;
        ++counter;
        const bool middle = i >= n_layer_ / 8 && i < 7 * n_layer_ / 8;
        return mixture_ == Mixture::iq3_xs && middle ? iq3_xxs : type;
    }
    default:
        return type;
    }
}

} // namespace vramscope
