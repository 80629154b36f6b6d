// The solvers against the plain definition: the answer fits, and the next step does not.
#include "core/solve.h"

#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/engines/engine.h"
#include "core/estimator.h"
#include "core/verdict.h"
#include "support/catalog.h"

using namespace vramscope;

namespace {

catalog::ResolvedRequest ask(std::initializer_list<std::pair<const char*, const char*>> fields) {
    catalog::Query query;
    for (const auto& [key, value] : fields)
        REQUIRE(query.set(key, value));
    auto request = catalog::resolve(query, test::shared_catalog());
    REQUIRE(request);
    return *request;
}

bool fits_at(EstimateRequest request, std::int64_t n_ctx) {
    request.options.n_ctx = n_ctx;
    return is_within_memory(request, plan_memory(request));
}

} // namespace

TEST_CASE("The largest context is the last that fits") {
    for (const char* hardware : {"rtx-3060-12gb", "rtx-4090-24gb", "rtx-3060-12gb*2", "cpu"}) {
        for (const char* engine : {"llama.cpp", "evidence"}) {
            for (const char* type : {"f16", "q8_0"}) {
                const auto resolved = ask({{"hardware", hardware},
                                           {"engine", engine},
                                           {"type_k", type},
                                           {"type_v", type}});
                INFO(hardware << " " << engine << " " << type);
                const std::int64_t step = find_engine(resolved.request.engine)->context_step;
                const std::int64_t most = max_context_tokens(resolved.request);
                CHECK(most > 0);
                CHECK(most % step == 0);
                CHECK(fits_at(resolved.request, most));
                CHECK_FALSE(fits_at(resolved.request, most + step));
            }
        }
    }
}

TEST_CASE("Nothing fits when the weights alone are too large") {
    const auto resolved = ask({{"hardware", "custom:4:100"}, {"host_memory_gib", "4"}});
    CHECK(max_context_tokens(resolved.request) == 0);
    CHECK(max_sequences(resolved.request) == 0);
}

// The page prints 136,404 tokens for its simulator's state.
TEST_CASE("quick finds the reference page's largest context") {
    CHECK(max_context_tokens(ask({{"engine", "quick"}}).request) == 136404);
}

TEST_CASE("Most sequences: that many fit, one more does not") {
    auto request = ask({{"n_ctx", "4096"}, {"hardware", "rtx-4090-24gb"}}).request;
    const std::int64_t most = max_sequences(request);
    REQUIRE(most > 1);
    const auto fits = [&](std::int64_t sequences) {
        EstimateRequest trial = request;
        trial.options.n_seq = static_cast<std::int32_t>(sequences);
        trial.options.n_ctx = 4096 * sequences; // llama.cpp counts all sequences together
        return is_within_memory(trial, plan_memory(trial));
    };
    CHECK(fits(most));
    CHECK_FALSE(fits(most + 1));
}
