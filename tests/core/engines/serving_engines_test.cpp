// SGLang, Ollama, MLX and Transformers: rules of their own, with the origin of each figure.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;
using catalog::Field;

namespace {

struct Setting {
    Field field;
    const char* value;
};

Estimate estimate_of(std::initializer_list<Setting> settings) {
    catalog::Query query;
    for (const Setting& setting : settings)
        REQUIRE(query.set(setting.field, setting.value));
    auto resolved = catalog::resolve(query, test::shared_catalog());
    INFO((resolved ? std::string() : resolved.error().message));
    REQUIRE(resolved);
    return vramscope::estimate(resolved->request);
}

double term_value(const Estimate& estimate, std::string_view formula, std::string_view symbol) {
    for (const Term& term : estimate.terms) {
        if (formula != term.formula)
            continue;
        for (const TermValue& value : term.values) {
            if (value.symbol != nullptr && symbol == value.symbol)
                return value.value;
        }
    }
    return -1;
}

} // namespace

TEST_CASE("SGLang: the static share by card") {
    // server_args.py: 0.847 on an RTX 4090, 0.836 on an H100 (aiconfigurator's port of the rule).
    const auto share = [](const char* hardware) {
        return term_value(estimate_of({{Field::engine, "sglang"},
                                       {Field::model, "qwen3-8b"},
                                       {Field::artifact, "recipe:bf16"},
                                       {Field::hardware, hardware}}),
                          "compute.reserve", "static_share");
    };
    CHECK(share("rtx-4090-24gb") == Catch::Approx(0.847).margin(0.001));
    CHECK(share("h100-80gb") == Catch::Approx(0.836).margin(0.001));
}

TEST_CASE("SGLang: tokens cost what the log says") {
    // Qwen3.8-27B: 65,536 bytes a token (16 layers x 4 heads x 256 x K and V x 2), log of 2026-09.
    const Estimate hybrid = estimate_of({{Field::engine, "sglang"},
                                         {Field::model, "qwen3.8-27b"},
                                         {Field::artifact, "recipe:bf16"},
                                         {Field::hardware, "h100-80gb"},
                                         {Field::n_ctx, "1000"}});
    CHECK(hybrid.parts[Part::kv].expected == 1000 * 65536);
    // DeepSeek V3.2: 78,350 bytes a token: 61 layers x (576 x 2 + 132) (ktransformers#1969).
    const Estimate sparse = estimate_of({{Field::engine, "sglang"},
                                         {Field::model, "deepseek-v3.2"},
                                         {Field::artifact, "recipe:fp8"},
                                         {Field::hardware, "h200-141gb"},
                                         {Field::n_ctx, "1000"}});
    CHECK(sparse.parts[Part::kv].expected == 1000 * 61 * (576 * 2 + 132));
}

TEST_CASE("Ollama: llama.cpp with a context per sequence and a larger batch") {
    const auto with = [](const char* engine, const char* n_ctx, const char* n_seq) {
        return estimate_of({{Field::engine, engine},
                            {Field::hardware, "rtx-4090-24gb"},
                            {Field::n_ctx, n_ctx},
                            {Field::n_seq, n_seq}});
    };
    // num_ctx x OLLAMA_NUM_PARALLEL cells.
    CHECK(with("ollama", "8192", "2").parts[Part::kv].expected ==
          with("llama.cpp", "16384", "2").parts[Part::kv].expected);
    CHECK(with("ollama", "8192", "2").parts[Part::weights].expected ==
          with("llama.cpp", "16384", "2").parts[Part::weights].expected);
    // 512 tokens a batch up to 4,096 of context, 1,024 above while the card has room.
    CHECK(term_value(with("ollama", "4096", "1"), "compute.graph_peak", "n_ubatch") == 512);
    CHECK(term_value(with("ollama", "8192", "1"), "compute.graph_peak", "n_ubatch") == 1024);
    // 24 GB: 32,768 tokens by default (server/routes.go).
    const Estimate estimate = with("ollama", "8192", "1");
    REQUIRE_FALSE(estimate.assumptions.empty());
    CHECK(estimate.assumptions.front().first == 32768);
}

TEST_CASE("MLX: caches grow in steps of 256, weights are the files'") {
    const auto with = [](const char* n_ctx) {
        return estimate_of({{Field::engine, "mlx"},
                            {Field::model, "qwen3-8b"},
                            {Field::artifact, "recipe:mlx-4bit"},
                            {Field::hardware, "apple-m2-ultra-192gb"},
                            {Field::n_ctx, n_ctx}});
    };
    CHECK(with("1").parts[Part::kv].expected == 256 * 147456);
    CHECK(with("257").parts[Part::kv].expected == 512 * 147456);
    // Peak of 5,330 MB with prompts of 2,048 tokens (Rapid-MLX community benchmarks, M3 Ultra).
    CHECK(static_cast<double>(with("2304").total().expected) / 1e6 ==
          Catch::Approx(5330).epsilon(0.1));
}

TEST_CASE("Transformers: tokens as they are, prompt in one piece") {
    const Estimate estimate = estimate_of({{Field::engine, "transformers"},
                                           {Field::model, "qwen3-8b"},
                                           {Field::artifact, "recipe:bf16"},
                                           {Field::hardware, "rtx-4090-24gb"},
                                           {Field::n_ctx, "1000"}});
    CHECK(estimate.parts[Part::kv].expected == 1000 * 147456);
    // 8,190,735,360 parameters in 16 bits.
    CHECK(static_cast<double>(estimate.parts[Part::weights].expected) ==
          Catch::Approx(2.0 * 8190735360.0).epsilon(0.001));
    // Two cards take half of the layers each.
    const Estimate two = estimate_of({{Field::engine, "transformers"},
                                      {Field::model, "qwen3-8b"},
                                      {Field::artifact, "recipe:bf16"},
                                      {Field::hardware, "rtx-4090-24gb*2"},
                                      {Field::n_ctx, "1000"}});
    CHECK(two.devices[0].parts[Part::kv].expected == 500 * 147456);
    CHECK(two.devices[1].parts[Part::kv].expected == 500 * 147456);
}
