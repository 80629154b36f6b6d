// Shapes from config.json, against the parameter counts that publishers state: configs.json holds
// real files with their source and commit.
#include "formats/hf_config.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/tensors.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;
using namespace vramscope::formats;
using catalog::Json;

namespace {

ConfigReading read(const Json& config) {
    catalog::JsonFaults faults;
    ConfigReading reading = read_hf_config(catalog::JsonReader(config, "config.json", faults));
    INFO((faults.empty() ? std::string()
                         : faults.errors.front().where + " " + faults.errors.front().message));
    CHECK(faults.empty());
    return reading;
}

ConfigReading read(const std::string& text) {
    const auto json = catalog::parse_json(text, "config.json");
    REQUIRE(json);
    return read(*json);
}

Architecture shape(const std::string& text) {
    ConfigReading reading = read(text);
    INFO((reading.missing.empty() ? std::string() : reading.missing.front()));
    REQUIRE(reading.architecture);
    return *reading.architecture;
}

std::int64_t windowed_layers(const Architecture& a) {
    std::int64_t count = 0;
    for (const Layer& layer : a.layers)
        count += is_windowed(a.mixer(layer).kind) ? 1 : 0;
    return count;
}

} // namespace

TEST_CASE("Real configs give the published parameter counts") {
    const auto file =
        catalog::parse_json(test::read_file("tests/formats/configs.json"), "configs.json");
    REQUIRE(file);
    int checked = 0;
    for (const Json& entry : (*file)["configs"]) {
        INFO(entry["model"].get<std::string>());
        INFO(entry["source"].get<std::string>());
        const ConfigReading reading = read(entry["config"]);
        REQUIRE(reading.architecture);
        const auto published = entry["published"].get<std::int64_t>();
        std::int64_t named = 0;
        for (const auto& [group, parameters] : entry["differences"].items())
            named += parameters.get<std::int64_t>();
        const std::int64_t left =
            published - named - count_parameters(*reading.architecture).total();
        // Scales of packed checkpoints are known to a few tensors of thousands.
        const std::int64_t allowed = entry["differences"].empty() ? 0 : published / 200'000;
        CHECK(left >= -allowed);
        CHECK(left <= allowed);
        // The shape is the one that the catalog has, not just one of the same size.
        const catalog::Model* model =
            test::shared_catalog().find_model(entry["model"].get<std::string>());
        REQUIRE(model != nullptr);
        CHECK(reading.architecture->n_layer() == model->architecture.n_layer());
        CHECK(windowed_layers(*reading.architecture) == windowed_layers(model->architecture));
        CHECK(count_parameters(*reading.architecture).text ==
              count_parameters(model->architecture).text);
        ++checked;
    }
    CHECK(checked >= 40);
}

TEST_CASE("Every family of model types gives the catalog's shape") {
    const auto file = catalog::parse_json(test::read_file("tests/formats/written_configs.json"),
                                          "written_configs.json");
    REQUIRE(file);
    int checked = 0;
    for (const Json& entry : (*file)["configs"]) {
        INFO(entry["model"].get<std::string>());
        const ConfigReading reading = read(entry["config"]);
        REQUIRE(reading.architecture);
        const catalog::Model* model =
            test::shared_catalog().find_model(entry["model"].get<std::string>());
        REQUIRE(model != nullptr);
        const Architecture& own = *reading.architecture;
        const Architecture& known = model->architecture;
        CHECK(count_parameters(own).text == count_parameters(known).text);
        CHECK(count_parameters(own).mtp == count_parameters(known).mtp);
        CHECK(windowed_layers(own) == windowed_layers(known));
        CHECK((known.gguf_arch.empty() || own.gguf_arch == known.gguf_arch));
        ++checked;
    }
    CHECK(checked >= 70);
}

TEST_CASE("Windows: layer types, a period, a text pattern, or what the architecture implies") {
    const std::string common =
        R"("hidden_size":64,"num_attention_heads":4,"intermediate_size":128,"vocab_size":100,)";
    CHECK(windowed_layers(shape(R"({"model_type":"gemma2","num_hidden_layers":8,"head_dim":16,)" +
                                common + R"("num_key_value_heads":2,"sliding_window":32})")) == 4);
    CHECK(windowed_layers(shape(R"({"model_type":"gemma3_text","num_hidden_layers":12,)" + common +
                                R"("num_key_value_heads":2,"sliding_window":32})")) == 10);
    CHECK(windowed_layers(shape(R"({"model_type":"gemma3_text","num_hidden_layers":12,)" + common +
                                R"("sliding_window":32,"num_key_value_heads":2,)"
                                R"("sliding_window_pattern":3})")) == 8);
    CHECK(windowed_layers(shape(R"({"model_type":"exaone4","num_hidden_layers":8,)" + common +
                                R"("sliding_window":32,"sliding_window_pattern":"LLLG"})")) == 6);
    CHECK(windowed_layers(shape(R"({"model_type":"olmo3","num_hidden_layers":4,)" + common +
                                R"("sliding_window":32,"layer_types":["sliding_attention",)"
                                R"("full_attention","full_attention","full_attention"]})")) == 1);
    CHECK(windowed_layers(shape(
              R"({"model_type":"qwen2","num_hidden_layers":4,)" + common +
              R"("num_key_value_heads":2,"sliding_window":32,"use_sliding_window":false})")) == 0);
}

TEST_CASE("What a config leaves out has the defaults of its class") {
    // google/gemma-3-4b-it says only what differs from Gemma3TextConfig.
    const Architecture gemma = shape(
        R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,)"
        R"("intermediate_size":10240,"num_hidden_layers":34,"sliding_window":1024},)"
        R"("vision_config":{}})");
    CHECK(gemma.n_vocab == 262208);
    CHECK(gemma.tied_embeddings);
    CHECK(gemma.mixers.front().q_heads == 8);
    CHECK(gemma.mixers.front().kv_heads == 4);
    CHECK(gemma.mixers.front().head_dim_k == 256);
    CHECK(count_parameters(gemma).total() == 3'880'263'168); // as the catalog's, without its tower
}

TEST_CASE("Multimodal configs nest the language model under several names") {
    const std::string inner =
        R"({"model_type":"qwen2","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,)"
        R"("num_key_value_heads":2,"intermediate_size":128,"vocab_size":100})";
    for (const char* key : {"text_config", "llm_config", "language_config", "llm_cfg"}) {
        const ConfigReading reading = read(R"({"model_type":"some_vlm","vision_config":{},")" +
                                           std::string(key) + R"(":)" + inner + "}");
        REQUIRE(reading.architecture);
        CHECK(reading.architecture->n_layer() == 2);
        CHECK(reading.missing.size() == 1); // the tower
    }
}

TEST_CASE("Rope scaling: factors that the converter stores, and the published extension") {
    const std::string start =
        R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":1,"num_attention_heads":4,)"
        R"("intermediate_size":128,"vocab_size":100,"max_position_embeddings":131072,)";
    CHECK(shape(start + R"("rope_scaling":{"rope_type":"llama3"}})").rope_factors == 8);
    const Architecture yarn = shape(
        start +
        R"("rope_scaling":{"type":"yarn","factor":4,"original_max_position_embeddings":32768}})");
    CHECK(yarn.native_context == 131072);
    CHECK(yarn.extended_context == 131072);
    const Architecture phi = shape(
        R"({"model_type":"phi3","hidden_size":64,"num_hidden_layers":1,"num_attention_heads":4,)"
        R"("intermediate_size":128,"vocab_size":100,)"
        R"("rope_scaling":{"type":"longrope","long_factor":[1,1,1,1],"short_factor":[1,1,1,1]}})");
    CHECK(phi.rope_factors == 4);
    CHECK(phi.rope_factor_vectors == 2);
}
