// The verdict rule of the design: fits when the high estimate is at most 90 % of free memory, tight
// when the expected one is at most 100 %, offload when the host has room for the rest.
#include "core/verdict.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

constexpr VerdictThresholds thresholds{0.9, 1.0};

struct Case {
    EngineConstants constants;
    EstimateRequest request;
    MemoryPlan plan;

    explicit Case(EngineId engine = EngineId::llama_cpp) {
        constants.verdict = thresholds;
        request.constants = &constants;
        request.engine = engine;
        plan.n_devices = 1;
        plan.host = 0;
    }
    void device(Bytes free, Bytes need) {
        Device device;
        device.memory_bytes = free;
        device.usable_bytes = free;
        request.devices.push_back(device);
        plan.devices[request.devices.size() - 1][Part::weights] = ByteRange::exact(need);
        plan.host = static_cast<std::int32_t>(request.devices.size());
        plan.n_devices = request.devices.size() + 1;
    }
    void host(Bytes free, Bytes need) {
        request.host.usable_bytes = free;
        plan.devices[static_cast<std::size_t>(plan.host)][Part::weights] = ByteRange::exact(need);
    }
};

} // namespace

TEST_CASE("One device is judged by high and expected need") {
    CHECK(judge_device({80, 85, 90}, 100, thresholds) == Verdict::fits);
    CHECK(judge_device({80, 85, 91}, 100, thresholds) == Verdict::tight);
    CHECK(judge_device({80, 100, 120}, 100, thresholds) == Verdict::tight);
    CHECK(judge_device({80, 101, 120}, 100, thresholds) == Verdict::does_not_fit);
    CHECK(judge_device({0, 0, 0}, 0, thresholds) == Verdict::fits);
    CHECK(judge_device({1, 1, 1}, 0, thresholds) == Verdict::does_not_fit);
}

TEST_CASE("The host takes what a device cannot hold, if it has the room") {
    Case small;
    small.device(100 * gib, 130 * gib);
    small.host(40 * gib, 10 * gib);
    Judgement judgement = judge(small.request, small.plan);
    CHECK(judgement.devices[0] == Verdict::offload);
    CHECK(judgement.overall == Verdict::offload);
    small.host(39 * gib, 10 * gib);
    CHECK(judge(small.request, small.plan).overall == Verdict::does_not_fit);
}

TEST_CASE("The worst device decides") {
    Case two;
    two.device(100 * gib, 50 * gib);
    two.device(100 * gib, 95 * gib);
    two.host(32 * gib, gib);
    const Judgement judgement = judge(two.request, two.plan);
    CHECK(judgement.devices[0] == Verdict::fits);
    CHECK(judgement.devices[1] == Verdict::tight);
    CHECK(judgement.overall == Verdict::tight);
    CHECK(is_within_memory(two.request, two.plan));
}

TEST_CASE("A host of unknown size stands in nobody's way") {
    Case unknown;
    unknown.device(100 * gib, 50 * gib);
    unknown.host(0, 500 * gib);
    CHECK(judge(unknown.request, unknown.plan).overall == Verdict::fits);
    CHECK(is_within_memory(unknown.request, unknown.plan));
}

TEST_CASE("Memory in use by others is not free") {
    Case reserved;
    reserved.device(100 * gib, 50 * gib);
    reserved.request.devices[0].reserved_bytes = 45 * gib;
    CHECK(judge(reserved.request, reserved.plan).overall == Verdict::tight);
    reserved.request.devices[0].reserved_bytes = 200 * gib;
    CHECK(free_bytes(reserved.request, reserved.plan, 0) == 0);
}
