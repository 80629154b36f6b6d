// TensorRT-LLM against measured capacities: how many sequences of isl + osl + 1,000 tokens ran at
// once, with max_num_tokens = 2 x isl and a 16-bit cache. Source: ai-dynamo/aiconfigurator,
// tests/integration/test_trtllm_kv_cache_capacity.py@28fb2d9c (72 runs of NVIDIA). The H100 figures
// gave the runtime's constant; those of GB300 did not.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"
#include "support/speed_fit.h"

using namespace vramscope;
using catalog::Field;

namespace {

struct Row {
    const char* hardware;
    double total_gib; ///< as the driver shows it
    const char* model;
    const char* format;
    int ranks;
    const char* share;
    int measured[4]; ///< at isl/osl 2048/2048, 2048/4096, 4096/2048, 4096/4096
};
constexpr Row rows[] = {
    {"h100-80gb", 79.19, "qwen3-32b", "fp8", 1, "0.8", {27, 19, 19, 14}},
    {"h100-80gb", 79.19, "qwen3-32b", "fp8", 2, "0.8", {75, 53, 53, 41}},
    {"h100-80gb", 79.19, "qwen3-32b", "fp8", 4, "0.8", {169, 121, 120, 93}},
    {"h100-80gb", 79.19, "llama-3.1-8b-instruct", "bf16", 1, "0.8", {78, 56, 55, 43}},
    {"h100-80gb", 79.19, "llama-3.1-8b-instruct", "bf16", 2, "0.8", {173, 124, 123, 96}},
    {"h100-80gb", 79.19, "llama-3.1-8b-instruct", "bf16", 4, "0.8", {363, 259, 258, 201}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 1, "0.8", {153, 109, 108, 84}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 2, "0.8", {326, 233, 232, 181}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 4, "0.8", {673, 480, 479, 373}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 1, "0.9", {172, 123, 122, 95}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 2, "0.9", {367, 262, 261, 203}},
    {"gb300-288gb", 277, "qwen3-32b", "fp8", 4, "0.9", {757, 541, 539, 419}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 1, "0.8", {330, 236, 235, 183}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 2, "0.8", {677, 484, 483, 376}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 4, "0.8", {1371, 979, 978, 761}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 1, "0.9", {372, 265, 265, 206}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 2, "0.9", {762, 544, 544, 423}},
    {"gb300-288gb", 277, "llama-3.1-8b-instruct", "bf16", 4, "0.9", {1542, 1101, 1100, 856}},
};
constexpr int lengths[4][2] = {{2048, 2048}, {2048, 4096}, {4096, 2048}, {4096, 4096}};

double predicted(const Row& row, int isl, int osl) {
    catalog::Query query;
    const auto set = [&](Field field, const std::string& value) {
        INFO(value);
        REQUIRE(query.set(field, value));
    };
    set(Field::engine, "tensorrt-llm");
    set(Field::model, row.model);
    set(Field::artifact, std::string("recipe:") + row.format);
    set(Field::hardware, std::string(row.hardware) + "*" + std::to_string(row.ranks));
    set(Field::tensor_parallel, std::to_string(row.ranks));
    set(Field::gpu_memory_utilization, row.share);
    set(Field::max_num_batched_tokens, std::to_string(2 * isl));
    set(Field::n_ctx, std::to_string(isl + osl + 1000));
    auto resolved = catalog::resolve(query, test::shared_catalog());
    REQUIRE(resolved);
    for (Device& device : resolved->request.devices) {
        device.memory_bytes = from_gib(1.1 * row.total_gib);
        device.usable_bytes = from_gib(row.total_gib);
    }
    return estimate(resolved->request).serving.concurrency;
}

} // namespace

TEST_CASE("TensorRT-LLM: measured capacities", "[serving]") {
    std::vector<double> known;
    std::vector<double> unseen;
    std::printf("\nTensorRT-LLM, sequences at once, predicted / measured:\n");
    for (const Row& row : rows) {
        std::printf("  %-12s %-22s ranks %d share %s ", row.hardware, row.model, row.ranks,
                    row.share);
        for (int i = 0; i < 4; ++i) {
            const double guess = std::floor(predicted(row, lengths[i][0], lengths[i][1]));
            const double off = std::abs(guess / row.measured[i] - 1);
            (row.total_gib > 100 ? unseen : known).push_back(off);
            std::printf("  %5.0f / %4d", guess, row.measured[i]);
        }
        std::printf("\n");
    }
    std::printf("  H100 (constants from these)  n %zu  median %.1f %%  p90 %.1f %%\n", known.size(),
                100 * test::quantile(known, 0.5), 100 * test::quantile(known, 0.9));
    std::printf("  GB300 (not seen)             n %zu  median %.1f %%  p90 %.1f %%\n",
                unseen.size(), 100 * test::quantile(unseen, 0.5),
                100 * test::quantile(unseen, 0.9));
    CHECK(test::quantile(known, 0.5) <= 0.04);
    CHECK(test::quantile(unseen, 0.5) <= 0.04);
    CHECK(test::quantile(unseen, 0.9) <= 0.06);
}

TEST_CASE("TensorRT-LLM: a share of the free memory, not of all") {
    const auto pool = [](const char* share) {
        Row row = rows[0];
        row.share = share;
        return predicted(row, 2048, 2048);
    };
    // Half the share, half the sequences: weights are paid before.
    const double ratio = pool("0.9") / pool("0.45");
    CHECK(ratio > 1.99);
    CHECK(ratio < 2.01);
}
