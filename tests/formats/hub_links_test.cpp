// What people paste, and what hubs answer. Forms of addresses: huggingface.co and ollama.com in
// December 2026, `llama-server -hf org/name:quant`, `ollama run name:tag`.
#include "formats/hub_links.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/files.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

const Hubs& hubs() {
    static const Hubs known = *read_hubs(test::read_file("catalog/hubs.json"));
    return known;
}

Link link(std::string_view text) {
    const auto read = read_link(text, hubs());
    INFO(text);
    REQUIRE(read);
    return *read;
}

std::string error_code(std::string_view text) {
    const auto read = read_link(text, hubs());
    return read ? "" : read.error().code;
}

} // namespace

TEST_CASE("A repository by name, by page, by short address") {
    for (const char* text :
         {"Qwen/Qwen3-8B-GGUF", "  hf:Qwen/Qwen3-8B-GGUF\n", "hf.co/Qwen/Qwen3-8B-GGUF",
          "https://huggingface.co/Qwen/Qwen3-8B-GGUF", "https://hf.co/Qwen/Qwen3-8B-GGUF/",
          "https://huggingface.co/Qwen/Qwen3-8B-GGUF/tree/main",
          "HTTPS://huggingface.co/Qwen/Qwen3-8B-GGUF?library=x#readme",
          "ollama run hf.co/Qwen/Qwen3-8B-GGUF"}) {
        INFO(text);
        const Link read = link(text);
        CHECK(read.kind == LinkKind::huggingface);
        CHECK(read.host == "huggingface.co");
        CHECK(read.repo == "Qwen/Qwen3-8B-GGUF");
        CHECK(read.list_url ==
              "https://huggingface.co/api/models/Qwen/Qwen3-8B-GGUF/tree/main?recursive=true");
        CHECK(read.pick.empty());
    }
    CHECK(link("Qwen/Qwen3-8B-GGUF:Q4_K_M").pick == "Q4_K_M");
    CHECK(link("https://huggingface.co/a/b/tree/v2/Q4").pick == "Q4/");
    CHECK(link("https://huggingface.co/a/b/tree/v2/Q4").revision == "v2");
}

TEST_CASE("A file, with its parts and what lies beside it") {
    const Link file = link("https://huggingface.co/a/b/blob/main/sub/m%20x.gguf");
    CHECK(file.list_url.empty());
    REQUIRE(file.files.size() == 1);
    const Link parts =
        link("https://huggingface.co/a/b/resolve/main/m-00002-of-00003.gguf?download=1");
    REQUIRE(parts.files.size() == 3);
    CHECK(parts.files[0].url == "https://huggingface.co/a/b/resolve/main/m-00001-of-00003.gguf");
    const Link shard = link("https://example.org/x/model.safetensors?sig=1");
    CHECK(shard.host == "example.org");
    REQUIRE(shard.files.size() == 2);
    CHECK(shard.files[0].url == "https://example.org/x/model.safetensors?sig=1");
    CHECK(shard.files[1].url == "https://example.org/x/config.json?sig=1");
    CHECK(shard.files[1].optional);
}

TEST_CASE("References of Ollama") {
    for (const char* text : {"qwen3:8b", "ollama run qwen3:8b", "ollama:qwen3:8b",
                             "https://ollama.com/library/qwen3:8b"}) {
        INFO(text);
        const Link read = link(text);
        CHECK(read.kind == LinkKind::ollama);
        CHECK(read.host == "registry.ollama.ai");
        CHECK(read.list_url == "https://registry.ollama.ai/v2/library/qwen3/manifests/8b");
    }
    CHECK(link("ollama pull someone/tune").list_url ==
          "https://registry.ollama.ai/v2/someone/tune/manifests/latest");
}

TEST_CASE("What is no link to a model says so") {
    for (const char* text : {"", "qwen", "two words/x", "a/b/c", "ftp://x/y.gguf", "https://",
                             "https://example.org", "-x/y", "a/-b", "..\\x/y", "a/b c"})
        CHECK(error_code(text) == "not-a-link");
    for (const char* text : {"https://huggingface.co/datasets/a/b", "https://huggingface.co/a",
                             "https://ollama.com/", "https://ollama.com/a/b/c"})
        CHECK(error_code(text) == "no-model-link");
}

TEST_CASE("A list of files becomes models to choose from") {
    const Link repo = link("org/name");
    const auto choices = read_choices(R"([
        {"type":"directory","path":"sub","size":0},
        {"type":"file","path":"README.md","size":5},
        {"type":"file","path":"imatrix.gguf","size":5},
        {"type":"file","path":"mmproj-F16.gguf","size":100},
        {"type":"file","path":"N-Q8_0.gguf","size":900},
        {"type":"file","path":"big/N-BF16-00001-of-00002.gguf","size":1000},
        {"type":"file","path":"big/N-BF16-00002-of-00002.gguf","size":700},
        {"type":"file","path":"config.json","size":7},
        {"type":"file","path":"model-00001-of-00001.safetensors","size":1500},
        {"path":3}, null])",
                                      repo, hubs());
    REQUIRE(choices);
    REQUIRE(choices->size() == 4);
    CHECK((*choices)[0].label == "Q8_0");
    CHECK((*choices)[1].kind == "safetensors");
    CHECK((*choices)[1].files.size() == 2); // with its config
    CHECK((*choices)[2].label == "BF16");
    CHECK((*choices)[2].bytes == 1700);
    CHECK((*choices)[2].files[1].url ==
          "https://huggingface.co/org/name/resolve/main/big/N-BF16-00002-of-00002.gguf");
    CHECK((*choices)[3].kind == "projector");
    CHECK(picked(*choices, repo) == nullptr);
    CHECK(picked(*choices, link("org/name:bf16")) == &(*choices)[2]);
    CHECK(picked(*choices, link("org/name:q8_0")) == &(*choices)[0]);

    for (const char* broken : {"", "{}", "<html>", "3"})
        CHECK(read_choices(broken, repo, hubs()).error().code == "invalid-list");
    CHECK(read_choices("[]", repo, hubs()).error().code == "no-model");
}

TEST_CASE("A manifest of Ollama becomes its files") {
    const Link reference = link("qwen3:8b");
    const auto choices = read_choices(R"({"schemaVersion":2,"layers":[
        {"mediaType":"application/vnd.ollama.image.model","digest":"sha256:ab12","size":5225374048},
        {"mediaType":"application/vnd.ollama.image.projector","digest":"sha256:cd","size":9},
        {"mediaType":"application/vnd.ollama.image.license","digest":"sha256:ef","size":9},
        {"mediaType":"application/vnd.ollama.image.adapter","digest":"../../x","size":9}, 3]})",
                                      reference, hubs());
    REQUIRE(choices);
    REQUIRE(choices->size() == 1);
    const RemoteChoice& all = choices->front();
    REQUIRE(all.files.size() == 2);
    CHECK(all.files[0].url == "https://registry.ollama.ai/v2/library/qwen3/blobs/sha256:ab12");
    CHECK(all.files[0].bytes == 5225374048);
    CHECK(picked(*choices, reference) == &all);
    CHECK(read_choices(R"({"layers":[]})", reference, hubs()).error().code == "no-model");
    CHECK(read_choices("[]", reference, hubs()).error().code == "invalid-list");
}
