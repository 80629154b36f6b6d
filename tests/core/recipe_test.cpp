// Recipes against published files; all file types and architectures: tests/reference.
#include "core/recipe.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

/// Block sizes of ggml-common.h for the types that these tests meet.
StorageTypeTable types() {
    using enum StorageType;
    StorageTypeTable table;
    const auto set = [&](StorageType type, int elements, int bytes) {
        table.formats[static_cast<std::size_t>(type)] = {elements, bytes};
    };
    set(f32, 1, 4);
    set(f16, 1, 2);
    set(bf16, 1, 2);
    set(q8_0, 32, 34);
    set(q4_0, 32, 18);
    set(q4_1, 32, 20);
    set(q5_0, 32, 22);
    set(q5_1, 32, 24);
    set(q4_k, 256, 144);
    set(q5_k, 256, 176);
    set(q6_k, 256, 210);
    set(mxfp4, 32, 17);
    set(q1_0, 128, 18);
    return table;
}

Architecture glm_4_9b_0414() {
    Architecture a;
    a.gguf_arch = "glm4";
    a.n_embd = 4096;
    a.n_vocab = 151552;
    a.norms.after_mixer = a.norms.after_feed_forward = true;
    Mixer m;
    m.q_heads = 32;
    m.kv_heads = 2;
    m.head_dim_k = m.head_dim_v = 128;
    m.qkv_bias = true;
    a.mixers = {m};
    FeedForward f;
    f.n_ff = 13696; // no multiple of 256: ffn_down falls back
    f.fused_gate_up = true;
    a.feed_forwards = {f};
    a.layers.assign(40, Layer{});
    return a;
}

} // namespace

TEST_CASE("Mixtures are known by their names, in any case") {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Mixture::count_); ++i) {
        const auto mixture = static_cast<Mixture>(i);
        CHECK(mixture_from_name(name(mixture)) == mixture);
    }
    CHECK(mixture_from_name("q4_k_m") == Mixture::q4_k_m);
    CHECK(mixture_from_name("Mxfp4_Moe") == Mixture::mxfp4_moe);
    CHECK(mixture_from_name("Q4_K") == Mixture::count_);
    CHECK(mixture_from_name("") == Mixture::count_);
    CHECK(name(Mixture::count_).empty());
}

TEST_CASE("GLM-4-9B-0414: published files less their 9,336,672 bytes of metadata") {
    const Architecture glm = glm_4_9b_0414();
    const StorageTypeTable table = types();
    constexpr Bytes metadata = 9'336'672;
    const auto bytes = [&](Mixture mixture) { return mixture_bytes(glm, mixture, false, table); };
    CHECK(bytes(Mixture::q4_k_m) == 6'166'574'944 - metadata);
    CHECK(bytes(Mixture::q5_k_m) == 7'050'917'728 - metadata);
    CHECK(bytes(Mixture::q6_k) == 8'266'643'296 - metadata);
    CHECK(bytes(Mixture::q8_0) == 9'999'611'744 - metadata);
}

TEST_CASE("Single tensors of GLM-4-9B-0414 under Q4_K_M") {
    const Architecture glm = glm_4_9b_0414();
    const StorageTypeTable table = types();
    RecipeWalker walker(glm, Mixture::q4_k_m, false, table);
    Bytes token_embd = 0;
    StorageType first_down = StorageType::count_;
    StorageType fifth_down = StorageType::count_;
    StorageType output = StorageType::count_;
    auto visit = [&](const Tensor& tensor) {
        RecipeWalker before = walker;
        const StorageType type = walker.type_of(tensor);
        if (tensor.role == TensorRole::token_embd)
            token_embd = before.bytes_of(tensor);
        if (tensor.role == TensorRole::output)
            output = type;
        if (tensor.role == TensorRole::ffn_down && tensor.layer == 0)
            first_down = type;
        if (tensor.role == TensorRole::ffn_down && tensor.layer == 5)
            fifth_down = type;
        if (tensor.role == TensorRole::norm)
            CHECK(type == StorageType::f32);
    };
    for_each_tensor(glm, Inventory::gguf, visit);
    CHECK(token_embd == 349'175'808);
    CHECK(output == StorageType::q6_k);
    CHECK(first_down == StorageType::q8_0); // Q6_K, and 13,696 is no multiple of 256
    CHECK(fifth_down == StorageType::q5_0); // Q4_K likewise
    CHECK_FALSE(walker.refused());
}

TEST_CASE("An importance matrix changes Q4_0") {
    // Llama-3-8B: 4,653,375,488 without (GPT4All's file); DeepSeek-R1-Distill-Llama-8B, the same
    // shape with rope factors: 4,668,055,808 with one (bartowski's file).
    Architecture llama = glm_4_9b_0414();
    llama.gguf_arch = "llama";
    llama.n_vocab = 128256;
    llama.norms = LayerNorms{};
    llama.mixers[0].kv_heads = 8;
    llama.mixers[0].qkv_bias = false;
    llama.feed_forwards[0].n_ff = 14336;
    llama.feed_forwards[0].fused_gate_up = false;
    llama.layers.resize(32);
    CHECK(mixture_bytes(llama, Mixture::q4_0, false, types()) == 4'653'375'488);
    llama.rope_factors = 64;
    CHECK(mixture_bytes(llama, Mixture::q4_0, true, types()) == 4'668'055'808);
}

TEST_CASE("MTP layers belong to the file or not") {
    Architecture a = glm_4_9b_0414();
    const Bytes without = mixture_bytes(a, Mixture::q8_0, false, types());
    a.mtp_layers.push_back(Layer{});
    CHECK(mixture_bytes(a, Mixture::q8_0, false, types(), Inventory::gguf_without_mtp) == without);
    CHECK(mixture_bytes(a, Mixture::q8_0, false, types()) > without);
}

TEST_CASE("Row lengths that nothing divides are refused, odd ones kept in F16") {
    // llama-quantize stops at Q1_0 for rows of 2,880 elements (gpt-oss), which have no fall-back.
    Architecture a = glm_4_9b_0414();
    a.n_embd = 2880;
    CHECK(mixture_bytes(a, Mixture::q1_0, false, types()) == 0);
    // Q4_K of a row of 80 elements: its fall-back Q5_0 does not fit either.
    const StorageTypeTable table = types();
    RecipeWalker walker(a, Mixture::q4_k_s, false, table);
    const Tensor tensor{TensorRole::ssm_dt, Precision::quantisable, 0, 80, 256, 1};
    CHECK(walker.type_of(tensor) == StorageType::f16);
    CHECK_FALSE(walker.refused());
}

TEST_CASE("Full and half precision") {
    const Architecture glm = glm_4_9b_0414();
    CHECK(mixture_bytes(glm, Mixture::f32, false, types()) == 4 * 9'400'279'040);
    // 1,617,920 elements of norms and biases stay f32.
    const Bytes vectors = 40 * (4 * 4096 + 4096 + 2 * 256) + 4096;
    CHECK(mixture_bytes(glm, Mixture::bf16, false, types()) == 2 * 9'400'279'040 + 2 * vectors);
}
