#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "report/architecture_text.h"
#include "support/locale.h"

using namespace vramscope;
using test::locale;

namespace {

Architecture with_layers(std::vector<Mixer> mixers, FeedForwardKind kind = FeedForwardKind::dense) {
    Architecture architecture;
    architecture.mixers = std::move(mixers);
    architecture.feed_forwards.push_back({.kind = kind});
    for (std::size_t i = 0; i < architecture.mixers.size(); ++i) {
        architecture.layers.push_back({static_cast<std::uint8_t>(i), 0, false});
    }
    return architecture;
}

Mixer attention(std::int32_t q_heads, std::int32_t kv_heads) {
    Mixer mixer;
    mixer.q_heads = q_heads;
    mixer.kv_heads = kv_heads;
    return mixer;
}

Mixer of_kind(MixerKind kind) {
    Mixer mixer;
    mixer.kind = kind;
    return mixer;
}

} // namespace

TEST_CASE("Attention is named by how many heads share keys") {
    CHECK(std::strcmp(report::attention_keys(with_layers({attention(32, 32)}))[0],
                      "attention.mha") == 0);
    CHECK(std::strcmp(report::attention_keys(with_layers({attention(32, 2)}))[0],
                      "attention.gqa") == 0);
    CHECK(std::strcmp(report::attention_keys(with_layers({attention(32, 1)}))[0],
                      "attention.mqa") == 0);
}

TEST_CASE("Global attention is named before windows, each kind once") {
    const Architecture gemma = with_layers(
        {of_kind(MixerKind::sliding_window), attention(16, 8), of_kind(MixerKind::sliding_window)});
    CHECK(report::attention_text(gemma, locale("en")) ==
          "Grouped-query attention (GQA), sliding window (SWA)");
    REQUIRE(report::global_attention(gemma) != nullptr);
    CHECK(report::global_attention(gemma)->q_heads == 16);
}

TEST_CASE("Topology tells experts and recurrent layers") {
    CHECK(std::strcmp(report::topology_key(with_layers({attention(8, 8)})), "topology.dense") == 0);
    CHECK(
        std::strcmp(report::topology_key(with_layers({attention(8, 8)}, FeedForwardKind::experts)),
                    "topology.experts") == 0);
    CHECK(std::strcmp(
              report::topology_key(with_layers({of_kind(MixerKind::mamba2), attention(8, 8)})),
              "topology.hybrid") == 0);
    CHECK(std::strcmp(report::topology_key(with_layers({of_kind(MixerKind::rwkv7)})),
                      "topology.recurrent") == 0);
    CHECK(report::global_attention(with_layers({of_kind(MixerKind::rwkv7)})) == nullptr);
}

TEST_CASE("Every kind of mixer has a name and a short one") {
    for (int kind = 1; kind <= static_cast<int>(MixerKind::attention_and_mamba2); ++kind) {
        const auto keys =
            report::attention_keys(with_layers({of_kind(static_cast<MixerKind>(kind))}));
        REQUIRE(keys.size() == 1);
        INFO(keys[0]);
        CHECK(locale("en").has(keys[0]));
        CHECK(locale("en").has(std::string(keys[0]) + ".short"));
    }
}

TEST_CASE("Parameter counts are written with three digits or so") {
    CHECK(report::parameters_text(9400279040, locale("en")) == "9.40\u00a0B");
    CHECK(report::parameters_text(9400279040, locale("de")) == "9,40\u00a0Mrd.");
    CHECK(report::parameters_text(30.5e9, locale("en")) == "30.5\u00a0B");
    CHECK(report::parameters_text(671e9, locale("en")) == "671\u00a0B");
    CHECK(report::parameters_text(135e6, locale("en")) == "135\u00a0M");
}
