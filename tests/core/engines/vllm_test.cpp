// The paged cache against figures that vLLM printed, digit by digit; whole cases with their inputs:
// tests/reference/serving_test.cpp.
#include "core/engines/vllm_cache.h"

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

catalog::ResolvedRequest request(std::initializer_list<Setting> settings) {
    catalog::Query query;
    REQUIRE(query.set(Field::engine, "vllm"));
    REQUIRE(query.set(Field::artifact, "recipe:bf16"));
    for (const Setting& setting : settings)
        REQUIRE(query.set(setting.field, setting.value));
    auto resolved = catalog::resolve(query, test::shared_catalog());
    INFO((resolved ? std::string() : resolved.error().message));
    REQUIRE(resolved);
    return std::move(*resolved);
}

PagedCache cache_of(const catalog::ResolvedRequest& resolved) {
    return PagedCache::of(resolved.request, RankLayout::of(resolved.request));
}

} // namespace

TEST_CASE("vLLM: one kind of layers, 16 tokens a block") {
    // Qwen3-8B on one card: 147,456 bytes a token, 5,565 blocks are 89,040 tokens (log of 2026).
    const PagedCache cache = cache_of(request({{Field::model, "qwen3-8b"}}));
    CHECK(cache.n_groups == 1);
    CHECK(cache.block_bytes == 16 * 147456);
    CHECK(cache.blocks_per_sequence(32768, 2048) == 2048);
    CHECK(cache.blocks_per_sequence(17, 2048) == 2);
}

TEST_CASE("vLLM: heads are shared out, and repeated once there are more ranks than heads") {
    // Qwen2.5-32B, two ranks: 131,072 bytes a token and rank (vllm-project/vllm#15815).
    const auto two =
        request({{Field::model, "qwen2.5-32b-instruct"}, {Field::hardware, "l40s-48gb*2"}});
    CHECK(cache_of(two).block_bytes == 16 * 131072);
    // 8 KV heads on 16 ranks: one head each, as on 8.
    const auto sixteen =
        request({{Field::model, "qwen2.5-32b-instruct"}, {Field::hardware, "l40s-48gb*16"}});
    CHECK(cache_of(sixteen).block_bytes == 16 * 64 * 128 * 2 * 2);
    // A latent cannot be shared out: 70,272 bytes on each of two ranks (DeepSeek V3, 61 layers).
    const auto latent = request({{Field::model, "deepseek-v3"}, {Field::hardware, "h200-141gb*2"}});
    CHECK(cache_of(latent).block_bytes == 16 * 70272);
}

TEST_CASE("vLLM: attention blocks grow to the size of a recurrent state") {
    // Qwen3.8-27B, two ranks, FP8 cache: blocks of 1,568 tokens, 208 of them are 302,921 tokens at
    // a length of 131,072 (mitchross/talos-argocd-proxmox#1995).
    const auto resolved = request({{Field::model, "qwen3.8-27b"},
                                   {Field::hardware, "rtx-3090-24gb*2"},
                                   {Field::type_k, "f8_e4m3"},
                                   {Field::type_v, "f8_e4m3"}});
    const PagedCache cache = cache_of(resolved);
    CHECK(cache.block_tokens == 1568);
    CHECK(cache.block_bytes == 16LL * 1568 * 1024);
    // 84 blocks of attention; three groups of recurrent layers with two pages each.
    CHECK(cache.blocks_per_sequence(131072, 8192) == 90);
    CHECK(static_cast<std::int64_t>(208.0 / 90 * 131072) == 302921);
}

TEST_CASE("vLLM: drafts lengthen the state, and without a prefix cache it has one page less") {
    // Qwen3.6-27B NVFP4, two ranks, three drafts: 565 blocks are 841,541 tokens at 262,144
    // (noonghunna/club-3090#849).
    const auto resolved = request({{Field::model, "qwen3.6-27b"},
                                   {Field::hardware, "rtx-5090-32gb*2"},
                                   {Field::type_k, "f8_e4m3"},
                                   {Field::type_v, "f8_e4m3"},
                                   {Field::speculative_tokens, "3"},
                                   {Field::prefix_caching, "false"}});
    const PagedCache cache = cache_of(resolved);
    CHECK(cache.block_tokens == 1600);
    CHECK(cache.block_bytes == 17LL * 1600 * 1024); // the MTP layer keeps a cache of its own
    CHECK(cache.blocks_per_sequence(262144, 8192) == 176);
    CHECK(static_cast<std::int64_t>(565.0 / 176 * 262144) == 841541);
}

TEST_CASE("vLLM: windowed layers hold their window and one step") {
    // Gemma 4 31B, two ranks, 8 bits a number and a scale per token and head: 17,453 blocks are
    // 466,892 tokens at 262,144 (club-3090 BENCHMARKS.md).
    const auto resolved = request({{Field::model, "gemma-4-31b-it"},
                                   {Field::hardware, "rtx-3090-24gb*2"},
                                   {Field::type_k, "q8_0"},
                                   {Field::type_v, "q8_0"}});
    const PagedCache cache = cache_of(resolved);
    CHECK(cache.block_tokens == 32);
    CHECK(cache.block_bytes == 10LL * 16 * 2 * 8 * (256 + 4));
    // 8,192 blocks of global layers; five groups of local ones: ceil((1,023 + 4,096) / 16) + 1.
    CHECK(cache.blocks_per_sequence(262144, 4096) == 8192 + 5 * 321);
}

TEST_CASE("vLLM: the estimate's context and users agree with its pool") {
    const auto resolved = request(
        {{Field::model, "qwen3-8b"}, {Field::hardware, "rtx-5090-32gb"}, {Field::n_ctx, "4096"}});
    const Estimate estimate = vramscope::estimate(resolved.request);
    CHECK(estimate.serving.block_tokens == 16);
    CHECK(estimate.max_context_tokens == estimate.serving.tokens);
    CHECK(estimate.max_sequences == static_cast<std::int64_t>(estimate.serving.concurrency));
    CHECK(estimate.batches.back().sequences == estimate.max_sequences);
    // Fewer sequences at once leave more for the cache.
    const auto fewer = request({{Field::model, "qwen3-8b"},
                                {Field::hardware, "rtx-5090-32gb"},
                                {Field::n_ctx, "4096"},
                                {Field::max_num_seqs, "16"}});
    CHECK(vramscope::estimate(fewer.request).serving.tokens > estimate.serving.tokens);
}

TEST_CASE("vLLM: tensor parallelism takes weights apart, pipeline parallelism layers") {
    const auto share = [](const char* hardware, const char* pipeline) {
        const auto resolved = request({{Field::model, "llama-3.1-70b-instruct"},
                                       {Field::hardware, hardware},
                                       {Field::pipeline_parallel, pipeline}});
        return vramscope::estimate(resolved.request).devices[0].parts[Part::weights].expected;
    };
    const auto whole = static_cast<double>(share("h200-141gb", "1"));
    CHECK(whole == Catch::Approx(2.0 * 70553706496.0).epsilon(0.001));
    CHECK(static_cast<double>(share("h200-141gb*2", "1")) ==
          Catch::Approx(whole / 2.0).epsilon(0.001));
    CHECK(static_cast<double>(share("h200-141gb*2", "2")) ==
          Catch::Approx(whole / 2.0).epsilon(0.02));
}

TEST_CASE("vLLM: a version is refused by engines that do not have it") {
    catalog::Query query;
    REQUIRE(query.set(Field::engine_version, "0.11"));
    const auto refused = catalog::resolve(query, test::shared_catalog());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == "invalid-value");
    CHECK(request({{Field::engine_version, "0.11"}}).request.vllm_version == VllmVersion::v0_11);
    REQUIRE(query.set(Field::engine, "vllm"));
    REQUIRE(query.set(Field::engine_version, "b10256"));
    CHECK_FALSE(catalog::resolve(query, test::shared_catalog()));
}
