#include "core/cache.h"

#include <algorithm>

namespace vramscope {
namespace {

/// Values are kept transposed without flash attention, and every layer of such a cache is as wide
/// as the widest one (llama.cpp src/llama-kv-cache.cpp, TAG_V_CACHE_VARIABLE).
std::int64_t widest_values(const Architecture& architecture) {
    std::int64_t widest = 0;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (attends(mixer.kind))
            widest = std::max(widest, cache_elements(mixer).v);
    }
    return widest;
}

Bytes state_elements(const Architecture& architecture, const Mixer& mixer) {
    const Bytes convolved = mixer.d_conv > 0 ? mixer.d_conv - 1 : 0;
    switch (mixer.kind) {
    case MixerKind::mamba:
        return add(mul(convolved, mixer.d_inner), mul(mixer.d_state, mixer.d_inner));
    case MixerKind::mamba2:
    case MixerKind::attention_and_mamba2:
        return add(mul(convolved, mixer.d_inner + mul(2, mixer.n_groups, mixer.d_state)),
                   mul(mixer.d_state, mixer.d_inner));
    case MixerKind::gated_delta_net:
        // Convolution over queries, keys and values; one d_state x d_head matrix per value head.
        return add(mul(convolved, mul(2, mixer.d_state, mixer.n_groups) + mixer.d_inner),
                   mul(mixer.d_state, mixer.d_inner));
    case MixerKind::kimi_delta:
        return add(mul(convolved, 3, mixer.d_inner), mul(mixer.d_state, mixer.d_inner));
    case MixerKind::rwkv7:
        // Two token shifts and one head_dim x head_dim matrix per head.
        return add(mul(2, architecture.n_embd), mul(architecture.n_embd, mixer.d_state));
    case MixerKind::short_convolution:
        return mul(convolved, architecture.n_embd);
    case MixerKind::linear_attention:
        return mul(mixer.d_state, mixer.d_inner);
    case MixerKind::compressed: {
        // Keys and scores of tokens whose entry is not complete yet; compressors that pick among
        // their entries overlap, and have one more for the indexer.
        const Bytes rows = mixer.compress_ratio;
        const Bytes entries =
            mixer.indexer_head_dim > 0
                ? mul(mul(2, rows), 2 * (mixer.head_dim_k + mixer.indexer_head_dim))
                : mul(rows, mixer.head_dim_k);
        return mul(2, entries);
    }
    default:
        return 0;
    }
}

} // namespace

CacheElements cache_elements(const Mixer& mixer) {
    if (!attends(mixer.kind))
        return {};
    if (mixer.kind == MixerKind::compressed)
        return {mixer.head_dim_k, 0, mixer.indexer_head_dim};
    if (mixer.kind == MixerKind::latent) {
        if (mixer.absorbed) {
            return {mixer.kv_lora_rank + mixer.qk_rope_head_dim, 0, mixer.indexer_head_dim};
        }
        const Bytes heads = mixer.q_heads;
        return {mul(heads, mixer.qk_nope_head_dim + mixer.qk_rope_head_dim),
                mul(heads, mixer.head_dim_v), mixer.indexer_head_dim};
    }
    // Sparse softmax attention (MiniMax M3) keeps two vectors per token to choose blocks by.
    return {mul(mixer.kv_heads, mixer.head_dim_k), mul(mixer.kv_heads, mixer.head_dim_v),
            mul(2, mixer.indexer_head_dim)};
}

Bytes raw_kv_bytes(const Architecture& architecture, std::int64_t tokens, std::int64_t sequences,
                   StorageType type_k, StorageType type_v, const StorageTypeTable& types) {
    Bytes sum = 0;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (layer.shares_kv || !attends(mixer.kind))
            continue;
        const CacheElements elements = cache_elements(mixer);
        if (mixer.kind == MixerKind::compressed) {
            const Bytes key = types.row_bytes(type_k, elements.k);
            Bytes bytes = mul(std::min<Bytes>(tokens, mixer.window), key);
            if (mixer.compress_ratio > 0) {
                bytes = add(bytes, mul(tokens / mixer.compress_ratio,
                                       key + types.row_bytes(type_k, elements.indexer)));
            }
            sum = add(sum, mul(bytes, sequences));
            continue;
        }
        const Bytes held = is_windowed(mixer.kind) && mixer.window > 0
                               ? std::min<Bytes>(tokens, mixer.window)
                               : tokens;
        const Bytes per_token = types.row_bytes(type_k, elements.k) +
                                types.row_bytes(type_v, elements.v) +
                                types.row_bytes(type_k, elements.indexer);
        sum = add(sum, mul(mul(held, sequences), per_token));
    }
    return sum;
}

Bytes plain_mha_kv_bytes(const Architecture& architecture, std::int64_t tokens,
                         std::int64_t sequences) {
    Bytes sum = 0;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (!attends(mixer.kind))
            continue;
        const Bytes key = mixer.kind == MixerKind::latent
                              ? mixer.qk_nope_head_dim + mixer.qk_rope_head_dim
                              : mixer.head_dim_k;
        const Bytes per_token = mul(mul(mixer.q_heads, key + mixer.head_dim_v), 2);
        sum = add(sum, mul(mul(tokens, sequences), per_token));
    }
    return sum;
}

Bytes state_bytes_per_sequence(const Architecture& architecture, const Mixer& mixer) {
    constexpr Bytes f32_bytes = 4;
    return mul(state_elements(architecture, mixer), f32_bytes);
}

CacheLayout CacheLayout::of(const CacheSettings& settings) {
    const Bytes n_ctx = round_up(std::max<Bytes>(settings.n_ctx, 1), cache_padding);
    CacheLayout layout;
    if (settings.kv_unified || settings.n_seq <= 1) {
        layout.cells = n_ctx;
    } else {
        layout.streams = settings.n_seq;
        layout.cells = round_up(std::max<Bytes>(n_ctx / settings.n_seq, 1), cache_padding);
    }
    return layout;
}

std::int64_t CacheLayout::cells_of(const Mixer& mixer, const CacheSettings& settings) const {
    if (!is_windowed(mixer.kind) || settings.swa_full)
        return cells;
    const Bytes sharing = streams == 1 ? std::max(settings.n_seq, 1) : 1;
    const Bytes wanted = add(mul(mixer.window, sharing), settings.n_ubatch);
    return round_up(std::min(cells, wanted), cache_padding);
}

Bytes layer_kv_bytes(const Architecture& architecture, const Layer& layer,
                     const CacheSettings& settings, const StorageTypeTable& types) {
    const Mixer& mixer = architecture.mixer(layer);
    if (layer.shares_kv || !attends(mixer.kind))
        return 0;
    const CacheLayout layout = CacheLayout::of(settings);
    CacheElements elements = cache_elements(mixer);
    if (mixer.kind == MixerKind::compressed) {
        // Sequences have streams of their own even in a unified cache.
        const Bytes window =
            settings.swa_full ? layout.cells : add(mixer.window, Bytes{settings.n_ubatch});
        const Bytes cells = round_up(std::min<Bytes>(layout.cells, window), cache_padding);
        const Bytes key = types.row_bytes(settings.type_k, elements.k);
        Bytes bytes = mul(cells, key);
        if (mixer.compress_ratio > 0) {
            const Bytes entries = round_up(
                (layout.cells + mixer.compress_ratio - 1) / mixer.compress_ratio, cache_padding);
            bytes =
                add(bytes, mul(entries, key + types.row_bytes(settings.type_k, elements.indexer)));
        }
        return mul(bytes, std::max(settings.n_seq, 1));
    }
    if (!settings.flash_attn && elements.v > 0)
        elements.v = widest_values(architecture);
    const Bytes rows = mul(layout.streams, layout.cells_of(mixer, settings));
    const Bytes per_cell = types.row_bytes(settings.type_k, elements.k) +
                           types.row_bytes(settings.type_v, elements.v) +
                           types.row_bytes(settings.type_k, elements.indexer);
    return mul(rows, per_cell);
}

Bytes layer_state_bytes(const Architecture& architecture, const Layer& layer,
                        const CacheSettings& settings) {
    return mul(state_bytes_per_sequence(architecture, architecture.mixer(layer)),
               mul(std::max(settings.n_seq, 1), 1 + std::max(settings.state_snapshots, 0)));
}

} // namespace vramscope
