// The engine's own fit: against its logs, and against what it promises.
#include "core/automatic_fit.h"

#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;

namespace {

catalog::ResolvedRequest ask(std::initializer_list<std::pair<const char*, const char*>> fields) {
    catalog::Query query;
    for (const auto& [key, value] : fields)
        REQUIRE(query.set(key, value));
    auto request = catalog::resolve(query, test::shared_catalog());
    REQUIRE(request);
    return *request;
}

/// Layers of equal size on devices of a kind, in MiB as logs print them.
class EvenProblem final : public FitProblem {
public:
    Bytes fixed = 0;       ///< of each device that holds any layer
    Bytes dense_layer = 0; ///< a layer without its experts
    Bytes experts = 0;     ///< a layer's experts: three equal tensors
    Bytes bytes_per_token = 0;
    FitUse measure(const FitLayout& layout) const override {
        FitUse use;
        for (std::int32_t d = 0; d < n_devices; ++d) {
            FitSlice slice = layout.slices[static_cast<std::size_t>(d)];
            if (layout.everything) {
                slice = {(n_layer + 1) / n_devices, 0};
                slice.n_part = layout.all_experts_on_host ? slice.n_layer : 0;
            }
            const Bytes weights = slice.n_layer * dense_layer + slice.n_full() * experts;
            Bytes& device = use.devices[static_cast<std::size_t>(d)];
            device = weights + (slice.n_layer > 0 ? fixed : 0) + bytes_per_token * layout.n_ctx;
            const Bytes third = experts / 3;
            if (slice.n_part > 0 && slice.first_part == LayerFraction::up)
                device += third;
            if (slice.n_part > 0 && slice.first_part == LayerFraction::gate)
                device += 2 * third;
            use.weights += weights;
        }
        return use;
    }
};

} // namespace

// RTX 3060, a mixture of 40 layers and one MTP layer: log in am17an/llama.cpp pull request 6,
// turn 25. 42 units with 24 in part use 9,625 MiB of 10,603 free, with 25 in part and `up` of one
// more 9,387. So a layer's experts are 357 MiB, and 41 in part use 9,268 - 16 x 357 MiB.
TEST_CASE("A mixture of experts is fitted as the engine's log says", "[fit]") {
    EvenProblem problem;
    problem.n_layer = 41;
    problem.has_experts = true;
    problem.native_context = 262144;
    problem.n_devices = 1;
    problem.free_bytes = {10603 * mib};
    problem.experts = 357 * mib;
    problem.dense_layer = 50 * mib;
    // The output unit counts as a whole layer here, hence 17.
    problem.fixed = (9268 - 17 * 357 - 42 * 50) * mib;
    const AutomaticFit fit = automatic_fit(problem, {.n_ctx = 32768});
    CHECK(fit.outcome == FitOutcome::layers);
    CHECK(fit.target[0] == (10603 - 1024) * mib);
    CHECK(fit.n_gpu_layers == 42);
    CHECK(fit.n_partial_layers == 25);
    // 9,387 MiB with `up`, 9,506 with `gate` too: both below 9,579.
    CHECK(fit.layout.slices[0].first_part == LayerFraction::gate);
    CHECK(fit.use.devices[0] == 9506 * mib);
}

TEST_CASE("The context is interpolated and rounded down", "[fit]") {
    // 100 MiB without a context, 1 KiB a token: 131,072 tokens would need 128 MiB more. A device of
    // 200 MiB with a margin of 10 leaves 90 MiB, which is 92,160 tokens, a multiple of 256.
    EvenProblem problem;
    problem.n_layer = 9;
    problem.native_context = 131072;
    problem.n_devices = 1;
    problem.free_bytes = {200 * mib};
    problem.dense_layer = 10 * mib;
    problem.bytes_per_token = 1024;
    const AutomaticFit fit = automatic_fit(problem, {.margin_bytes = 10 * mib});
    CHECK(fit.outcome == FitOutcome::context);
    CHECK(fit.layout.n_ctx == 92160);
    CHECK(fit.n_gpu_layers == 10);

    // Four streams of 131,072 each: the same tokens, rounded to 4 x 256.
    problem.n_streams = 4;
    problem.free_bytes = {201 * mib};
    CHECK(automatic_fit(problem, {.margin_bytes = 10 * mib}).layout.n_ctx == 93184);

    // A context that a person set stays; then layers go: 128 MiB of cache leave 63 for 6 of them.
    problem.n_streams = 1;
    const AutomaticFit set = automatic_fit(problem, {.n_ctx = 131072, .margin_bytes = 10 * mib});
    CHECK(set.outcome == FitOutcome::layers);
    CHECK(set.n_gpu_layers == 6);
    problem.may_change_layers = false;
    CHECK(automatic_fit(problem, {.n_ctx = 131072, .margin_bytes = 10 * mib}).outcome ==
          FitOutcome::not_allowed);
}

TEST_CASE("Two devices fill from the last one backwards", "[fit]") {
    // Ten units of 10 MiB, 45 and 35 MiB within the margins: 3 on the last device, 4 on the first.
    EvenProblem problem;
    problem.n_layer = 9;
    problem.n_devices = 2;
    problem.native_context = 4096;
    problem.free_bytes = {45 * mib, 35 * mib};
    problem.dense_layer = 10 * mib;
    const AutomaticFit fit = automatic_fit(problem, {.margin_bytes = 0});
    CHECK(fit.outcome == FitOutcome::layers);
    CHECK(fit.layout.slices[0].n_layer == 4);
    CHECK(fit.layout.slices[1].n_layer == 3);
    CHECK(fit.n_gpu_layers == 7);
}

TEST_CASE("What fits stays as it is, with the model's own context", "[fit]") {
    const auto resolved = ask({{"hardware", "h100-80gb"}});
    const AutomaticFit fit = automatic_fit(resolved.request, {});
    CHECK(fit.outcome == FitOutcome::unchanged);
    CHECK(fit.layout.n_ctx == resolved.model->architecture.native_context);
}

TEST_CASE("A fit keeps its margin, and its options give the memory it says", "[fit]") {
    for (const char* model : {"llama-3.3-70b-instruct", "qwen3-8b", "qwen3-30b-a3b", "gpt-oss-120b",
                              "gemma-3-27b-it", "deepseek-v3"}) {
        for (const char* hardware :
             {"rtx-3060-12gb", "rtx-3090-24gb", "rtx-3090-24gb*2", "rtx-4060-8gb,rtx-3060-12gb"}) {
            for (const std::int64_t n_ctx : {std::int64_t{0}, std::int64_t{16384}}) {
                const auto resolved = ask({{"model", model}, {"hardware", hardware}});
                INFO(model << " " << hardware << " " << n_ctx);
                const AutomaticFit fit = automatic_fit(resolved.request, {.n_ctx = n_ctx});
                const std::size_t n = resolved.request.devices.size();
                EstimateRequest fitted = resolved.request;
                apply(fit, fitted);
                const MemoryPlan plan = plan_memory(fitted);
                for (std::size_t d = 0; d < n; ++d) {
                    // With several, what a later one gets may enlarge an earlier one's buffers; the
                    // engine does not look back either (ggml-org/llama.cpp issue 25487).
                    if (n == 1)
                        CHECK(fit.use.devices[d] <= fit.target[d]);
                    const PartBytes& parts = plan.devices[d];
                    const Bytes need = parts.total().expected - parts[Part::overhead].expected;
                    if (fit.n_partial_layers == 0)
                        CHECK(need == fit.use.devices[d]);
                }
                if (n_ctx > 0)
                    CHECK(fit.layout.n_ctx == n_ctx);
                CHECK(fit.layout.n_ctx >=
                      std::min<std::int64_t>(4096, resolved.model->architecture.native_context));
                // One layer more would not have fitted on a single device.
                if (fit.outcome == FitOutcome::layers && n == 1 && fit.n_partial_layers == 0) {
                    ++*fitted.options.n_gpu_layers;
                    const PartBytes parts = plan_memory(fitted).devices[0];
                    CHECK(parts.total().expected - parts[Part::overhead].expected > fit.target[0]);
                }
            }
        }
    }
}

TEST_CASE("Without a device the context is cut to the host's memory", "[fit]") {
    const auto resolved =
        ask({{"hardware", "cpu"}, {"host_memory_gib", "8"}, {"model", "qwen3-8b"}});
    const AutomaticFit fit = automatic_fit(resolved.request, {});
    CHECK(fit.outcome == FitOutcome::context);
    CHECK(fit.n_gpu_layers == 0);
    CHECK(fit.use.host <= 7 * gib);
    const auto small = ask({{"hardware", "cpu"}, {"host_memory_gib", "4"}, {"model", "qwen3-8b"}});
    CHECK(automatic_fit(small.request, {}).outcome == FitOutcome::too_large);
}
