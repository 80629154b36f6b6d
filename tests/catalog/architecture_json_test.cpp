#include "catalog/architecture_json.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/tensors.h"
#include "support/files.h"

using namespace vramscope;
using catalog::read_architecture;

namespace {

/// Gemma-3-27B as a catalog entry would have it.
constexpr const char* gemma = R"({
  "gguf_arch": "gemma3", "n_embd": 5376, "n_vocab": 262208, "n_vocab_gguf": 262144,
  "tied_embeddings": true, "native_context": 131072,
  "norms": {"after_mixer": true, "after_feed_forward": true},
  "mixers": {
    "local": {"kind": "sliding_window", "window": 1024, "q_heads": 32, "kv_heads": 16,
              "head_dim": 128, "qk_norm": "per_head"},
    "global": {"kind": "full_attention", "q_heads": 32, "kv_heads": 16, "head_dim": 128,
               "qk_norm": "per_head"}},
  "feed_forwards": {"dense": {"kind": "dense", "n_ff": 21504}},
  "layers": [{"count": 62, "cycle": ["local", "local", "local", "local", "local", "global"],
              "feed_forward": "dense"}],
  "towers": [{"name": "vision", "parameters": 423060336}]
})";

/// The entry with a value put at a JSON pointer, or removed when the text is empty.
std::string with(const std::string& pointer, const std::string& value) {
    auto json = nlohmann::json::parse(gemma, nullptr, false);
    const nlohmann::json::json_pointer place(pointer);
    if (value.empty()) {
        json.at(place.parent_pointer()).erase(place.back());
    } else {
        json[place] = nlohmann::json::parse(value, nullptr, false);
    }
    return json.dump();
}

struct FaultCase {
    const char* pointer;
    const char* value;
    const char* where;   ///< end of the place that the message names
    const char* message; ///< part of it
};

} // namespace

TEST_CASE("An architecture is read with its pattern") {
    const auto a = read_architecture(gemma);
    REQUIRE(a);
    CHECK(count_parameters(*a).total() == 27'432'406'640); // as Google's checkpoint has it
    REQUIRE(a->layers.size() == 62);
    for (std::size_t i = 0; i < a->layers.size(); ++i) {
        CHECK((a->mixer(a->layers[i]).kind == MixerKind::full_attention) == (i % 6 == 5));
    }
    CHECK(a->native_context == 131072);
    CHECK(a->norms.after_mixer);
    CHECK(a->norms.before_mixer);
    CHECK(a->mixer(a->layers[0]).head_dim_v == 128);
    CHECK(a->towers.at(0).name == "vision");
}

TEST_CASE("A group can spell its layers out") {
    const auto a = read_architecture(with("/layers", R"([
        {"mixers": ["local", "global"], "feed_forwards": ["dense", "dense"]},
        {"mixers": ["global", "local", "local"], "feed_forward": "dense", "shares_kv": true},
        {"count": 1, "mixer": "local", "feed_forward": "dense"}])"));
    REQUIRE(a);
    REQUIRE(a->layers.size() == 6);
    const auto is_global = [&](std::size_t i) {
        return a->mixer(a->layers[i]).kind == MixerKind::full_attention;
    };
    CHECK_FALSE(is_global(0));
    CHECK(is_global(1));
    CHECK(is_global(2));
    CHECK_FALSE(a->layers[1].shares_kv);
    CHECK(a->layers[2].shares_kv);
    CHECK_FALSE(a->layers[5].shares_kv);
}

TEST_CASE("Faults name the field and say what was expected") {
    const FaultCase cases[] = {
        {"/n_embd", "\"x\"", "n_embd", "expected a whole number from 0 to 16777216, got \"x\""},
        {"/n_embd", "", "n_embd", "must be a positive number"},
        {"/n_embd", "16777217", "n_embd", "from 0 to 16777216"},
        {"/n_vocab", "2.5", "n_vocab", "whole number"},
        {"/native_context", "-1", "native_context", "from 0"},
        {"/tied_embeddings", "1", "tied_embeddings", "expected true or false"},
        {"/n_embed", "1", "n_embed", "did you mean \"n_embd\"?"},
        {"/norms/after_mix", "true", "norms.after_mix", "did you mean \"after_mixer\"?"},
        {"/norms", "[]", "norms", "expected an object"},
        {"/mixers", "", "mixers", "is missing"},
        {"/mixers/local/kind", "\"swa\"", "mixers.local.kind", "sliding_window"},
        {"/mixers/local/window", "\"x\"", "mixers.local.window", "got \"x\""},
        {"/mixers/local/window", "0", "mixers.window", "positive"},
        {"/mixers/local/qk_norm", "true", "mixers.local.qk_norm", "per_head"},
        {"/mixers/other", R"({"kind": "none"})", "mixers.other", "not used by any layer"},
        {"/feed_forwards/dense", "3", "feed_forwards.dense", "expected an object"},
        {"/layers", "", "layers", "is missing"},
        {"/layers", "[]", "mixers.global", "not used"},
        {"/layers/0/count", "", "layers[0].count", "is missing"},
        {"/layers/0/count", "4097", "layers[0].count", "from 1 to 4096"},
        {"/layers/0/cycle/1", "\"locale\"", "layers[0].cycle[1]", "out of mixers"},
        {"/layers/0/cycle", "[]", "layers[0].cycle", "1 to 4096 names"},
        {"/layers/0/feed_forward", "7", "layers[0].feed_forward", "out of feed_forwards"},
        {"/layers/0/mixer", "\"local\"", "layers[0]", "both mixer and cycle"},
        {"/layers", R"([{"count": 2, "mixer": ["local", "global"], "feed_forward": "dense"}])",
         "layers[0].mixer", "expected one name"},
        {"/layers/0/repeat", "2", "layers[0].repeat", "not a known field"},
        {"/layers", R"([{"mixers": ["local", "global"], "feed_forwards": ["dense"]}])",
         "layers[0].feed_forwards", "1 names for 2 mixers"},
        {"/layers", R"([{"mixers": ["local", "global"], "feed_forward": "dense", "count": 3}])",
         "layers[0].count", "number of mixers"},
        {"/towers/0/parameters", "0", "towers[0].parameters", "from 1"},
        {"/mixers/local/kv_heads", "33", "mixers.kv_heads", "must not exceed q_heads"},
    };
    for (const FaultCase& test : cases) {
        CAPTURE(test.pointer, test.value);
        const auto a = read_architecture(with(test.pointer, test.value));
        REQUIRE_FALSE(a);
        CAPTURE(a.error().where, a.error().message);
        CHECK(a.error().where.ends_with(test.where));
        CHECK(a.error().message.find(test.message) != std::string::npos);
    }
}

TEST_CASE("Anything but an object is refused") {
    for (const char* text : {"", "{", "null", "[]", "3", "\"x\"", "{}"}) {
        CAPTURE(text);
        CHECK_FALSE(read_architecture(text));
    }
}

TEST_CASE("What is written is read back the same") {
    const auto models =
        catalog::parse_json(test::read_file("tests/reference/oracle_models.json"), "models");
    REQUIRE(models);
    for (const auto& [name, value] : models->items()) {
        CAPTURE(name);
        const auto before = read_architecture(value.dump());
        REQUIRE(before);
        const std::string text = catalog::write_architecture(*before).dump();
        const auto after = read_architecture(text);
        CAPTURE(text);
        REQUIRE(after);
        CHECK(count_parameters(*after).total() == count_parameters(*before).total());
        REQUIRE(after->layers.size() == before->layers.size());
        for (std::size_t i = 0; i < after->layers.size(); ++i) {
            CHECK(after->mixer(after->layers[i]) == before->mixer(before->layers[i]));
            CHECK(after->feed_forward(after->layers[i]) == before->feed_forward(before->layers[i]));
            CHECK(after->layers[i].shares_kv == before->layers[i].shares_kv);
        }
    }
}

TEST_CASE("Writing finds the shortest groups and leaves defaults out") {
    const auto a = read_architecture(gemma);
    REQUIRE(a);
    const auto json = catalog::write_architecture(*a);
    REQUIRE(json["layers"].size() == 1);
    CHECK(json["layers"][0]["count"] == 62);
    CHECK(json["layers"][0]["cycle"].size() == 6);
    CHECK(json["layers"][0]["feed_forward"] == "dense");
    CHECK(json["mixers"]["sliding_window"]["head_dim"] == 128);
    CHECK_FALSE(json["mixers"]["sliding_window"].contains("head_dim_k"));
    CHECK_FALSE(json.contains("mtp_layers"));
    CHECK_FALSE(json["norms"].contains("before_mixer"));
}
