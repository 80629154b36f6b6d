// What to change so that it fits: steps a person can take, each with what it brings and costs.
//
// A step sets one request field (or two steps are combined), and every figure it promises is that
// of the request with the step applied: apply() gives the request whose estimate says the same.
//
// Which value a step takes: the mildest of its kind that reaches the goal; where none does, the
// strongest. Kinds with a number (context, sequences, layers, experts) are searched for the number,
// the others run down a short ladder (KV types, micro-batch, and the caller's weights and devices).
//
// Ranking: steps that suffice come first; among them the one with the smallest cost, then the one
// that saves more. Cost is a sum of what a person gives up, in these units:
//   flash attention on                   0
//   full-size window caches off          0.05    cached prompts are re-used less
//   micro-batch                          0.1     per halving: prompts are read more slowly
//   KV types                             0.3     Q8_0; 0.7 with V as Q4_0, 1.2 with both as Q4_0
//   smaller weights                      0.8     per quality class, + 0.3 x the share of bytes
//   saved experts or layers on the host        0.2 context, sequences                   2       x
//   the share given up: half of it costs 1 another device, a larger device      3, 3.5
// and whatever slows decoding down adds 2 x the share of the rate that is lost. Two combined add
// up.
//
// Combinations are tried only when no single step suffices that keeps what was asked for (context,
// sequences, devices) and everything on the devices; one is listed only when it suffices and costs
// less than each of its two kinds does alone.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/request.h"

namespace vramscope {

enum class ChangeKind : std::uint8_t {
    flash_attention, ///< on
    window_cache,    ///< swa_full off
    micro_batch,     ///< n_ubatch
    kv_types,        ///< type_k, type_v
    weights,         ///< one of AdviceChoices::weights
    expert_layers,   ///< n_cpu_moe: experts of the first n layers on the host
    gpu_layers,      ///< n_gpu_layers
    sequences,       ///< n_seq, and n_ctx where that counts all sequences together
    context,         ///< n_ctx
    another_device,  ///< one of AdviceChoices::more_devices
    larger_device,   ///< one of AdviceChoices::larger_devices
    count_
};
inline constexpr std::size_t change_kind_count = static_cast<std::size_t>(ChangeKind::count_);
/// "kv-types" …, as in JSON and locale keys.
const char* name(ChangeKind kind);
constexpr unsigned bit(ChangeKind kind) {
    return 1U << static_cast<unsigned>(kind);
}

/// One field to set. `number` is the new value of n_ubatch, n_cpu_moe, n_gpu_layers, n_seq or
/// n_ctx.
struct Change {
    ChangeKind kind = ChangeKind::count_;
    StorageType type_k = StorageType::count_;
    StorageType type_v = StorageType::count_;
    std::int64_t number = 0;
    std::int64_t n_ctx = 0; ///< sequences: the context that goes with them
    std::size_t choice = 0; ///< index into the list that the caller gave

    friend bool operator==(const Change&, const Change&) = default;
};

/// Smaller weights of the same model; `quality` counts classes downwards (0 = lossless).
struct WeightsChoice {
    Weights weights;
    EngineId evidence_engine = EngineId::count_;
    std::int32_t quality = 0;
};
/// What the caller's catalog offers; lists run from the mildest to the strongest.
struct AdviceChoices {
    std::int32_t quality = 0; ///< class of the request's own weights
    std::vector<WeightsChoice> weights;
    std::vector<std::vector<Device>> more_devices;
    std::vector<std::vector<Device>> larger_devices;
    unsigned allowed = ~0U; ///< bit(kind) of each kind that may be advised
};

struct AdviceStep {
    std::array<Change, 2> changes{};
    std::size_t n_changes = 0;
    bool suffices = false;
    Verdict verdict = Verdict::fits;
    Bytes saved_bytes = 0; ///< expected bytes less on the device that Advice::device names
    Bytes room_bytes = 0;  ///< least head-room of any device afterwards, < 0: so much is missing
    ByteRange total;       ///< all devices together
    RateRange decode_tokens_per_second;
    double cost = 0;

    std::span<const Change> list() const { return {changes.data(), n_changes}; }
};

struct Advice {
    Verdict verdict = Verdict::fits; ///< of the request as it is
    std::int32_t device = -1;        ///< entry with the least head-room; -1: nothing to change
    Bytes missing_bytes = 0;         ///< what that device lacks, for the goal
    ByteRange total;
    RateRange decode_tokens_per_second;
    std::vector<AdviceStep> steps; ///< ranked; empty when the goal is reached already
};

/// `goal` is the worst verdict that counts as fitting: `tight` (it runs) or `fits` (with room
/// left).
Advice advise(const EstimateRequest& request, const AdviceChoices& choices,
              Verdict goal = Verdict::tight);

/// Sets what a change says.
void apply(const Change& change, const AdviceChoices& choices, EstimateRequest& request);

/// Whether a cache of that type is accepted: rows of a head must be whole blocks, and values can
/// only be quantised with flash attention (llama.cpp src/llama-context.cpp, llama_init_from_model).
bool accepts_kv_types(const EstimateRequest& request, StorageType type_k, StorageType type_v);

} // namespace vramscope
