// Projectors: what llama.cpp itself counts for a vision tower (projectors.txt), and the bytes of
// published projector files. Prints every case: vramscope_tests "[projectors]".
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "core/engines/llama_cpp_projector.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;

namespace {

Tower tower_of(const std::string& model) {
    const catalog::Model* found = test::shared_catalog().find_model(model);
    REQUIRE(found != nullptr);
    REQUIRE_FALSE(found->architecture.towers.empty());
    return found->architecture.towers.front();
}

EstimateRequest request_on(bool with_device, bool flash_attn, const Architecture& architecture) {
    EstimateRequest request;
    request.architecture = &architecture;
    request.storage_types = &test::shared_catalog().storage_types;
    request.options.mmproj = StorageType::f16;
    request.options.flash_attn = flash_attn ? FlashAttention::on : FlashAttention::off;
    if (with_device) {
        Device device;
        device.backend = Backend::vulkan;
        request.devices.push_back(device);
    }
    return request;
}

} // namespace

TEST_CASE("The engine's own count of projectors", "[projectors]") {
    std::vector<double> errors;
    std::size_t exact = 0;
    std::istringstream lines(test::read_file("tests/reference/projectors.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream words(line);
        std::string model;
        std::int32_t width = 0;
        int flash_attn = 0;
        int with_device = 0;
        std::int64_t allowed = 0;
        Bytes tensors = 0;
        Bytes device = 0;
        Bytes host = 0;
        words >> model >> width >> flash_attn >> with_device >> allowed >> tensors >> device >>
            host;
        INFO(line);
        Tower tower = tower_of(model);
        if (width > 0)
            tower.n_output = width;
        tower.file_bytes = tensors; // with patch kernels of 16 bits
        const EstimateRequest request =
            request_on(with_device != 0, flash_attn != 0,
                       test::shared_catalog().find_model(model)->architecture);
        const TowerBuffers ours =
            tower_buffers(request, tower, image_tokens(tower, allowed).warm_up);
        const Bytes our_device = with_device != 0 ? tensors + ours.device : 0;
        const Bytes our_host = with_device != 0 ? ours.host : tensors + ours.host;
        const auto total = static_cast<double>(device + host - tensors);
        const double error =
            100 * (static_cast<double>(our_device + our_host - device - host)) / total;
        std::printf("%-38s fa %d device %d tokens %4d: %8.2f and %8.2f MiB, ours %+10.4f %+10.4f "
                    "(%+.2f %%)\n",
                    model.c_str(), flash_attn, with_device, static_cast<int>(allowed),
                    static_cast<double>(device) / mib, static_cast<double>(host) / mib,
                    static_cast<double>(our_device - device) / mib,
                    static_cast<double>(our_host - host) / mib, error);
        errors.push_back(std::fabs(error));
        exact += std::fabs(error) < 0.001 ? 1 : 0;
    }
    std::sort(errors.begin(), errors.end());
    std::printf("projectors: %zu rows, %zu exact, median %.4f %%, worst %.2f %% of what is beyond "
                "the weights\n",
                errors.size(), exact, errors[errors.size() / 2], errors.back());
    CHECK(errors.back() < 0.001);
}

TEST_CASE("Published projector files", "[projectors]") {
    struct File {
        const char* model;
        StorageType type;
        Bytes bytes;
    };
    // ggml-org/gemma-3-4b-it-GGUF@d0976223, Qwen/Qwen3-VL-8B-Instruct-GGUF@f982a075,
    // ggml-org/Qwen2.5-VL-7B-Instruct-GGUF, unsloth/Qwen3.5-27B-GGUF as their sizes are listed.
    const File files[] = {
        {"gemma-3-4b-it", StorageType::f16, 851251104},
        {"qwen3-vl-8b-instruct", StorageType::f16, 1159029824},
        {"qwen3-vl-8b-instruct", StorageType::q8_0, 752289728},
        {"qwen2.5-vl-7b-instruct", StorageType::q8_0, 853119712},
        {"qwen3.5-27b", StorageType::bf16, 931145856},
    };
    for (const File& file : files) {
        const Bytes header = file.bytes - tower_bytes(tower_of(file.model), file.type,
                                                      test::shared_catalog().storage_types);
        INFO(file.model << ": " << header << " bytes of header");
        // Names and shapes of 300 to 600 tensors, and some metadata.
        CHECK(header > 15000);
        CHECK(header < 35000);
    }
}
