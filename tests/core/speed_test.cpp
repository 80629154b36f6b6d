// Speed: what follows from the work itself, whatever the constants are. Measurements:
// tests/reference/speed_calibration_test.cpp.
#include "core/speed.h"

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
    for (const Setting& setting : settings)
        REQUIRE(query.set(setting.field, setting.value));
    auto resolved = catalog::resolve(query, test::shared_catalog());
    REQUIRE(resolved);
    return std::move(*resolved);
}

double seconds(const catalog::ResolvedRequest& resolved, double depth, double batch = 1) {
    const StepTime step =
        decode_step(resolved.request, SpeedWork::of(resolved.request), depth, batch);
    REQUIRE(step.known);
    return step.seconds();
}

} // namespace

TEST_CASE("Distinct experts: 1 - (1 - used / all) ^ (tokens ^ 0.8125)") {
    SpeedWork work;
    work.expert_share = 0.25;
    CHECK(work.experts_read(1) == 0.25);
    // 16 ^ 0.8125 = 9.51366: between nine and ten choices.
    double nine = 1;
    for (int i = 0; i < 9; ++i)
        nine *= 0.75;
    CHECK(work.experts_read(16) == Catch::Approx(1 - nine * (1 - 0.25 * 0.51366)).epsilon(1e-5));
    CHECK(work.experts_read(1000) == Catch::Approx(1.0));
    // Three models of the DGX Spark: 4 of 128 experts at 32 sequences read 38 % of them, not 64.
    work.expert_share = 4.0 / 128;
    CHECK(work.experts_read(32) == Catch::Approx(0.38).margin(0.04));
}

TEST_CASE("Work: weights, cache and attention of Llama 3 8B") {
    const auto resolved = request({{Field::model, "meta-llama-3-8b"}, {Field::artifact, "F16"}});
    const SpeedWork work = SpeedWork::of(resolved.request);
    const DeviceWork& device = work.devices[0];
    CHECK(work.host().is_idle());
    CHECK(device.layers == 32);
    // 8,030,261,248 parameters less the embedding of 128,256 x 4,096, which is looked up.
    CHECK(device.dense_weights == Catch::Approx(8030261248.0 - 128256.0 * 4096.0).epsilon(1e-6));
    CHECK(device.head_weights == 128256.0 * 4096.0);
    // 32 layers x 8 heads x 128 x (K and V) x 2 bytes a token.
    CHECK(device.cache_bytes(1000) == 1000.0 * 32 * 8 * 128 * 2 * 2);
    // Each of 32 query heads multiplies 128 numbers for the score and 128 for the sum.
    CHECK(device.attention_flops(1000) == 1000.0 * 32 * 32 * 256 * 2);
    // Tokens 1 to 4 after 10 see 11, 12, 13, 14.
    CHECK(device.attention_flops(10, 4) == 50.0 * 32 * 32 * 256 * 2);
}

TEST_CASE("Work: a window caps what a layer reads") {
    const auto resolved = request({{Field::model, "gemma-3-12b-it"}});
    const DeviceWork device = SpeedWork::of(resolved.request).devices[0];
    REQUIRE(device.attention_groups == 2);
    const double per_token = device.cache_bytes(1);
    CHECK(device.cache_bytes(1024) == 1024 * per_token);
    // 8 of 48 layers see everything; the others stop at 1,024 tokens.
    CHECK(device.cache_bytes(2048) - device.cache_bytes(1024) ==
          Catch::Approx(1024 * per_token * 8 / 48));
    // The sum over a prompt equals the sum of its tokens.
    double sum = 0;
    for (int i = 1; i <= 3000; ++i)
        sum += device.attention_flops(i);
    CHECK(device.attention_flops(0, 3000) == Catch::Approx(sum));
}

TEST_CASE("A longer context and a slower device take longer") {
    const auto fast = request({{Field::hardware, "rtx-4090-24gb"}});
    const auto slow = request({{Field::hardware, "rtx-3060-12gb"}});
    CHECK(seconds(fast, 1000) < seconds(fast, 30000));
    CHECK(seconds(fast, 1000) < seconds(slow, 1000));
    // Several sequences take longer than one, but not as long as one after the other.
    CHECK(seconds(fast, 1000, 4) > seconds(fast, 1000));
    CHECK(seconds(fast, 1000, 4) < 4 * seconds(fast, 1000));
}

TEST_CASE("Devices that share layers by turns take as long as one, plus the hop") {
    const auto one = request({{Field::hardware, "rtx-4090-24gb"}});
    const auto two = request({{Field::hardware, "rtx-4090-24gb*2"}});
    const double hop = seconds(two, 1000) - seconds(one, 1000);
    CHECK(hop > 0);
    CHECK(hop < 0.05 * seconds(one, 1000));
}

TEST_CASE("Layers on the host take the host's bandwidth") {
    const auto all = request({});
    const auto half = request({{Field::n_gpu_layers, "20"}});
    const auto none = request({{Field::n_gpu_layers, "0"}});
    CHECK(seconds(all, 1000) < seconds(half, 1000));
    CHECK(seconds(half, 1000) < seconds(none, 1000));
    // 5.5 GB at 60 GB/s take at least 90 ms.
    CHECK(seconds(none, 0) > 0.09);
}

TEST_CASE("An unknown bandwidth gives no rate") {
    auto resolved = request({});
    resolved.request.devices[0].bandwidth_gb_per_s = 0;
    const Estimate estimate = vramscope::estimate(resolved.request);
    CHECK(estimate.decode_tokens_per_second.expected == 0);
    CHECK(estimate.batches.empty());
    CHECK(estimate.max_users == 0);
}

TEST_CASE("Speculation: drafts that are never right cost, right ones gain") {
    const auto plain = request({{Field::model, "qwen3.8-27b"}, {Field::hardware, "rtx-5090-32gb"}});
    const auto rate = [](const catalog::ResolvedRequest& resolved) {
        return estimate(resolved.request).decode_tokens_per_second.expected;
    };
    const auto with = [](const char* acceptance) {
        return request({{Field::model, "qwen3.8-27b"},
                        {Field::hardware, "rtx-5090-32gb"},
                        {Field::speculative_tokens, "3"},
                        {Field::acceptance_rate, acceptance}});
    };
    CHECK(rate(with("0")) < rate(plain));
    CHECK(rate(with("0.7")) > rate(plain));
    // Four tokens a step at most.
    CHECK(rate(with("1")) <= 4 * rate(plain));
}

TEST_CASE("Users: rates fall with their number, and the last one that fits is named") {
    const auto resolved = request({{Field::hardware, "rtx-4090-24gb"},
                                   {Field::n_ctx, "4096"},
                                   {Field::n_seq, "1"},
                                   {Field::user_rate, "20"}});
    const Estimate estimate = vramscope::estimate(resolved.request);
    REQUIRE(estimate.batches.size() > 2);
    CHECK(estimate.batches.front().sequences == 1);
    CHECK(estimate.batches.back().sequences == estimate.max_sequences);
    for (std::size_t i = 1; i < estimate.batches.size(); ++i) {
        CHECK(estimate.batches[i].per_sequence < estimate.batches[i - 1].per_sequence);
        CHECK(estimate.batches[i].tokens_per_second.low <=
              estimate.batches[i].tokens_per_second.high);
    }
    REQUIRE(estimate.max_users > 1);
    const SpeedWork work = SpeedWork::of(resolved.request);
    const auto each = [&](std::int64_t users) {
        return 1 / decode_step(resolved.request, work, 4096, static_cast<double>(users)).seconds();
    };
    CHECK(each(estimate.max_users) >= 20);
    if (estimate.max_users_limit != Limit::memory)
        CHECK(each(estimate.max_users + 1) < 20);
}

TEST_CASE("Prompts: longer ones take more than in proportion, flash attention helps") {
    const auto resolved = request({{Field::hardware, "rtx-4090-24gb"}});
    const auto without = request({{Field::hardware, "rtx-4090-24gb"}, {Field::flash_attn, "off"}});
    const SpeedWork work = SpeedWork::of(resolved.request);
    const double short_one = prefill_step(resolved.request, work, 0, 1024).seconds();
    const double long_one = prefill_step(resolved.request, work, 0, 32768).seconds();
    CHECK(short_one > 0);
    CHECK(long_one > 32 * short_one);
    CHECK(prefill_step(without.request, work, 0, 32768).seconds() > long_one);
}

TEST_CASE("Hardware without measurements of its class is marked") {
    CHECK_FALSE(estimate(request({{Field::hardware, "rtx-4090-24gb"}}).request).speed_extrapolated);
    const Estimate intel = estimate(request({{Field::hardware, "arc-b580-12gb"}}).request);
    CHECK(intel.speed_extrapolated);
    REQUIRE_FALSE(intel.assumptions.empty());
    CHECK(std::string(intel.assumptions.back().id) == "assumption.speed_extrapolated");
    // Boards with GDDR memory take the professional cards' constants, stacked memory has its own.
    const auto a40 = request({{Field::hardware, "a40-48gb"}});
    const auto a6000 = request({{Field::hardware, "rtx-a6000-48gb"}});
    const auto h100 = request({{Field::hardware, "h100-80gb"}});
    const auto& of = [](const catalog::ResolvedRequest& resolved) {
        return &speed_constants(resolved.request, resolved.request.devices[0]);
    };
    CHECK(of(a40) == of(a6000));
    CHECK(
        of(h100) ==
        &h100.request.constants->speed[static_cast<std::size_t>(HardwareClass::nvidia_datacenter)]);
}
