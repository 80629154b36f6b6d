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

StorageType RecipeWalker::type_of(const Tensor& tensor) {
    if (tensor.precision == Precision::full || tensor.is_vector())
        return f32;
    const StorageType default_type = facts(mixture_).default_type;
    if (tensor.precision == Precision::source)
        return mixture_ == Mixture::bf16 ? bf16 : f16;
    if (!is_quantised(default_type))
        return default_type;

    StorageType type = mixture_type(tensor, default_type);
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
