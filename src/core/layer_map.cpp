#include "core/layer_map.h"

#include <algorithm>

#include "core/engines/llama_cpp_placement.h"
#include "core/tensors.h"

namespace vramscope {
namespace {

Bytes sum_of(const MemoryPlan& plan, Part part) {
    Bytes sum = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i)
        sum = add(sum, plan.devices[i][part].expected);
    return sum;
}

void count_llama_cpp(const EstimateRequest& request, const MemoryPlan& plan, LayerMap& map) {
    const Architecture& architecture = *request.architecture;
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    ModelFacts facts;
    facts.select(request);
    PlacementMemo memo;
    const PlacementMemo& placement = llama_cpp_placement(request, settings, facts, memo);
    const WeightSums& sums = facts.weights();
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
        const auto index = static_cast<std::int32_t>(i);
        const Layer& layer = architecture.layers[i];
        const WeightSums::Of& weights = sums.layers[i];
        const std::int32_t device = placement.split.device_of(index);
        LayerShare& share = map.layers[i];
        share.device = device != on_host ? device : std::max(plan.host, 0);
        share.weights = add(add(weights.plain, weights.experts), weights.scan);
        const bool experts_stay =
            settings.experts.all_on_host || index < settings.experts.layers_on_host;
        if (device != on_host && experts_stay)
            share.host_weights = add(share.host_weights, weights.experts);
        if (device != on_host && placement.vulkan[static_cast<std::size_t>(device)])
            share.host_weights = add(share.host_weights, weights.scan);
        share.kv = layer_kv_bytes(architecture, layer, settings.cache, *request.storage_types);
        share.state = layer_state_bytes(architecture, layer, settings.cache);
    }
}

/// Shares `total` out in proportion to `member`; `beyond` takes part and keeps its share. The ends
/// of the shares are rounded, so that they add up.
void share_out(std::vector<LayerShare>& layers, Bytes LayerShare::*member, Bytes beyond,
               Bytes total) {
    double all = static_cast<double>(beyond);
    for (const LayerShare& layer : layers)
        all += static_cast<double>(layer.*member);
    double before = 0;
    Bytes given = 0;
    for (LayerShare& layer : layers) {
        before += static_cast<double>(layer.*member);
        const Bytes end =
            all > 0 ? static_cast<Bytes>(static_cast<double>(total) * (before / all)) : 0;
        layer.*member = end - given;
        given = end;
    }
}

void count_in_proportion(const EstimateRequest& request, const MemoryPlan& plan, LayerMap& map) {
    const Architecture& architecture = *request.architecture;
    map.counted = false;
    Bytes beyond = 0;
    auto visit = [&](const Tensor& tensor) {
        const bool in_layer = tensor.layer >= 0 && tensor.layer < architecture.n_layer();
        Bytes& sum = in_layer ? map.layers[static_cast<std::size_t>(tensor.layer)].weights : beyond;
        sum = add(sum, tensor.elements());
    };
    for_each_tensor(architecture, Inventory::checkpoint, visit);
    for (const Tower& tower : architecture.towers)
        beyond = add(beyond, tower.parameters);
    const Engine* engine = find_engine(request.engine);
    CacheSettings cache;
    cache.n_ctx = request.options.n_ctx;
    cache.n_seq = static_cast<std::int32_t>(std::max<std::int64_t>(1, engine->sequences(request)));
    cache.kv_unified = engine->context_is_shared;
    cache.type_k = request.options.type_k;
    cache.type_v = request.options.type_v;
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
        map.layers[i].kv =
            layer_kv_bytes(architecture, architecture.layers[i], cache, *request.storage_types);
        map.layers[i].state = layer_state_bytes(architecture, architecture.layers[i], cache);
    }
    // An engine whose pool holds both kinds states them as one part.
    const Bytes kv = sum_of(plan, Part::kv);
    const Bytes state = sum_of(plan, Part::state);
    share_out(map.layers, &LayerShare::weights, beyond, sum_of(plan, Part::weights));
    share_out(map.layers, &LayerShare::kv, 0, kv);
    share_out(map.layers, &LayerShare::state, 0, state);

    std::int32_t holders = 0;
    std::int32_t holder = std::max(plan.host, 0);
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        if (static_cast<std::int32_t>(i) == plan.host ||
            plan.devices[i][Part::weights].expected <= 0)
            continue;
        ++holders;
        holder = static_cast<std::int32_t>(i);
    }
    for (LayerShare& layer : map.layers)
        layer.device = holders > 1 ? several_devices : holder;
}

} // namespace

LayerMap layer_map(const EstimateRequest& request, const MemoryPlan& plan) {
    LayerMap map;
    map.layers.resize(request.architecture->layers.size());
    if (request.engine == EngineId::llama_cpp)
        count_llama_cpp(request, plan, map);
    else if (request.engine == EngineId::ollama)
        count_llama_cpp(ollama_as_llama_cpp(request), plan, map);
    else
        count_in_proportion(request, plan, map);
    map.other_weights = sum_of(plan, Part::weights);
    for (const LayerShare& layer : map.layers)
        map.other_weights -= layer.weights;
    return map;
}

} // namespace vramscope
