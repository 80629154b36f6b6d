// Files together: parts, shards with their config, projectors and adapters, drafts for the catalog.
#include "formats/inspection.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "catalog/architecture_json.h"
#include "catalog/inline_model.h"
#include "catalog/sources.h"
#include "support/catalog.h"
#include "support/files.h"
#include "support/oracle_headers.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

const StorageTypeTable& types() {
    static const StorageTypeTable table = test::catalog_storage_types();
    return table;
}

void add(Inspector& inspector, const test::GgufWriter& writer, const std::string& name) {
    const std::string bytes = writer.header();
    GgufReader reader(types(), name, writer.file_bytes());
    reader.feed({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    INFO(reader.error().message);
    REQUIRE(reader.state() == ReadState::done);
    inspector.add(reader.take_header(), name, writer.file_bytes());
}

void add_safetensors(Inspector& inspector, const std::string& json, const std::string& name) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(std::uint64_t{json.size()} >> 8 * i & 0xFFU);
    bytes += json;
    SafetensorsReader reader(name);
    reader.feed({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    INFO(reader.error().message);
    REQUIRE(reader.state() == ReadState::done);
    inspector.add(reader.take_header(), name, unknown_size);
}

/// A model of two layers, whole or in two parts.
void write_layer(test::GgufWriter& w, int layer) {
    const std::string p = "blk." + std::to_string(layer) + ".";
    w.tensor(p + "attn_norm.weight", StorageType::f32, {64}, types());
    w.tensor(p + "attn_q.weight", StorageType::f16, {64, 64}, types());
    w.tensor(p + "attn_k.weight", StorageType::f16, {64, 32}, types());
    w.tensor(p + "attn_v.weight", StorageType::f16, {64, 32}, types());
    w.tensor(p + "attn_output.weight", StorageType::f16, {64, 64}, types());
    w.tensor(p + "ffn_norm.weight", StorageType::f32, {64}, types());
    w.tensor(p + "ffn_gate.weight", StorageType::f16, {64, 128}, types());
    w.tensor(p + "ffn_up.weight", StorageType::f16, {64, 128}, types());
    w.tensor(p + "ffn_down.weight", StorageType::f16, {128, 64}, types());
}
void write_start(test::GgufWriter& w) {
    w.text("general.architecture", "llama");
    w.text("general.name", "Tiny Model 2L");
    w.text("general.license", "apache-2.0");
    w.u32("general.file_type", 1);
    w.u32("llama.attention.head_count", 4);
    w.u32("llama.attention.head_count_kv", 2);
    w.u32("llama.context_length", 8192);
}
void write_ends(test::GgufWriter& w) {
    w.tensor("token_embd.weight", StorageType::f16, {64, 1000}, types());
    w.tensor("output_norm.weight", StorageType::f32, {64}, types());
}
constexpr std::int64_t tiny_parameters =
    64 * 1000 + 64 + 2 * (2 * 64 + 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128);

} // namespace

TEST_CASE("A split file is one model, whatever the order of its parts") {
    test::GgufWriter first;
    write_start(first);
    first.u32("split.no", 0);
    first.u32("split.count", 2);
    first.i32("split.tensors.count", 20);
    write_ends(first);
    write_layer(first, 0);
    test::GgufWriter second;
    second.u32("split.no", 1);
    second.u32("split.count", 2);
    write_layer(second, 1);
    for (const bool forward : {true, false}) {
        Inspector inspector(types());
        add(inspector, forward ? first : second,
            forward ? "d/m-00001-of-00002.gguf" : "d/m-00002-of-00002.gguf");
        CHECK(
            inspector.wanted_files() ==
            std::vector<std::string>{forward ? "m-00002-of-00002.gguf" : "m-00001-of-00002.gguf"});
        add(inspector, forward ? second : first,
            forward ? "d/m-00002-of-00002.gguf" : "d/m-00001-of-00002.gguf");
        CHECK(inspector.wanted_files().empty());
        const auto inspection = inspector.result();
        REQUIRE(inspection);
        CHECK(inspection->name == "Tiny Model 2L");
        CHECK(inspection->parameters == tiny_parameters);
        CHECK(inspection->shape_equals_table);
        CHECK(inspection->recipe_exact);
        CHECK(inspection->quantization == "fp16");
        CHECK(inspection->notes.empty());
        CHECK(inspection->files.size() == 2);
        CHECK(inspection->file_bytes ==
              static_cast<Bytes>(first.file_bytes() + second.file_bytes()));
    }
}

TEST_CASE("A projector becomes a tower, an adapter its own term") {
    test::GgufWriter model;
    write_start(model);
    write_ends(model);
    write_layer(model, 0);
    test::GgufWriter projector;
    projector.text("general.architecture", "clip");
    projector.tensor("v.patch_embd.weight", StorageType::f16, {14, 14, 3, 32}, types());
    test::GgufWriter adapter;
    adapter.text("general.architecture", "qwen2");
    adapter.text("general.type", "adapter");
    adapter.text("adapter.type", "lora");
    adapter.tensor("blk.0.attn_q.weight.lora_a", StorageType::f16, {64, 16}, types());
    adapter.tensor("blk.0.attn_q.weight.lora_b", StorageType::f16, {16, 64}, types());
    Inspector inspector(types());
    add(inspector, projector, "mmproj.gguf");
    add(inspector, model, "m.gguf");
    add(inspector, adapter, "lora.gguf");
    const auto inspection = inspector.result();
    REQUIRE(inspection);
    REQUIRE(inspection->architecture);
    REQUIRE(inspection->architecture->towers.size() == 1);
    CHECK(inspection->architecture->towers.front().parameters == 14 * 14 * 3 * 32);
    CHECK(inspection->projector_bytes == 14 * 14 * 3 * 32 * 2);
    CHECK(inspection->adapter_parameters == 2 * 64 * 16);
    CHECK(inspection->adapter_bytes == 2 * 64 * 16 * 2);
    // The adapter was made for another architecture.
    REQUIRE(inspection->notes.size() == 1);
    CHECK(inspection->notes.front() ==
          "lora.gguf adapts the architecture \"qwen2\", the model is \"llama\".");
}

TEST_CASE("Shards and their config: the shape is held against the tensors") {
    const std::string config =
        R"({"model_type":"llama","hidden_size":8,"num_hidden_layers":1,"num_attention_heads":2,)"
        R"("num_key_value_heads":1,"intermediate_size":16,"vocab_size":10,)"
        R"("tie_word_embeddings":true,"time_step_limit":[0.0,Infinity],"torch_dtype":"bfloat16"})";
    const std::string first =
        R"({"model.embed_tokens.weight":{"dtype":"BF16","shape":[10,8],"data_offsets":[0,160]},)"
        R"("model.norm.weight":{"dtype":"BF16","shape":[8],"data_offsets":[160,176]}})";
    // q 8x8, k and v 4x8, o 8x8, three of 16x8, two norms: 64+32+32+64+384+16
    const std::string second =
        R"({"model.layers.0.all":{"dtype":"BF16","shape":[592],"data_offsets":[0,1184]}})";
    Inspector inspector(types());
    REQUIRE(inspector.add_json(config, "config.json"));
    REQUIRE(inspector.add_json(R"({"metadata":{"total_size":1360},"weight_map":{)"
                               R"("model.embed_tokens.weight":"model-00001-of-00002.safetensors",)"
                               R"("model.norm.weight":"model-00001-of-00002.safetensors",)"
                               R"("model.layers.0.all":"model-00002-of-00002.safetensors"}})",
                               "model.safetensors.index.json"));
    add_safetensors(inspector, first, "model-00001-of-00002.safetensors");
    SECTION("all shards") {
        add_safetensors(inspector, second, "model-00002-of-00002.safetensors");
        const auto inspection = inspector.result();
        REQUIRE(inspection);
        CHECK(inspection->parameters == 680);
        CHECK(inspection->tensor_bytes == 1360);
        CHECK(inspection->shape_equals_table);
        CHECK(inspection->quantization == "bf16");
        CHECK(inspection->notes.empty());
    }
    SECTION("one is missing") {
        const auto inspection = inspector.result();
        REQUIRE(inspection);
        CHECK(inspection->notes.front() == "Missing are 1 of 2 shards; bytes and parameters are "
                                           "those of the given ones only.");
    }
}

TEST_CASE("A draft passes the catalog's own check once its TODOs are filled in") {
    test::GgufWriter model;
    write_start(model);
    model.text("general.source.huggingface.repository", "Some-Lab/Tiny-Model-2L");
    write_ends(model);
    write_layer(model, 0);
    write_layer(model, 1);
    Inspector inspector(types());
    add(inspector, model, "tiny-f16.gguf");
    const auto inspection = inspector.result();
    REQUIRE(inspection);
    nlohmann::ordered_json entry = draft_entry(*inspection, {"note: tiny-f16.gguf"});
    CHECK(entry["id"] == "tiny-model-2l");
    CHECK(entry["provider"] == "Some-Lab");
    CHECK(entry["license"] == "apache-2.0");
    CHECK(entry["family"] == "TODO");
    CHECK(entry["artifacts"][0]["bytes"] == static_cast<std::int64_t>(model.file_bytes()));
    CHECK(entry["artifacts"][0]["evidence"] == "file-metadata");
    CHECK(entry["evidence"] == "reported");
    entry["family"] = "Tiny";
    nlohmann::ordered_json file = {{"models", nlohmann::ordered_json::array({entry})}};
    std::vector<catalog::SourceFile> files = test::catalog_sources();
    files.push_back({"models/tiny.json", file.dump()});
    const std::vector<catalog::Error> faults = catalog::check_sources(files);
    INFO((faults.empty() ? std::string() : faults.front().where + ": " + faults.front().message));
    CHECK(faults.empty());
}

TEST_CASE("A mix of its own has the width of its own bytes") {
    test::GgufWriter model;
    write_start(model);
    write_ends(model);
    write_layer(model, 0);
    model.tensor("blk.1.attn_norm.weight", StorageType::f32, {64}, types());
    model.tensor("blk.1.attn_qkv.weight", StorageType::q8_0, {64, 128}, types());
    model.tensor("blk.1.attn_output.weight", StorageType::q4_0, {64, 64}, types());
    model.tensor("blk.1.ffn_norm.weight", StorageType::f32, {64}, types());
    model.tensor("blk.1.ffn_gate.weight", StorageType::q8_0, {64, 128}, types());
    model.tensor("blk.1.ffn_up.weight", StorageType::q8_0, {64, 128}, types());
    model.tensor("blk.1.ffn_down.weight", StorageType::f16, {128, 64}, types());
    Inspector inspector(types());
    add(inspector, model, "mix.gguf");
    const auto inspection = inspector.result();
    REQUIRE(inspection);
    CHECK_FALSE(inspection->recipe_exact);
    const auto local = catalog::read_inline_model(inline_model(*inspection), {});
    REQUIRE(local);
    const catalog::InlineModel& own = **local;
    REQUIRE(own.quantization);
    CHECK(own.model.artifacts.front().quantization == own.quantization->id);
    // 64 x 1000, two layers of 45,056 and 40,960 elements in matrices; five vectors of 64.
    const double matrices = 64000 + 2 * 64 * 64 + 2 * 64 * 32 + 64 * 128 + 64 * 64 + 6 * 64 * 128;
    CHECK(own.quantization->bits_per_weight * matrices / 8 + 5 * 64 * 4 ==
          static_cast<double>(inspection->tensor_bytes));
}

TEST_CASE("A model as a link writes it out carries its file as its artifact") {
    test::GgufWriter model;
    write_start(model);
    write_ends(model);
    write_layer(model, 0);
    Inspector inspector(types());
    add(inspector, model, "/home/me/A (fine) tune: 1,5~*.gguf");
    const auto inspection = inspector.result();
    REQUIRE(inspection);
    const std::string text = inline_model(*inspection);
    CHECK(text.starts_with("(name:"));
    // Nothing of the way to the file.
    CHECK(text.find("home") == std::string::npos);
    catalog::Catalog known;
    known.quantizations.emplace_back().id = "fp16";
    const auto local = catalog::read_inline_model(text, known);
    REQUIRE(local);
    const catalog::Model& own = (*local)->model;
    CHECK(own.name == inspection->name);
    CHECK(catalog::write_architecture(own.architecture) ==
          catalog::write_architecture(*inspection->architecture));
    REQUIRE(own.artifacts.size() == 1);
    CHECK(own.artifacts.front().bytes == inspection->tensor_bytes);
    CHECK(own.artifacts.front().bytes_are_tensors);
    CHECK(own.artifacts.front().quantization == "fp16");
    CHECK_FALSE((*local)->quantization);
    CHECK(request_fields(*inspection) == "artifact=file");
}
