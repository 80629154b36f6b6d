// SGLang: weights and a token pool within a static share of the memory; the rest is kept for
// activations and CUDA graphs.
//
// The share follows from chunk size, graph batch and card unless given. The pool has pages of one
// token; windowed layers have a second, smaller one, recurrent layers a slot per running sequence.
// Source: SGLang server_args.py (mem_fraction_static), model_executor/model_runner.py, as of 2026;
// logs T097, T099, T101 in tests/reference/serving_cases.txt. Constants: catalog/engines.json,
// "sglang".
#include <algorithm>

#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/engines/vllm_cache.h"

namespace vramscope {
namespace {

constexpr const char* weights_source = "SGLang layers/linear.py; safetensors shapes";
constexpr const char* pool_source = "SGLang mem_cache/memory_pool.py, as of 2026";
constexpr const char* reserve_source = "SGLang server_args.py, as of 2026";
constexpr double megabytes_per_gib = 1024;

/// Prefill chunk and largest graph batch by card (the engine's tiers, in GB of memory).
struct Tier {
    double below_gb;
    double chunk;
    double graph_batch;
    double graph_batch_parallel; ///< from four tensor-parallel ranks on
};
constexpr Tier tiers[] = {{20, 2048, 8, 8},     {35, 2048, 24, 80},    {60, 4096, 32, 160},
                          {90, 8192, 256, 512}, {160, 8192, 256, 512}, {1e9, 16384, 512, 512}};

double memory_gb(const EstimateRequest& request) {
    return request.devices.empty() ? to_gib(request.host.usable_bytes)
                                   : to_gib(request.devices[0].memory_bytes);
}

const Tier& tier_of(const EstimateRequest& request) {
    const double gb = memory_gb(request);
    std::size_t i = 0;
    while (gb >= tiers[i].below_gb)
        ++i;
    return tiers[i];
}

/// Share of the memory for weights and pool.
double static_share(const EstimateRequest& request, const RankLayout& ranks) {
    if (request.options.gpu_memory_utilization)
        return *request.options.gpu_memory_utilization;
    const Tier& tier = tier_of(request);
    const double chunk = request.options.max_num_batched_tokens
                             ? *request.options.max_num_batched_tokens
                             : tier.chunk;
    const double batch = ranks.tensor_parallel >= 4 ? tier.graph_batch_parallel : tier.graph_batch;
    double reserved = 512 + std::max(chunk, 2048.0) * 1.5 + batch * 2 + ranks.ranks / 8.0 * 1024;
    const double gb = memory_gb(request);
    if (gb > 60)
        reserved = std::max(reserved, 10 * megabytes_per_gib);
    if (request.options.speculative_tokens > 0)
        reserved += 2 * megabytes_per_gib;
    const double all = gb * megabytes_per_gib;
    return std::clamp((all - reserved) / all, 0.1, 0.95);
}

/// What one more token costs in all layers that see everything, and in windowed ones.
struct TokenBytes {
    Bytes full = 0;
    Bytes windowed = 0;
    std::int64_t window = 0;
    Bytes state = 0;
};
TokenBytes token_bytes(const EstimateRequest& request, const RankLayout& ranks) {
    const Architecture& architecture = *request.architecture;
    TokenBytes out;
    for (const Layer& layer : architecture.layers) {
        const Mixer& mixer = architecture.mixer(layer);
        if (attends(mixer.kind) && !layer.shares_kv) {
            const Bytes bytes =
                paged_token_bytes(mixer, request.options.type_k, ranks.tensor_parallel);
            const bool windowed = is_windowed(mixer.kind) && mixer.window > 0;
            (windowed ? out.windowed : out.full) += bytes;
            if (windowed)
                out.window = std::max<std::int64_t>(out.window, mixer.window);
        }
        if (is_recurrent(mixer.kind))
            out.state += paged_state_bytes(architecture, mixer, ranks.tensor_parallel, 0);
    }
    const auto stages = static_cast<Bytes>(ranks.pipeline_parallel);
    return {ceil_div(out.full, stages), ceil_div(out.windowed, stages), out.window,
            ceil_div(out.state, stages)};
}

/// Slots for recurrent states that exist from the start.
std::int64_t state_slots(const EstimateRequest& request) {
    return request.options.max_num_seqs.value_or(request.constants->serving.sglang_state_slots) + 1;
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const RankLayout ranks = RankLayout::of(request);
    const CheckpointBytes weights = CheckpointBytes::of(request, ranks);
    const TokenBytes each = token_bytes(request, ranks);
    const std::int64_t sequences = serving::sequences(request);
    const std::int64_t tokens = mul(request.options.n_ctx, sequences);
    const std::int64_t windowed = std::min(
        tokens, mul(each.window + static_cast<std::int64_t>(tier_of(request).chunk), sequences));
    serving::lay_out_ranks(request, ranks, out);
    const double share = static_share(request, ranks);
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const std::int32_t stage = rank / ranks.tensor_parallel;
        serving::put(out, rank, Part::weights, ByteRange::exact(weights.on(stage)), "weights.rank",
                     weights_source,
                     {{"tensor_parallel", ranks.tensor_parallel},
                      {"pipeline_parallel", ranks.pipeline_parallel},
                      {"replicated_bytes", weights.replicated[static_cast<std::size_t>(stage)]},
                      {"total_bytes", weights.total}});
        serving::put(out, rank, Part::kv,
                     ByteRange::exact(add(mul(tokens, each.full), mul(windowed, each.windowed))),
                     "kv.token_pool", pool_source,
                     {{"tokens", static_cast<double>(tokens)},
                      {"bytes_per_token", static_cast<double>(each.full)},
                      {"windowed_bytes_per_token", static_cast<double>(each.windowed)}});
        serving::put(out, rank, Part::state,
                     ByteRange::exact(mul(each.state, state_slots(request))), "state.slots",
                     pool_source,
                     {{"slots", static_cast<double>(state_slots(request))},
                      {"bytes_per_sequence", static_cast<double>(each.state)}});
        if (request.devices.empty())
            continue;
        const Bytes visible =
            serving::visible_bytes(request, request.devices[static_cast<std::size_t>(rank)]);
        const auto reserve = static_cast<Bytes>((1 - share) * static_cast<double>(visible));
        serving::put(out, rank, Part::compute, ByteRange::exact(reserve), "compute.reserve",
                     reserve_source, {{"static_share", share}});
        serving::put(out, rank, Part::overhead,
                     request.constants->driver_bytes[static_cast<std::size_t>(
                         request.devices[static_cast<std::size_t>(rank)].backend)],
                     "overhead.driver", reserve_source, {});
    }
}

Bytes device_room(const EstimateRequest& request, const Device& device) {
    return std::max<Bytes>(0, serving::visible_bytes(request, device) - device.reserved_bytes);
}

void describe(const EstimateRequest& request, const MemoryPlan& plan, ServingEstimate& out) {
    const RankLayout ranks = RankLayout::of(request);
    const TokenBytes each = token_bytes(request, ranks);
    Bytes pool = bytes_limit;
    for (std::int32_t rank = 0; rank < ranks.ranks; ++rank) {
        const PartBytes& parts = plan.devices[static_cast<std::size_t>(rank)];
        const Bytes used = parts[Part::weights].expected + parts[Part::compute].expected +
                           parts[Part::overhead].expected + parts[Part::state].expected;
        const Bytes room =
            request.devices.empty()
                ? request.host.usable_bytes
                : device_room(request, request.devices[static_cast<std::size_t>(rank)]);
        pool = std::min(pool, room - used);
    }
    out.pool_bytes = std::max<Bytes>(0, pool);
    out.block_tokens = 1;
    // The windowed pool has four fifths of the tokens of the full one (swa_full_tokens_ratio).
    const double per_token = static_cast<double>(each.full) +
                             (each.full > 0 ? 0.8 : 1.0) * static_cast<double>(each.windowed);
    out.tokens = per_token > 0
                     ? static_cast<std::int64_t>(static_cast<double>(out.pool_bytes) / per_token)
                     : 0;
    out.blocks = out.tokens;
    out.concurrency = static_cast<double>(out.tokens) /
                      static_cast<double>(std::max<std::int64_t>(1, request.options.n_ctx));
}

} // namespace

const Engine sglang_engine = {
    .id = EngineId::sglang,
    .key = "sglang",
    .plan = plan,
    .context_step = 1,
    .context_is_shared = false,
    .can_offload_to_host = false,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = device_room,
    .describe = describe,
};

} // namespace vramscope
