// Transformers: weights, a cache that grows token by token, and the prompt read at once.
//
// Layers are spread over the devices in order (device_map="auto"). The whole prompt passes each
// layer in one piece, and only the last token's scores are kept (since 4.45). Sources: Transformers
// documentation on caches; T243 to T250 in tests/reference/serving_cases.txt. No overhead of it was
// measured by us, hence the wide range.
#include <algorithm>

#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/engines/vllm_cache.h"

namespace vramscope {
namespace {

constexpr const char* weights_source = "safetensors shapes";
constexpr const char* cache_source = "Transformers cache_utils.py, dynamic cache";
constexpr const char* peak_source = "the prompt's widest layer in 16 bits";
constexpr const char* process_source = "CUDA context and kernels: 0.3 to 2 GiB in reports";

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const Architecture& architecture = *request.architecture;
    const auto devices =
        static_cast<std::int32_t>(std::clamp<std::size_t>(request.devices.size(), 1, max_devices));
    RankLayout ranks;
    ranks.pipeline_parallel = ranks.ranks = devices;
    const CheckpointBytes weights = CheckpointBytes::of(request, ranks);
    const auto sequences = static_cast<double>(serving::sequences(request));
    const double width = paged_element_bytes(request.options.type_k);
    serving::lay_out_ranks(request, ranks, out);
    for (std::int32_t stage = 0; stage < devices; ++stage) {
        double kv = 0;
        Bytes state = 0;
        double layers = 0;
        for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
            if (ranks.stage_of(i, architecture.n_layer()) != stage)
                continue;
            const Layer& layer = architecture.layers[static_cast<std::size_t>(i)];
            const Mixer& mixer = architecture.mixer(layer);
            state += paged_state_bytes(architecture, mixer, 1, 0);
            if (!attends(mixer.kind) || layer.shares_kv)
                continue;
            layers += 1;
            const CacheElements elements = cache_elements(mixer);
            const std::int64_t held =
                is_windowed(mixer.kind) && mixer.window > 0
                    ? std::min<std::int64_t>(request.options.n_ctx, mixer.window)
                    : request.options.n_ctx;
            kv += static_cast<double>(held) * width *
                  static_cast<double>(elements.k + elements.v + elements.indexer);
        }
        serving::put(out, stage, Part::weights, ByteRange::exact(weights.on(stage)), "weights.rank",
                     weights_source,
                     {{"tensor_parallel", 1},
                      {"pipeline_parallel", devices},
                      {"replicated_bytes", 0},
                      {"total_bytes", weights.total}});
        serving::put(out, stage, Part::kv, ByteRange::exact(static_cast<Bytes>(kv * sequences)),
                     "kv.steps", cache_source,
                     {{"tokens", static_cast<double>(request.options.n_ctx)},
                      {"sequences", sequences},
                      {"step", 1}});
        serving::put(out, stage, Part::state,
                     ByteRange::exact(mul(state, serving::sequences(request))), "state.recurrent",
                     cache_source,
                     {{"layers", layers},
                      {"n_seq", sequences},
                      {"bytes_per_sequence", static_cast<double>(state)}});
        const double peak = serving::layer_activation_bytes(
            request, 1, static_cast<double>(request.options.n_ctx) * sequences);
        serving::put(out, stage, Part::compute,
                     {static_cast<Bytes>(0.7 * peak), static_cast<Bytes>(peak),
                      static_cast<Bytes>(2 * peak)},
                     "compute.chunk", peak_source,
                     {{"chunk", static_cast<double>(request.options.n_ctx)},
                      {"n_embd", architecture.n_embd}});
        if (!request.devices.empty() && request.devices[0].backend != Backend::metal) {
            serving::put(out, stage, Part::overhead, {from_gib(0.3), gib, 2 * gib},
                         "overhead.serving", process_source, {});
        }
    }
}

} // namespace

const Engine transformers_engine = {
    .id = EngineId::transformers,
    .key = "transformers",
    .plan = plan,
    .context_step = 1,
    .context_is_shared = false,
    .can_offload_to_host = false,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = nullptr,
};

} // namespace vramscope
