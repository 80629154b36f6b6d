#include "core/speed_work.h"

#include <algorithm>
#include <cmath>

#include "core/cache.h"
#include "core/engines/llama_cpp_settings.h"
#include "core/engines/transformers_weights.h"
#include "core/tensors.h"

namespace vramscope {
namespace {

bool is_routed_expert(TensorRole role) {
    return role == TensorRole::ffn_gate_exps || role == TensorRole::ffn_up_exps ||
           role == TensorRole::ffn_down_exps || role == TensorRole::ffn_gate_up_exps;
}

/// Tables of which a token reads one row.
bool is_looked_up(TensorRole role) {
    return role == TensorRole::token_embd || role == TensorRole::position_embd ||
           role == TensorRole::per_layer_token_embd || role == TensorRole::ffn_gate_tid2eid ||
           role == TensorRole::ffn_exps_bias;
}

/// Bytes of one tensor: by the mixture's rules, else its share of the recorded file or the nominal
/// width.
class WeightBytes {
public:
    explicit WeightBytes(const EstimateRequest& request)
        : walker_(*request.architecture,
                  request.weights.mixture == Mixture::count_ ? Mixture::f16
                                                             : request.weights.mixture,
                  request.weights.importance_matrix, *request.storage_types),
          by_mixture_(request.weights.mixture != Mixture::count_) {
        if (!by_mixture_)
            set_widths(request);
    }
    double of(const Tensor& tensor) {
        if (by_mixture_)
            return static_cast<double>(walker_.bytes_of(tensor));
        const double width = tensor.is_vector()              ? 4.0
                             : is_routed_expert(tensor.role) ? bytes_per_expert_element_
                                                             : bytes_per_element_;
        return static_cast<double>(tensor.elements()) * width;
    }

private:
    /// A publisher's own mix with fewer than 8 bits keeps what is no routed expert at 8.5 bits, up
    /// to half of the file (Unsloth's dynamic GGUFs of 2026; file sizes in speed_points.txt agree).
    void set_widths(const EstimateRequest& request) {
        constexpr double careful = 8.5 / 8.0;
        const Weights& weights = request.weights;
        bytes_per_element_ = weights.nominal_bits_per_weight / 8.0;
        bytes_per_expert_element_ = bytes_per_element_;
        if (weights.file_bytes <= 0)
            return;
        double experts = 0;
        double others = 0;
        auto visit = [&](const Tensor& tensor) {
            if (tensor.layer < request.architecture->n_layer()) {
                (is_routed_expert(tensor.role) ? experts : others) +=
                    static_cast<double>(tensor.elements());
            }
        };
        for_each_tensor(*request.architecture, Inventory::gguf, visit);
        const auto file = static_cast<double>(weights.file_bytes);
        bytes_per_element_ = file / std::max(1.0, experts + others);
        bytes_per_expert_element_ = bytes_per_element_;
        if (experts > 0 && bytes_per_element_ < 1.0) {
            const double kept = std::min(others * careful, file / 2.0);
            bytes_per_element_ = kept / std::max(1.0, others);
            bytes_per_expert_element_ = (file - kept) / experts;
        }
    }

    RecipeWalker walker_;
    bool by_mixture_;
    double bytes_per_element_ = 0;
    double bytes_per_expert_element_ = 0;
};

void add_attention(DeviceWork& work, double window, double bytes, double flops) {
    std::int32_t i = 0;
    while (i < work.attention_groups &&
           work.attention[static_cast<std::size_t>(i)].window != window) {
        ++i;
    }
    const auto last = static_cast<std::int32_t>(work.attention.size()) - 1;
    if (i == work.attention_groups && i <= last)
        ++work.attention_groups;
    AttentionWork& group = work.attention[static_cast<std::size_t>(std::min(i, last))];
    group.window = window;
    group.bytes_per_token += bytes;
    group.flops_per_token += flops;
}

/// Cache and attention arithmetic of one layer.
void add_layer(DeviceWork& work, const Architecture& architecture, const Layer& layer,
               const EstimateRequest& request) {
    const Mixer& mixer = architecture.mixer(layer);
    work.layers += 1;
    work.state_bytes += static_cast<double>(state_bytes_per_sequence(architecture, mixer));
    if (is_recurrent(mixer.kind))
        work.recurrent_layers += 1;
    if (architecture.feed_forward(layer).kind == FeedForwardKind::experts)
        work.expert_layers += 1;
    if (!attends(mixer.kind))
        return;
    const CacheElements elements = cache_elements(mixer);
    const StorageTypeTable& types = *request.storage_types;
    const auto bytes = [&](StorageType type, std::int64_t count) {
        return static_cast<double>(types.row_bytes(type, count));
    };
    const double kv =
        bytes(request.options.type_k, elements.k) + bytes(request.options.type_v, elements.v);
    const double heads = mixer.q_heads;
    double flops = 2.0 * heads * (mixer.head_dim_k + mixer.head_dim_v);
    double window = is_windowed(mixer.kind) ? mixer.window : 0;
    if (mixer.kind == MixerKind::latent) {
        work.latent_layers += 1;
        // Absorbed: every query head meets the latent itself.
        flops = mixer.absorbed
                    ? 2.0 * heads * (2.0 * mixer.kv_lora_rank + mixer.qk_rope_head_dim)
                    : 2.0 * heads *
                          (mixer.qk_nope_head_dim + mixer.qk_rope_head_dim + mixer.head_dim_v);
        window = mixer.indexer_top_k;
    }
    if (mixer.kind == MixerKind::compressed) {
        // A short window, and entries that each stand for compress_ratio tokens.
        add_attention(work, mixer.window, kv, flops);
        if (mixer.compress_ratio > 0) {
            const double share = 1.0 / mixer.compress_ratio;
            add_attention(work, 0, kv * share, flops * share);
        }
        return;
    }
    add_attention(work, window, kv, flops);
    if (elements.indexer > 0) {
        add_attention(work, 0, bytes(request.options.type_k, elements.indexer),
                      2.0 * mixer.indexer_heads * mixer.indexer_head_dim);
    }
}

/// Engines that share every layer among their devices.
bool splits_tensors(EngineId engine) {
    return engine == EngineId::vllm || engine == EngineId::sglang ||
           engine == EngineId::tensorrt_llm;
}

} // namespace

double DeviceWork::cache_bytes(double depth) const {
    double sum = 0;
    for (std::int32_t i = 0; i < attention_groups; ++i) {
        const AttentionWork& group = attention[static_cast<std::size_t>(i)];
        sum += group.bytes_per_token * (group.window > 0 ? std::min(depth, group.window) : depth);
    }
    return sum;
}

double DeviceWork::attention_flops(double depth) const {
    double sum = 0;
    for (std::int32_t i = 0; i < attention_groups; ++i) {
        const AttentionWork& group = attention[static_cast<std::size_t>(i)];
        sum += group.flops_per_token * (group.window > 0 ? std::min(depth, group.window) : depth);
    }
    return sum;
}

double DeviceWork::attention_flops(double depth, double tokens) const {
    double sum = 0;
    for (std::int32_t i = 0; i < attention_groups; ++i) {
        const AttentionWork& group = attention[static_cast<std::size_t>(i)];
        // Token t sees depth + t + 1 tokens, or its window.
        const double end = depth + tokens;
        double pairs = tokens * depth + tokens * (tokens + 1.0) / 2.0;
        if (group.window > 0 && end > group.window) {
            const double growing = std::max(0.0, group.window - depth);
            pairs = growing * depth + growing * (growing + 1.0) / 2.0 +
                    (tokens - growing) * group.window;
        }
        sum += group.flops_per_token * pairs;
    }
    return sum;
}

double SpeedWork::experts_read(double batch) const {
    // batch ^ (13/16): roots and repeated squaring keep the result the same on every machine.
    const double tokens = std::max(batch, 1.0);
    const double three_quarters = std::sqrt(tokens * std::sqrt(tokens));
    const double seven_eighths = std::sqrt(tokens * three_quarters);
    const double choices = std::sqrt(three_quarters * seven_eighths);
    const auto whole = static_cast<std::uint64_t>(choices);
    double power = 1;
    double factor = 1.0 - expert_share;
    for (std::uint64_t left = whole; left > 0; left >>= 1U) {
        if ((left & 1U) != 0)
            power *= factor;
        factor *= factor;
    }
    return 1.0 - power * (1.0 - expert_share * (choices - static_cast<double>(whole)));
}

SpeedWork SpeedWork::of(const EstimateRequest& request) {
    const Architecture& architecture = *request.architecture;
    SpeedWork out;
    out.n_devices = static_cast<std::int32_t>(std::min(request.devices.size(), max_devices));
    out.hop_bytes_per_token = 2.0 * architecture.n_embd;
    for (const FeedForward& feed_forward : architecture.feed_forwards) {
        if (feed_forward.kind == FeedForwardKind::experts && feed_forward.n_experts > 0) {
            out.expert_share =
                static_cast<double>(feed_forward.n_experts_used) / feed_forward.n_experts;
        }
    }

    const bool shared = splits_tensors(request.engine);
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    const LayerSplit split = split_layers(request, settings);
    const auto slot = [&](std::int32_t device) -> DeviceWork& {
        if (shared && out.n_devices > 0)
            return out.devices[0];
        return out.devices[device == on_host ? max_devices : static_cast<std::size_t>(device)];
    };

    WeightBytes sizes(request);
    double embedding = 0;
    double embedding_elements = 0;
    bool has_output = false;
    auto visit = [&](const Tensor& tensor) {
        const double bytes = sizes.of(tensor);
        const auto elements = static_cast<double>(tensor.elements());
        if (tensor.layer >= architecture.n_layer())
            return;
        if (tensor.role == TensorRole::token_embd) {
            embedding = bytes;
            embedding_elements = elements;
        }
        if (is_looked_up(tensor.role))
            return;
        DeviceWork& work = slot(device_of(tensor, architecture, split, settings.experts));
        if (is_routed_expert(tensor.role)) {
            work.expert_bytes += bytes;
            work.expert_weights += elements * out.expert_share;
            return;
        }
        work.dense_bytes += bytes;
        work.dense_weights += elements;
        if (tensor.role == TensorRole::output) {
            has_output = true;
            work.head_weights += elements;
        }
    };
    for_each_tensor(architecture, Inventory::gguf, visit);
    if (!has_output) { // tied: the head reads the embedding
        DeviceWork& work = slot(split.output_device());
        work.dense_bytes += embedding;
        work.dense_weights += embedding_elements;
        work.head_weights += embedding_elements;
    }
    for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
        add_layer(slot(split.device_of(i)), architecture,
                  architecture.layers[static_cast<std::size_t>(i)], request);
    }
    if (shared && out.n_devices > 0)
        out.parallel = RankLayout::of(request).tensor_parallel;
    return out;
}

const SpeedWork& speed_work(const EstimateRequest& request, const ModelFacts& facts,
                            SpeedWorkMemo& memo) {
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    const LayerShares shares = LayerShares::of(request, settings);
    const std::int32_t parallel =
        splits_tensors(request.engine) ? RankLayout::of(request).tensor_parallel : 0;
    if (memo.generation == facts.generation() && memo.shares == shares &&
        memo.experts == settings.experts && memo.type_k == request.options.type_k &&
        memo.type_v == request.options.type_v && memo.engine == request.engine &&
        memo.n_devices == request.devices.size() && memo.parallel == parallel) {
        return memo.work;
    }
    memo = {facts.generation(),     shares,         settings.experts,       request.options.type_k,
            request.options.type_v, request.engine, request.devices.size(), parallel,
            SpeedWork::of(request)};
    return memo.work;
}

} // namespace vramscope
