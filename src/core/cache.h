// Caches: what remembering tokens costs, in bytes.
//
// Two layers of truth live here. raw_kv_bytes() is the textbook figure (what the reference pages
// print): 2 x layers x kv_heads x head_dim x tokens x bytes, with windows and latents honoured.
// CacheLayout is what llama.cpp really allocates: padded cells, streams, window caches that depend
// on n_ubatch, padded V without flash attention, recurrent state per sequence.
#pragma once

#include <cstdint>

#include "core/architecture.h"
#include "core/storage_type.h"
#include "core/units.h"

namespace vramscope {

/// Elements that one token adds to one layer's cache: keys and values apart.
struct CacheElements {
    std::int64_t k = 0;
    std::int64_t v = 0;
    std::int64_t indexer = 0;
};
CacheElements cache_elements(const Mixer& mixer);

/// The textbook cache of `sequences` sequences of `tokens` tokens each, without padding; windowed
/// layers hold at most their window. Layers that share another's cache cost nothing.
Bytes raw_kv_bytes(const Architecture& architecture, std::int64_t tokens, std::int64_t sequences,
                   StorageType type_k, StorageType type_v, const StorageTypeTable& types);

/// The same tokens kept by plain multi-head attention in F16: every query head with its own key and
/// value, nothing windowed. What an architecture saves is measured against this.
Bytes plain_mha_kv_bytes(const Architecture& architecture, std::int64_t tokens,
                         std::int64_t sequences);

/// Bytes of recurrent state (F32) that one sequence keeps in one layer; 0 for attention.
/// Source: llama.cpp src/llama-hparams.cpp n_embd_r()/n_embd_s() (b10256), equal on 28,288 rows.
Bytes state_bytes_per_sequence(const Architecture& architecture, const Mixer& mixer);

/// What llama.cpp allocates for caches.
struct CacheSettings {
    std::int64_t n_ctx = 0; ///< all sequences together
    std::int32_t n_seq = 1;
    std::int32_t n_ubatch = 512;
    bool kv_unified = false;
    bool swa_full = false;
    bool flash_attn = true;
    StorageType type_k = StorageType::f16;
    StorageType type_v = StorageType::f16;
    std::int32_t state_snapshots = 0; ///< extra copies of recurrent state (speculative decoding)

    friend bool operator==(const CacheSettings&, const CacheSettings&) = default;
};

struct CacheLayout {
    std::int64_t streams = 1;
    std::int64_t cells = 0; ///< per stream, for layers that see everything

    static CacheLayout of(const CacheSettings& settings);
    /// Cells per stream of one layer: all of them, or what its window needs.
    std::int64_t cells_of(const Mixer& mixer, const CacheSettings& settings) const;
};

/// KV bytes of one layer (index into layers) as llama.cpp allocates them.
Bytes layer_kv_bytes(const Architecture& architecture, const Layer& layer,
                     const CacheSettings& settings, const StorageTypeTable& types);
/// Recurrent state of one layer for all sequences.
Bytes layer_state_bytes(const Architecture& architecture, const Layer& layer,
                        const CacheSettings& settings);

/// Context lengths are padded to this many cells (llama.cpp src/llama-context.cpp, b10256).
inline constexpr std::int64_t cache_padding = 256;

} // namespace vramscope
