// Expected figures: llama.cpp's own cache sizes, as printed by 0.7.0 for synthetic models of the
// published shapes (8,192 tokens, F16), and the published shapes themselves.
#include "core/cache.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

StorageTypeTable types() {
    StorageTypeTable table;
    table.formats[static_cast<std::size_t>(StorageType::f32)] = {1, 4};
    table.formats[static_cast<std::size_t>(StorageType::f16)] = {1, 2};
    table.formats[static_cast<std::size_t>(StorageType::q8_0)] = {32, 34};
    table.formats[static_cast<std::size_t>(StorageType::q4_0)] = {32, 18};
    return table;
}

Mixer attention(std::int32_t q_heads, std::int32_t kv_heads, std::int32_t head_dim) {
    Mixer mixer;
    mixer.q_heads = q_heads;
    mixer.kv_heads = kv_heads;
    mixer.head_dim_k = head_dim;
    mixer.head_dim_v = head_dim;
    return mixer;
}

Architecture uniform(const Mixer& mixer, std::size_t n_layer) {
    Architecture architecture;
    architecture.n_embd = 4096;
    architecture.n_vocab = 1000;
    architecture.mixers = {mixer};
    architecture.feed_forwards = {FeedForward{}};
    architecture.layers.assign(n_layer, Layer{});
    return architecture;
}

Bytes kv_bytes(const Architecture& architecture, const CacheSettings& settings) {
    Bytes sum = 0;
    for (const Layer& layer : architecture.layers) {
        sum += layer_kv_bytes(architecture, layer, settings, types());
    }
    return sum;
}

CacheSettings at(std::int64_t n_ctx) {
    CacheSettings settings;
    settings.n_ctx = n_ctx;
    return settings;
}

} // namespace

TEST_CASE("Grouped-query attention caches keys and values of every layer") {
    // GLM-4-9B-0414: 40 layers, 2 key/value heads of 128.
    const Architecture glm = uniform(attention(32, 2, 128), 40);
    CHECK(kv_bytes(glm, at(8192)) == 335'544'320);
    CHECK(raw_kv_bytes(glm, 8192, 1, StorageType::f16, StorageType::f16, types()) == 335'544'320);
    // Plain multi-head attention would keep 32 heads: sixteen times as much.
    CHECK(plain_mha_kv_bytes(glm, 8192, 1) == Bytes{16} * 335'544'320);
    CacheSettings quantised = at(8192);
    quantised.type_k = quantised.type_v = StorageType::q8_0;
    CHECK(kv_bytes(glm, quantised) == Bytes{335'544'320} / 2 * 34 / 32);
}

TEST_CASE("Contexts are padded to 256 cells, per stream") {
    const Architecture glm = uniform(attention(32, 2, 128), 40);
    CHECK(kv_bytes(glm, at(8000)) == kv_bytes(glm, at(8192)));
    CacheSettings separate = at(8192);
    separate.n_seq = 3;
    const CacheLayout layout = CacheLayout::of(separate);
    CHECK(layout.streams == 3);
    CHECK(layout.cells == 2816); // 8192 / 3 = 2730, rounded up
    separate.kv_unified = true;
    CHECK(CacheLayout::of(separate).streams == 1);
    CHECK(CacheLayout::of(separate).cells == 8192);
}

TEST_CASE("Window caches hold the window, the batch being computed and every sequence") {
    Mixer window = attention(8, 4, 256);
    window.kind = MixerKind::sliding_window;
    window.window = 1024;
    CacheSettings settings = at(8192);
    CHECK(CacheLayout::of(settings).cells_of(window, settings) == 1536); // Gemma 3 4B, as printed
    settings.n_ubatch = 2048;
    CHECK(CacheLayout::of(settings).cells_of(window, settings) == 3072);
    settings.n_seq = 4;
    settings.kv_unified = true;
    CHECK(CacheLayout::of(settings).cells_of(window, settings) == 4 * 1024 + 2048);
    settings.swa_full = true;
    CHECK(CacheLayout::of(settings).cells_of(window, settings) == 8192);
}

TEST_CASE("Latent attention caches the latent and the rotary part, once") {
    Mixer latent;
    latent.kind = MixerKind::latent;
    latent.q_heads = 16;
    latent.head_dim_v = 128;
    latent.kv_lora_rank = 512;
    latent.qk_nope_head_dim = 128;
    latent.qk_rope_head_dim = 64;
    latent.absorbed = true;
    // DeepSeek-V2-Lite: 27 layers, 243.00 MiB at 8,192 (printed).
    CHECK(kv_bytes(uniform(latent, 27), at(8192)) == 243 * mib);
    // An indexer adds its keys: DeepSeek-V3.2 prints 671 MiB where V3 prints 549.
    CHECK(kv_bytes(uniform(latent, 61), at(8192)) == 549 * mib);
    latent.indexer_head_dim = 128;
    CHECK(kv_bytes(uniform(latent, 61), at(8192)) == 671 * mib);
}

TEST_CASE("Without flash attention every layer's values are as wide as the widest") {
    // Gemma 4 12B keeps 608 MiB with flash attention and 800 MiB without (8,192 tokens):
    // 40 window layers of 8 x 256 (1,536 cells), 8 global ones of 1 x 512.
    Mixer window = attention(16, 8, 256);
    window.kind = MixerKind::sliding_window;
    window.window = 1024;
    const Mixer global = attention(16, 1, 512);
    Architecture gemma = uniform(window, 48);
    gemma.mixers.push_back(global);
    for (std::size_t i = 5; i < 48; i += 6)
        gemma.layers[i].mixer = 1;
    CacheSettings settings = at(8192);
    CHECK(kv_bytes(gemma, settings) == 608 * mib);
    settings.flash_attn = false;
    CHECK(kv_bytes(gemma, settings) == 800 * mib);
}

TEST_CASE("Layers that share a cache cost nothing") {
    Architecture shared = uniform(attention(8, 2, 256), 30);
    const Bytes whole = kv_bytes(shared, at(8192));
    for (std::size_t i = 20; i < 30; ++i)
        shared.layers[i].shares_kv = true;
    CHECK(kv_bytes(shared, at(8192)) == whole / 30 * 20);
}

TEST_CASE("Recurrent state does not grow with context, but with sequences and snapshots") {
    // Qwen3.5-27B: 48 gated delta net layers, 149.6 MiB a sequence; 598.5 with three snapshots.
    Mixer delta;
    delta.kind = MixerKind::gated_delta_net;
    delta.d_conv = 4;
    delta.d_state = 128;
    delta.n_groups = 16;
    delta.dt_rank = 48;
    delta.d_inner = 6144;
    const Architecture qwen = uniform(delta, 48);
    CacheSettings settings = at(8192);
    Bytes state = 0;
    for (const Layer& layer : qwen.layers)
        state += layer_state_bytes(qwen, layer, settings);
    CHECK(state == 48 * 4 * (3 * (2 * 128 * 16 + 6144) + 128 * 6144));
    CHECK(state == 153'216 * kib); // 149.62 MiB, as printed
    settings.state_snapshots = 3;
    CHECK(layer_state_bytes(qwen, qwen.layers[0], settings) == state / 48 * 4);
    settings.n_ctx = 262'144;
    settings.state_snapshots = 0;
    CHECK(layer_state_bytes(qwen, qwen.layers[0], settings) == state / 48);
}

TEST_CASE("Compressed attention caches a window and one entry for several tokens") {
    // DeepSeek-V4-Flash at 131,072 tokens, 512 a micro-batch, as llama.cpp of July 2026 printed it:
    // window 32.25, compressed 672 and 20, indexer 168 MiB.
    Mixer window;
    window.kind = MixerKind::compressed;
    window.q_heads = 64;
    window.head_dim_k = 512;
    window.window = 128;
    Mixer sparse = window;
    sparse.compress_ratio = 4;
    sparse.indexer_heads = 64;
    sparse.indexer_head_dim = 128;
    Mixer heavy = window;
    heavy.compress_ratio = 128;
    Architecture flash = uniform(window, 43);
    flash.mixers = {window, sparse, heavy};
    for (std::size_t i = 2; i < flash.layers.size(); ++i)
        flash.layers[i].mixer = i % 2 == 0 ? 1 : 2;
    CacheSettings settings = at(131072);
    settings.n_ubatch = 512;
    CHECK(static_cast<double>(kv_bytes(flash, settings)) == (32.25 + 672 + 20 + 168) * 1048576);
    // The same in four sequences, whether the cache is unified or not: four times the streams.
    settings.n_seq = 4;
    settings.kv_unified = true;
    CHECK(static_cast<double>(kv_bytes(flash, settings)) == 4 * (32.25 + 672 + 20 + 168) * 1048576);
    // Keys and scores in the making, F32: 8 rows of 2 * (512 + 128), or 128 rows of 512, twice.
    CHECK(state_bytes_per_sequence(flash, sparse) == 2 * 8 * 2 * (512 + 128) * 4);
    CHECK(state_bytes_per_sequence(flash, heavy) == 2 * 128 * 512 * 4);
    CHECK(state_bytes_per_sequence(flash, window) == 0);
}
