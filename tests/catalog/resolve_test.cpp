// Requests against the repository's catalog. Facts come from the reference pages (golden.json).
#include "catalog/resolve.h"

#include <catch2/catch_test_macros.hpp>

#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::catalog;

namespace {

Result<ResolvedRequest> ask(std::initializer_list<std::pair<const char*, const char*>> fields) {
    Query query;
    for (const auto& [key, value] : fields)
        REQUIRE(query.set(key, value));
    return resolve(query, test::shared_catalog());
}

Error fault(std::initializer_list<std::pair<const char*, const char*>> fields) {
    const auto request = ask(fields);
    REQUIRE_FALSE(request);
    return request.error();
}

} // namespace

TEST_CASE("The default request is the reference pages'") {
    const auto request = ask({});
    REQUIRE(request);
    CHECK(request->model->id == "glm-4-9b-0414");
    REQUIRE(request->artifact != nullptr);
    CHECK(request->artifact->id == "gguf-q4_k_m");
    CHECK(request->request.weights.mixture == Mixture::q4_k_m);
    CHECK(request->request.weights.file_bytes == 6166574944);
    CHECK(request->request.engine == EngineId::llama_cpp);
    REQUIRE(request->request.devices.size() == 1);
    CHECK(request->request.devices[0].memory_bytes == 12 * gib);
    CHECK(request->request.devices[0].bandwidth_gb_per_s == 360);
    CHECK(request->request.options.n_ctx == 32768);
    CHECK(request->request.host.memory_bytes == 32 * gib);
}

TEST_CASE("A quantisation picks the recorded file, or the recipe when forced") {
    CHECK(ask({{"artifact", "q8_0"}})->artifact->id == "gguf-q8_0");
    CHECK(ask({{"artifact", "GGUF-Q8_0"}})->artifact->id == "gguf-q8_0");
    const auto recipe = ask({{"artifact", "recipe:Q8_0"}});
    REQUIRE(recipe);
    CHECK(recipe->artifact == nullptr);
    CHECK(recipe->request.weights.file_bytes == 0);
    CHECK(recipe->request.weights.mixture == Mixture::q8_0);
    CHECK(ask({{"artifact", "Q3_K_S"}})->artifact == nullptr);
    const auto bf16 = ask({{"artifact", "bf16"}});
    CHECK(bf16->artifact->id == "bf16");
    CHECK(bf16->request.weights.tensor_bytes == 18800558080);
}

TEST_CASE("quick always means nominal bits per weight") {
    const auto request = ask({{"engine", "quick"}, {"artifact", "q4_k_m"}});
    REQUIRE(request);
    CHECK(request->artifact == nullptr);
    CHECK(request->request.weights.file_bytes == 0);
    CHECK(request->request.weights.nominal_bits_per_weight == 4.85);
    CHECK(request->request.rounded_parameters == 9.4e9);
}

TEST_CASE("quick counts the tensors where no rounded size is published") {
    for (const Model& model : test::shared_catalog().models) {
        const auto request = ask({{"engine", "quick"}, {"model", model.id.c_str()}});
        INFO(model.id);
        REQUIRE(request);
        CHECK(request->request.rounded_parameters > 1e6);
    }
}

TEST_CASE("evidence uses the allowance of the artifact's first engine") {
    CHECK(ask({{"engine", "evidence"}})->request.evidence_engine == EngineId::llama_cpp);
    CHECK(ask({{"engine", "evidence"}, {"artifact", "bf16"}})->request.evidence_engine ==
          EngineId::vllm);
    CHECK(
        ask({{"engine", "evidence"}, {"artifact", "int4-theoretical"}})->request.evidence_engine ==
        EngineId::count_);
    CHECK(ask({{"engine", "evidence"}, {"evidence_engine", "ollama"}})->request.evidence_engine ==
          EngineId::ollama);
}

TEST_CASE("Devices are combined as written") {
    CHECK(ask({{"hardware", "cpu"}})->request.devices.empty());
    CHECK(ask({{"hardware", "rtx-3090-24gb*2"}})->request.devices.size() == 2);
    const auto mixed = ask({{"hardware", " RTX-4090-24GB , rtx-3060-12gb*2"}});
    REQUIRE(mixed->request.devices.size() == 3);
    CHECK(mixed->request.devices[2].memory_bytes == 12 * gib);
    const auto custom = ask({{"hardware", "custom:20:640.5"}});
    REQUIRE(custom->request.devices.size() == 1);
    CHECK(custom->request.devices[0].memory_bytes == 20 * gib);
    CHECK(custom->request.devices[0].bandwidth_gb_per_s == 640.5);
    const auto json = ask({{"hardware", R"([{"memory_gib": 24, "bandwidth_gb_per_s": 900,
                                           "name": "mine"}, "rtx-3060-12gb"])"}});
    REQUIRE(json->request.devices.size() == 2);
    CHECK(json->request.devices[0].name == "mine");
    const auto reserved = ask({{"reserved_gib", "1.5"}});
    CHECK(reserved->request.devices[0].reserved_bytes == 3 * gib / 2);
}

TEST_CASE("What is not there is said with what was probably meant") {
    CHECK(fault({{"model", "glm-4-9b-0415"}}).message ==
          "there is no model \"glm-4-9b-0415\" in the catalog; did you mean \"glm-4-9b-0414\"?");
    CHECK(fault({{"model", "glm-4-9b-0415"}}).code == "unknown-model");
    CHECK(fault({{"hardware", "rtx-3060-12g"}}).message.find("\"rtx-3060-12gb\"") !=
          std::string::npos);
    CHECK(fault({{"hardware", "rtx-3060-12gb*0"}}).code == "invalid-value");
    CHECK(fault({{"hardware", "rtx-3060-12gb*x"}}).code == "invalid-value");
    CHECK(fault({{"hardware", "rtx-3060-12gb*999999999999999999999"}}).code == "too-many-devices");
    CHECK(fault({{"hardware", ","}}).code == "unknown-hardware");
    CHECK(fault({{"hardware", "custom:-1:5"}}).code == "invalid-value");
    CHECK(fault({{"hardware", "custom:nan:5"}}).code == "invalid-value");
    CHECK(fault({{"hardware", "custom:"}}).code == "invalid-value");
    CHECK(fault({{"hardware", "[1"}}).code == "invalid-json");
    CHECK(fault({{"hardware", "[{\"memory_gib\": \"x\"}]"}}).code != "");
    CHECK(fault({{"artifact", "q4_k_x"}}).code == "unknown-artifact");
    CHECK(fault({{"model", "{\"n_embd\": 1}"}}).code != "");
    CHECK(fault({{"model", "{"}}).code == "invalid-json");
}
