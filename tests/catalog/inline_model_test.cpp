// Models that a request writes out: both spellings, and what is wrong with them.
#include "catalog/inline_model.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::catalog;
using nlohmann::ordered_json;

namespace {

ordered_json small_model() {
    return ordered_json::parse(R"({
        "name": "Small", "architecture": {"gguf_arch": "llama", "n_embd": 64, "n_vocab": 1000,
        "mixers": {"a": {"kind": "full_attention", "q_heads": 2, "kv_heads": 1, "head_dim": 32}},
        "feed_forwards": {"f": {"kind": "dense", "n_ff": 128}},
        "layers": [{"count": 2, "mixer": "a", "feed_forward": "f"}]},
        "weights": {"format": "gguf", "name": "MIX", "bits_per_weight": 5.5, "bytes": 100000}})");
}

} // namespace

TEST_CASE("Any JSON survives the spelling for links") {
    for (const char* text :
         {R"({"a":"b","c":[1,-2.5,true,null,[],{}],"":""})", R"({"n":"405","m":405,"t":"true"})",
          R"({"k:,()~*":"v:,()~* ü\"\\\n\u0001","x":"-","y":"1.","z":"0.5","e":"1e5","f":1e5})",
          R"([["a",{"b":["c"]}],"007","-0.1"])"}) {
        const ordered_json value = ordered_json::parse(text);
        const std::string link = link_text(value);
        INFO(link);
        CHECK(link.find_first_of("{}[]\n") == std::string::npos);
        CHECK(ordered_json::parse(json_of_link_text(link)) == value);
    }
    CHECK(link_text(ordered_json::parse(R"({"a":["b",2]})")) == "(a:*(b,2))");
    for (const char* broken : {"(", ")", "(a:b))", "*(", "(a:(b)"})
        CHECK(json_of_link_text(broken).empty());
}

TEST_CASE("A written-out model means the same in both spellings, and in a link") {
    const Catalog& catalog = test::shared_catalog();
    const ordered_json model = small_model();
    std::vector<Bytes> totals;
    for (const std::string& text : {model.dump(), link_text(model)}) {
        Query query;
        REQUIRE(query.set(Field::model, text));
        REQUIRE(query.set(Field::artifact, "file"));
        const auto again = query_from_url("https://example.org/?" + query_to_url(query));
        REQUIRE(again);
        CHECK(*again == query);
        const auto resolved = resolve(*again, catalog);
        REQUIRE(resolved);
        CHECK(resolved->model->id == "local:small");
        REQUIRE(resolved->artifact != nullptr);
        CHECK(resolved->artifact->name == "GGUF MIX");
        CHECK(resolved->artifact->engines.front() == "llama.cpp");
        REQUIRE(resolved->quantization != nullptr);
        CHECK(resolved->quantization->bits_per_weight == 5.5);
        const Estimate estimate = vramscope::estimate(resolved->request);
        CHECK(estimate.artifact_tensor_bytes == 100000);
        totals.push_back(estimate.total().expected);
    }
    CHECK(totals[0] == totals[1]);
    Query query;
    REQUIRE(query.set(Field::model, link_text(model)));
    // Readable in an address: nothing but letters, digits and what stands for itself there.
    CHECK(query_to_url(query).find('%') == std::string::npos);
}

TEST_CASE("What is wrong with a written-out model is said with its place") {
    const Catalog& catalog = test::shared_catalog();
    const auto message = [&](const auto& change) {
        ordered_json model = small_model();
        change(model);
        const auto read = read_inline_model(link_text(model), catalog);
        return read ? std::string() : read.error().message;
    };
    CHECK(message([](auto& m) { m["wieghts"] = 1; }).find("did you mean \"weights\"") !=
          std::string::npos);
    CHECK(message([](auto& m) { m["weights"].erase("bytes"); }).find("bytes") != std::string::npos);
    CHECK(message([](auto& m) {
              m["weights"].erase("bits_per_weight");
          }).find("weights.quantization") != std::string::npos);
    CHECK(message([](auto& m) { m["architecture"]["n_embd"] = 0; }).find("n_embd") !=
          std::string::npos);
    CHECK_FALSE(read_inline_model("(name:x", catalog));
    CHECK(is_inline_model("{}"));
    CHECK_FALSE(is_inline_model("qwen3-8b"));
}
