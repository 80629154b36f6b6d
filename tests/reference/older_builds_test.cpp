// Older builds of llama.cpp: what b7324 (December 2025) and b10256 (June 2026) allocate.
//
// b7324: the rows of that suite in oracle_rows.txt (compute buffers only, models cut to their first
// layers). b10256: b10256_rows.txt, `model|options|MiB as JSON` as printed by that build on a
// CUDA-like device (128-byte blocks, quantised rows padded to 512 elements, every operator), all
// logits. Errors go to standard output by build, part and model.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/engines/engine.h"
#include "support/files.h"
#include "support/oracle_rows.h"
#include "support/reference_models.h"

using namespace vramscope;

namespace {

struct Errors {
    std::vector<double> shares;

    void add(double ours, double theirs) {
        if (ours != 0 || theirs != 0)
            shares.push_back(std::fabs(ours - theirs) / std::max(theirs, 1.0));
    }
    double share_within(double limit) const {
        const auto n =
            std::count_if(shares.begin(), shares.end(), [limit](double e) { return e <= limit; });
        return static_cast<double>(n) / static_cast<double>(shares.size());
    }
    double at(double rank) {
        std::sort(shares.begin(), shares.end());
        return shares[static_cast<std::size_t>(
            std::lround(rank * static_cast<double>(shares.size() - 1)))];
    }
};

void print(const std::map<std::string, Errors>& all) {
    std::printf("%-44s %5s %9s %9s %9s %9s\n", "build part model", "rows", "<0.1 %", "median %",
                "95th %", "worst %");
    for (auto [name, errors] : all) {
        std::printf("%-44s %5zu %9.1f %9.3f %9.2f %9.2f\n", name.c_str(), errors.shares.size(),
                    100 * errors.share_within(0.001), 100 * errors.at(0.5), 100 * errors.at(0.95),
                    100 * errors.at(1));
    }
}

constexpr double bytes_per_mib = 1024.0 * 1024.0;

/// The number behind `"key":` in `text`, from `from` on.
double number_after(const std::string& text, const std::string& key, std::size_t from) {
    const std::size_t at = text.find("\"" + key + "\":", from);
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + key.size() + 3));
}

void apply_options(const std::string& text, EstimateRequest& request) {
    Options& options = request.options;
    options = Options{};
    options.n_seq = 1;
    options.n_outputs_max = 0; // all
    options.flash_attn = FlashAttention::on;
    std::size_t gpus = 1;
    std::istringstream fields(text);
    for (std::string field; fields >> field;) {
        const auto value = [&] {
            std::string next;
            fields >> next;
            return next;
        };
        if (field == "-c")
            options.n_ctx = std::stoll(value());
        else if (field == "-ub")
            options.n_ubatch = std::stoi(value());
        else if (field == "-fa")
            options.flash_attn = value() == "off" ? FlashAttention::off : FlashAttention::on;
        else if (field == "-ctk")
            options.type_k = storage_type_from_name(value());
        else if (field == "-ctv")
            options.type_v = storage_type_from_name(value());
        else if (field == "-np")
            options.n_seq = std::stoi(value());
        else if (field == "-kvu")
            options.kv_unified = true;
        else if (field == "-swa-full")
            options.swa_full = true;
        else if (field == "-ngl")
            options.n_gpu_layers = std::stoi(value());
        else if (field == "-gpus")
            gpus = std::stoul(value());
        else
            FAIL("unknown option " << field);
    }
    Device device;
    device.backend = Backend::cuda;
    device.memory_bytes = device.usable_bytes = 64 * gib;
    request.devices.assign(gpus, device);
}

} // namespace

TEST_CASE("b10256 allocates what is computed for it", "[older-builds]") {
    const test::ReferenceModels reference;
    std::map<std::string, Errors> errors;
    std::istringstream rows(test::read_file("tests/reference/b10256_rows.txt"));
    for (std::string row; std::getline(rows, row);) {
        const std::size_t first = row.find('|');
        const std::size_t second = row.find('|', first + 1);
        REQUIRE(second != std::string::npos);
        static const std::map<std::string, std::string> names = {
            {"llama31-8b", "llama-3.1-8b"},
            {"glm4-9b", "glm4-9b-0414"},
            {"qwen3-8b", "qwen3-8b"},
            {"gemma3-12b", "gemma3-12b"},
            {"dsv2-lite", "deepseek-v2-lite-mla"},
            {"qwen35-27b", "qwen3.5-27b"}};
        const std::string model = row.substr(0, first);
        EstimateRequest request = reference.request(names.at(model));
        request.weights.mixture = mixture_from_name("Q4_K_M");
        request.llama_cpp_version = LlamaCppVersion::b10256;
        apply_options(row.substr(first + 1, second - first - 1), request);
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);
        const std::size_t n = request.devices.size();
        for (std::size_t d = 0; d <= n; ++d) {
            const std::string place = d == n ? "Host" : "GPU" + std::to_string(d);
            const std::size_t from = row.find("\"" + place + "\"", second);
            REQUIRE(from != std::string::npos);
            const auto compare = [&](const char* part, const char* key, Bytes ours) {
                // Printed with two decimals: half a unit of the last place is not an error.
                const double theirs = number_after(row, key, from);
                double here = static_cast<double>(ours) / bytes_per_mib;
                if (std::fabs(here - theirs) <= 0.0051)
                    here = theirs;
                const std::string side = d == n ? " host " : " device ";
                errors[std::string("b10256 ") + part + side + model].add(here, theirs);
                errors[std::string("b10256 ") + part + side + "*"].add(here, theirs);
            };
            const PartBytes& parts = plan.devices[d];
            compare("weights", "model", parts[Part::weights].expected);
            compare("cache", "context", parts[Part::kv].expected + parts[Part::state].expected);
            compare("compute", "compute", parts[Part::compute].expected);
        }
    }
    print(errors);
    // Two of the files hold other weight types than the mixture gives (their makers' choice), which
    // shows where weights are copied to the device, too.
    CHECK(errors["b10256 cache device *"].at(1) < 1e-4);
    CHECK(errors["b10256 weights device llama31-8b"].at(1) < 1e-4);
    CHECK(errors["b10256 compute device *"].share_within(0.001) >= 0.96);
    CHECK(errors["b10256 compute device *"].at(1) < 0.12);
    CHECK(errors["b10256 compute host *"].share_within(0.001) >= 0.98);
}

TEST_CASE("b7324 reserves what is computed for it", "[older-builds]") {
    const test::ReferenceModels reference;
    std::map<std::string, Errors> errors;
    for (const test::OracleRow& row :
         test::read_oracle_rows(test::read_file("tests/reference/oracle_rows.txt"))) {
        if (row.suite != "b7324")
            continue;
        EstimateRequest request = reference.request(row.model);
        Architecture cut = *request.architecture;
        cut.layers.resize(static_cast<std::size_t>(row.cut_to_layers));
        request.architecture = &cut;
        test::apply(row, request);
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);
        const std::size_t n = request.devices.size();
        for (std::size_t d = 0; d <= n; ++d) {
            const double theirs = static_cast<double>(row.bytes[2][d == n ? 3 : d]);
            double ours = static_cast<double>(plan.devices[d][Part::compute].expected);
            if (std::fabs(ours - theirs) <= 5400)
                ours = theirs;
            const std::string side = d == n ? (row.is_cpu() ? " cpu " : " host ") : " device ";
            const std::string fa = row.flash_attn ? "fa" : "nofa";
            errors["b7324 compute-" + fa + side + row.model].add(ours, theirs);
            errors["b7324 compute-" + fa + side + "*"].add(ours, theirs);
        }
    }
    print(errors);
    for (auto& [name, cell] : errors) {
        INFO(name);
        CHECK(cell.at(1) < 0.001);
    }
}
