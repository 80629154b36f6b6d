// Benchmarks of the core: time and heap requests of each, best of several rounds.
//
//   vramscope_bench CATALOG.json [NAME]     all, or those whose name contains NAME
//
// CATALOG.json is the snapshot (build/native/catalog.json). Instructions instead of time:
//   valgrind --tool=callgrind --toggle-collect='*measured*' vramscope_bench CATALOG.json NAME
// A second figure, per item, divides by what one round works through (pairs, bytes).
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "core/solve.h"
#include "core/sweep.h"
#include "formats/gguf_reader.h"
#include "support/allocations.h"
#include "support/gguf_writer.h"

using namespace vramscope;

namespace {

[[gnu::noinline]] void measured(const std::function<void()>& work) {
    work();
}

struct Bench {
    std::string only;

    /// `items`: what a round works through, in units of `unit`.
    void run(const std::string& name, double items, const char* unit,
             const std::function<void()>& work, int rounds = 60) const {
        if (name.find(only) == std::string::npos)
            return;
        using Clock = std::chrono::steady_clock;
        for (int i = 0; i < 3; ++i)
            work();
        double best = 1e30;
        std::size_t requests = 0;
        for (int i = 0; i < rounds; ++i) {
            const std::size_t before = test::allocations();
            const auto start = Clock::now();
            measured(work);
            const std::chrono::duration<double, std::micro> time = Clock::now() - start;
            requests = test::allocations() - before;
            best = time.count() < best ? time.count() : best;
        }
        std::printf("%-44s %12.2f us %8zu allocations  %12.3g %s/s\n", name.c_str(), best, requests,
                    items / best * 1e6, unit);
    }
};

EstimateRequest ask(const catalog::Catalog& catalog, const char* model, const char* hardware) {
    catalog::Query query;
    if (!query.set("model", model) || !query.set("hardware", hardware))
        return {};
    return catalog::resolve(query, catalog)->request;
}

void bench_estimates(const Bench& bench, const catalog::Catalog& catalog) {
    for (const char* model :
         {"glm-4-9b-0414", "gemma-3-12b-it", "deepseek-r1", "qwen3-next-80b-a3b-instruct"}) {
        for (const char* hardware : {"rtx-4090-24gb", "h100-80gb*8"}) {
            const EstimateRequest request = ask(catalog, model, hardware);
            const std::string what = std::string(model) + " " + hardware;
            Workspace kept;
            Estimate out;
            bench.run("estimate, kept: " + what, 1, "estimates",
                      [&] { estimate(request, kept, out); });
            EstimateRequest moved = request;
            bench.run("estimate, other contexts: " + what, 1, "estimates", [&] {
                moved.options.n_ctx = 4096 + (moved.options.n_ctx + 1777) % 60000;
                estimate(moved, kept, out);
            });
            bench.run(
                "estimate, first: " + what, 1, "estimates", [&] { (void)estimate(request); }, 12);
        }
    }
}

void bench_matrix(const Bench& bench, const catalog::Catalog& catalog) {
    EstimateRequest request = ask(catalog, "glm-4-9b-0414", "rtx-3060-12gb");
    Workspace kept;
    int cells = 0;
    const auto matrix = [&] {
        cells = 0;
        for (const catalog::QuantizationFormat& format : catalog.quantizations) {
            request.weights = {};
            request.weights.mixture = format.mixture;
            request.weights.nominal_bits_per_weight = format.bits_per_weight;
            for (const std::int64_t context : {4096, 8192, 16384, 32768, 65536, 131072}) {
                request.options.n_ctx = context;
                (void)plan_memory(request, kept);
                ++cells;
            }
        }
    };
    matrix();
    bench.run("matrix of weights and contexts", cells, "cells", matrix);
}

void bench_sweep(const Bench& bench, const catalog::Catalog& catalog) {
    EstimateRequest request = ask(catalog, "glm-4-9b-0414", "rtx-3060-12gb");
    std::vector<const Device*> devices;
    for (const catalog::HardwareEntry& entry : catalog.hardware) {
        if (entry.count <= 1)
            devices.push_back(&entry.device);
    }
    constexpr const char* formats[] = {"bf16",   "q8_0",   "q6_k",    "q5_k_m", "q4_k_m",
                                       "iq4_xs", "q3_k_m", "iq3_xxs", "q2_k",   "iq2_xxs"};
    const auto pairs = static_cast<double>(catalog.models.size() * std::size(formats)) *
                       static_cast<double>(devices.size());
    Sweep sweep(devices);
    bench.run(
        "sweep: all models x 10 weights x devices", pairs, "pairs",
        [&] {
            for (const catalog::Model& model : catalog.models) {
                request.architecture = &model.architecture;
                for (const char* id : formats) {
                    const auto* format = catalog.find_quantization(id);
                    request.weights = {};
                    request.weights.mixture = format->mixture;
                    request.weights.nominal_bits_per_weight = format->bits_per_weight;
                    sweep.select(request);
                    (void)sweep.answers();
                }
            }
        },
        3);
}

void bench_parsers(const Bench& bench, const std::string& snapshot,
                   const catalog::Catalog& catalog) {
    bench.run(
        "catalog parse", static_cast<double>(snapshot.size()), "bytes",
        [&] { (void)catalog::read_snapshot(snapshot); }, 20);
    test::GgufWriter writer;
    writer.text("general.architecture", "llama");
    writer.u32("llama.block_count", 80);
    std::vector<std::string> words(128000, "token");
    writer.texts("tokenizer.ggml.tokens", words);
    for (int layer = 0; layer < 80; ++layer) {
        for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up",
                                 "ffn_down", "attn_norm", "ffn_norm"}) {
            writer.tensor("blk." + std::to_string(layer) + "." + name + ".weight",
                          StorageType::q4_k, {8192, 8192}, catalog.storage_types);
        }
    }
    const std::string header = writer.header();
    bench.run(
        "GGUF header parse", static_cast<double>(header.size()), "bytes",
        [&] {
            formats::GgufReader reader(catalog.storage_types, "bench.gguf");
            (void)reader.feed(
                {reinterpret_cast<const unsigned char*>(header.data()), header.size()});
        },
        20);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::puts("usage: vramscope_bench CATALOG.json [NAME]");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string snapshot{std::istreambuf_iterator<char>(file), {}};
    const auto catalog = catalog::read_snapshot(snapshot);
    if (!catalog) {
        std::puts(catalog.error().message.c_str());
        return 1;
    }
    const Bench bench{argc > 2 ? argv[2] : ""};
    bench_estimates(bench, *catalog);
    bench_matrix(bench, *catalog);
    bench_sweep(bench, *catalog);
    bench_parsers(bench, snapshot, *catalog);
}
