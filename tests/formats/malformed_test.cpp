// Every way a file can be broken that we know of, with the exact words it is refused with. The
// words are for the person who dropped the file: they say what is wrong, where, and what to do.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/inspection.h"
#include "support/oracle_headers.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

const StorageTypeTable& types() {
    static const StorageTypeTable table = test::catalog_storage_types();
    return table;
}

std::span<const unsigned char> octets(const std::string& text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

/// What was given, readable, and what was said to it.
struct Refusal {
    std::string input;
    std::string words;
};

/// Bytes as a person can read them, cut when long.
std::string readable(std::string_view bytes) {
    constexpr std::size_t most = 120;
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            text += c;
        } else {
            text += "\\x";
            text += digits[byte >> 4U];
            text += digits[byte & 15U];
        }
    }
    if (bytes.size() > most)
        text += " … (" + std::to_string(bytes.size()) + " bytes)";
    return text;
}

/// The refusal of a GGUF header; file_bytes 0: as long as what is there.
Refusal gguf(const std::string& bytes, std::uint64_t file_bytes = 0) {
    GgufReader reader(types(), "f", file_bytes == 0 ? bytes.size() : file_bytes);
    reader.feed(octets(bytes));
    reader.finish();
    return {readable(bytes),
            reader.state() == ReadState::done ? "accepted" : reader.error().message};
}

Refusal safetensors(const std::string& bytes, std::uint64_t file_bytes = 0) {
    SafetensorsReader reader("f", file_bytes == 0 ? bytes.size() : file_bytes);
    reader.feed(octets(bytes));
    reader.finish();
    return {readable(bytes),
            reader.state() == ReadState::done ? "accepted" : reader.error().message};
}

/// A safetensors file with that header and a right length.
Refusal table(const std::string& json) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(std::uint64_t{json.size()} >> 8 * i & 0xFFU);
    return safetensors(bytes + json, 1U << 20U);
}

/// The refusal of a JSON file, or the notes on what its config lacks.
Refusal json(const std::string& text, const std::string& name = "f") {
    Inspector inspector(types());
    const auto kind = inspector.add_json(text, name);
    if (!kind)
        return {readable(text), kind.error().message};
    const auto inspection = inspector.result();
    if (!inspection)
        return {readable(text), inspection.error().message};
    std::string notes;
    for (const std::string& note : inspection->notes)
        notes += (notes.empty() ? "" : " | ") + note;
    return {readable(text), notes.empty() ? "accepted" : notes};
}

using Change = std::function<void(test::GgufWriter&)>;

/// A sound little model, changed.
test::GgufWriter model(const Change& change) {
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    change(writer);
    return writer;
}
Refusal changed(const Change& change) {
    const test::GgufWriter writer = model(change);
    return gguf(writer.header(), writer.file_bytes());
}

/// What an inspector says about several GGUF files.
Refusal together(const std::vector<test::GgufWriter>& writers) {
    Inspector inspector(types());
    int number = 0;
    std::string input;
    for (const test::GgufWriter& writer : writers) {
        GgufReader reader(types(), "f");
        const std::string bytes = writer.header();
        input += (input.empty() ? "" : " + ") + readable(bytes);
        if (reader.feed(octets(bytes)) != ReadState::done)
            return {input, reader.error().message};
        inspector.add(reader.take_header(), "f" + std::to_string(++number), writer.file_bytes());
    }
    const auto inspection = inspector.result();
    if (!inspection)
        return {input, inspection.error().message};
    return {input, inspection->notes.empty() ? "accepted" : inspection->notes.front()};
}

void embed(test::GgufWriter& w) {
    w.tensor("token_embd.weight", StorageType::f16, {64, 10}, types());
}

struct Case {
    Refusal refusal;
    std::string words;
};

std::string le(std::uint64_t value, std::size_t bytes) {
    return test::GgufWriter().integer(value, bytes);
}

constexpr std::uint64_t huge = std::uint64_t{1} << 40U;

std::vector<Case> gguf_headers() {
    return {
        {gguf(""), "f: breaks off at byte 0 before the header is complete; a GGUF file begins with "
                   "24 bytes of it"},
        {gguf("GGU"), "f: breaks off at byte 3 before the header is complete; a GGUF file begins "
                      "with 24 bytes of it"},
        {gguf("ABCD" + std::string(40, 'x')), "f: begins with \"ABCD\", not with \"GGUF\""},
        {gguf(std::string("\x01\x02\x03\x04", 4) + std::string(40, 'x')),
         "f: begins with \"????\", not with \"GGUF\""},
        {gguf("ggjt" + std::string(40, '\0')),
         "f: is in the GGML format of 2023, which no current engine loads; look for a GGUF file of "
         "the model"},
        {gguf("PK\x03\x04" + std::string(40, '\0')),
         "f: is a ZIP archive (a PyTorch checkpoint?), not a GGUF file"},
        {gguf("<!doctype html><html></html>"),
         "f: is a web page, not a GGUF file; the link needs \"resolve\" in place of \"blob\", or a "
         "login"},
        {gguf("version https://git-lfs.github.com/spec/v1\n"),
         "f: is a Git LFS pointer, not the file itself; fetch it with git lfs pull"},
        {gguf("GGUF" + std::string(16, '\0')),
         "f: breaks off at byte 20 before the header is complete; a GGUF file begins with 24 bytes "
         "of it"},
        {changed([](auto& w) { w.version = 1; }),
         "f: has GGUF version 1, which llama.cpp no longer loads; convert the model again"},
        {changed([](auto& w) { w.version = 0; }),
         "f: has GGUF version 0; versions 2 and 3 are known"},
        {changed([](auto& w) { w.version = 4; }),
         "f: has GGUF version 4; versions 2 and 3 are known"},
        {changed([](auto& w) { w.version = 0x00050000; }),
         "f: has GGUF version 1280; versions 2 and 3 are known"},
        {changed([](auto& w) { w.extra_tensors = huge; }),
         "f: claims 1099511627776 tensors, more than any model has (131072)"},
        {changed([](auto& w) { w.extra_metadata = huge; }),
         "f: claims 1099511627777 metadata entries, more than any model has (4096)"},
        {gguf("GGUF" + le(3, 4) + le(100'000, 8) + le(4, 8) + std::string(40, '\0')),
         "f: claims 100000 tensors and 4 metadata entries, but has only 64 bytes"},
        {gguf("GGUF" + le(3, 4) + le(0, 8) + le(1, 8) + le(0, 8), 1000),
         "f: metadata entry 1 has a key of 0 bytes; 1 to 1024 are possible"},
        {gguf("GGUF" + le(3, 4) + le(0, 8) + le(1, 8) + le(~std::uint64_t{0}, 8), 1000),
         "f: metadata entry 1 has a key of 18446744073709551615 bytes; 1 to 1024 are possible"},
        {changed([](auto& w) { w.raw("a", 13, ""); }),
         "f: metadata key \"a\" has the unknown value type 13"},
        {changed([](auto& w) { w.raw("a\n\"", 999, ""); }),
         "f: metadata key \"a?\"\" has the unknown value type 999"},
        {changed([](auto& w) { w.raw("a", 9, le(9, 4) + le(1, 8)); }),
         "f: metadata key \"a\" is a list of the unknown value type 9"},
        {changed([](auto& w) { w.raw("a", 9, le(77, 4) + le(1, 8)); }),
         "f: metadata key \"a\" is a list of the unknown value type 77"},
        {changed([](auto& w) { w.raw("a", 9, le(8, 4) + le(huge, 8)); }),
         "f: metadata key \"a\" claims a list of 1099511627776 elements, more than any vocabulary "
         "has (16777216)"},
        {changed([](auto& w) { w.raw("a", 9, le(4, 4) + le(100'000, 8)); }),
         "f: metadata key \"a\" claims a list of 100000 elements, beyond the end of the file"},
        {changed([](auto& w) { w.raw("a", 9, le(8, 4) + le(1, 8) + le(huge, 8)); }),
         "f: metadata key \"a\" claims a text of 1099511627776 bytes, beyond the end of the file"},
        {changed([](auto& w) { w.raw("a", 8, le(5000, 8)); }),
         "f: metadata key \"a\" claims a text of 5000 bytes, more than the file can hold"},
        {changed([](auto& w) { w.raw("a", 8, le(~std::uint64_t{0}, 8)); }),
         "f: metadata key \"a\" claims a text of 18446744073709551615 bytes, more than the file "
         "can "
         "hold"},
        {changed([](auto& w) { w.u32("general.architecture", 1); }),
         "f: metadata key \"general.architecture\" occurs twice"},
        {changed([](auto& w) { w.u32("general.alignment", 24); }),
         "f: general.alignment is 24, not a power of two"},
        {changed([](auto& w) { w.u32("general.alignment", 0); }),
         "f: general.alignment is 0, not a power of two"},
        {gguf("GGUF" + le(3, 4) + le(0, 8) + le(2, 8) + le(1, 8) + "a" + le(4, 4) + le(7, 4), 1000),
         "f: breaks off at byte 41 in the metadata, after 1 of 2 entries; the download is "
         "incomplete"},
        {gguf(model(embed).header().substr(0, 90), 2000),
         "f: breaks off at byte 90 in the tensor table, after 0 of 1 tensors; the download is "
         "incomplete"},
        {changed([](auto& w) { w.tensor("", 0, {4}, 16); }),
         "f: tensor 1 has a name of 0 bytes; llama.cpp takes 1 to 63"},
        {changed([](auto& w) { w.tensor(std::string(64, 'n'), 0, {4}, 16); }),
         "f: tensor 1 has a name of 64 bytes; llama.cpp takes 1 to 63"},
        {changed([](auto& w) {
             w.tensor("t", 0, {2, 2, 2, 2, 2}, 128);
         }),
         "f: tensor \"t\" has 5 dimensions; at most 4 are possible"},
        {changed([](auto& w) {
             w.tensor("t", 0, {4, 0}, 0);
         }),
         "f: tensor \"t\" has a dimension of 0 elements"},
        {changed([](auto& w) { w.tensor("t", 0, {~std::uint64_t{0}}, 0); }),
         "f: tensor \"t\" has a dimension of 18446744073709551615 elements"},
        {changed([](auto& w) { w.tensor("t", 77, {32}, 32); }),
         "f: tensor \"t\" has the storage type 77, which ggml does not have"},
        {changed([](auto& w) { w.tensor("t", 31, {32}, 32); }),
         "f: tensor \"t\" has the storage type Q4_0_4_4 (31): it was removed from ggml; quantise "
         "the model again"},
        {changed([](auto& w) { w.tensor("t", 139, {256}, 144); }),
         "f: tensor \"t\" has the storage type IQ4_K (139): only the fork ik_llama.cpp loads it"},
        {changed([](auto& w) {
             w.tensor("t", 12, {100, 2}, 144);
         }),
         "f: tensor \"t\" has rows of 100 elements, which blocks of 256 (Q4_K) do not divide"},
        {changed([](auto& w) {
             const std::vector<std::uint64_t> shape = {32};
             w.raw_tensor("t", 1, shape, 0, 64);
         }),
         "f: tensor \"t\" starts at byte 64 of the data, but the tensors before it end at 0"},
        {changed([](auto& w) {
             w.tensor("t", 0, {8}, 32);
             w.tensor("t", 0, {8}, 32);
         }),
         "f: tensor \"t\" occurs twice"},
        {changed([](auto& w) {
             w.tensor("t", 0, {huge, huge}, 0);
         }),
         "f: tensor \"t\" claims to be larger than any memory"},
        {changed([](auto& w) {
             std::uint64_t bytes = std::uint64_t{1} << 56U;
             for (int i = 0; i < 20; ++i)
                 w.tensor("t" + std::to_string(i), 0, {bytes / 4}, bytes);
         }),
         "f: claims tensors larger than any memory"},
    };
}

std::vector<Case> gguf_models() {
    const auto part = [](std::uint32_t number, std::uint32_t of) {
        return model([&](auto& w) {
            w.u32("split.no", number);
            w.u32("split.count", of);
            w.tensor("t" + std::to_string(number), StorageType::f16, {64, 10}, types());
        });
    };
    test::GgufWriter nameless;
    embed(nameless);
    return {
        {together({nameless}), "the file does not say its architecture (general.architecture)"},
        {together({model([](auto& w) { w.tensor("x", StorageType::f16, {64}, types()); })}),
         "there is no token_embd.weight; a split file needs all its parts"},
        {together({model(embed)}), "the tensors make 0 layers"},
        {together({model([](auto& w) {
             embed(w);
             w.tensor("enc.blk.0.attn_q.weight", StorageType::f16, {64, 64}, types());
         })}),
         "the architecture \"llama\" has an encoder apart from its decoder, which is not modelled. "
         "Only the weights are known."},
        {together({model([](auto& w) {
             embed(w);
             w.tensor("blk.99999.attn_q.weight", StorageType::f16, {64, 64}, types());
         })}),
         "the tensors make 100000 layers"},
        {together({model([](auto& w) {
             embed(w);
             w.tensor("blk.0.attn_q.weight", StorageType::f16, {64, 64}, types());
         })}),
         "layer 0 of the architecture \"llama\" is of a kind we do not know (blk.0.attn_q.weight "
         "…). Only the weights are known."},
        {together({model([](auto& w) {
             embed(w);
             w.u32("llama.attention.head_count", 4);
             w.tensor("blk.0.attn_q.weight", StorageType::f16, {64, 64}, types());
         })}),
         "the shape does not hold together: mixers.head_dim_v must be a positive number for this "
         "kind. Only the weights are known."},
        {together({model([](auto& w) {
             embed(w);
             w.tensor("blk.1.attn_q.weight", StorageType::f16, {64, 64}, types());
         })}),
         "there are no tensors of layer 0; a split file needs all its parts. Only the weights are "
         "known."},
        {together({model(embed), model(embed)}), "f1 and f2 are two models; inspect one at a time"},
        {together({part(0, 2), part(0, 2)}), "f2 is a part that was given already"},
        {together({part(0, 2), part(1, 3)}), "f2 is not a part of the same file as f1"},
        {together({part(0, 3), part(1, 3)}),
         "This is 2 of 3 parts; bytes and parameters are those of the given parts only."},
        {together({model([](auto& w) { w.text("general.type", "imatrix"); })}),
         "f1 holds no model but a vocabulary."},
    };
}

std::vector<Case> safetensors_headers() {
    const auto one = [](const std::string& fields) { return table("{\"t\":{" + fields + "}}"); };
    return {
        {safetensors(""),
         "f: has 0 bytes; a safetensors file begins with 8 bytes of header length"},
        {safetensors("abc"),
         "f: has 3 bytes; a safetensors file begins with 8 bytes of header length"},
        {safetensors(le(0, 8) + "{}"),
         "f: claims a header of 0 bytes; 2 to 100000000 are possible"},
        {safetensors(le(huge, 8) + "{}"),
         "f: claims a header of 1099511627776 bytes; 2 to 100000000 are possible"},
        {safetensors(le(5000, 8) + "{}"), "f: claims a header of 5000 bytes, but has only 10"},
        {safetensors(le(5000, 8) + "{}", 9000),
         "f: breaks off in the header, after 2 of 5000 bytes; the download is incomplete"},
        {safetensors("version https://git-lfs.github.com/spec/v1\n"),
         "f: is a Git LFS pointer, not the file itself; fetch it with git lfs pull"},
        {safetensors("GGUF" + std::string(40, '\0')), "f: is a GGUF file under a wrong name"},
        {safetensors("<!doctype html>"),
         "f: is a web page, not a safetensors file; the link needs \"resolve\" in place of "
         "\"blob\", or a login"},
        {safetensors("PK\x03\x04" + std::string(40, '\0')),
         "f: is a ZIP archive (a PyTorch checkpoint?), not a safetensors file"},
        {table("{\"t\""), "f: header is not valid JSON at byte 5"},
        {table("[]"), "f: header is a list, not an object"},
        {table("17"), "f: header is a number"},
        {one("\"dtype\":\"F7\""), "f: header tensor \"t\" has the unknown dtype \"F7\""},
        {one("\"shape\":[1],\"data_offsets\":[0,2]"), "f: header tensor \"t\" has no dtype"},
        {one("\"dtype\":\"F16\",\"data_offsets\":[0,2]"), "f: header tensor \"t\" has no shape"},
        {one("\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0]"),
         "f: header tensor \"t\" needs two data_offsets, has 1"},
        {one("\"dtype\":\"F16\",\"shape\":[-1],\"data_offsets\":[0,2]"),
         "f: header tensor \"t\" has a negative number where dtype, shape or data_offsets belong"},
        {one("\"dtype\":\"F16\",\"shape\":[1.5],\"data_offsets\":[0,2]"),
         "f: header tensor \"t\" has a fraction where dtype, shape or data_offsets belong"},
        {one("\"dtype\":\"F16\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,"
             "2]"),
         "f: header tensor \"t\" has more than 16 dimensions"},
        {one("\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[2,0]"),
         "f: header tensor \"t\" ends before it starts"},
        {one("\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[0,2]"),
         "f: header tensor \"t\" of dtype F16 needs 8 bytes, its data_offsets give 2"},
        {one("\"dtype\":\"F16\",\"shape\":[9000000000000000000],\"data_offsets\":[0,2]"),
         "f: header tensor \"t\" has a dimension of 9000000000000000000 elements"},
        {one("\"dtype\":\"F16\",\"shape\":[1000000000,1000000000],\"data_offsets\":[0,2]"),
         "f: header tensor \"t\" claims to be larger than any memory"},
        {one("\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[8,10]"),
         "f: tensor \"t\" starts at byte 8 of the data, the one before ends at 0"},
        {one("\"dtype\":{}"), "f: header tensor \"t\" holds an object where none belongs"},
        {one("\"dtype\":[1]"), "f: header tensor \"t\" holds a list where none belongs"},
        {one("\"dtype\":true"),
         "f: header tensor \"t\" has a truth value where dtype, shape or data_offsets belong"},
        {table("{\"__metadata__\":{\"a\":{}}}"), "f: header nests objects in __metadata__"},
        {table("{\"t\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},"
               "\"t\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}"),
         "f: tensor \"t\" occurs twice"},
    };
}

std::vector<Case> json_files() {
    const auto config = [](const std::string& rest) {
        return json("{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":2,"
                    "\"num_attention_heads\":4,\"intermediate_size\":128,\"vocab_size\":100" +
                    rest + "}");
    };
    return {
        {json("{\"a\""), "f is not valid JSON: line 1, column 4: syntax error while parsing object "
                         "separator - unexpected end of input; expected ':'"},
        {json(" "), "f is not valid JSON: line 1, column 1: syntax error while parsing value - "
                    "unexpected end of input; expected '[', '{', or a literal"},
        {json("[]"), "f: expected an object, got a list"},
        {json("{}"), "f is neither a config.json (no model_type) nor a safetensors index (no "
                     "weight_map)"},
        {json("{\"a\":1,\"a\":2}"), "f is not valid JSON: key \"a\" occurs twice"},
        {json(std::string(70, '[')), "f is not valid JSON: is nested too deeply"},
        {json("{\"weight_map\":[]}"), "f: weight_map expected an object, got a list"},
        {json("{\"weight_map\":{}}"), "f: weight_map names no tensor"},
        {json("{\"weight_map\":{\"t\":1}}"), "f: weight_map.t expected a file name, got 1"},
        {json("{\"weight_map\":{\"t\":\"../../etc/passwd\"}}"),
         "f: weight_map.t \"../../etc/passwd\" is no name of a file beside the index"},
        {json("{\"weight_map\":{\"t\":\"a\"},\"metadata\":{\"total_size\":\"big\"}}"),
         "f: metadata.total_size expected a whole number from 0 to 1152921504606846976, got "
         "\"big\""},
        {json("{\"hidden_size\":64}"),
         "The config has no model_type, so what its numbers mean is not known."},
        {json("{\"model_type\":\"brandnew\"}"),
         "The model_type \"brandnew\" is not known. A GGUF of the model can be read all the same: "
         "its tensors show the shape."},
        {json("{\"model_type\":\"mllama\"}"),
         "The model_type \"mllama\" has layers that are not modelled yet."},
        {json("{\"model_type\":\"qwen3\"}"), "num_hidden_layers is 0; 1 to 4096 are possible."},
        {json("{\"model_type\":\"qwen3\",\"num_hidden_layers\":100000}"),
         "num_hidden_layers is 100000; 1 to 4096 are possible."},
        {json("{\"model_type\":\"qwen3\",\"num_hidden_layers\":2}"),
         "hidden_size is missing or no positive number."},
        {json("{\"model_type\":\"qwen3\",\"num_hidden_layers\":2,\"hidden_size\":64}"),
         "vocab_size is missing or no positive number."},
        {config(",\"num_key_value_heads\":8"),
         "The config makes no sound shape: mixers.kv_heads must not exceed q_heads."},
        {config(",\"head_dim\":\"x\",\"num_key_value_heads\":4"),
         "f: head_dim expected a whole number from -1 to 16777216, got \"x\"."},
        {json("{\"model_type\":\"qwen3\",\"num_hidden_layers\":2,\"hidden_size\":64,\"vocab_size\":"
              "9,\"num_attention_heads\":0,\"intermediate_size\":4}"),
         "The config makes no sound shape: mixers.q_heads must be a positive number for this "
         "kind."},
        {json("{\"model_type\":\"qwen3_moe\",\"num_hidden_layers\":2,\"hidden_size\":64,\"vocab_"
              "size\":9,\"num_attention_heads\":4,\"num_experts\":8,\"moe_intermediate_size\":16}"),
         "The config makes no sound shape: feed_forwards.n_experts_used must be a positive number "
         "for this kind."},
        {json("{\"model_type\":\"nemotron_h\",\"num_hidden_layers\":2,\"hidden_size\":64,\"vocab_"
              "size\":9}"),
         "hybrid_override_pattern is missing, which tells what the layers are."},
        {json("{\"model_type\":\"nemotron-nas\",\"num_hidden_layers\":2,\"hidden_size\":64,"
              "\"vocab_size\":9}"),
         "block_configs is missing, which tells what the layers are."},
        {json("{\"model_type\":\"kimi_linear\",\"num_hidden_layers\":2,\"hidden_size\":64,\"vocab_"
              "size\":9}"),
         "linear_attn_config is missing, which tells what the layers are."},
    };
}

} // namespace

TEST_CASE("Malformed files are refused in words that say what is wrong") {
    std::size_t count = 0;
    for (const auto& cases : {gguf_headers(), gguf_models(), safetensors_headers(), json_files()}) {
        for (const Case& entry : cases) {
            CHECK(entry.refusal.words == entry.words);
            ++count;
        }
    }
    CHECK(count >= 60);
    INFO(count << " malformed inputs");
}

// vramscope_tests "[malformed-list]" prints every message with the input that gives it.
TEST_CASE("The list of malformed files", "[.][malformed-list]") {
    std::size_t count = 0;
    for (const auto& cases : {gguf_headers(), gguf_models(), safetensors_headers(), json_files()}) {
        for (const Case& entry : cases) {
            std::cout << ++count << ". " << entry.refusal.input << "\n   -> " << entry.refusal.words
                      << "\n";
        }
    }
    CHECK(count >= 60);
}

TEST_CASE("A file shorter than its tensors is still measured, and said to be short") {
    const test::GgufWriter writer = model(embed);
    GgufReader reader(types(), "f", writer.file_bytes() - 100);
    const std::string bytes = writer.header();
    REQUIRE(reader.feed(octets(bytes)) == ReadState::done);
    Inspector inspector(types());
    inspector.add(reader.take_header(), "f", writer.file_bytes() - 100);
    const auto inspection = inspector.result();
    REQUIRE(inspection);
    CHECK(inspection->tensor_bytes == 64 * 10 * 2);
    CHECK(inspection->notes.front() ==
          "f is 100 bytes shorter than its tensors: the download is incomplete.");
}
