// Curves of speed: each point is what an estimate of the same setting says.
#include "core/capacity.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;
using catalog::Field;

namespace {

catalog::ResolvedRequest request(std::initializer_list<std::pair<Field, const char*>> settings) {
    catalog::Query query;
    for (const auto& [field, value] : settings)
        REQUIRE(query.set(field, value));
    auto resolved = catalog::resolve(query, test::shared_catalog());
    REQUIRE(resolved);
    return std::move(*resolved);
}

} // namespace

TEST_CASE("Decode against context: the points of estimates with that context") {
    for (const char* engine : {"llama.cpp", "vllm", "mlx", "quick"}) {
        INFO(engine);
        auto resolved = request({{Field::engine, engine}, {Field::hardware, "rtx-4090-24gb"}});
        const std::int64_t depths[] = {256, 8192, 65536};
        const auto curve = decode_by_depth(resolved.request, depths);
        REQUIRE(curve.size() == 3);
        for (const DepthPoint& point : curve) {
            resolved.request.options.n_ctx = point.tokens;
            const Estimate estimate = vramscope::estimate(resolved.request);
            CHECK(point.tokens_per_second.expected == estimate.decode_tokens_per_second.expected);
            CHECK(point.tokens_per_second.low == estimate.decode_tokens_per_second.low);
            CHECK(point.limit == estimate.decode_limit);
        }
        CHECK(curve[0].tokens_per_second.expected > curve[2].tokens_per_second.expected);
    }
}

TEST_CASE("Capacity: many users turn a matter of bandwidth into one of arithmetic") {
    const auto resolved = request({{Field::engine, "vllm"},
                                   {Field::model, "meta-llama-3-8b"},
                                   {Field::artifact, "bf16"},
                                   {Field::hardware, "h100-80gb"},
                                   {Field::n_ctx, "512"},
                                   {Field::user_rate, "1"}});
    const Capacity many = capacity(resolved.request, 1024);
    CHECK(many.points.front().limit == Limit::bandwidth);
    CHECK(many.points.back().sequences == 1024);
    CHECK(many.points.back().limit == Limit::compute);
    CHECK(many.max_users == 1024);
    CHECK(many.max_users_limit == Limit::memory);
    // No room for one: no user, for want of memory.
    CHECK(capacity(resolved.request, 0).max_users == 0);
    CHECK(capacity(resolved.request, 0).max_users_limit == Limit::memory);
}

TEST_CASE("Shares of what takes the time add up to one") {
    const Estimate estimate = vramscope::estimate(request({}).request);
    double decode = 0;
    double prompt = 0;
    for (std::size_t i = 0; i < limit_count; ++i) {
        decode += estimate.decode_shares[i];
        prompt += estimate.prefill_shares[i];
        CHECK(estimate.decode_shares[i] <=
              estimate.decode_shares[static_cast<std::size_t>(estimate.decode_limit)]);
    }
    CHECK(decode == Catch::Approx(1.0));
    CHECK(prompt == Catch::Approx(1.0));
}
