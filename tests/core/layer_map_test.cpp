// The layers add up to the plan, byte by byte.
#include "core/layer_map.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;

namespace {

catalog::ResolvedRequest resolved(std::string_view url) {
    const auto query = catalog::query_from_url(url);
    REQUIRE(query);
    auto made = catalog::resolve(*query, test::shared_catalog());
    REQUIRE(made);
    return std::move(*made);
}

Bytes sum(const LayerMap& map, Bytes LayerShare::*member) {
    Bytes all = 0;
    for (const LayerShare& layer : map.layers)
        all += layer.*member;
    return all;
}

} // namespace

TEST_CASE("The layers add up to the estimate's parts under every engine") {
    for (const char* url :
         {"", "model=gemma-3-12b-it&n_ctx=131072", "model=qwen3-30b-a3b&n_cpu_moe=20",
          "model=gpt-oss-20b&type_k=q8_0&type_v=q8_0", "engine=ollama&n_seq=3", "engine=quick",
          "engine=evidence",
          "model=qwen3-30b-a3b&engine=vllm&artifact=bf16&hardware=h100-80gb*2&tensor_parallel=2",
          "n_gpu_layers=12", "hardware=cpu", "hardware=apple-m4-pro-48gb"}) {
        INFO(url);
        const auto request = resolved(url);
        const Estimate whole = estimate(request.request);
        const LayerMap map = layer_map(request.request, plan_memory(request.request));
        CHECK(sum(map, &LayerShare::weights) + map.other_weights ==
              whole.parts[Part::weights].expected);
        CHECK(map.other_weights >= 0);
        CHECK(sum(map, &LayerShare::kv) == whole.parts[Part::kv].expected);
        CHECK(sum(map, &LayerShare::state) == whole.parts[Part::state].expected);
    }
}

TEST_CASE("Layers lie where llama.cpp's plan has their bytes") {
    const auto request = resolved("model=qwen3-30b-a3b&n_cpu_moe=20&hardware=rtx-3090-24gb*2");
    const Estimate whole = estimate(request.request);
    const LayerMap map = layer_map(request.request, plan_memory(request.request));
    std::vector<Bytes> kv(whole.devices.size());
    std::vector<Bytes> weights(whole.devices.size());
    for (const LayerShare& layer : map.layers) {
        kv[static_cast<std::size_t>(layer.device)] += layer.kv;
        weights[static_cast<std::size_t>(layer.device)] += layer.weights - layer.host_weights;
        weights.back() += layer.host_weights;
    }
    for (std::size_t i = 0; i < whole.devices.size(); ++i) {
        INFO(whole.devices[i].name);
        CHECK(kv[i] == whole.devices[i].parts[Part::kv].expected);
        Bytes of_layers = 0;
        for (const Term& term : whole.terms)
            if (term.device == static_cast<std::int32_t>(i) &&
                term.formula == std::string_view("weights.layers"))
                of_layers += term.bytes.expected;
        CHECK(weights[i] == of_layers);
    }
    CHECK(std::count_if(map.layers.begin(), map.layers.end(),
                        [](const LayerShare& layer) { return layer.host_weights > 0; }) == 20);
}

TEST_CASE("A windowed layer stops growing where a full one goes on") {
    const auto at = [](const char* url) {
        const auto request = resolved(url);
        return layer_map(request.request, plan_memory(request.request));
    };
    const LayerMap near = at("model=gemma-3-12b-it&n_ctx=32768");
    const LayerMap far = at("model=gemma-3-12b-it&n_ctx=65536");
    // Gemma 3: five windowed layers, then a global one (config.json, sliding_window_pattern 6).
    CHECK(near.layers[0].kv == far.layers[0].kv);
    CHECK(2 * near.layers[5].kv == far.layers[5].kv);
}
