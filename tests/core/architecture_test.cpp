#include "core/architecture.h"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>

using namespace vramscope;

namespace {

/// GLM-4-9B-0414: the smallest shape that says everything.
Architecture glm() {
    Architecture a;
    a.n_embd = 4096;
    a.n_vocab = 151552;
    Mixer attention;
    attention.q_heads = 32;
    attention.kv_heads = 2;
    attention.head_dim_k = attention.head_dim_v = 128;
    a.mixers = {attention};
    FeedForward dense;
    dense.n_ff = 13696;
    a.feed_forwards = {dense};
    a.layers.assign(40, Layer{});
    return a;
}

Architecture with_mixer(MixerKind kind) {
    Architecture a = glm();
    Mixer& m = a.mixers.front();
    m = Mixer{};
    m.kind = kind;
    return a;
}

struct FaultCase {
    const char* field;
    std::function<void(Architecture&)> damage;
};

} // namespace

TEST_CASE("A sound shape has no fault") {
    CHECK_FALSE(find_fault(glm()).has_value());
    CHECK(glm().n_layer() == 40);
    CHECK(glm().vocab_rows_in_gguf() == 151552);
}

TEST_CASE("Every fault names its field") {
    const FaultCase cases[] = {
        {"n_embd", [](Architecture& a) { a.n_embd = 0; }},
        {"n_embd", [](Architecture& a) { a.n_embd = (1 << 24) + 1; }},
        {"n_vocab", [](Architecture& a) { a.n_vocab = -1; }},
        {"native_context",
         [](Architecture& a) { a.native_context = ArchitectureLimits::context + 1; }},
        {"rope_factor_vectors", [](Architecture& a) { a.rope_factor_vectors = 3; }},
        {"layers", [](Architecture& a) { a.layers.clear(); }},
        {"layers", [](Architecture& a) { a.layers.resize(4097); }},
        {"layers", [](Architecture& a) { a.layers[7].mixer = 1; }},
        {"layers", [](Architecture& a) { a.layers[7].feed_forward = 3; }},
        {"mtp_layers",
         [](Architecture& a) {
             a.mtp_layers.push_back(Layer{1, 0});
         }},
        {"mixers.q_heads", [](Architecture& a) { a.mixers[0].q_heads = 0; }},
        {"mixers.kv_heads", [](Architecture& a) { a.mixers[0].kv_heads = 33; }},
        {"mixers.head_dim_v", [](Architecture& a) { a.mixers[0].head_dim_v = 0; }},
        {"mixers.window", [](Architecture& a) { a.mixers[0].kind = MixerKind::sliding_window; }},
        {"mixers.d_conv", [](Architecture& a) { a.mixers[0].d_conv = -4; }},
        {"mixers.indexer_heads", [](Architecture& a) { a.mixers[0].indexer_head_dim = 128; }},
        {"mixers.kv_lora_rank", [](Architecture& a) { a.mixers[0].kind = MixerKind::latent; }},
        {"mixers.kind", [](Architecture& a) { a.mixers[0].kind = static_cast<MixerKind>(99); }},
        {"feed_forwards.n_ff", [](Architecture& a) { a.feed_forwards[0].n_ff = 0; }},
        {"feed_forwards.n_experts",
         [](Architecture& a) { a.feed_forwards[0].kind = FeedForwardKind::experts; }},
        {"feed_forwards.n_experts_used",
         [](Architecture& a) {
             a.feed_forwards[0].kind = FeedForwardKind::experts;
             a.feed_forwards[0].n_experts = 8;
             a.feed_forwards[0].n_experts_used = 9;
             a.feed_forwards[0].n_ff_expert = 1024;
         }},
        {"towers.parameters",
         [](Architecture& a) {
             a.towers.push_back({"vision", -1});
         }},
    };
    for (const FaultCase& test : cases) {
        Architecture a = glm();
        test.damage(a);
        const auto fault = find_fault(a);
        CAPTURE(test.field);
        REQUIRE(fault.has_value());
        CHECK(std::string(fault->field) == test.field);
        CHECK(std::string(fault->reason).size() > 4);
    }
}

TEST_CASE("Recurrent kinds need their own widths") {
    for (const MixerKind kind :
         {MixerKind::mamba, MixerKind::mamba2, MixerKind::gated_delta_net, MixerKind::kimi_delta,
          MixerKind::rwkv7, MixerKind::short_convolution, MixerKind::linear_attention,
          MixerKind::attention_and_mamba2, MixerKind::compressed}) {
        CAPTURE(static_cast<int>(kind));
        CHECK(find_fault(with_mixer(kind)).has_value());
    }
    CHECK_FALSE(find_fault(with_mixer(MixerKind::none)).has_value());

    Architecture a = with_mixer(MixerKind::gated_delta_net);
    Mixer& m = a.mixers.front();
    m.d_conv = 4;
    m.d_inner = 4096;
    m.d_state = 128;
    m.n_groups = 16;
    m.dt_rank = 32;
    CHECK_FALSE(find_fault(a).has_value());
    m.dt_rank = 33; // 4096 is no multiple of it
    CHECK(find_fault(a).has_value());
}

TEST_CASE("Kinds know what they keep") {
    CHECK(attends(MixerKind::latent));
    CHECK_FALSE(attends(MixerKind::mamba2));
    CHECK(is_windowed(MixerKind::chunked));
    CHECK_FALSE(is_windowed(MixerKind::full_attention));
    CHECK(is_recurrent(MixerKind::attention_and_mamba2));
    CHECK(attends(MixerKind::attention_and_mamba2));
    CHECK_FALSE(is_recurrent(MixerKind::none));
}
