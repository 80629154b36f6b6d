// Reading a header piece by piece. The format: github.com/ggml-org/ggml, docs/gguf.md.
#include "formats/gguf_reader.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "support/oracle_headers.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

std::span<const unsigned char> octets(const std::string& text, std::size_t from = 0,
                                      std::size_t count = std::string::npos) {
    const std::size_t size = std::min(count, text.size() - from);
    return {reinterpret_cast<const unsigned char*>(text.data()) + from, size};
}

test::GgufWriter small_model(const StorageTypeTable& types, bool big_endian = false,
                             std::uint32_t version = 3) {
    test::GgufWriter writer;
    writer.big_endian = big_endian;
    writer.version = version;
    writer.text("general.architecture", "llama");
    writer.u32("llama.block_count", 1);
    writer.u64("llama.context_length", 131072);
    writer.i32("llama.offset", -3);
    writer.f32("llama.rope.freq_base", 500000.0F);
    writer.boolean("llama.flag", true);
    const std::vector<std::int64_t> heads = {8, 0, 8};
    writer.list("llama.attention.head_count_kv", 4, heads);
    const std::vector<std::string> tokens = {"<s>", "", "a long token", "b"};
    writer.texts("tokenizer.ggml.tokens", tokens);
    writer.tensor("token_embd.weight", StorageType::q4_k, {256, 32}, types);
    writer.tensor("output_norm.weight", StorageType::f32, {256}, types);
    return writer;
}

} // namespace

TEST_CASE("Versions 2 and 3, both byte orders: the same header") {
    const StorageTypeTable types = test::catalog_storage_types();
    for (const bool big_endian : {false, true}) {
        for (const std::uint32_t version : {2U, 3U}) {
            const test::GgufWriter writer = small_model(types, big_endian, version);
            const std::string bytes = writer.header();
            GgufReader reader(types, "a.gguf", writer.file_bytes());
            REQUIRE(reader.feed(octets(bytes)) == ReadState::done);
            const GgufHeader& header = reader.header();
            CHECK(header.version == version);
            CHECK(header.big_endian == big_endian);
            CHECK(header.architecture() == "llama");
            CHECK(header.integer("llama.block_count") == 1);
            CHECK(header.own("context_length")->integer == 131072);
            CHECK(header.integer("llama.offset") == -3);
            CHECK(header.find("llama.rope.freq_base")->real == 500000.0);
            CHECK(header.integer("llama.flag") == 1);
            CHECK(header.own("attention.head_count_kv")->integers ==
                  std::vector<std::int64_t>{8, 0, 8});
            CHECK(header.find("tokenizer.ggml.tokens")->count == 4);
            REQUIRE(header.tensors.size() == 2);
            CHECK(header.tensors[0].type_name == "Q4_K");
            CHECK(header.tensors[0].bytes == 32 * 144);
            CHECK(header.tensors[1].bytes == 1024);
            CHECK(header.data_start == bytes.size());
            CHECK(header.data_end == bytes.size() + 32 * 144 + 1024);
        }
    }
}

TEST_CASE("Fed in pieces of any size, the header is the same") {
    const StorageTypeTable types = test::catalog_storage_types();
    const test::GgufWriter writer = small_model(types);
    const std::string bytes = writer.header();
    for (const std::size_t step : {1U, 2U, 3U, 7U, 24U, 64U}) {
        GgufReader reader(types, "a.gguf");
        while (reader.state() == ReadState::wants_bytes) {
            const ByteRequest wanted = reader.wanted();
            REQUIRE(wanted.bytes >= 1);
            REQUIRE(wanted.offset < bytes.size());
            reader.feed(octets(bytes, static_cast<std::size_t>(wanted.offset), step));
        }
        REQUIRE(reader.state() == ReadState::done);
        CHECK(reader.header().tensors.size() == 2);
        CHECK(reader.header().metadata.size() == 8);
    }
}

TEST_CASE("Large vocabularies are walked over, lists of numbers jumped") {
    const StorageTypeTable types = test::catalog_storage_types();
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    std::vector<std::string> tokens;
    for (int i = 0; i < 250'000; ++i)
        tokens.push_back("token" + std::to_string(i));
    writer.texts("tokenizer.ggml.tokens", tokens);
    const std::vector<std::int64_t> scores(250'000);
    writer.list("tokenizer.ggml.scores", 6, scores);
    writer.list("tokenizer.ggml.token_type", 5, scores);
    writer.text("tokenizer.chat_template", std::string(100'000, 'x'));
    writer.tensor("token_embd.weight", StorageType::f16, {64, 250'000}, types);
    const std::string bytes = writer.header();
    GgufReader reader(types, "a.gguf", writer.file_bytes());
    std::uint64_t read = 0;
    while (reader.state() == ReadState::wants_bytes) {
        const ByteRequest wanted = reader.wanted();
        const auto piece = octets(bytes, static_cast<std::size_t>(wanted.offset), 4096);
        read += piece.size();
        reader.feed(piece);
    }
    REQUIRE(reader.state() == ReadState::done);
    CHECK(reader.header().find("tokenizer.ggml.tokens")->count == 250'000);
    CHECK(reader.header().find("tokenizer.ggml.scores")->integers.empty());
    CHECK(reader.header().find("tokenizer.chat_template")->text.empty());
    // Two lists of a million bytes and the template are not read.
    CHECK(read < bytes.size() - 2'000'000);
}

TEST_CASE("A file of metadata only may end with what is jumped over") {
    const StorageTypeTable types = test::catalog_storage_types();
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    writer.text("tokenizer.chat_template", std::string(5000, 'x'));
    const std::string bytes = writer.header();
    GgufReader reader(types, "vocab.gguf", bytes.size());
    reader.feed(octets(bytes, 0, 200));
    CHECK(reader.state() == ReadState::wants_bytes);
    CHECK(reader.finish() == ReadState::done);
}

TEST_CASE("Offsets beyond 4 GiB") {
    const StorageTypeTable types = test::catalog_storage_types();
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    for (int i = 0; i < 20; ++i) {
        writer.tensor("blk." + std::to_string(i) + ".ffn_up_exps.weight", StorageType::f16,
                      {4096, 2048, 128}, types);
    }
    const std::string bytes = writer.header();
    GgufReader reader(types, "big.gguf", writer.file_bytes());
    REQUIRE(reader.feed(octets(bytes)) == ReadState::done);
    CHECK(reader.header().data_end == bytes.size() + 20ULL * 4096 * 2048 * 128 * 2);
    CHECK(tensor_bytes(reader.header().tensors) == 42'949'672'960);
}
