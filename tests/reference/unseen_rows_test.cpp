// Architectures that no rule was made with: llama.cpp's own allocations (unseen_rows.txt) for the
// catalog's shapes. Prints a table by architecture: vramscope_tests "[unseen]".
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/engines/engine.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;

namespace {

struct Row {
    std::string model, n_gpu_layers, flash_attn;
    std::int32_t n_ubatch = 0, n_outputs = 0, n_seq = 0, unified = 0, splits = 0;
    std::array<std::array<Bytes, 3>, 2> bytes{}; ///< device, host: weights, caches, compute
};

std::istream& operator>>(std::istream& in, Row& row) {
    in >> row.model >> row.n_gpu_layers >> row.flash_attn >> row.n_ubatch >> row.n_outputs >>
        row.n_seq >> row.unified >> row.splits;
    for (auto& place : row.bytes) {
        for (Bytes& part : place)
            in >> part;
    }
    return in;
}

} // namespace

TEST_CASE("Architectures that no rule was made with", "[unseen]") {
    const catalog::Catalog& catalog = test::shared_catalog();
    std::map<std::string, std::vector<double>> compute;
    std::istringstream lines(test::read_file("tests/reference/unseen_rows.txt"));
    std::size_t rows = 0;
    std::size_t exact = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        INFO(line);
        Row row;
        REQUIRE(std::istringstream(line) >> row);
        const catalog::Model* model = catalog.find_model(row.model);
        REQUIRE(model != nullptr);
        const bool on_device = row.n_gpu_layers != "cpu";
        EstimateRequest request;
        request.architecture = &model->architecture;
        request.storage_types = &catalog.storage_types;
        request.constants = &catalog.constants;
        request.weights.mixture = Mixture::f16;
        Options& options = request.options;
        options.n_ctx = 8192;
        options.n_ubatch = row.n_ubatch;
        options.n_outputs_max = row.n_outputs;
        options.n_seq = row.n_seq;
        options.kv_unified = row.unified != 0;
        options.flash_attn = row.flash_attn == "on" ? FlashAttention::on : FlashAttention::off;
        if (on_device) {
            Device device;
            device.backend = Backend::vulkan;
            device.memory_bytes = device.usable_bytes = 1024 * gib;
            request.devices.push_back(device);
        }
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);
        const std::size_t host = on_device ? 1 : 0;
        if (on_device) {
            const PartBytes& device = plan.devices[0];
            CHECK(std::llabs(device[Part::weights].expected - row.bytes[0][0]) <= 1024);
            CHECK(device[Part::kv].expected + device[Part::state].expected == row.bytes[0][1]);
        } else {
            CHECK(plan.devices[0][Part::kv].expected == row.bytes[1][1]);
        }
        // What the measuring backend could not take makes a row invalid.
        if (row.splits != (on_device ? 2 : 1))
            continue;
        for (std::size_t place = on_device ? 0 : 1; place < 2; ++place) {
            const Bytes theirs = row.bytes[place][2];
            const Bytes ours = plan.devices[place == 1 ? host : 0][Part::compute].expected;
            const double error = 100 * static_cast<double>(ours - theirs) /
                                 static_cast<double>(std::max<Bytes>(theirs, 1));
            if (std::fabs(error) > 0.1) {
                std::printf("%s place %zu: %.3f against %.3f MiB, %+.2f %%\n", line.c_str(), place,
                            static_cast<double>(ours) / mib, static_cast<double>(theirs) / mib,
                            error);
            }
            compute[model->architecture.gguf_arch].push_back(std::fabs(error));
            ++rows;
            exact += std::fabs(error) <= 0.1 ? 1 : 0;
        }
    }
    std::printf("%-12s %6s %10s %8s\n", "architecture", "rows", "median %", "worst %");
    for (auto& [name, errors] : compute) {
        std::sort(errors.begin(), errors.end());
        std::printf("%-12s %6zu %10.3f %8.2f\n", name.c_str(), errors.size(),
                    errors[errors.size() / 2], errors.back());
        CHECK(errors.back() <= 5);
    }
    std::printf("unseen: %zu compute buffers, %.1f %% within 0.1 %%\n", rows,
                100 * static_cast<double>(exact) / static_cast<double>(rows));
}
