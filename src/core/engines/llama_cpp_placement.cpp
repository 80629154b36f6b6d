#include "core/engines/llama_cpp_placement.h"

#include <algorithm>

namespace vramscope {
namespace {

std::size_t slot(std::int32_t device) {
    return device == on_host ? max_devices : static_cast<std::size_t>(device);
}

void place_weights(const EstimateRequest& request, const WeightSums& sums, PlacementMemo& memo) {
    const Architecture& architecture = *request.architecture;
    const LayerSplit& split = memo.split;
    memo.layers.fill(0);
    memo.other.fill(0);
    for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
        const WeightSums::Of& layer = sums.layers[static_cast<std::size_t>(i)];
        const std::int32_t device = split.device_of(i);
        const bool experts_stay = memo.experts.all_on_host || i < memo.experts.layers_on_host;
        // ggml-vulkan has no Mamba-1 scan, so the scan's matrix stays where the CPU can use it.
        const bool scan_stays = device != on_host && memo.vulkan[slot(device)];
        memo.layers[slot(device)] += layer.plain;
        memo.layers[slot(experts_stay ? on_host : device)] += layer.experts;
        memo.layers[slot(scan_stays ? on_host : device)] += layer.scan;
    }
    const std::int32_t output_device = split.output_device();
    memo.other[slot(on_host)] += sums.on_host;
    memo.other[slot(split.device_of(0))] += sums.before_layers;
    memo.other[slot(output_device)] += sums.with_output;
    // A tied head is a second copy of the embedding wherever the output layer is offloaded to; in
    // unified memory both are the same pages of the file. Gemma 3n and 4 make the copy even on the
    // host.
    const bool copies_on_host =
        architecture.gguf_arch == "gemma3n" || architecture.gguf_arch == "gemma4";
    if (!sums.has_output && !memo.unified && (output_device != on_host || copies_on_host))
        memo.other[slot(output_device)] += sums.token_embedding;
}

void group_caches(const Architecture& architecture, PlacementMemo& memo) {
    memo.groups.clear();
    for (std::size_t m = 0; m < architecture.mixers.size(); ++m) {
        const Mixer& mixer = architecture.mixers[m];
        if (!attends(mixer.kind) && !is_recurrent(mixer.kind))
            continue;
        for (std::int32_t device = on_host; device < memo.split.n_devices; ++device) {
            CacheGroup group{static_cast<std::uint8_t>(m), device};
            for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
                const Layer& layer = architecture.layers[static_cast<std::size_t>(i)];
                if (layer.mixer != m ||
                    (memo.offload_kqv ? memo.split.device_of(i) : on_host) != device) {
                    continue;
                }
                ++group.n_layers;
                if (!layer.shares_kv)
                    ++group.n_owners;
            }
            if (group.n_layers > 0)
                memo.groups.push_back(group);
        }
    }
}

} // namespace

const PlacementMemo& llama_cpp_placement(const EstimateRequest& request,
                                         const LlamaCppSettings& settings, ModelFacts& facts,
                                         PlacementMemo& memo) {
    const LayerShares shares = LayerShares::of(request, settings);
    const std::size_t n_devices = std::min(request.devices.size(), max_devices);
    const bool unified = n_devices == 1 && request.devices[0].unified;
    const WeightSums& sums = facts.weights();
    std::array<bool, max_devices> vulkan{};
    for (std::size_t d = 0; d < n_devices && sums.has_scan; ++d)
        vulkan[d] = request.devices[d].backend == Backend::vulkan;
    if (memo.generation == facts.generation() && memo.shares == shares &&
        memo.experts == settings.experts && memo.offload_kqv == settings.offload_kqv &&
        memo.unified == unified && memo.vulkan == vulkan) {
        return memo;
    }
    memo.generation = facts.generation();
    memo.shares = shares;
    memo.experts = settings.experts;
    memo.offload_kqv = settings.offload_kqv;
    memo.unified = unified;
    memo.vulkan = vulkan;
    memo.split = split_layers(request, shares);
    place_weights(request, sums, memo);
    group_caches(*request.architecture, memo);
    return memo;
}

} // namespace vramscope
