#include "core/recipe.h"

#include <array>

namespace vramscope {
namespace {

constexpr std::size_t mixture_count = static_cast<std::size_t>(Mixture::count_);

struct MixtureFacts {
    std::string_view name;
    StorageType default_type;
};

using enum StorageType;
constexpr std::array<MixtureFacts, mixture_count> mixtures = {{
    {"F32", f32},         {"F16", f16},       {"BF16", bf16},    {"Q8_0", q8_0},
    {"Q4_0", q4_0},       {"Q4_1", q4_1},     {"Q5_0", q5_0},    {"Q5_1", q5_1},
    {"Q2_K", q2_k},       {"Q2_K_S", q2_k},   {"Q3_K_S", q3_k},  {"Q3_K_M", q3_k},
    {"Q3_K_L", q3_k},     {"Q4_K_S", q4_k},   {"Q4_K_M", q4_k},  {"Q5_K_S", q5_k},
    {"Q5_K_M", q5_k},     {"Q6_K", q6_k},     {"IQ1_S", iq1_s},  {"IQ1_M", iq1_m},
    {"IQ2_XXS", iq2_xxs}, {"IQ2_XS", iq2_xs}, {"IQ2_S", iq2_xs}, {"IQ2_M", iq2_s},
    {"IQ3_XXS", iq3_xxs}, {"IQ3_XS", iq3_s},  {"IQ3_S", iq3_s},  {"IQ3_M", iq3_s},
    {"IQ4_NL", iq4_nl},   {"IQ4_XS", iq4_xs}, {"TQ1_0", tq1_0},  {"TQ2_0", tq2_0},
    {"MXFP4_MOE", mxfp4}, {"Q1_0", q1_0},     {"Q2_0", q2_0},
}};

const MixtureFacts& facts(Mixture mixture) {
    return mixtures[static_cast<std::size_t>(mixture)];
}

constexpr char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

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

/// What to use when a block does not divide a row; `count_` when there is nothing.
constexpr StorageType fall_back(StorageType type) {
    switch (type) {
    case iq1_s:
    case iq1_m:
    case iq2_xxs:
    case iq2_xs:
    case iq2_s:
    case iq3_xxs:
    case iq3_s:
    case iq4_xs:
        return iq4_nl;
    case q2_0:
    case q2_k:
    case q3_k:
    case tq1_0:
    case tq2_0:
        return q4_0;
    case q4_k:
        return q5_0;
    case q5_k:
        return q5_1;
    case q6_k:
        return q8_0;
    default:
        return StorageType::count_;
    }
}

constexpr bool is_quantised(StorageType type) {
    return type != f32 && type != f16 && type != bf16;
}

/// Query heads per KV head of layer 0, as llama.cpp's n_gqa() sees them: 0 when layer 0 has no
/// heads of its own; one KV head for an absorbed latent. Converters of gated-delta-net models write
/// one number for all layers, so that of the attention layers counts.
std::int32_t heads_per_kv_head(const Architecture& a) {
    const Mixer* mixer = &a.mixer(a.layers.front());
    if (mixer->kind == MixerKind::gated_delta_net) {
        for (const Layer& layer : a.layers) {
            if (attends(a.mixer(layer).kind)) {
                mixer = &a.mixer(layer);
                break;
            }
        }
    }
    if (mixer->kind == MixerKind::latent)
        return mixer->absorbed ? mixer->q_heads : 1;
    if (mixer->kind == MixerKind::compressed)
        return mixer->q_heads;
    if (!attends(mixer->kind) || mixer->kv_heads == 0)
        return 0;
    return mixer->q_heads / mixer->kv_heads;
}

std::int32_t most_experts(const Architecture& a) {
    std::int32_t most = 0;
    for (const FeedForward& f : a.feed_forwards) {
        if (f.kind == FeedForwardKind::experts && f.n_experts > most)
            most = f.n_experts;
    }
    return most;
}

/// llama.cpp's model type "70B": 80 layers of the Llama layout with grouped queries, or of Qwen 2.
bool is_70b(const Architecture& a) {
    if (a.n_layer() != 80)
        return false;
    const Mixer& mixer = a.mixer(a.layers.front());
    if (a.gguf_arch == "llama")
        return mixer.q_heads != mixer.kv_heads;
    return a.gguf_arch == "qwen2" || a.gguf_arch == "deci";
}

} // namespace

std::string_view name(Mixture mixture) {
    return mixture < Mixture::count_ ? facts(mixture).name : std::string_view{};
}

Mixture mixture_from_name(std::string_view text) {
    for (std::size_t i = 0; i < mixture_count; ++i) {
        const std::string_view known = mixtures[i].name;
        if (known.size() != text.size())
            continue;
        bool same = true;
        for (std::size_t j = 0; j < text.size() && same; ++j)
            same = known[j] == upper(text[j]);
        if (same)
            return static_cast<Mixture>(i);
    }
    return Mixture::count_;
}

RecipeWalker::RecipeWalker(const Architecture& architecture, Mixture mixture,
                           bool importance_matrix, const StorageTypeTable& types,
                           Inventory inventory)
    : types_(types), mixture_(mixture), importance_matrix_(importance_matrix),
      n_layer_(architecture.n_layer()), n_experts_(most_experts(architecture)),
      n_gqa_(heads_per_kv_head(architecture)), has_output_(!architecture.tied_embeddings),
      is_falcon_(architecture.gguf_arch == "falcon"), is_70b_(is_70b(architecture)) {
    // The quantiser counts V-like tensors of the whole file before it starts.
    const auto count = [&](const std::vector<Layer>& layers) {
        for (const Layer& layer : layers) {
            const Mixer& m = architecture.mixer(layer);
            const bool has_v =
                m.kind == MixerKind::gated_delta_net || m.kind == MixerKind::kimi_delta ||
                m.kind == MixerKind::linear_attention ||
                (m.kind == MixerKind::latent && !m.absorbed) ||
                (attends(m.kind) && m.kind != MixerKind::latent &&
                 m.kind != MixerKind::compressed &&
                 (m.fused_qkv ||
                  (!(layer.shares_kv && !architecture.shared_kv_stored) && !m.values_from_keys)));
            n_v_like_ += has_v ? 1 : 0;
        }
    };
    count(architecture.layers);
    if (inventory == Inventory::gguf) {
        count(architecture.mtp_layers);
        n_layer_ += static_cast<std::int32_t>(architecture.mtp_layers.size());
    }
}

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

StorageType RecipeWalker::mixture_type(const Tensor& tensor) {
    const StorageType type = facts(mixture_).default_type;
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

StorageType RecipeWalker::type_of(const Tensor& tensor) {
    if (tensor.precision == Precision::full || tensor.is_vector())
        return f32;
    const StorageType default_type = facts(mixture_).default_type;
    if (tensor.precision == Precision::source)
        return mixture_ == Mixture::bf16 ? bf16 : f16;
    if (!is_quantised(default_type))
        return default_type;

    StorageType type = mixture_type(tensor);
    if (tensor.row_length % types_[type].block_elements != 0) {
        type = fall_back(type);
        if (type == StorageType::count_) {
            refused_ = true;
        } else if (tensor.row_length % types_[type].block_elements != 0) {
            type = f16;
        }
    }
    return type;
}

Bytes RecipeWalker::bytes_of(const Tensor& tensor) {
    const StorageType type = type_of(tensor);
    if (type == StorageType::count_)
        return 0;
    return mul(types_.row_bytes(type, tensor.row_length), tensor.rows, tensor.depth);
}

Bytes mixture_bytes(const Architecture& architecture, Mixture mixture, bool importance_matrix,
                    const StorageTypeTable& types, Inventory inventory) {
    RecipeWalker walker(architecture, mixture, importance_matrix, types, inventory);
    Bytes total = 0;
    auto visit = [&](const Tensor& tensor) { total = add(total, walker.bytes_of(tensor)); };
    for_each_tensor(architecture, inventory, visit);
    return walker.refused() ? 0 : total;
}

} // namespace vramscope
