#include "report/architecture_text.h"

#include <algorithm>
#include <cstring>

#include "core/sort.h"

namespace vramscope::report {
const char* attention_key(const Mixer& mixer) {
    switch (mixer.kind) {
    case MixerKind::none:
        return nullptr;
    case MixerKind::full_attention:
        if (mixer.kv_heads == mixer.q_heads)
            return "attention.mha";
        return mixer.kv_heads == 1 ? "attention.mqa" : "attention.gqa";
    case MixerKind::sliding_window:
        return "attention.sliding_window";
    case MixerKind::chunked:
        return "attention.chunked";
    case MixerKind::latent:
        return mixer.indexer_head_dim > 0 ? "attention.sparse_latent" : "attention.latent";
    case MixerKind::compressed:
        return "attention.sparse_latent";
    case MixerKind::mamba:
        return "attention.mamba";
    case MixerKind::mamba2:
        return "attention.mamba2";
    case MixerKind::gated_delta_net:
        return "attention.gated_delta_net";
    case MixerKind::kimi_delta:
        return "attention.kimi_delta";
    case MixerKind::rwkv7:
        return "attention.rwkv7";
    case MixerKind::short_convolution:
        return "attention.short_convolution";
    case MixerKind::linear_attention:
        return "attention.linear";
    case MixerKind::attention_and_mamba2:
        return "attention.attention_and_mamba2";
    }
    return nullptr;
}

namespace {

/// Global attention first, then windows, then recurrent kinds.
int rank(const Mixer& mixer) {
    if (mixer.kind == MixerKind::full_attention || mixer.kind == MixerKind::latent)
        return 0;
    return is_windowed(mixer.kind) ? 1 : 2;
}

} // namespace

const char* topology_key(const Architecture& architecture) {
    bool any_attention = false;
    bool any_recurrent = false;
    bool any_experts = false;
    for (const Layer& layer : architecture.layers) {
        any_attention |= attends(architecture.mixer(layer).kind);
        any_recurrent |= is_recurrent(architecture.mixer(layer).kind);
        any_experts |= architecture.feed_forward(layer).kind == FeedForwardKind::experts;
    }
    if (any_recurrent)
        return any_attention ? "topology.hybrid" : "topology.recurrent";
    return any_experts ? "topology.experts" : "topology.dense";
}

std::vector<const char*> attention_keys(const Architecture& architecture) {
    std::vector<const Mixer*> used;
    for (const Layer& layer : architecture.layers) {
        const Mixer* mixer = &architecture.mixer(layer);
        if (std::find(used.begin(), used.end(), mixer) == used.end())
            used.push_back(mixer);
    }
    sort_short(used, [](const Mixer* a, const Mixer* b) { return rank(*a) < rank(*b); });
    std::vector<const char*> keys;
    for (const Mixer* mixer : used) {
        const char* key = attention_key(*mixer);
        if (key == nullptr)
            continue;
        const bool known = std::any_of(keys.begin(), keys.end(), [key](const char* other) {
            return std::strcmp(other, key) == 0;
        });
        if (!known)
            keys.push_back(key);
    }
    return keys;
}

const Mixer* global_attention(const Architecture& architecture) {
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (attends(mixer.kind) && !is_windowed(mixer.kind))
            return &mixer;
    }
    return nullptr;
}

std::string attention_text(const Architecture& architecture, const Locale& locale) {
    std::vector<std::string> parts;
    for (const char* key : attention_keys(architecture))
        parts.emplace_back(locale.text(key));
    return locale.list(parts);
}

std::string parameters_text(double parameters, const Locale& locale) {
    constexpr double billion = 1e9;
    constexpr double million = 1e6;
    if (parameters >= 100 * billion) {
        return locale.format("number.billion", {locale.decimal(parameters / billion, 0)});
    }
    if (parameters >= billion) {
        const int decimals = parameters >= 10 * billion ? 1 : 2;
        return locale.format("number.billion", {locale.decimal(parameters / billion, decimals)});
    }
    return locale.format("number.million", {locale.decimal(parameters / million, 0)});
}

} // namespace vramscope::report
