// The catalog that is shipped: what it must hold, and the entries that the reference pages need.
#include "catalog/catalog.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "catalog/artifact_json.h"
#include "catalog/model_check.h"
#include "catalog/model_json.h"
#include "catalog/sources.h"
#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::catalog;

namespace {

Bytes memory_of(std::string_view id) {
    const HardwareEntry* entry = test::shared_catalog().find_hardware(id);
    REQUIRE(entry != nullptr);
    return entry->device.memory_bytes;
}

double bandwidth_of(std::string_view id) {
    const HardwareEntry* entry = test::shared_catalog().find_hardware(id);
    REQUIRE(entry != nullptr);
    return entry->device.bandwidth_gb_per_s;
}

} // namespace

TEST_CASE("The catalog's sources have no faults") {
    for (const Error& fault : check_sources(test::catalog_sources())) {
        FAIL_CHECK(fault.where << ": " << fault.message);
    }
}

TEST_CASE("The catalog is as large as promised") {
    const Catalog& catalog = test::shared_catalog();
    std::size_t published = 0;
    std::size_t proven = 0;
    std::size_t files = 0;
    for (const Model& model : catalog.models) {
        if (model.published_parameters > 0)
            ++published;
        if (model.evidence == Evidence::verified)
            ++proven;
        files += model.artifacts.size();
    }
    CHECK(catalog.models.size() >= 380);
    CHECK(proven * 10 >= published * 9);
    CHECK(files >= 200);
    const auto singles = std::count_if(
        catalog.hardware.begin(), catalog.hardware.end(),
        [](const HardwareEntry& entry) { return !entry.id.starts_with("2x") && entry.count == 1; });
    CHECK(singles >= 240);
}

TEST_CASE("GLM-4-9B-0414 is as the reference pages print it") {
    // Every figure: tests/reference/golden.json, from the two pages.
    const Model* model = test::shared_catalog().find_model("glm-4-9b-0414");
    REQUIRE(model != nullptr);
    CHECK(model->name == "GLM-4-9B-0414");
    CHECK(model->provider == "Zhipu AI");
    CHECK(model->hf_repo == "zai-org/GLM-4-9B-0414");
    CHECK(model->hf_repo_old == "THUDM/GLM-4-9B-0414");
    CHECK(model->hf_revision == "645b8482494e31b6b752272bf7f7f273ef0f3caf");
    CHECK(model->ollama_tag == "glm4:9b");
    CHECK(model->license == "MIT");
    CHECK(model->release == "2025-Q2");
    CHECK(model->published_parameters == 9'400'279'040);
    CHECK(model->rounded_parameters == 9.4e9);
    CHECK(model->evidence == Evidence::verified);
    const Architecture& shape = model->architecture;
    CHECK(shape.n_layer() == 40);
    CHECK(shape.n_embd == 4096);
    CHECK(shape.n_vocab == 151'552);
    CHECK(shape.native_context == 32'768);
    CHECK(shape.mixers.at(0).q_heads == 32);
    CHECK(shape.mixers.at(0).kv_heads == 2);
    CHECK(shape.mixers.at(0).head_dim_k == 128);

    struct Printed {
        const char* id;
        const char* name;
        Bytes bytes;
        std::vector<std::string> engines;
    };
    const std::vector<std::string> gguf = {"llama.cpp", "ollama", "unspecified"};
    const std::vector<Printed> printed = {
        {"bf16", "BF16 safetensors", 18'800'558'080, {"vllm", "sglang", "unspecified"}},
        {"gguf-q4_k_m", "GGUF Q4_K_M (Unsloth)", 6'166'574'944, gguf},
        {"gguf-q5_k_m", "GGUF Q5_K_M (Unsloth)", 7'050'917'728, gguf},
        {"gguf-q6_k", "GGUF Q6_K (Unsloth)", 8'266'643'296, gguf},
        {"gguf-q8_0", "GGUF Q8_0 (Unsloth)", 9'999'611'744, gguf},
        {"int4-theoretical", "INT4 theoretical", 4'700'139'520, {}}};
    REQUIRE(model->artifacts.size() == printed.size());
    for (const Printed& line : printed) {
        CAPTURE(line.id);
        const Artifact* artifact = find_artifact(*model, line.id);
        REQUIRE(artifact != nullptr);
        CHECK(artifact->name == line.name);
        CHECK(artifact->bytes == line.bytes);
        CHECK(artifact->engines == line.engines);
        CHECK(artifact->theoretical == (artifact->evidence == "theoretical"));
    }
    const Artifact* bf16 = find_artifact(*model, "BF16");
    REQUIRE(bf16 != nullptr);
    CHECK(bf16->bytes_are_tensors);
    REQUIRE(bf16->files.size() == 4);
    CHECK(bf16->files[2].name == "model-00003-of-00004.safetensors");
    CHECK(find_artifact(*model, "gguf-q4_k_m")->files.at(0).name == "GLM-4-9B-0414-Q4_K_M.gguf");
}

TEST_CASE("The devices of the reference pages have the printed memory and bandwidth") {
    // golden.json: quick_profile.hardware, simulator_state, ids.
    struct Printed {
        const char* id;
        int gib;
        double gb_per_s;
    };
    for (const Printed& line :
         {Printed{"rtx-3060-12gb", 12, 360}, Printed{"rtx-3090-24gb", 24, 936},
          Printed{"rtx-4090-24gb", 24, 1008}, Printed{"rtx-5090-32gb", 32, 1792},
          Printed{"apple-m-max-64gb", 64, 546}, Printed{"mac-studio-128gb", 128, 546},
          Printed{"mac-studio-192gb", 192, 800}, Printed{"a100-80gb", 80, 2039},
          Printed{"h100-80gb", 80, 3350}}) {
        CAPTURE(line.id);
        CHECK(memory_of(line.id) == line.gib * gib);
        CHECK(bandwidth_of(line.id) == line.gb_per_s);
    }
    const Catalog& catalog = test::shared_catalog();
    CHECK(catalog.find_hardware("rtx-4060-ti-16gb") != nullptr);
    CHECK(catalog.find_hardware("h100-80gb")->device.name == "NVIDIA H100 80GB");
    // Other forms of a card have ids of their own (design of the command line).
    CHECK(bandwidth_of("h100-pcie-80gb") == 2000);
    CHECK(bandwidth_of("rtx-4070-12gb") == 504);
    CHECK(bandwidth_of("rx-7900-xt-20gb") == 800);
    CHECK(memory_of("apple-m4-pro-48gb") == 48 * gib);
}

TEST_CASE("Devices know what one process can have") {
    const Catalog& catalog = test::shared_catalog();
    for (const HardwareEntry& entry : catalog.hardware) {
        CAPTURE(entry.id);
        CHECK(entry.device.usable_bytes > 0);
        CHECK(entry.device.usable_bytes <= entry.device.memory_bytes);
        CHECK(entry.count >= 1);
        CHECK(entry.count <= static_cast<std::int32_t>(max_devices));
    }
    // recommendedMaxWorkingSetSize: 22,906.50 MB of 32 GiB (two thirds), 51,539.61 MB of 64 GiB
    // (three quarters) in llama.cpp's logs on macOS up to 15.
    const HardwareEntry* small = catalog.find_hardware("apple-m1-pro-32gb");
    const HardwareEntry* large = catalog.find_hardware("apple-m1-max-64gb");
    REQUIRE((small != nullptr && large != nullptr));
    CHECK(small->device.usable_bytes / 1'000'000 <= 22'906);
    CHECK(small->device.usable_bytes / 1'000'000 >= 22'900);
    CHECK(large->device.usable_bytes / 10'000 == 5'153'960);
    CHECK(large->usable_at_most_bytes > large->device.usable_bytes);
    CHECK(small->device.unified);
    // A card of two devices: each has half of the memory and of the bandwidth.
    const HardwareEntry* k80 = catalog.find_hardware("k80-24gb");
    REQUIRE(k80 != nullptr);
    CHECK(k80->count == 2);
    CHECK(k80->device.memory_bytes == 12 * gib);
    CHECK(k80->device.bandwidth_gb_per_s == 240);
    const HardwareEntry* pair = catalog.find_hardware("2x-rtx-3090-24gb");
    REQUIRE(pair != nullptr);
    CHECK(pair->count == 2);
    CHECK(pair->device.memory_bytes == 24 * gib);
    CHECK(catalog.find_hardware("hgx-h100")->count == 8);
}

TEST_CASE("The ladder of memory classes begins with the ones the page recommends") {
    const Catalog& catalog = test::shared_catalog();
    REQUIRE(catalog.hardware_ladder.size() > 4);
    // 8 GB is no class of it: the page recommends 12 GB where 7.18 of 8 would be 89.8 %.
    CHECK(catalog.hardware_ladder[0] == "rtx-3060-12gb");
    CHECK(catalog.hardware_ladder[1] == "rtx-4060-ti-16gb");
    CHECK(catalog.hardware_ladder[2] == "rtx-3090-24gb");
}

TEST_CASE("Entries are found by id in any case, alias, repository and tag") {
    const Catalog& catalog = test::shared_catalog();
    const Model* model = catalog.find_model("glm-4-9b-0414");
    REQUIRE(model != nullptr);
    for (const char* name :
         {"GLM-4-9B-0414", "zai-org/glm-4-9b-0414", "THUDM/GLM-4-9B-0414", "glm4:9b"}) {
        CAPTURE(name);
        CHECK(catalog.find_model(name) == model);
    }
    CHECK(catalog.find_model("") == nullptr);
    CHECK(catalog.find_model("glm-4-9b-041") == nullptr);
    CHECK(catalog.find_hardware("RTX-3060-12GB") == catalog.find_hardware("RTX 3060 12GB"));
    CHECK(catalog.find_hardware("h100-sxm-80gb") == catalog.find_hardware("h100-80gb"));
    CHECK(catalog.find_engine("LLAMA.CPP") != nullptr);
    CHECK(catalog.find_quantization("Q4_K_M") != nullptr);
    CHECK(catalog.find_format("gguf") != nullptr);
    CHECK(find_artifact(*model, "GGUF-Q4_K_M") != nullptr);
    CHECK(find_artifact(*model, "gguf-q2_k") == nullptr);
}

TEST_CASE("Every model has a rounded size near its count") {
    for (const Model& model : test::shared_catalog().models) {
        CAPTURE(model.id);
        const auto count = static_cast<double>(check_count(model).computed);
        // Cards leave multi-token-prediction layers and towers out.
        CHECK(model.rounded_parameters > 0.85 * count);
        CHECK(model.rounded_parameters < 1.06 * count);
    }
    // 30,532,122,624: the sum of its checkpoint's tensors.
    CHECK(test::shared_catalog().find_model("qwen3-30b-a3b")->rounded_parameters == 30.5e9);
}

TEST_CASE("Ids are unique in any case") {
    const Catalog& catalog = test::shared_catalog();
    std::set<std::string> seen;
    for (const Model& model : catalog.models) {
        CHECK(seen.insert(model.id).second);
        std::set<std::string> artifacts;
        for (const Artifact& artifact : model.artifacts)
            CHECK(artifacts.insert(artifact.id).second);
    }
    seen.clear();
    for (const HardwareEntry& entry : catalog.hardware)
        CHECK(seen.insert(entry.id).second);
}

TEST_CASE("A pattern of file names stands for all of them") {
    CHECK(expand_file_names("a.gguf") == std::vector<std::string>{"a.gguf"});
    CHECK(expand_file_names("m-{09..11}-of-11.st") ==
          std::vector<std::string>{"m-09-of-11.st", "m-10-of-11.st", "m-11-of-11.st"});
    for (const char* pattern :
         {"{1..}", "{..2}", "{2..1}", "{a..b}", "{1..100000}", "{1-2}", "x{", "{-1..2}"}) {
        CAPTURE(pattern);
        CHECK(expand_file_names(pattern).empty());
    }
}

TEST_CASE("Release dates are as exact as they are known") {
    for (const char* date : {"2025", "2025-Q2", "2025-04", "2025-04-14"})
        CHECK(is_release_date(date));
    for (const char* date : {"", "25", "2025-", "2025-Q5", "2025-Q22", "2025-00", "2025-4",
                             "2025-04-32", "2025-04-1", "2025/04", "2025-04-14T00", "1999"}) {
        CAPTURE(date);
        CHECK_FALSE(is_release_date(date));
    }
}
