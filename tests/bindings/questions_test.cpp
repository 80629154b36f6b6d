// advise, fit, models and devices as calls: faulty arguments are named, and an advised step merged
// into the request gives the estimate that it promises.
#include <catch2/catch_test_macros.hpp>

#include "bindings/session.h"
#include "support/catalog.h"

using namespace vramscope;
using catalog::Json;

namespace {

Json ok(bindings::Session& session, const Json& call) {
    const auto answer = catalog::parse_json(session.call(call.dump()), "answer");
    REQUIRE(answer);
    INFO(answer->dump());
    REQUIRE(answer->contains("ok"));
    return (*answer)["ok"];
}

Json error(bindings::Session& session, const Json& call) {
    const auto answer = catalog::parse_json(session.call(call.dump()), "answer");
    REQUIRE(answer);
    INFO(answer->dump());
    REQUIRE(answer->contains("error"));
    return (*answer)["error"];
}

} // namespace

TEST_CASE("An advised step is applied by merging its fields", "[questions]") {
    bindings::Session session = test::session();
    const Json request = {{"model", "qwen3-30b-a3b"}, {"n_ctx", 65536}};
    const Json advice = ok(session, {{"method", "advise"}, {"request", request}});
    REQUIRE(advice["steps"].size() >= 3);
    CHECK(advice["missing_bytes"] > 0);
    for (const Json& step : advice["steps"]) {
        Json changed = request;
        changed.update(step["set"]);
        INFO(changed.dump());
        const Json estimate = ok(session, {{"method", "estimate"}, {"request", changed}});
        CHECK(estimate["verdict"] == step["verdict"]);
        CHECK(estimate["total_bytes"] == step["total_bytes"]);
    }
    CHECK(ok(session, {{"method", "advise"}})["steps"].empty());
}

TEST_CASE("A fit gives the arguments of llama-server", "[questions]") {
    bindings::Session session = test::session();
    const Json request = {{"model", "llama-3.3-70b-instruct"}, {"hardware", "rtx-3090-24gb*2"}};
    const Json fit = ok(session, {{"method", "fit"}, {"request", request}});
    CHECK(fit["arguments"][0] == "-c");
    CHECK(fit["n_ctx"].get<int>() % 256 == 0);
    // 32,768 is the default's spelling; keep_context says that it was meant.
    const Json kept =
        ok(session, {{"method", "fit"}, {"request", request}, {"keep_context", true}});
    CHECK(kept["n_ctx"] == 32768);
    CHECK(error(session, {{"method", "fit"}, {"request", {{"engine", "quick"}}}})["code"] ==
          "no-automatic-fit");
}

TEST_CASE("Models and devices are listed with filters", "[questions]") {
    bindings::Session session = test::session();
    const Json models = ok(session, {{"method", "models"},
                                     {"request", {{"hardware", "rtx-3060-12gb"}}},
                                     {"context", 4096},
                                     {"users", 2},
                                     {"family", "qwen3"},
                                     {"sort", "total"},
                                     {"limit", 5}});
    REQUIRE(models["rows"].size() == 5);
    CHECK(models["all"] > 5);
    for (std::size_t i = 1; i < 5; ++i)
        CHECK(models["rows"][i - 1]["total_bytes"]["expected"] <=
              models["rows"][i]["total_bytes"]["expected"]);
    const Json devices =
        ok(session, {{"method", "devices"}, {"request", {{"model", "qwen3-8b"}}}, {"limit", 3}});
    REQUIRE(devices["rows"].size() == 3);
    CHECK(devices["rows"][0]["memory_bytes"] <= devices["rows"][2]["memory_bytes"]);
}

TEST_CASE("Faulty arguments of questions are named", "[questions]") {
    bindings::Session session = test::session();
    CHECK(error(session, {{"method", "models"}, {"sort", "colour"}})["where"] == "sort");
    CHECK(error(session, {{"method", "models"}, {"min_size", "big"}})["where"] == "min_size");
    CHECK(error(session, {{"method", "models"}, {"users", 1.5}})["where"] == "users");
    CHECK(error(session, {{"method", "models"}, {"vision", 1}})["where"] == "vision");
    CHECK(error(session, {{"method", "devices"}, {"max_count", 99}})["where"] == "max_count");
    CHECK(error(session, {{"method", "advise"}, {"goal", "offload"}})["where"] == "goal");
    CHECK(error(session, {{"method", "fit"}, {"margin_mib", -1}})["where"] == "margin_mib");
    CHECK(error(session, {{"method", "advise"}, {"request", {{"model", "x"}}}})["code"] ==
          "unknown-model");
    bindings::Session empty;
    CHECK(error(empty, {{"method", "models"}})["code"] == "no-catalog");
}
