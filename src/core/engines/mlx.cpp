// MLX (mlx-lm): everything in unified memory, caches that grow in steps of 256 tokens, prompts read
// in chunks of 2,048.
//
// Sources: mlx-lm models/cache.py and generate.py (d78bf58); peaks T153 to T168 and T256 in
// tests/reference/serving_cases.txt. The limit is the recommended working set, which depends on the
// version of macOS (hardware.json, "usable").
#include <algorithm>

#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/engines/vllm_cache.h"

namespace vramscope {
namespace {

constexpr const char* weights_source = "safetensors shapes; mlx.core.quantize";
constexpr const char* cache_source = "mlx-lm models/cache.py, d78bf58";
constexpr const char* peak_source = "mlx-lm generate.py; peaks in logs";
constexpr std::int64_t cache_step = 256;
constexpr std::int64_t prefill_step = 2048;

double channels_of_convolution(const Mixer& mixer) {
    return static_cast<double>(mixer.d_inner) + 2.0 * mixer.d_state * mixer.n_groups;
}

/// Graphs are lazy: a chunk's intermediate results live until it is evaluated. Two layers' worth in
/// attention models; delta nets keep their convolved inputs of every layer (3 bytes a channel).
ByteRange peak_bytes(const EstimateRequest& request) {
    const Architecture& architecture = *request.architecture;
    const auto tokens = static_cast<double>(std::min(request.options.n_ctx, prefill_step));
    const double layer = serving::layer_activation_bytes(request, 1, tokens);
    double recurrent = 0;
    for (const Layer& of : architecture.layers) {
        const Mixer& mixer = architecture.mixer(of);
        if (is_recurrent(mixer.kind))
            recurrent += 3.0 * tokens * channels_of_convolution(mixer);
    }
    return {static_cast<Bytes>(layer), static_cast<Bytes>(2 * layer + recurrent),
            static_cast<Bytes>(6 * layer + 2 * recurrent)};
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const Architecture& architecture = *request.architecture;
    const RankLayout one;
    const CheckpointBytes weights = CheckpointBytes::of(request, one);
    const std::int64_t sequences = serving::sequences(request);
    const std::int64_t tokens = round_up(request.options.n_ctx, cache_step);
    serving::lay_out_ranks(request, one, out);
    serving::put(out, 0, Part::weights, ByteRange::exact(weights.on(0)), "weights.rank",
                 weights_source,
                 {{"tensor_parallel", 1},
                  {"pipeline_parallel", 1},
                  {"replicated_bytes", 0},
                  {"total_bytes", weights.total}});
    // A quantised cache has groups of 64 with a 16-bit scale and bias.
    const bool quantised = paged_element_bytes(request.options.type_k) < 2;
    const double width = !quantised ? paged_element_bytes(request.options.type_k)
                         : request.options.type_k == StorageType::q4_0 ? 4.5 / 8
                                                                       : 8.5 / 8;
    double kv = 0;
    Bytes state = 0;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        state += paged_state_bytes(architecture, mixer, 1, 0);
        if (!attends(mixer.kind) || layer.shares_kv)
            continue;
        const CacheElements elements = cache_elements(mixer);
        const std::int64_t held = is_windowed(mixer.kind) && mixer.window > 0
                                      ? std::min(tokens, round_up(mixer.window, cache_step))
                                      : tokens;
        kv += static_cast<double>(held) * width *
              static_cast<double>(elements.k + elements.v + elements.indexer);
    }
    serving::put(out, 0, Part::kv,
                 ByteRange::exact(static_cast<Bytes>(kv * static_cast<double>(sequences))),
                 "kv.steps", cache_source,
                 {{"tokens", static_cast<double>(tokens)},
                  {"sequences", static_cast<double>(sequences)},
                  {"step", static_cast<double>(cache_step)}});
    serving::put(out, 0, Part::state, ByteRange::exact(mul(state, sequences)), "state.recurrent",
                 cache_source,
                 {{"layers", architecture.n_layer()},
                  {"n_seq", static_cast<double>(sequences)},
                  {"bytes_per_sequence", static_cast<double>(state)}});
    serving::put(out, 0, Part::compute, peak_bytes(request), "compute.chunk", peak_source,
                 {{"chunk", static_cast<double>(std::min(request.options.n_ctx, prefill_step))},
                  {"n_embd", architecture.n_embd}});
}

} // namespace

const Engine mlx_engine = {
    .id = EngineId::mlx,
    .key = "mlx",
    .plan = plan,
    .context_step = cache_step,
    .context_is_shared = false,
    .can_offload_to_host = false,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = nullptr,
};

} // namespace vramscope
