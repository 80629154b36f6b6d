// TensorRT-LLM: after weights, activations and the runtime are in, a share of what is left becomes
// one pool of cache blocks.
//
// Unlike vLLM's, the share is of the free memory, not of all. Sequences hold blocks of 32 tokens;
// windowed layers keep their window. Sources: nvidia.github.io/TensorRT-LLM/reference/memory.html;
// activations after ai-dynamo/aiconfigurator sdk/backends/base_backend.py; measured capacities of
// its tests/integration/test_trtllm_kv_cache_capacity.py
// (tests/core/engines/tensorrt_llm_test.cpp). Constants: catalog/engines.json, "tensorrt-llm".
#include <algorithm>

#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/engines/vllm_cache.h"

namespace vramscope {
namespace {

constexpr const char* weights_source = "TensorRT-LLM layers/linear.py; safetensors shapes";
constexpr const char* cache_source = "TensorRT-LLM KV cache manager, blocks of 32 tokens";
constexpr const char* activation_source = "aiconfigurator sdk/backends/base_backend.py@095f58a";
constexpr const char* process_source = "capacities measured by aiconfigurator's tests@28fb2d9c";
constexpr std::int64_t block = 32;
constexpr std::int64_t default_max_num_tokens = 8192;

double free_share(const EstimateRequest& request) {
    return request.options.gpu_memory_utilization.value_or(request.constants->tensorrt.free_share);
}

std::int64_t max_num_tokens(const EstimateRequest& request) {
    return request.options.max_num_batched_tokens.value_or(
        static_cast<std::int32_t>(default_max_num_tokens));
}

/// Hidden states that are alive at once, by ranks: 11 of 16 bits for one, fewer when shared out;
/// twice as many with experts.
ByteRange activation_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const Architecture& architecture = *request.architecture;
    bool experts = false;
    for (const FeedForward& feed_forward : architecture.feed_forwards)
        experts = experts || feed_forward.kind == FeedForwardKind::experts;
    const double shared = ranks.tensor_parallel == 1   ? 11.0
                          : ranks.tensor_parallel == 2 ? 6.5
                                                       : 5.0;
    const double peak = 2.0 * (experts ? 2.0 : 1.0) * shared *
                        static_cast<double>(max_num_tokens(request)) * architecture.n_embd;
    constexpr double least = 80.0 * static_cast<double>(mib);
    const double bytes = std::max(peak, least);
    return {static_cast<Bytes>(0.7 * bytes), static_cast<Bytes>(bytes),
            static_cast<Bytes>(1.5 * bytes)};
}

ByteRange process_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const TensorRtConstants& constants = request.constants->tensorrt;
    const double parallel =
        ranks.ranks > 1 ? constants.parallel_gib + constants.parallel_gib_per_rank * ranks.ranks
                        : 0.0;
    const double all = constants.process_gib + parallel;
    return {from_gib(0.8 * all), from_gib(all), from_gib(1.3 * all)};
}

/// One sequence's cache on a rank, and one block of all its layers.
struct SequenceBytes {
    Bytes cache = 0;
    Bytes state = 0;
    Bytes per_token = 0;
    Bytes of(std::int64_t sequences) const { return mul(cache, sequences); }
};
SequenceBytes sequence_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const Architecture& architecture = *request.architecture;
    const std::int64_t tokens = round_up(request.options.n_ctx, block);
    SequenceBytes out;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (attends(mixer.kind) && !layer.shares_kv) {
            const Bytes each =
                paged_token_bytes(mixer, request.options.type_k, ranks.tensor_parallel);
            const bool windowed = is_windowed(mixer.kind) && mixer.window > 0;
            const std::int64_t held =
                windowed ? std::min<std::int64_t>(tokens, round_up(mixer.window, block) + block)
                         : tokens;
            out.cache += mul(each, held);
            out.per_token += windowed ? 0 : each;
        }
        if (is_recurrent(mixer.kind))
            out.state += paged_state_bytes(architecture, mixer, ranks.tensor_parallel, 0);
    }
    const auto stages = static_cast<Bytes>(ranks.pipeline_parallel);
    return {ceil_div(out.cache, stages), ceil_div(out.state, stages),
            ceil_div(out.per_token, stages)};
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const RankLayout ranks = RankLayout::of(request);
    const CheckpointBytes weights = CheckpointBytes::of(request, ranks);
    const SequenceBytes each = sequence_bytes(request, ranks);
    const std::int64_t sequences = serving::sequences(request);
    serving::lay_out_ranks(request, ranks, out);
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const std::int32_t stage = rank / ranks.tensor_parallel;
        serving::put(out, rank, Part::weights, ByteRange::exact(weights.on(stage)), "weights.rank",
                     weights_source,
                     {{"tensor_parallel", ranks.tensor_parallel},
                      {"pipeline_parallel", ranks.pipeline_parallel},
                      {"replicated_bytes", weights.replicated[static_cast<std::size_t>(stage)]},
                      {"total_bytes", weights.total}});
        // The pool is a share of what is left: the cache needs that much more room.
        const auto needed =
            static_cast<Bytes>(static_cast<double>(each.of(sequences)) / free_share(request));
        serving::put(out, rank, Part::kv, ByteRange::exact(each.of(sequences)), "kv.token_pool",
                     cache_source,
                     {{"tokens", static_cast<double>(request.options.n_ctx * sequences)},
                      {"bytes_per_token", static_cast<double>(each.per_token)},
                      {"windowed_bytes_per_token", 0}});
        serving::put(out, rank, Part::state, ByteRange::exact(mul(each.state, sequences)),
                     "state.slots", cache_source,
                     {{"slots", static_cast<double>(sequences)},
                      {"bytes_per_sequence", static_cast<double>(each.state)}});
        serving::put(out, rank, Part::compute, activation_bytes(request, ranks), "compute.profiled",
                     activation_source,
                     {{"n_vocab", request.architecture->n_vocab},
                      {"max_num_seqs", static_cast<double>(sequences)},
                      {"max_num_batched_tokens", static_cast<double>(max_num_tokens(request))}});
        const ByteRange process = process_bytes(request, ranks);
        const Bytes unused = needed - each.of(sequences);
        serving::put(out, rank, Part::overhead,
                     {process.low, add(process.expected, unused), add(process.high, unused)},
                     "overhead.serving", process_source, {});
    }
}

Bytes device_room(const EstimateRequest& request, const Device& device) {
    return std::max<Bytes>(0, serving::visible_bytes(request, device) - device.reserved_bytes);
}

void describe(const EstimateRequest& request, const MemoryPlan& plan, ServingEstimate& out) {
    const RankLayout ranks = RankLayout::of(request);
    const SequenceBytes each = sequence_bytes(request, ranks);
    const Bytes process = process_bytes(request, ranks).expected;
    Bytes left = bytes_limit;
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const PartBytes& parts = plan.devices[static_cast<std::size_t>(rank)];
        const Bytes used = parts[Part::weights].expected + parts[Part::compute].expected +
                           parts[Part::state].expected + process;
        const Bytes room =
            request.devices.empty()
                ? request.host.usable_bytes
                : device_room(request, request.devices[static_cast<std::size_t>(rank)]);
        left = std::min(left, room - used);
    }
    left = std::max<Bytes>(0, left);
    out.pool_bytes = static_cast<Bytes>(free_share(request) * static_cast<double>(left));
    out.block_tokens = block;
    const Bytes sequence = std::max<Bytes>(1, each.cache);
    out.concurrency = static_cast<double>(out.pool_bytes) / static_cast<double>(sequence);
    out.tokens =
        static_cast<std::int64_t>(out.concurrency * static_cast<double>(request.options.n_ctx));
    out.blocks = out.tokens / block;
}

} // namespace

const Engine tensorrt_llm_engine = {
    .id = EngineId::tensorrt_llm,
    .key = "tensorrt-llm",
    .plan = plan,
    .context_step = block,
    .context_is_shared = false,
    .can_offload_to_host = false,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = device_room,
    .describe = describe,
};

} // namespace vramscope
