// The request vocabulary: spellings, ranges, links.
#include "catalog/request_fields.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

using namespace vramscope::catalog;

namespace {

std::string fault_of(std::string_view key, std::string_view value) {
    Query query;
    const auto set = query.set(key, value);
    return set ? "" : set.error().message;
}

std::string text_of(std::string_view key, std::string_view value) {
    Query query;
    const auto set = query.set(key, value);
    REQUIRE(set);
    return query.text(find_field(key)->field);
}

} // namespace

TEST_CASE("Keys are found in every spelling") {
    CHECK(find_field("n_ctx") == find_field("n-ctx"));
    CHECK(find_field("n_ctx") == find_field("--N-Ctx"));
    CHECK(find_field("n_seq_max")->field == Field::n_seq);
    CHECK(find_field("ngl")->field == Field::n_gpu_layers);
    CHECK(find_field("context") == nullptr);
    CHECK(find_field("") == nullptr);
}

TEST_CASE("Keys and aliases are unique") {
    for (const FieldInfo& field : all_fields()) {
        CHECK(find_field(field.key) == &field);
        for (const char* alias : field.aliases)
            CHECK(find_field(alias) == &field);
    }
}

TEST_CASE("Values have one spelling") {
    CHECK(text_of("n_ctx", " 8192 ") == "8192");
    CHECK(text_of("n_ctx", "8k") == "8192");
    CHECK(text_of("n_ctx", "1M") == "1048576");
    CHECK(text_of("n_ctx", "8.192e3") == "8192");
    CHECK(text_of("host_memory_gib", "64.50") == "64.5");
    CHECK(text_of("engine", "VLLM") == "vllm");
    CHECK(text_of("swa_full", "On") == "true");
    CHECK(text_of("tensor_split", " 3, 1 ") == "3,1");
    CHECK(text_of("type_k", "Q8_0") == "q8_0");
}

TEST_CASE("A default that is spelt out is the default") {
    Query query;
    REQUIRE(query.set("n_ctx", "32k"));
    REQUIRE(query.set("model", "GLM-4-9B-0414"));
    REQUIRE(query.set("cpu_moe", "no"));
    CHECK(query == Query());
    CHECK(query.value(Field::n_ctx) == "32768");
    CHECK(query_to_url(query).empty());
}

TEST_CASE("Bad values are refused with what is allowed") {
    CHECK(fault_of("n_ctx", "0") ==
          "n_ctx: expected a whole number from 1 to 1073741824 (tokens), got \"0\"");
    CHECK(fault_of("n_ctx", "-5").find("got \"-5\"") != std::string::npos);
    CHECK(fault_of("n_ctx", "1000000000000000").find("from 1 to 1073741824") != std::string::npos);
    CHECK(fault_of("n_ctx", "many").find("whole number") != std::string::npos);
    CHECK(fault_of("n_ctx", "1.5").find("whole number") != std::string::npos);
    CHECK(fault_of("n_ctx", "0x20").find("whole number") != std::string::npos);
    CHECK(fault_of("n_ctx", "nan").find("whole number") != std::string::npos);
    CHECK(fault_of("reserved_gib", "inf").find("a number") != std::string::npos);
    CHECK(fault_of("engine", "lama.cpp").find("llama.cpp, ollama") != std::string::npos);
    CHECK(fault_of("swa_full", "perhaps") == "swa_full: expected true or false, got \"perhaps\"");
    CHECK(fault_of("tensor_split", "1,,2").find("numbers") != std::string::npos);
    CHECK(fault_of("n_ctxx", "1") ==
          "there is no request field \"n_ctxx\"; did you mean \"n_ctx\"?");
}

TEST_CASE("A refused value leaves the query as it was") {
    Query query;
    REQUIRE(query.set("n_ctx", "8192"));
    CHECK_FALSE(query.set("n_ctx", "0"));
    CHECK(query.text(Field::n_ctx) == "8192");
}

TEST_CASE("Links are read whatever their form") {
    for (const char* url : {"https://example.org/vramscope/?model=qwen3-8b&n_ctx=8192#top",
                            "?model=qwen3-8b&n_ctx=8192", "model=qwen3-8b&n-ctx=8k",
                            "?n_ctx=8192&&model=qwen3%2D8b&"}) {
        INFO(url);
        const auto query = query_from_url(url);
        REQUIRE(query);
        CHECK(query->text(Field::model) == "qwen3-8b");
        CHECK(query->text(Field::n_ctx) == "8192");
    }
    CHECK(*query_from_url("https://example.org/") == Query());
    std::vector<UrlParameter> others;
    REQUIRE(query_from_url("?lang=de&n_ctx=4096&x=%E2%9C%93+1", &others));
    REQUIRE(others.size() == 2);
    CHECK(others[0].key == "lang");
    CHECK(others[1].value == "\xE2\x9C\x93 1");
}

TEST_CASE("Any text is a link or an error, never a crash") {
    std::mt19937 random(7);
    const std::string alphabet = "?&=%#n_ctx0159aF+-.,*{}\"\\\xFF\x80 ";
    for (int round = 0; round < 20000; ++round) {
        std::string url;
        for (auto length = random() % 40; length > 0; --length) {
            url += alphabet[random() % alphabet.size()];
        }
        const auto query = query_from_url(url);
        if (query)
            CHECK(*query_from_url("?" + query_to_url(*query)) == *query);
    }
}

TEST_CASE("A query survives its link") {
    Query query;
    REQUIRE(query.set("model", "a b&c=d%e\xC3\xA4"));
    REQUIRE(query.set("hardware", "rtx-3090-24gb*2,custom:24:936"));
    REQUIRE(query.set("n_ctx", "131072"));
    REQUIRE(query.set("type_k", "q8_0"));
    REQUIRE(query.set("kv_unified", "false"));
    const auto back = query_from_url(query_to_url(query));
    REQUIRE(back);
    CHECK(*back == query);
}
