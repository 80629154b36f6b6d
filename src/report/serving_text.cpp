#include "report/serving_text.h"

#include <cstdio>

namespace vramscope::report {
namespace {

/// 622000 -> "622,000"
std::string grouped(std::int64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

std::string two_decimals(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

} // namespace

std::vector<std::string> serving_lines(const EstimateRequest& request,
                                       const ServingEstimate& serving) {
    if (serving.block_tokens <= 0)
        return {};
    const std::string pool = two_decimals(to_gib(serving.pool_bytes));
    switch (request.engine) {
    case EngineId::vllm:
        return {"Available KV cache memory: " + pool + " GiB",
                "GPU KV cache size: " + grouped(serving.tokens) + " tokens",
                "Maximum concurrency for " + grouped(request.options.n_ctx) +
                    " tokens per request: " + two_decimals(serving.concurrency) + "x"};
    case EngineId::sglang:
        return {"KV Cache is allocated. #tokens: " + std::to_string(serving.tokens) +
                ", KV size: " + pool + " GB"};
    case EngineId::tensorrt_llm:
        return {"Allocated " + pool + " GiB for max tokens in paged KV cache (" +
                std::to_string(serving.tokens) + ")"};
    default:
        return {};
    }
}

} // namespace vramscope::report
