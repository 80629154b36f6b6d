// The lines of a log, as the engines word them (T218 and T217 in
// tests/reference/serving_cases.txt).
#include "report/serving_text.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

TEST_CASE("What engines print of their cache at start") {
    EstimateRequest request;
    request.options.n_ctx = 2048;
    ServingEstimate serving;
    serving.pool_bytes = from_gib(36.88);
    serving.block_tokens = 16;
    serving.tokens = 268560;
    serving.concurrency = 131.13;
    request.engine = EngineId::vllm;
    CHECK(report::serving_lines(request, serving) ==
          std::vector<std::string>{"Available KV cache memory: 36.88 GiB",
                                   "GPU KV cache size: 268,560 tokens",
                                   "Maximum concurrency for 2,048 tokens per request: 131.13x"});
    request.engine = EngineId::sglang;
    CHECK(report::serving_lines(request, serving).size() == 1);
    request.engine = EngineId::llama_cpp;
    CHECK(report::serving_lines(request, serving).empty());
}
