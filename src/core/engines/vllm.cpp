// vLLM: a budget (utilisation x memory), less weights, activations and what the process holds; the
// rest is one pool of cache blocks.
//
// What a request needs: weights per rank, the blocks of its sequences, and the profiled peak. What
// the engine would print ("GPU KV cache size", "Maximum concurrency") is in Estimate::serving.
// Sources: vLLM v1/worker/gpu_worker.py determine_available_memory, v1/core/kv_cache_utils.py; logs
// in tests/reference/serving_cases.txt. Constants: catalog/engines.json, "vllm".
#include <algorithm>

#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/engines/vllm_cache.h"

namespace vramscope {
namespace {

constexpr const char* weights_source = "vLLM model_executor/layers/linear.py; safetensors shapes";
constexpr const char* cache_source = "vLLM v1/core/kv_cache_utils.py, as of 2026";
constexpr const char* activation_source = "vLLM v1/worker/gpu_worker.py; profiled peaks in logs";
constexpr const char* process_source = "vLLM logs: non-torch memory and CUDA graphs";

double utilization(const EstimateRequest& request) {
    const VllmConstants& constants = serving::vllm_constants(request);
    return request.options.gpu_memory_utilization.value_or(constants.utilization);
}

ByteRange activation_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const VllmConstants& constants = serving::vllm_constants(request);
    const auto batched = static_cast<double>(serving::max_batched_tokens(request));
    const double rows = std::min(static_cast<double>(serving::max_num_seqs(request)), batched);
    // The sampler sorts and copies scores of every sequence in 32 bits.
    const double scores = 4.0 * request.architecture->n_vocab * rows;
    const double layer = serving::layer_activation_bytes(request, ranks.tensor_parallel, batched);
    const auto peak = [&](double copies) {
        return static_cast<Bytes>(std::max(copies * scores, layer));
    };
    return {peak(constants.score_copies_low), peak(constants.score_copies),
            peak(constants.score_copies_high)};
}

ByteRange process_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const VllmConstants& constants = serving::vllm_constants(request);
    const bool float8 = request.options.type_k == StorageType::f8_e4m3;
    const double common = constants.graphs_gib + (float8 ? constants.float8_workspace_gib : 0.0);
    const double own = ranks.ranks > 1 ? constants.non_torch_parallel_gib : constants.non_torch_gib;
    return {from_gib(0.7 * own), from_gib(own + common), from_gib(1.5 * own + 1.5 * common)};
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const RankLayout ranks = RankLayout::of(request);
    const CheckpointBytes weights = CheckpointBytes::of(request, ranks);
    const PagedCache cache = PagedCache::of(request, ranks);
    const std::int64_t sequences = serving::sequences(request);
    const std::int64_t batched = serving::max_batched_tokens(request);
    serving::lay_out_ranks(request, ranks, out);
    const ByteRange activation = activation_bytes(request, ranks);
    const ByteRange process = process_bytes(request, ranks);
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const std::int32_t stage = rank / ranks.tensor_parallel;
        serving::put(out, rank, Part::weights, ByteRange::exact(weights.on(stage)), "weights.rank",
                     weights_source,
                     {{"tensor_parallel", ranks.tensor_parallel},
                      {"pipeline_parallel", ranks.pipeline_parallel},
                      {"replicated_bytes", weights.replicated[static_cast<std::size_t>(stage)]},
                      {"total_bytes", weights.total}});
        for (std::int32_t i = 0; i < cache.n_groups; ++i) {
            const PagedCache::Group& group = cache.groups[static_cast<std::size_t>(i)];
            const bool state = group.kind == PagedCache::Kind::state;
            const auto blocks = static_cast<double>(
                cache.blocks(group, request.options.n_ctx, batched) * sequences);
            serving::put(out, rank, state ? Part::state : Part::kv,
                         ByteRange::exact(
                             static_cast<Bytes>(blocks * static_cast<double>(cache.block_bytes))),
                         state ? "state.paged" : "kv.paged", cache_source,
                         {{"layers", static_cast<double>(group.layers)},
                          {"blocks", blocks},
                          {"block_tokens", static_cast<double>(group.block_tokens)},
                          {"block_bytes", static_cast<double>(cache.block_bytes)}});
        }
        serving::put(out, rank, Part::compute, activation, "compute.profiled", activation_source,
                     {{"n_vocab", request.architecture->n_vocab},
                      {"max_num_seqs", static_cast<double>(serving::max_num_seqs(request))},
                      {"max_num_batched_tokens", static_cast<double>(batched)}});
        serving::put(out, rank, Part::overhead, process, "overhead.serving", process_source, {});
    }
}

Bytes device_room(const EstimateRequest& request, const Device& device) {
    const Bytes visible = serving::visible_bytes(request, device);
    const auto budget = static_cast<Bytes>(utilization(request) * static_cast<double>(visible));
    return std::max<Bytes>(0, std::min(budget, visible - device.reserved_bytes));
}

void describe(const EstimateRequest& request, const MemoryPlan& plan, ServingEstimate& out) {
    const RankLayout ranks = RankLayout::of(request);
    const PagedCache cache = PagedCache::of(request, ranks);
    // The smallest rank decides.
    Bytes pool = bytes_limit;
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const PartBytes& parts = plan.devices[static_cast<std::size_t>(rank)];
        const Bytes used = parts[Part::weights].expected + parts[Part::compute].expected +
                           parts[Part::overhead].expected;
        const Bytes room =
            request.devices.empty()
                ? request.host.usable_bytes
                : device_room(request, request.devices[static_cast<std::size_t>(rank)]);
        pool = std::min(pool, room - used);
    }
    const std::int64_t tokens = request.options.n_ctx;
    const std::int64_t each =
        cache.blocks_per_sequence(tokens, serving::max_batched_tokens(request));
    out.pool_bytes = std::max<Bytes>(0, pool);
    out.block_tokens = cache.block_tokens;
    out.blocks = cache.block_bytes > 0 ? out.pool_bytes / cache.block_bytes : 0;
    out.concurrency = each > 0 ? static_cast<double>(out.blocks) / static_cast<double>(each) : 0;
    // One kind of layers: every block holds tokens. Several: the engine prints concurrency x
    // length.
    out.tokens = cache.n_groups == 1
                     ? out.blocks * cache.block_tokens
                     : static_cast<std::int64_t>(out.concurrency * static_cast<double>(tokens));
}

} // namespace

const Engine vllm_engine = {
    .id = EngineId::vllm,
    .key = "vllm",
    .plan = plan,
    .context_step = 16,
    .context_is_shared = false,
    .can_offload_to_host = false,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = device_room,
    .describe = describe,
};

} // namespace vramscope
