// Calls as JSON: what goes wrong is an answer, whatever bytes come in.
#include "bindings/session.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "support/catalog.h"

using namespace vramscope;
using catalog::Json;

namespace {

Json answer(bindings::Session& session, const std::string& call) {
    const auto json = catalog::parse_json(session.call(call), "answer");
    REQUIRE(json);
    return *json;
}

std::string error_code(bindings::Session& session, const std::string& call) {
    const Json json = answer(session, call);
    INFO(json.dump());
    REQUIRE(json.contains("error"));
    CHECK_FALSE(json["error"]["message"].get<std::string>().empty());
    return json["error"]["code"];
}

} // namespace

TEST_CASE("Calls without a catalog say so") {
    bindings::Session session;
    CHECK(error_code(session, R"({"method": "estimate"})") == "no-catalog");
    CHECK(answer(session, R"({"method": "version"})")["ok"]["schema"] == 1);
}

TEST_CASE("Faulty calls are answered with what is wrong") {
    bindings::Session session = test::session();
    CHECK(error_code(session, "") == "invalid-json");
    CHECK(error_code(session, "{\"method\": ") == "invalid-json");
    CHECK(error_code(session, "[]") == "invalid-call");
    CHECK(error_code(session, R"({"method": 3})") == "invalid-call");
    CHECK(error_code(session, R"({"method": "estimat"})") == "unknown-method");
    CHECK(error_code(session, R"({"method": "catalog.show"})") == "invalid-call");
    CHECK(error_code(session, R"({"method": "catalog.show", "id": "x"})") == "unknown-id");
    CHECK(error_code(session, R"({"method": "catalog.list", "kind": "cats"})") == "unknown-kind");
    CHECK(error_code(session, R"({"method": "catalog.load", "text": "{}"})") != "");
    CHECK(error_code(session, R"({"method": "catalog.build", "files": [1]})") == "invalid-call");
    CHECK(error_code(session, R"({"method": "solve", "what": "x"})") == "unknown-question");
    CHECK(error_code(session, R"({"method": "estimate", "request": []})") == "invalid-request");
    CHECK(error_code(session, R"({"method": "estimate", "request": {"n_ctx": 0}})") ==
          "invalid-value");
    CHECK(error_code(session, R"({"method": "estimate", "request": {"n_ctx": 1e15}})") ==
          "invalid-value");
    CHECK(error_code(session, R"({"method": "estimate", "request": {"n_ctx": "many"}})") ==
          "invalid-value");
    CHECK(error_code(session, R"({"method": "estimate", "request": {"model": "x"}})") ==
          "unknown-model");
    CHECK(error_code(session, R"({"method": "estimate", "request": {"contxt": 1}})") ==
          "unknown-field");
}

TEST_CASE("A faulty catalog leaves the last good one in place") {
    bindings::Session session = test::session();
    CHECK(error_code(session, R"({"method": "catalog.load", "text": "{\"schema\": 1"})") ==
          "invalid-json");
    CHECK(answer(session, R"({"method": "estimate"})").contains("ok"));
}

TEST_CASE("A request and its link give the same estimate") {
    bindings::Session session = test::session();
    const Json by_request = answer(session,
                                   R"({"method": "estimate", "request": {"n_ctx": 8192,
                                   "hardware": ["rtx-3090-24gb*2"], "type_k": "q8_0",
                                   "type_v": "q8_0", "kv_unified": true, "n_seq_max": 4}})");
    const Json by_url =
        answer(session, R"({"method": "estimate", "url": "https://x/?n_ctx=8k&type-k=Q8_0)"
                        R"(&type_v=q8_0&hardware=rtx-3090-24gb,rtx-3090-24gb&n_seq=4)"
                        R"(&kv_unified=1&lang=ja"})");
    REQUIRE(by_request.contains("ok"));
    CHECK(by_request == by_url);
}

TEST_CASE("An inline architecture is a model") {
    bindings::Session session = test::session();
    const Json shown = answer(session, R"({"method": "catalog.show", "id": "glm-4-9b-0414"})");
    Json call = {
        {"method", "estimate"},
        {"request", {{"model", shown["ok"]["architecture"]}, {"artifact", "recipe:Q4_K_M"}}}};
    const Json inline_answer = answer(session, call.dump());
    REQUIRE(inline_answer.contains("ok"));
    call["request"]["model"] = "glm-4-9b-0414";
    const Json by_id = answer(session, call.dump());
    CHECK(inline_answer["ok"]["devices"] == by_id["ok"]["devices"]);
    CHECK(inline_answer["ok"]["parameters"] == 9400279040);
}

TEST_CASE("Parts, devices and terms add up") {
    bindings::Session session = test::session();
    for (const char* request :
         {R"({})", R"({"hardware": "cpu"})", R"({"hardware": "rtx-3060-12gb*2", "n_ctx": 4096})",
          R"({"engine": "quick"})", R"({"engine": "evidence"})", R"({"n_gpu_layers": 20})",
          R"({"hardware": "apple-m-max-64gb"})"}) {
        INFO(request);
        const Json estimate = answer(session, std::string(R"({"method": "estimate", "request": )") +
                                                  request + "}")["ok"];
        for (const char* bound : {"low", "expected", "high"}) {
            std::int64_t parts = 0;
            for (const char* part : {"weights", "kv", "state", "compute", "overhead", "output"}) {
                parts += estimate[std::string(part) + "_bytes"][bound].get<std::int64_t>();
            }
            std::int64_t devices = 0;
            for (const Json& device : estimate["devices"]) {
                devices += device["total_bytes"][bound].get<std::int64_t>();
            }
            std::int64_t terms = 0;
            for (const Json& term : estimate["terms"]) {
                terms += term["bytes"][bound].get<std::int64_t>();
            }
            const std::int64_t total = estimate["total_bytes"][bound];
            CHECK(total == parts);
            CHECK(total == devices);
            CHECK(total == terms);
        }
    }
}

TEST_CASE("Any bytes are answered with JSON") {
    bindings::Session session = test::session();
    std::mt19937 random(11);
    const std::string seed =
        R"({"method": "estimate", "request": {"n_ctx": 8192, "hardware": ["rtx-3090-24gb*2"]}})";
    for (int round = 0; round < 3000; ++round) {
        std::string call = seed;
        for (auto edits = 1 + random() % 6; edits > 0; --edits) {
            call[random() % call.size()] = static_cast<char>(random() % 256);
        }
        const Json json = answer(session, call);
        CHECK((json.contains("ok") || json.contains("error")));
    }
}
