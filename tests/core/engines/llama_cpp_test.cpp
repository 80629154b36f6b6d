// Expected figures: llama.cpp's own accounting (0.7.0 and b10256 logs) for GLM-4-9B-0414 Q4_K_M.
#include "core/engines/engine.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

StorageTypeTable types() {
    StorageTypeTable table;
    const auto set = [&](StorageType type, std::int32_t elements, std::int32_t bytes) {
        table.formats[static_cast<std::size_t>(type)] = {elements, bytes};
    };
    set(StorageType::f32, 1, 4);
    set(StorageType::f16, 1, 2);
    set(StorageType::q8_0, 32, 34);
    set(StorageType::q5_0, 32, 22);
    set(StorageType::q4_k, 256, 144);
    set(StorageType::q6_k, 256, 210);
    return table;
}

/// https://huggingface.co/THUDM/GLM-4-9B-0414 config.json, as its GGUF stores it.
Architecture glm_4_9b() {
    Architecture glm;
    glm.gguf_arch = "glm4";
    glm.n_embd = 4096;
    glm.n_vocab = 151'552;
    glm.norms.after_mixer = true;
    glm.norms.after_feed_forward = true;
    Mixer attention;
    attention.q_heads = 32;
    attention.kv_heads = 2;
    attention.head_dim_k = attention.head_dim_v = 128;
    attention.qkv_bias = true;
    FeedForward feed_forward;
    feed_forward.n_ff = 13'696;
    feed_forward.fused_gate_up = true;
    glm.mixers = {attention};
    glm.feed_forwards = {feed_forward};
    glm.layers.assign(40, Layer{});
    return glm;
}

struct Fixture {
    StorageTypeTable table = types();
    EngineConstants constants;
    Architecture architecture = glm_4_9b();
    EstimateRequest request;

    Fixture() {
        constants.driver_bytes[static_cast<std::size_t>(Backend::cuda)] = {250 * mib, 325 * mib,
                                                                           500 * mib};
        request.architecture = &architecture;
        request.storage_types = &table;
        request.constants = &constants;
        request.weights.mixture = Mixture::q4_k_m;
        request.options.n_ctx = 8192;
        Device device;
        device.memory_bytes = device.usable_bytes = 24 * gib;
        request.devices = {device};
    }
    MemoryPlan plan(std::vector<Term>* terms = nullptr) {
        MemoryPlan made;
        made.terms = terms;
        llama_cpp_engine.plan(request, made);
        return made;
    }
};

Bytes bytes(const MemoryPlan& plan, std::size_t device, Part part) {
    return plan.devices[device][part].expected;
}

} // namespace

TEST_CASE("GLM-4-9B Q4_K_M lies where llama.cpp puts it") {
    Fixture fixture;
    const MemoryPlan plan = fixture.plan();
    REQUIRE(plan.n_devices == 2);
    CHECK(plan.host == 1);
    CHECK(bytes(plan, 0, Part::weights) == 5'808'062'464);
    CHECK(bytes(plan, 1, Part::weights) == 349'175'808);
    CHECK(bytes(plan, 0, Part::kv) == 335'544'320);
    CHECK(bytes(plan, 1, Part::output) == 4 * 151'552);
    CHECK(plan.devices[0][Part::overhead] == ByteRange{250 * mib, 325 * mib, 500 * mib});
}

TEST_CASE("Without a device everything is on the host") {
    Fixture fixture;
    fixture.request.devices.clear();
    const MemoryPlan plan = fixture.plan();
    REQUIRE(plan.n_devices == 1);
    CHECK(plan.host == 0);
    CHECK(bytes(plan, 0, Part::weights) == 6'157'238'272);
    CHECK(bytes(plan, 0, Part::kv) == 335'544'320);
}

TEST_CASE("Unified memory holds everything once") {
    Fixture fixture;
    fixture.request.devices[0].unified = true;
    const MemoryPlan plan = fixture.plan();
    REQUIRE(plan.n_devices == 1);
    CHECK(plan.host == -1);
    CHECK(bytes(plan, 0, Part::weights) == 6'157'238'272);
    fixture.architecture.tied_embeddings = true; // the same pages serve as head
    CHECK(bytes(fixture.plan(), 0, Part::weights) < 6'157'238'272);
}

TEST_CASE("Caches follow their layers unless told to stay") {
    Fixture fixture;
    fixture.request.options.n_gpu_layers = 11; // the head and ten layers
    CHECK(bytes(fixture.plan(), 0, Part::kv) == 335'544'320 / 4);
    CHECK(bytes(fixture.plan(), 1, Part::kv) == 335'544'320 / 4 * 3);
    fixture.request.options.offload_kqv = false;
    CHECK(bytes(fixture.plan(), 0, Part::kv) == 0);
}

TEST_CASE("The terms of a plan add up to its parts") {
    Fixture fixture;
    fixture.request.devices.push_back(fixture.request.devices[0]);
    std::vector<Term> terms;
    const MemoryPlan plan = fixture.plan(&terms);
    std::array<PartBytes, 3> sums{};
    for (const Term& term : terms) {
        REQUIRE(term.device >= 0);
        REQUIRE(term.device < 3);
        CHECK(term.formula != nullptr);
        CHECK(term.source != nullptr);
        sums[static_cast<std::size_t>(term.device)][term.part] += term.bytes;
    }
    for (std::size_t d = 0; d < 3; ++d)
        CHECK(sums[d].parts == plan.devices[d].parts);
}

TEST_CASE("Tools have their own defaults") {
    Fixture fixture;
    const Bytes one_row = 4 * 151'552;
    CHECK(bytes(fixture.plan(), 1, Part::output) == one_row);
    fixture.request.tool_given = true;
    CHECK(bytes(fixture.plan(), 1, Part::output) == 4 * one_row); // four slots
    fixture.request.options.n_seq = 1;
    CHECK(bytes(fixture.plan(), 1, Part::output) == one_row);
    fixture.request.options.n_seq.reset();
    fixture.request.tool = Tool::cli;
    CHECK(bytes(fixture.plan(), 1, Part::output) == one_row);
}

TEST_CASE("A quantised cache is unpacked layer by layer only where the backend does so") {
    Fixture fixture;
    Options& options = fixture.request.options;
    options.flash_attn = FlashAttention::on;
    options.type_k = options.type_v = StorageType::q8_0;
    const auto overhead = [&] {
        MemoryPlan plan;
        llama_cpp_engine.plan(fixture.request, plan);
        return plan.devices[0][Part::overhead];
    };
    const ByteRange driver = overhead();
    fixture.constants.unpacks_kv[static_cast<std::size_t>(Backend::cuda)] = true;
    const ByteRange both = overhead();
    // 8192 cells x 2 heads x 128 x (K and V) x 2 bytes
    CHECK(both.expected - driver.expected == 8 * mib);
    CHECK(both.low == driver.low);
    options.type_v = StorageType::f16;
    CHECK(overhead().expected - driver.expected == 4 * mib);
    options.type_k = StorageType::f16;
    CHECK(overhead().expected == driver.expected);
}
