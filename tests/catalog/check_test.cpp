// Every fault a contributor can make in an entry is refused in words that name file, entry, field
// and reason. A small sound catalog is broken in one place at a time.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/sources.h"
#include "support/files.h"

using namespace vramscope::catalog;
using Json = nlohmann::json;

namespace {

// Figures: the two reference pages (tests/reference/golden.json).
constexpr const char* models = R"({"models": [
  {"id": "glm-4-9b-0414", "name": "GLM-4-9B-0414", "provider": "Zhipu AI", "family": "GLM 4",
   "hf_repo": "zai-org/GLM-4-9B-0414", "hf_repo_old": "THUDM/GLM-4-9B-0414",
   "hf_revision": "645b8482494e31b6b752272bf7f7f273ef0f3caf", "license": "MIT",
   "release": "2025-Q2", "published_parameters": 9400279040, "rounded_parameters": 9400000000,
   "aliases": ["glm4"],
   "architecture": {"gguf_arch": "glm4", "n_embd": 4096, "n_vocab": 151552, "native_context": 32768,
     "norms": {"after_mixer": true, "after_feed_forward": true},
     "mixers": {"attention": {"kind": "full_attention", "q_heads": 32, "kv_heads": 2,
                              "head_dim": 128, "qkv_bias": true}},
     "feed_forwards": {"dense": {"kind": "dense", "n_ff": 13696}},
     "layers": [{"count": 40, "mixer": "attention", "feed_forward": "dense"}]},
   "sources": ["page#facts"],
   "artifacts": [
     {"id": "bf16", "format": "safetensors", "quantization": "bf16", "repo": "zai-org/GLM-4-9B-0414",
      "files": ["model-{00001..00004}-of-00004.safetensors"], "bytes": 18800558080,
      "bytes_are_tensors": true, "evidence": "file-metadata", "source": "page"},
     {"id": "gguf-q4_k_m", "format": "gguf", "quantization": "q4_k_m",
      "repo": "unsloth/GLM-4-9B-0414-GGUF",
      "files": [{"name": "GLM-4-9B-0414-Q4_K_M.gguf", "bytes": 6166574944}], "bytes": 6166574944,
      "evidence": "file-metadata", "source": "https://example.org/list"}]},
  {"id": "glm-z1-9b-0414", "base": "glm-4-9b-0414", "name": "GLM-Z1-9B-0414",
   "hf_repo": "zai-org/GLM-Z1-9B-0414", "sources": ["note: same shape"]}]})";

constexpr const char* hardware = R"({
  "links": {"PCIe 4.0 x16": 31.5},
  "usable": {"macos": {"steps": [{"up_to_gib": 32, "share": 0.667}, {"share": 0.75}]}},
  "devices": [
    {"id": "rtx-3060", "name": "RTX 3060", "vendor": "NVIDIA", "class": "nvidia_consumer",
     "backend": "cuda", "memory_gib": 12, "bandwidth_gb_per_s": 360, "link": "PCIe 4.0 x16",
     "tflops": {"fp16": 25.5}, "sources": ["page"]},
    {"id": "apple-m4-pro", "name": "Apple M4 Pro", "vendor": "Apple", "class": "apple",
     "backend": "metal", "unified": true, "memory_gib": [24, 48], "usable": "macos",
     "bandwidth_gb_per_s": 273, "sources": ["page"]}],
  "presets": [{"of": "rtx-3060-12gb", "counts": [2]}],
  "ladder": ["rtx-3060-12gb", "2x-rtx-3060-12gb"]})";

std::vector<SourceFile> sound_sources() {
    using vramscope::test::read_file;
    return {{"version.json", R"({"version": "1.0.0", "date": "2026-11-30"})"},
            {"sources.json",
             R"({"sources": {"page": {"text": "A page", "url": "https://example.org"}}})"},
            {"formats.json", read_file("catalog/formats.json")},
            {"quantization.json", read_file("catalog/quantization.json")},
            {"engines.json", read_file("catalog/engines.json")},
            {"hardware.json", hardware},
            {"models/test.json", models},
            {"locales/en.json", R"({"fits": "Fits {0}", "tight": "Tight"})"},
            {"locales/de.json", R"({"fits": "{0} passt", "tight": "Knapp"})"}};
}

/// One thing wrong: the value at a place is replaced, or removed when `value` is null.
struct Broken {
    const char* file;
    const char* place;   ///< JSON pointer
    const char* value;   ///< JSON text
    const char* where;   ///< part of the fault's place
    const char* message; ///< part of its text
};

constexpr const char* test_models = "models/test.json";
constexpr const char* in_glm = "models/test.json: models[glm-4-9b-0414]";

const std::vector<Broken>& broken_entries() {
    static const std::vector<Broken> entries = {
        // Identity.
        {test_models, "/models/0/id", nullptr, "models/test.json: models[0].id", "is missing"},
        {test_models, "/models/0/id", R"("GLM 4 9B")", "models[GLM 4 9B].id", "lower-case letters"},
        {test_models, "/models/0/id", "9", "models[0].id", "expected a text, got 9"},
        {test_models, "/models/0/name", nullptr, ".name", "is missing"},
        {test_models, "/models/0/name", R"("")", ".name", "is empty"},
        {test_models, "/models/0/provider", nullptr, ".provider", "is missing"},
        {test_models, "/models/0/family", "[]", ".family", "expected a text, got a list"},
        {test_models, "/models/0/license", nullptr, ".license", "is missing"},
        {test_models, "/models/0/hf_repo", R"("GLM-4-9B-0414")", ".hf_repo", "owner/name"},
        {test_models, "/models/0/hf_repo", R"("https://huggingface.co/zai-org/GLM")", ".hf_repo",
         "owner/name"},
        {test_models, "/models/0/hf_revision", R"("main")", ".hf_revision",
         "40 hexadecimal digits"},
        {test_models, "/models/0/release", R"("April 2025")", ".release", "2025-Q2"},
        {test_models, "/models/0/release", R"("2025-13")", ".release", "2025-Q2"},
        {test_models, "/models/0/licence", R"("MIT")", ".licence",
         "is not a known field; did you mean \"license\"?"},
        {test_models, "/models/0/aliases", R"("glm4")", ".aliases", "expected a list of texts"},
        {test_models, "/models/0/aliases", R"(["glm-z1-9b-0414"])", ".aliases",
         "already leads to \"glm-z1-9b-0414\""},
        {test_models, "/models/1/id", R"("glm-4-9b-0414")", ".id", "is given twice"},
        {test_models, "/models/1/name", R"("GLM-4-9b-0414")", ".name",
         "already leads to \"glm-4-9b-0414\""},
        {test_models, "/models/1/hf_repo", R"("THUDM/GLM-4-9B-0414")", ".hf_repo",
         "already leads to"},
        {test_models, "/models/1/base", R"("glm-4-32b")", "models[glm-z1-9b-0414].base",
         "no earlier entry"},
        {test_models, "/models/1", "7", "models[1]", "expected an object, got 7"},
        {test_models, "/models", "{}", "models/test.json: models", "expected a list"},
        {test_models, "/modles", "[]", "modles", "did you mean \"models\"?"},
        // Shape and count.
        {test_models, "/models/0/architecture", nullptr, ".architecture", "is missing"},
        {test_models, "/models/0/architecture/n_embd", "0", ".architecture.n_embd", "must be"},
        {test_models, "/models/0/architecture/n_vocab", R"("many")", ".architecture.n_vocab",
         "expected a whole number"},
        {test_models, "/models/0/architecture/mixers/attention/kind", R"("softmax")",
         ".architecture.mixers.attention.kind", "full_attention"},
        {test_models, "/models/0/architecture/mixers/attention/kv_heads", "2.5",
         ".architecture.mixers.attention.kv_heads", "expected a whole number"},
        {test_models, "/models/0/architecture/layers/0/mixer", R"("atention")",
         ".architecture.layers", "atention"},
        {test_models, "/models/0/architecture/layers/0/count", "-1", ".architecture.layers", "-1"},
        {test_models, "/models/0/architecture/hidden_size", "4096", ".architecture.hidden_size",
         "is not a known field"},
        {test_models, "/models/0/architecture/native_context", nullptr,
         ".architecture.native_context", "is missing"},
        {test_models, "/models/0/architecture/layers/0/count", "39", ".published_parameters",
         "the published count is 9,400,279,040, but the tensors of this architecture have"},
        {test_models, "/models/0/published_parameters", "9500000000", ".published_parameters",
         "are unexplained"},
        {test_models, "/models/0/published_parameters", "-5", ".published_parameters",
         "expected a whole number from 1"},
        {test_models, "/models/0/published_difference", R"([{"group": "magic", "parameters": 0}])",
         ".published_difference", "there is no group \"magic\""},
        {test_models, "/models/0/evidence", R"("certain")", ".evidence",
         "expected one of verified, derived, reported"},
        {test_models, "/models/1/evidence", R"("verified")", "models[glm-z1-9b-0414].evidence",
         "says more than the figures"},
        {test_models, "/models/0/evidence", R"("reported")", ".evidence_note", "is missing"},
        {test_models, "/models/0/rounded_parameters", "9.4", ".rounded_parameters",
         "expected a number from 1000000"},
        // Sources.
        {test_models, "/models/0/sources", nullptr, ".sources",
         "every entry says where it is from"},
        {test_models, "/models/0/sources", R"(["somewhere"])", ".sources",
         "neither a key of sources.json"},
        {"sources.json", "/sources/page/url", R"("ftp://example.org")",
         "sources.json: sources.page.url", "https://"},
        // Weight files.
        {test_models, "/models/0/artifacts/0/bytes", nullptr, ".artifacts[bf16].bytes",
         "is missing"},
        {test_models, "/models/0/artifacts/0/bytes", R"("18 GB")", ".artifacts[bf16].bytes",
         "expected a whole number"},
        {test_models, "/models/0/artifacts/0/bytes", "18800558", ".artifacts[bf16].bytes",
         "bits for each of the 9,400,279,040 parameters"},
        {test_models, "/models/0/artifacts/1/bytes", "6166574945", ".artifacts[gguf-q4_k_m].bytes",
         "the files add up to 6166574944"},
        {test_models, "/models/0/artifacts/1/id", R"("bf16")", ".artifacts[bf16].id",
         "occurs twice in this model"},
        {test_models, "/models/0/artifacts/1/quantization", R"("q4_k_x")",
         ".artifacts[gguf-q4_k_m].quantization", "is not in quantization.json"},
        {test_models, "/models/0/artifacts/1/format", R"("ggml")", ".artifacts[gguf-q4_k_m].format",
         "is not in formats.json"},
        {test_models, "/models/0/artifacts/1/engines", R"(["llama"])",
         ".artifacts[gguf-q4_k_m].engines", "is not in engines.json"},
        {test_models, "/models/1/artifacts",
         R"([{"id": "q", "format": "gguf", "quantization": "q8_0", "bytes": 9999611744,
              "evidence": "file-metadata", "source": "page"}])",
         "models[glm-z1-9b-0414].artifacts[q].repo", "name the repository or the files"},
        {test_models, "/models/0/artifacts/1/evidence", nullptr, ".evidence", "is missing"},
        {test_models, "/models/0/artifacts/1/source", nullptr, ".artifacts[gguf-q4_k_m].source",
         "is missing"},
        {test_models, "/models/0/artifacts/0/files", R"(["model-{4..1}.safetensors"])",
         ".artifacts[bf16].files[0]", "no usable pattern"},
        // Devices.
        {"hardware.json", "/devices/0/memory_gib", nullptr, "devices[rtx-3060].memory_gib",
         "is missing"},
        {"hardware.json", "/devices/0/memory_gib", "12884901888", "devices[rtx-3060].memory_gib",
         "expected GiB from 0.5 to 65536"},
        {"hardware.json", "/devices/0/class", R"("gamer")", "devices[rtx-3060].class",
         "there is no hardware class \"gamer\""},
        {"hardware.json", "/devices/0/backend", R"("opencl")", "devices[rtx-3060].backend",
         "there is no backend"},
        {"hardware.json", "/devices/0/bandwidth_gb_per_s", R"("360 GB/s")",
         "devices[rtx-3060].bandwidth_gb_per_s", "expected a number"},
        {"hardware.json", "/devices/0/link", R"("PCIe 9.0")", "devices[rtx-3060].link",
         "is not in the table \"links\""},
        {"hardware.json", "/devices/0/sources", nullptr, "rtx-3060-12gb.sources", "is missing"},
        {"hardware.json", "/devices/0/vram", "12", "devices[rtx-3060].vram",
         "is not a known field"},
        {"hardware.json", "/devices/1/usable", R"("windows")", "devices[apple-m4-pro].usable",
         "is not in the table \"usable\""},
        {"hardware.json", "/devices/1/memory_gib", "[24, 24]", "devices[apple-m4-pro].id",
         "is already the id of"},
        {"hardware.json", "/presets/0/of", R"("rtx-3090-24gb")", "presets[0].of",
         "no device has the id"},
        {"hardware.json", "/presets/0/counts", "[1]", "presets[0].counts[0]",
         "expected a whole number from 2 to 16"},
        {"hardware.json", "/ladder/0", R"("rtx-3060-8gb")", "ladder[0]", "no device has the id"},
        {"hardware.json", "/ladder", R"(["2x-rtx-3060-12gb", "rtx-3060-12gb"])", "ladder[1]",
         "more usable memory than the class before"},
        {"hardware.json", "/usable/macos/steps/0/share", "1.5", "usable.macos.steps[0].share",
         "expected a number from 0.1 to 1"},
        // The rest.
        {"version.json", "/version", R"("1")", "version.json: version", "major.minor.patch"},
        {"version.json", "/date", R"("30.11.2026")", "version.json: date", "2026-11-30"},
        {"formats.json", "/formats/0/engines", R"(["llama"])", "formats[gguf].engines",
         "is not in engines.json"},
        {"locales/de.json", "/tight", nullptr, "locales/de.json: tight", "is missing"},
        {"locales/de.json", "/thight", R"("Knapp")", "locales/de.json: thight",
         "is not a key of locales/en.json"},
        {"locales/de.json", "/fits", R"("passt")", "locales/de.json: fits", "other placeholders"},
        {"locales/de.json", "/fits", "1", "locales/de.json: fits", "expected a text"},
    };
    return entries;
}

std::vector<SourceFile> broken_sources(const Broken& broken) {
    std::vector<SourceFile> files = sound_sources();
    for (SourceFile& file : files) {
        if (file.path != broken.file)
            continue;
        Json document = Json::parse(file.content, nullptr, false);
        const Json::json_pointer place(broken.place);
        if (broken.value != nullptr) {
            document[place] = Json::parse(broken.value, nullptr, false);
        } else {
            REQUIRE(document.contains(place));
            document[place.parent_pointer()].erase(place.back());
        }
        file.content = document.dump();
    }
    return files;
}

std::string listed(const std::vector<Error>& faults) {
    std::string text;
    for (const Error& fault : faults)
        text += fault.where + ": " + fault.message + "\n";
    return text;
}

bool has_fault(const std::vector<Error>& faults, std::string_view where, std::string_view message) {
    for (const Error& fault : faults) {
        if (fault.where.find(where) != std::string::npos &&
            fault.message.find(message) != std::string::npos && !fault.code.empty()) {
            return true;
        }
    }
    return false;
}

void check_refused(const std::vector<SourceFile>& files, std::string_view where,
                   std::string_view message) {
    const std::vector<Error> faults = check_sources(files);
    CAPTURE(where, message, listed(faults));
    CHECK(has_fault(faults, where, message));
    CHECK_FALSE(build_snapshot(files));
    CHECK_FALSE(read_sources(files));
}

} // namespace

TEST_CASE("A sound catalog has no faults") {
    const std::vector<Error> faults = check_sources(sound_sources());
    CAPTURE(listed(faults));
    CHECK(faults.empty());
    const auto catalog = read_sources(sound_sources());
    REQUIRE(catalog);
    CHECK(catalog->models.at(0).evidence == Evidence::verified);
    // No count of its own, but the shape of a proven one.
    CHECK(catalog->models.at(1).evidence == Evidence::derived);
}

TEST_CASE("Broken entries are refused with file, entry, field and reason") {
    REQUIRE(broken_entries().size() >= 50);
    for (const Broken& broken : broken_entries()) {
        check_refused(broken_sources(broken), broken.where, broken.message);
    }
}

TEST_CASE("A fault names the entry by its id and the field by its path") {
    const auto faults = check_sources(broken_sources(
        {test_models, "/models/0/architecture/mixers/attention/kv_heads", R"("x")", "", ""}));
    REQUIRE_FALSE(faults.empty());
    CHECK(faults[0].where == std::string(in_glm) + ".architecture.mixers.attention.kv_heads");
    CHECK(faults[0].message.find("got \"x\"") != std::string::npos);
}

TEST_CASE("Files that are missing, unknown or not JSON are named") {
    for (const char* name : {"version.json", "sources.json", "formats.json", "quantization.json",
                             "engines.json", "hardware.json", "models/test.json"}) {
        std::vector<SourceFile> files = sound_sources();
        std::erase_if(files, [&](const SourceFile& file) { return file.path == name; });
        check_refused(files, std::string_view(name).starts_with("models/") ? "models/" : name,
                      "is");
    }
    std::vector<SourceFile> files = sound_sources();
    files.push_back({"modles/glm.json", "{}"});
    check_refused(files, "modles/glm.json", "is no file of a catalog");
    files = sound_sources();
    files[6].content.insert(files[6].content.find("\"provider\""), ",");
    check_refused(files, "models/test.json", "line 2, column");
    files[6].content = R"({"models": [{"id": "a", "id": "b"}]})";
    check_refused(files, "models/test.json", "key \"id\" occurs twice");
    files[6].content = "[]";
    check_refused(files, "models/test.json: models", "is missing");
    files[6].content.clear();
    check_refused(files, "models/test.json", "line 1, column 1");
}

TEST_CASE("A difference that is named proves a count") {
    // As if the published count held 100 million more.
    std::vector<SourceFile> files =
        broken_sources({test_models, "/models/0/published_parameters", "9500279040", "", ""});
    check_refused(files, ".published_parameters", "100,000,000 are unexplained");
    Json document = Json::parse(files[6].content, nullptr, false);
    document["models"][0]["published_difference"] =
        Json::parse(R"([{"group": "norms", "parameters": 100000000}])");
    files[6].content = document.dump();
    const auto catalog = read_sources(files);
    REQUIRE(catalog);
    CHECK(catalog->models.at(0).evidence == Evidence::verified);
}
