// Every figure that the two reference pages print, through JSON calls: what core.mjs and the page
// answer. (The command line's own door: tests/cli/golden_test.cpp.)
#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "support/catalog.h"
#include "support/golden.h"

using namespace vramscope;

TEST_CASE("Calls give every printed figure of the reference pages") {
    bindings::Session session = test::session();
    const test::GoldenCount count = test::check_golden([&](const catalog::Json& call) {
        const auto answer = session.answer(call);
        INFO(call.dump());
        if (!answer.errors.empty())
            FAIL(answer.errors.front().message);
        return answer.ok;
    });
    std::printf("reference pages, calls: %d of %d printed figures\n", count.equal, count.figures);
    CHECK(count.figures >= test::golden_figures_at_least);
}

// llama.cpp itself, for GLM-4-9B-0414 Q4_K_M: the engine's own tensor bytes, and the two figures of
// the issue that follow from them (embedding on the host, cache of 8,192 tokens).
TEST_CASE("llama.cpp places GLM-4-9B as the engine says") {
    bindings::Session session = test::session();
    const auto answer = session.answer(catalog::Json{
        {"method", "estimate"}, {"request", {{"artifact", "recipe:Q4_K_M"}, {"n_ctx", 8192}}}});
    REQUIRE(answer.errors.empty());
    const catalog::Json& estimate = answer.ok;
    CHECK(estimate["artifact_tensor_bytes"] == 6157238272);
    CHECK(estimate["weights_bytes"]["expected"] == 6157238272);
    CHECK(estimate["devices"][0]["weights_bytes"]["expected"] == 5808062464);
    CHECK(estimate["devices"][1]["weights_bytes"]["expected"] == 349175808);
    CHECK(estimate["kv_bytes"]["expected"] == 335544320);
}
