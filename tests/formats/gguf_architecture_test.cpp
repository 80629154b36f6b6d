// Shapes from GGUF headers, against the files that llama.cpp 0.7.0 loaded: oracle_headers.txt says
// what is in them, oracle_sizes.json what the engine made of it (parameters, bytes), and
// oracle_models.json how the shapes are written by hand.
#include "formats/gguf_architecture.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catalog/architecture_json.h"
#include "formats/inspection.h"
#include "support/files.h"
#include "support/oracle_headers.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

catalog::Json reference(const std::string& name) {
    const auto json = catalog::parse_json(test::read_file("tests/reference/" + name), name);
    REQUIRE(json);
    return *json;
}

GgufHeader read(const test::GgufWriter& writer, const StorageTypeTable& types) {
    const std::string bytes = writer.header();
    GgufReader reader(types, "test.gguf", writer.file_bytes());
    reader.feed({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    INFO(reader.error().message);
    REQUIRE(reader.state() == ReadState::done);
    return reader.take_header();
}

/// An architecture as text in which equal shapes are equal: descriptions by value, layer by layer.
std::string canonical(const Architecture& a) {
    Architecture plain = a;
    plain.mixers.clear();
    plain.feed_forwards.clear();
    for (std::vector<Layer>* layers : {&plain.layers, &plain.mtp_layers}) {
        for (Layer& layer : *layers) {
            const Mixer mixer = a.mixers[layer.mixer];
            const FeedForward feed_forward = a.feed_forwards[layer.feed_forward];
            layer.mixer = index_of(plain.mixers, mixer);
            layer.feed_forward = index_of(plain.feed_forwards, feed_forward);
        }
    }
    return catalog::write_architecture(plain).dump();
}

} // namespace

TEST_CASE("Every file the engine loaded: architecture, parameters and bytes are the engine's") {
    const StorageTypeTable types = test::catalog_storage_types();
    const catalog::Json sizes = reference("oracle_sizes.json");
    const catalog::Json shapes = reference("oracle_models.json");
    int equal = 0;
    int with_bytes = 0;
    const auto headers = test::read_oracle_headers();
    for (const test::OracleHeader& header : headers) {
        INFO(header.model);
        test::GgufWriter writer;
        // The four forms take turns.
        writer.version = equal % 2 == 0 ? 3 : 2;
        writer.big_endian = equal % 4 >= 2;
        test::write_oracle_header(header, types, writer);
        const std::uint64_t file_bytes = writer.file_bytes();
        Inspector inspector(types);
        inspector.add(read(writer, types), header.model + ".gguf", file_bytes);
        const auto inspection = inspector.result();
        REQUIRE(inspection);
        const catalog::Json& engine = sizes[header.model];
        CHECK(inspection->parameters == engine["parameters"].get<std::int64_t>());
        const auto bytes =
            engine.contains("bytes") ? engine["bytes"].find(header.quantization) : engine.end();
        if (engine.contains("bytes") && bytes != engine["bytes"].end()) {
            CHECK(inspection->tensor_bytes == (*bytes)[0].get<std::int64_t>());
            CHECK(inspection->recipe_exact);
            ++with_bytes;
        }
        CHECK(inspection->shape_equals_table);
        REQUIRE(inspection->architecture);
        catalog::JsonFaults faults;
        Architecture by_hand;
        REQUIRE(catalog::read_architecture({shapes[header.model], header.model, faults}, by_hand));
        CHECK(canonical(*inspection->architecture) == canonical(by_hand));
        ++equal;
    }
    CHECK(equal == 116);
    CHECK(with_bytes >= 60);
}

TEST_CASE("An architecture nobody told us about is read by its tensors") {
    const StorageTypeTable types = test::catalog_storage_types();
    test::GgufWriter writer;
    writer.text("general.architecture", "brandnew");
    writer.u32("brandnew.attention.head_count", 16);
    writer.u32("brandnew.attention.head_count_kv", 4);
    writer.u32("brandnew.context_length", 32768);
    writer.tensor("token_embd.weight", StorageType::q6_k, {2048, 32000}, types);
    writer.tensor("output_norm.weight", StorageType::f32, {2048}, types);
    for (const std::string layer : {"blk.0.", "blk.1."}) {
        writer.tensor(layer + "attn_norm.weight", StorageType::f32, {2048}, types);
        writer.tensor(layer + "attn_q.weight", StorageType::q4_k, {2048, 2048}, types);
        writer.tensor(layer + "attn_k.weight", StorageType::q4_k, {2048, 512}, types);
        writer.tensor(layer + "attn_v.weight", StorageType::q6_k, {2048, 512}, types);
        writer.tensor(layer + "attn_output.weight", StorageType::q4_k, {2048, 2048}, types);
        writer.tensor(layer + "ffn_norm.weight", StorageType::f32, {2048}, types);
        writer.tensor(layer + "ffn_gate.weight", StorageType::q4_k, {2048, 5632}, types);
        writer.tensor(layer + "ffn_up.weight", StorageType::q4_k, {2048, 5632}, types);
        writer.tensor(layer + "ffn_down.weight", StorageType::q6_k, {5632, 2048}, types);
    }
    SECTION("all of it known") {
        const ShapeReading reading = read_gguf_architecture(read(writer, types));
        CHECK(reading.missing.empty());
        REQUIRE(reading.architecture);
        CHECK(reading.architecture->n_layer() == 2);
        CHECK(reading.architecture->mixers.front().kv_heads == 4);
        CHECK(reading.architecture->mixers.front().head_dim_k == 128);
        CHECK(reading.architecture->tied_embeddings);
        CHECK(reading.architecture->native_context == 32768);
    }
    SECTION("a part that nothing explains is named") {
        writer.tensor("blk.1.memory_bank.weight", StorageType::f16, {2048, 1000}, types);
        const ShapeReading reading = read_gguf_architecture(read(writer, types));
        REQUIRE(reading.architecture);
        REQUIRE(reading.missing.size() == 1);
        CHECK(reading.missing.front() ==
              "the file has 2048000 parameters more than the shape explains, first in layer 1; "
              "unknown tensors: blk.1.memory_bank.weight. The weights are exact all the same.");
    }
    SECTION("a layer of another kind gives the weights only") {
        writer.tensor("blk.2.time_mix_key.weight", StorageType::f16, {2048, 2048}, types);
        const ShapeReading reading = read_gguf_architecture(read(writer, types));
        CHECK_FALSE(reading.architecture);
        REQUIRE(reading.missing.size() == 1);
        CHECK(reading.missing.front().starts_with(
            "layer 2 of the architecture \"brandnew\" is of a kind we do not know"));
    }
}

TEST_CASE("Projectors, adapters and vocabularies are told apart") {
    const StorageTypeTable types = test::catalog_storage_types();
    test::GgufWriter projector;
    projector.text("general.architecture", "clip");
    projector.text("general.type", "mmproj");
    projector.tensor("v.patch_embd.weight", StorageType::f16, {14, 14, 3, 1152}, types);
    projector.tensor("mm.0.weight", StorageType::f16, {1152, 2560}, types);
    projector.tensor("a.conv1d.weight", StorageType::f16, {3, 128, 1280}, types);
    const GgufHeader header = read(projector, types);
    CHECK(kind_of(header) == GgufKind::projector);
    const std::vector<Tower> towers = read_projector(header);
    REQUIRE(towers.size() == 2);
    CHECK(towers[0].name == "vision");
    CHECK(towers[0].parameters == 14 * 14 * 3 * 1152 + 1152 * 2560);
    CHECK(towers[1].name == "audio");
    CHECK(towers[1].parameters == 3 * 128 * 1280);

    test::GgufWriter adapter;
    adapter.text("general.architecture", "llama");
    adapter.text("general.type", "adapter");
    adapter.text("adapter.type", "lora");
    adapter.tensor("blk.0.attn_q.weight.lora_a", StorageType::f16, {4096, 16}, types);
    CHECK(kind_of(read(adapter, types)) == GgufKind::adapter);

    test::GgufWriter vocabulary;
    vocabulary.text("general.architecture", "llama");
    CHECK(kind_of(read(vocabulary, types)) == GgufKind::vocabulary);
}
