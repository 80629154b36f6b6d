// What people type, and the model each must put first.
#include "catalog/search.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "catalog/text_match.h"
#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::catalog;

namespace {

struct Typed {
    const char* query;
    const char* model;
};

// Short forms, spellings of names, repositories, tags, sizes, makers, kinds, and typing errors.
// Where several models are meant equally, the one that most people ask for or the newest comes
// first.
constexpr Typed typed[] = {
    {"GLM 4 9B", "glm-4-9b-0414"},
    {"glm4:9b", "glm-4-9b-0414"},
    {"glm-4-9b", "glm-4-9b-0414"},
    {"zai-org/GLM-4-9B-0414", "glm-4-9b-0414"},
    {"THUDM/GLM-4-9B-0414", "glm-4-9b-0414"},
    {"glm 4.5 air", "glm-4.5-air"},
    {"glm-4.6", "glm-4.6"},
    {"glm 4.7 flash", "glm-4.7-flash"},
    {"glm 5", "glm-5"},
    {"zhipu 32b", "glm-4-32b-0414"},
    {"chatglm3", "chatglm3-6b"},
    {"qwen 30b moe", "qwen3-30b-a3b"},
    {"qwen3 30b", "qwen3-30b-a3b"},
    {"qwen3:30b-a3b", "qwen3-30b-a3b"},
    {"Qwen/Qwen3-30B-A3B", "qwen3-30b-a3b"},
    {"qwen3-30b-a3b-instruct-2507", "qwen3-30b-a3b-instruct-2507"},
    {"qwen3 30b thinking", "qwen3-30b-a3b-thinking-2507"},
    {"qwen 3 8b", "qwen3-8b"},
    {"qwen3:8b", "qwen3-8b"},
    {"qwen3 14b", "qwen3-14b"},
    {"qwen3 32b", "qwen3-32b"},
    {"qwen 235b", "qwen3-235b-a22b"},
    {"qwen coder 30b", "qwen3-coder-30b-a3b-instruct"},
    {"qwen3-coder:480b", "qwen3-coder-480b-a35b-instruct"},
    {"qwen 2.5 7b", "qwen2.5-7b-instruct"},
    {"qwen2.5 72b instruct", "qwen2.5-72b-instruct"},
    {"qwen2.5-coder:32b", "qwen2.5-coder-32b-instruct"},
    {"qwen2.5 coder 7b", "qwen2.5-coder-7b-instruct"},
    {"qwen2.5vl:7b", "qwen2.5-vl-7b-instruct"},
    {"qwen3 vl 8b", "qwen3-vl-8b-instruct"},
    {"qwen next", "qwen3-next-80b-a3b-instruct"},
    {"qwen3.5 27b", "qwen3.5-27b"},
    {"qwen 3.6 35b", "qwen3.6-35b-a3b"},
    {"qwq", "qwq-32b"},
    {"qwem 3 8b", "qwen3-8b"},
    {"llama3.3", "llama-3.3-70b-instruct"},
    {"llama 3.3 70b", "llama-3.3-70b-instruct"},
    {"llama3.1:8b", "llama-3.1-8b-instruct"},
    {"llama 3.1 8b", "llama-3.1-8b-instruct"},
    {"lama 3.1 8b", "llama-3.1-8b-instruct"},
    {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b-instruct"},
    {"llama 405b", "llama-3.1-405b-instruct"},
    {"llama3.2 3b", "llama-3.2-3b-instruct"},
    {"llama 3.2 vision", "llama-3.2-11b-vision-instruct"},
    {"llama 3 8b", "meta-llama-3-8b"},
    {"llama 2 13b", "llama-2-13b-hf"},
    {"llama2:7b", "llama-2-7b-hf"},
    {"llama 4 scout", "llama-4-scout-17b-16e-instruct"},
    {"maverick", "llama-4-maverick-17b-128e-instruct"},
    {"code llama 34b", "codellama-34b-hf"},
    {"codellama:7b", "codellama-7b-hf"},
    {"gemma 3 12b", "gemma-3-12b-it"},
    {"gemma3:27b", "gemma-3-27b-it"},
    {"gema 3 4b", "gemma-3-4b-it"},
    {"google/gemma-3-12b-it", "gemma-3-12b-it"},
    {"gemma 3 12b instruct", "gemma-3-12b-it"},
    {"gemma 2 9b", "gemma-2-9b-it"},
    {"gemma 3n e4b", "gemma-3n-e4b-it"},
    {"gemma3n:e2b", "gemma-3n-e2b-it"},
    {"gemma 4 31b", "gemma-4-31b-it"},
    {"gemma 4 26b moe", "gemma-4-26b-a4b-it"},
    {"gemma 270m", "gemma-3-270m-it"},
    {"mistral 7b", "mistral-7b-instruct-v0.3"},
    {"mistal 7b", "mistral-7b-instruct-v0.3"},
    {"mixtral", "mixtral-8x7b-instruct-v0.1"},
    {"mixtral 8x22b", "mixtral-8x22b-instruct-v0.1"},
    {"mistral nemo", "mistral-nemo-instruct-2407"},
    {"mistral small 3.2", "mistral-small-3.2-24b-instruct-2506"},
    {"mistral large 2411", "mistral-large-instruct-2411"},
    {"mistral large", "mistral-large-3-675b-instruct-2512"},
    {"magistral", "magistral-small-2506"},
    {"devstral small", "devstral-small-2-24b-instruct-2512"},
    {"devstral small 2505", "devstral-small-2505"},
    {"ministral 8b", "ministral-3-8b-instruct-2512"},
    {"deepseek r1", "deepseek-r1"},
    {"deepseekr1", "deepseek-r1"},
    {"deepseek-r1:32b", "deepseek-r1-distill-qwen-32b"},
    {"deepseek r1 distill llama 70b", "deepseek-r1-distill-llama-70b"},
    {"deepseek v3", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-V3-0324", "deepseek-v3-0324"},
    {"deepsek v3.1", "deepseek-v3.1"},
    {"deepseek v3.2", "deepseek-v3.2"},
    {"deepseek v4 flash", "deepseek-v4-flash"},
    {"deepseek coder v2 lite", "deepseek-coder-v2-lite-instruct"},
    {"deepseek 671b", "deepseek-v3"},
    {"kimi k2", "kimi-k2-instruct"},
    {"kimi k2 thinking", "kimi-k2-thinking"},
    {"kimi linear", "kimi-linear-48b-a3b-instruct"},
    {"moonlight", "moonlight-16b-a3b-instruct"},
    {"gpt-oss", "gpt-oss-20b"},
    {"gpt oss 120b", "gpt-oss-120b"},
    {"gptoss20b", "gpt-oss-20b"},
    {"openai 20b", "gpt-oss-20b"},
    {"gpt2", "gpt2"},
    {"phi 4", "phi-4"},
    {"phi-4 mini", "phi-4-mini-instruct"},
    {"phi3 mini", "phi-3-mini-4k-instruct"},
    {"microsoft phi 3.5 moe", "phi-3.5-moe-instruct"},
    {"minimax m2", "minimax-m2"},
    {"command r plus", "c4ai-command-r-plus"},
    {"command r7b", "c4ai-command-r7b-12-2024"},
    {"aya 8b", "aya-expanse-8b"},
    {"granite 3.3 8b", "granite-3.3-8b-instruct"},
    {"nemotron nano 9b", "nvidia-nemotron-nano-9b-v2"},
    {"nemotron 49b", "llama-3-3-nemotron-super-49b-v1-5"},
    {"smollm2 135m", "smollm2-135m-instruct"},
    {"tinyllama", "tinyllama-1.1b-chat-v1.0"},
    {"falcon 40b", "falcon-40b-instruct"},
    {"olmo 2 32b", "olmo-2-0325-32b-instruct"},
    {"exaone 4 32b", "exaone-4.0-32b"},
    {"seed oss", "seed-oss-36b-instruct"},
    {"starcoder 15b", "starcoder2-15b"},
    {"yi 34b", "yi-34b"},
    {"solar 10.7b", "solar-10.7b-instruct-v1.0"},
    {"hermes 4 70b", "hermes-4-70b"},
    {"jamba mini", "ai21-jamba-mini-1.5"},
    {"ernie 21b", "ernie-4.5-21b-a3b-thinking"},
    {"step 3.5", "step-3.5-flash"},
    {"hunyuan 80b", "hunyuan-a13b-instruct"},
    {"r1 distill 14b", "deepseek-r1-distill-qwen-14b"},
    {"qwen 4b 2507", "qwen3-4b-instruct-2507"},
    {"unsloth qwen3 coder next", "qwen3-coder-next"},
    {"llama-3.1-8b-instruct", "llama-3.1-8b-instruct"},
    {"Mistral-7B-Instruct-v0.2", "mistral-7b-instruct-v0.2"},
    {"phi4", "phi-4"},
    {"phi4 reasoning", "phi-4-reasoning"},
    {"qwen3 vl 30b", "qwen3-vl-30b-a3b-instruct"},
    {"nemotron 3 nano", "nvidia-nemotron-3-nano-30b-a3b-bf16"},
    {"lfm2 8b", "lfm2-8b-a1b"},
    {"longcat", "longcat-flash-chat"},
    {"kimi vl", "kimi-vl-a3b-instruct"},
};

const ModelSearch& index() {
    static const ModelSearch made(test::shared_catalog());
    return made;
}

} // namespace

TEST_CASE("Queries put the model first that people mean") {
    REQUIRE(std::size(typed) >= 100);
    for (const Typed& line : typed) {
        const auto hits = index().find(line.query);
        CAPTURE(line.query);
        REQUIRE_FALSE(hits.empty());
        CHECK(hits.front().model->id == line.model);
    }
}

TEST_CASE("Every model is found by its id, name and repository") {
    for (const Model& model : test::shared_catalog().models) {
        CAPTURE(model.id);
        for (const std::string* text : {&model.id, &model.name, &model.hf_repo}) {
            const auto hits = index().find(*text, 1);
            REQUIRE_FALSE(hits.empty());
            CHECK(hits.front().model == &model);
        }
    }
}

TEST_CASE("What answers nothing finds nothing") {
    for (const char* query : {"", "   ", "xyzzy", "dbrx", "!!!", "q8w9e7r6t5", "wurlitzer 9000b"}) {
        CAPTURE(query);
        CHECK(index().find(query).empty());
    }
    CHECK(index().find(std::string(100000, 'a')).empty());
    CHECK(index().find("qwen", 3).size() == 3);
    (void)index().find("\xff\xfe \xc3");
}

TEST_CASE("Queries are cut into words as people write names") {
    using Words = std::vector<std::string>;
    CHECK(search_words("Llama3.3") == Words{"llama", "3.3"});
    CHECK(search_words("qwen3:30b-a3b") == Words{"qwen", "3", "30b", "a3b"});
    CHECK(search_words("Mixtral-8x7B v0.1") == Words{"mixtral", "8x7b", "v0.1"});
    CHECK(search_words("qwen2.5vl") == Words{"qwen", "2.5", "vl"});
    CHECK(search_words("gemma 3n E4B") == Words{"gemma", "3n", "e4b"});
    CHECK(search_words("stablelm-2-1_6b") == Words{"stablelm", "2", "1.6b"});
    CHECK(search_words("K2.5") == Words{"k2.5"});
    CHECK(search_words(" -- ").empty());
}

TEST_CASE("Typing errors are counted in letters") {
    CHECK(typing_errors("llama", "llama") == 0);
    CHECK(typing_errors("lama", "llama") == 1);
    CHECK(typing_errors("lalma", "llama") == 1);
    CHECK(typing_errors("mistarl", "mistral") == 1);
    CHECK(typing_errors("", "abc") == 3);
    CHECK(typing_errors("kitten", "sitting") == 3);
}
