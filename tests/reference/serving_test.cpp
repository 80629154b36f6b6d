// vLLM and SGLang against what they printed: serving_cases.txt.
//
//   vramscope_tests "[serving]"      prints every case, predicted and measured, with the misses
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

#include "catalog/resolve.h"
#include "core/engines/vllm_cache.h"
#include "core/estimator.h"
#include "support/catalog.h"
#include "support/files.h"
#include "support/speed_fit.h"

using namespace vramscope;
using catalog::Field;

namespace {

struct Case {
    std::string id, engine, version, model, format, file_gb, hardware, utilization, n_ctx, batched,
        seqs, cache, prefix, drafts, set, note;
    double extra_gib = 0;
    std::string pool_gib, tokens, concurrency, weights_gib;
};

std::vector<Case> read_cases() {
    std::vector<Case> out;
    std::stringstream file(test::read_file("tests/reference/serving_cases.txt"));
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        std::stringstream words(line);
        Case one;
        words >> one.id >> one.engine >> one.version >> one.model >> one.format >> one.file_gb >>
            one.hardware >> one.utilization >> one.n_ctx >> one.batched >> one.seqs >> one.cache >>
            one.prefix >> one.drafts >> one.extra_gib >> one.pool_gib >> one.tokens >>
            one.concurrency >> one.weights_gib >> one.set >> one.note;
        INFO(line);
        REQUIRE(words);
        out.push_back(one);
    }
    return out;
}

double number(const std::string& text) {
    return text == "-" ? 0.0 : std::strtod(text.c_str(), nullptr);
}

catalog::ResolvedRequest request_of(const Case& one) {
    catalog::Query query;
    const auto set = [&](Field field, const std::string& value) {
        INFO(one.id << ' ' << value);
        if (value != "-")
            REQUIRE(query.set(field, value));
    };
    const std::size_t at = one.hardware.find('@');
    set(Field::engine, one.engine);
    set(Field::engine_version, one.version);
    set(Field::model, one.model);
    set(Field::artifact, "recipe:" + one.format);
    set(Field::hardware, one.hardware.substr(0, at));
    set(Field::gpu_memory_utilization, one.utilization);
    set(Field::n_ctx, one.n_ctx);
    set(Field::max_num_batched_tokens, one.batched);
    set(Field::max_num_seqs, one.seqs);
    set(Field::type_k, one.cache);
    set(Field::type_v, one.cache);
    set(Field::prefix_caching, one.prefix);
    set(Field::speculative_tokens, one.drafts);
    auto resolved = catalog::resolve(query, test::shared_catalog());
    INFO(one.id << ": " << (resolved ? std::string() : resolved.error().message));
    REQUIRE(resolved);
    resolved->request.weights.file_bytes = static_cast<Bytes>(number(one.file_gb) * 1e9);
    if (at != std::string::npos) {
        const Bytes total = from_gib(number(one.hardware.substr(at + 1)));
        for (Device& device : resolved->request.devices) {
            device.memory_bytes = total + total / 10;
            device.usable_bytes = total;
        }
    }
    return std::move(*resolved);
}

/// A copy of the model without its towers, for text-only checkpoints.
Architecture without_towers(const Architecture& architecture) {
    Architecture copy = architecture;
    copy.towers.clear();
    return copy;
}

struct Result {
    double pool_error = 0, layout_error = 0, tokens_error = 0, weights_error = 0;
    bool has_pool = false, has_layout = false, has_tokens = false, has_weights = false;
};

Result judge_case(const Case& one) {
    catalog::ResolvedRequest resolved = request_of(one);
    Architecture text_only;
    if (one.note.starts_with("no-tower")) {
        text_only = without_towers(*resolved.request.architecture);
        resolved.request.architecture = &text_only;
    }
    const EstimateRequest& request = resolved.request;
    const Estimate estimate = vramscope::estimate(request);
    const double extra = one.extra_gib;
    const double pool = to_gib(estimate.serving.pool_bytes) - extra;
    const double weights = to_gib(estimate.devices[0].parts[Part::weights].expected);
    const double needed_other = to_gib(estimate.devices[0].parts.total().expected -
                                       estimate.devices[0].parts[Part::kv].expected -
                                       estimate.devices[0].parts[Part::state].expected) -
                                weights;
    const PagedCache cache = PagedCache::of(request, RankLayout::of(request));
    const double each = static_cast<double>(cache.blocks_per_sequence(
        request.options.n_ctx, request.options.max_num_batched_tokens.value_or(2048)));
    const auto tokens_of = [&](double gib) {
        if (request.engine == EngineId::sglang) {
            const double per_token = estimate.serving.tokens > 0
                                         ? static_cast<double>(estimate.serving.pool_bytes) /
                                               static_cast<double>(estimate.serving.tokens)
                                         : 1.0;
            return gib * static_cast<double>(vramscope::gib) / per_token;
        }
        const double blocks = std::floor(gib * static_cast<double>(vramscope::gib) /
                                         static_cast<double>(cache.block_bytes));
        return cache.n_groups == 1 ? blocks * static_cast<double>(cache.block_tokens)
                                   : blocks / each * static_cast<double>(request.options.n_ctx);
    };
    Result out;
    const double measured_pool = number(one.pool_gib);
    const double measured_tokens = number(one.tokens);
    const double measured_weights = number(one.weights_gib);
    if (measured_pool > 0) {
        out.has_pool = true;
        out.pool_error = pool / measured_pool - 1;
    }
    if (measured_tokens > 0) {
        out.has_tokens = true;
        out.tokens_error = tokens_of(std::max(0.0, pool)) / measured_tokens - 1;
        if (measured_pool > 0) {
            out.has_layout = true;
            out.layout_error = tokens_of(measured_pool) / measured_tokens - 1;
        }
    }
    if (measured_weights > 0) {
        out.has_weights = true;
        out.weights_error = weights / measured_weights - 1;
    }
    const auto percent = [](bool known, double error) {
        char text[32];
        std::snprintf(text, sizeof text, known ? "%+6.1f %%" : "       -", 100 * error);
        return std::string(text);
    };
    std::printf(
        "  %s %-6s %-28s %s  weights %6.2f (%s)  other %5.2f  pool %6.2f / %6s (%s)  tokens "
        "%8.0f / %8s (%s)  layout (%s)  %s\n",
        one.id.c_str(), one.engine.c_str(), one.model.c_str(), one.set.c_str(), weights,
        percent(out.has_weights, out.weights_error).c_str(), needed_other, pool,
        one.pool_gib.c_str(), percent(out.has_pool, out.pool_error).c_str(),
        tokens_of(std::max(0.0, pool)), one.tokens.c_str(),
        percent(out.has_tokens, out.tokens_error).c_str(),
        percent(out.has_layout, out.layout_error).c_str(), one.note.c_str());
    return out;
}

void print_summary(const char* label, const std::vector<double>& errors) {
    if (!errors.empty()) {
        std::printf("    %-46s n %2zu   median %5.1f %%   p90 %5.1f %%\n", label, errors.size(),
                    100 * test::quantile(errors, 0.5), 100 * test::quantile(errors, 0.9));
    }
}

} // namespace

TEST_CASE("serving engines against their own start-up figures", "[serving]") {
    // Cases that gave a constant of engines.json: score copies and graphs (T217), state slots
    // (T101).
    const std::set<std::string> teachers = {"T217", "T101"};
    std::vector<double> pools, layouts, tokens, weights, unseen_pools, unseen_tokens;
    std::printf("\nserving cases: predicted / measured, GiB per rank\n");
    for (const Case& one : read_cases()) {
        const Result result = judge_case(one);
        if (one.set != "m")
            continue;
        if (result.has_pool)
            (teachers.contains(one.id) ? pools : unseen_pools)
                .push_back(std::abs(result.pool_error));
        if (result.has_layout)
            layouts.push_back(std::abs(result.layout_error));
        if (result.has_tokens)
            (teachers.contains(one.id) ? tokens : unseen_tokens)
                .push_back(std::abs(result.tokens_error));
        if (result.has_weights)
            weights.push_back(std::abs(result.weights_error));
    }
    std::printf("  mainline CUDA, absolute errors:\n");
    print_summary("pool, no constant from the case", unseen_pools);
    print_summary("tokens, no constant from the case", unseen_tokens);
    // Misses the aim of 4 %: old releases (0.7 to 0.9) with expert layers pull it up.
    CHECK(test::quantile(unseen_pools, 0.5) <= 0.055);
    CHECK(test::quantile(unseen_tokens, 0.5) <= 0.04);
    pools.insert(pools.end(), unseen_pools.begin(), unseen_pools.end());
    tokens.insert(tokens.end(), unseen_tokens.begin(), unseen_tokens.end());
    print_summary("weights per rank", weights);
    print_summary("pool", pools);
    print_summary("tokens in a pool of the printed size", layouts);
    print_summary("tokens, from the inputs alone", tokens);
    CHECK(pools.size() >= 12);
    CHECK(tokens.size() >= 18);
    CHECK(test::quantile(weights, 0.5) <= 0.02);
    CHECK(test::quantile(layouts, 0.5) <= 0.01);
    CHECK(test::quantile(pools, 0.5) <= 0.04);
    CHECK(test::quantile(tokens, 0.5) <= 0.04);
}
