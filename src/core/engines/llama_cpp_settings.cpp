#include "core/engines/llama_cpp_settings.h"

#include <algorithm>

namespace vramscope {
namespace {

constexpr std::int32_t default_n_batch = 2048;
constexpr std::int32_t default_n_ubatch = 512;
constexpr std::int32_t server_slots = 4;

} // namespace

LlamaCppSettings LlamaCppSettings::of(const EstimateRequest& request) {
    const Options& options = request.options;
    LlamaCppSettings settings;
    settings.version = request.llama_cpp_version;

    const bool plain_server = request.tool_given && request.tool == Tool::server && !options.n_seq;
    CacheSettings& cache = settings.cache;
    cache.n_seq = std::max(options.n_seq.value_or(plain_server ? server_slots : 1), 1);
    cache.kv_unified = options.kv_unified.value_or(plain_server);
    cache.swa_full = options.swa_full;
    cache.type_k = options.type_k;
    cache.type_v = options.type_v;
    cache.flash_attn = options.flash_attn != FlashAttention::off;
    cache.n_ctx = round_up(std::max<Bytes>(options.n_ctx, 1), cache_padding);

    const CacheLayout layout = CacheLayout::of(cache);
    settings.n_ctx_per_seq = layout.cells;
    cache.n_ctx = mul(layout.cells, layout.streams);

    // A causal model takes no batch longer than its context; the context is the one asked for, not
    // yet rounded up.
    const std::int64_t asked = std::max<Bytes>(options.n_ctx, 1);
    const std::int32_t n_batch = std::max(options.n_batch.value_or(default_n_batch), 1);
    const std::int32_t n_ubatch = std::max(options.n_ubatch.value_or(default_n_ubatch), 1);
    settings.n_batch = static_cast<std::int32_t>(std::min<std::int64_t>(n_batch, asked));
    settings.n_ubatch = std::min(settings.n_batch, n_ubatch);
    cache.n_ubatch = settings.n_ubatch;

    const bool all_outputs = request.tool_given && request.tool == Tool::bench;
    const std::int32_t outputs =
        options.n_outputs_max.value_or(all_outputs ? settings.n_batch : cache.n_seq);
    settings.n_outputs_max = outputs > 0 ? outputs : settings.n_batch;

    const std::int32_t all_units = request.architecture->n_layer() + 1;
    settings.n_gpu_layers =
        request.devices.empty()
            ? 0
            : std::clamp(options.n_gpu_layers.value_or(all_units), std::int32_t{0}, all_units);
    settings.experts.all_on_host = options.cpu_moe;
    settings.experts.layers_on_host = std::max(options.n_cpu_moe, 0);
    settings.offload_kqv = options.offload_kqv;
    settings.op_offload = options.op_offload;
    settings.embeddings = options.embeddings;
    return settings;
}

LayerShares LayerShares::of(const EstimateRequest& request, const LlamaCppSettings& settings) {
    LayerShares out;
    out.n_gpu_layers = settings.n_gpu_layers;
    const auto n_devices = std::min(request.devices.size(), max_devices);
    const std::vector<double>& asked = request.options.tensor_split;
    bool any = false;
    for (const double share : asked)
        any = any || share > 0;
    for (std::size_t d = 0; d < n_devices; ++d) {
        if (any) {
            out.shares[d] = d < asked.size() ? asked[d] : 0.0;
        } else {
            out.shares[d] = static_cast<double>(request.devices[d].free_bytes());
        }
    }
    // Without splitting, the first device holds everything.
    const bool single = request.options.split_mode == SplitMode::none && n_devices > 1;
    if (single)
        out.shares = {1.0};
    out.n_devices = static_cast<std::int32_t>(single ? 1 : n_devices);
    if (out.n_devices == 1)
        out.shares[0] = 1.0; // all of it, whatever its size
    return out;
}

LayerSplit split_layers(const EstimateRequest& request, const LayerShares& shares) {
    return LayerSplit::of(request.architecture->n_layer(), shares.n_gpu_layers,
                          shares.shares.data(), shares.n_devices);
}

LayerSplit split_layers(const EstimateRequest& request, const LlamaCppSettings& settings) {
    return split_layers(request, LayerShares::of(request, settings));
}

} // namespace vramscope
