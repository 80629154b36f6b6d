// Numbers that belong to engines and hardware classes, not to formulas. They live in
// catalog/engines.json, each with its source, and reach the core as plain structs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/hardware.h"
#include "core/units.h"

namespace vramscope {

/// Bounds for a verdict, as fractions of free memory.
struct VerdictThresholds {
    double fits = 0;  ///< the high estimate must be at most this
    double tight = 0; ///< the expected estimate must be at most this
};

/// `quick`: parameters x bits per weight + raw KV + a runtime overhead.
struct QuickConstants {
    std::array<double, hardware_class_count> overhead_gib{};
    double overhead_share_of_weights = 0;
    std::array<double, hardware_class_count> decode_share_of_bandwidth{};
    double decode_factor_quantised = 0; ///< multiplies the decode rate of quantised weights
    double usable_share_of_memory = 0;
    double max_context_credit_gib = 0; ///< less overhead_gib when the largest context is sought
};

/// `evidence`: what an engine adds to file bytes and raw KV, as recorded low and high bounds.
struct EvidenceAllowance {
    double low_gib = 0;
    double high_gib = 0;
    double high_share_of_weights = 0;
    double high_share_of_kv = 0;
    /// Recorded points (raw KV bytes -> high GiB) where no linear rule gives the printed figures;
    /// linear in between, the last slope continued. Empty: the rule above.
    struct Point {
        Bytes kv_bytes = 0;
        double high_gib = 0;
    };
    std::vector<Point> points;
};
/// By EngineId (request.h), plus the unspecified engine at the end.
inline constexpr std::size_t evidence_slots = 10;

/// What a step of decoding costs, as multiples of a nominal time: bytes at nominal bandwidth, flops
/// at nominal compute, or microseconds a layer (core/speed.h computes the nominal times).
enum class DecodeCost : std::uint8_t {
    dense,           ///< weights read whole, x bytes / bandwidth
    expert,          ///< routed experts that are read
    kv,              ///< cache read with flash attention
    kv_plain,        ///< cache read without it
    state,           ///< recurrent state, read and written
    arithmetic,      ///< 2 flops a weight and token, x flops / compute
    attention,       ///< flops of attention
    layer,           ///< x 1 microsecond: kernels of a layer
    expert_layer,    ///< routing and scattered kernels of a layer with experts, on top
    recurrent_layer, ///< of a layer with recurrent state, on top
    latent_layer,    ///< of a layer with latent attention, on top
    count_
};
inline constexpr std::size_t decode_cost_count = static_cast<std::size_t>(DecodeCost::count_);
using DecodeCosts = std::array<double, decode_cost_count>;

/// The same for reading a prompt.
enum class PrefillCost : std::uint8_t {
    dense_16bit, ///< x flops / compute, unquantised weights
    dense_quantised,
    expert_16bit,
    expert_quantised,
    attention,       ///< with flash attention
    attention_plain, ///< without
    weights,         ///< x bytes / bandwidth: weights read once per micro-batch
    layer,           ///< x 1 microsecond a layer and micro-batch
    expert_layer,
    recurrent_token, ///< x 1 microsecond a recurrent layer and 1,000 tokens
    count_
};
inline constexpr std::size_t prefill_cost_count = static_cast<std::size_t>(PrefillCost::count_);
using PrefillCosts = std::array<double, prefill_cost_count>;

/// Bounds around an expected rate that hold four of five measurements, as factors.
struct SpeedRange {
    double low = 1;
    double high = 1;
};

/// Matrix products of a few tokens: no fewer than a tile's, at some multiple of a prompt's cost.
struct TileConstants {
    double tokens = 1;
    double cost = 1;
    double expert_microseconds =
        0; ///< a layer with experts, to sort the tokens of a batch by expert
};

/// How fast a class of devices works; fitted, never per card (tests/reference/speed_points.txt).
struct SpeedConstants {
    double compute_scale = 1;       ///< brings the catalog's FP16 figures of classes to one count
    double tflops_per_gb_per_s = 0; ///< compute assumed where a device's is not known
    DecodeCosts decode{};
    SpeedRange decode_range;
    PrefillCosts prefill{};
    SpeedRange prefill_range;
    TileConstants tile;
    bool calibrated = false; ///< from admitted measurements of this class, not from others'
};

/// By HardwareClass, plus unified memory under CUDA at the end (GB10 and kin are no APUs).
inline constexpr std::size_t unified_cuda_slot = hardware_class_count;
inline constexpr std::size_t speed_slots = hardware_class_count + 1;

/// What passing data between devices costs.
struct LinkConstants {
    double hop_microseconds = 0;        ///< handing the hidden state to the next device
    double all_reduce_microseconds = 0; ///< one sum over tensor-parallel devices, latency only
    double gb_per_s = 0;                ///< where a device's link is not known
};

/// vLLM's start, by version (request.h).
struct VllmConstants {
    double utilization = 0;      ///< default share of the memory
    double score_copies_low = 0; ///< 32-bit copies of all scores in the profiled peak
    double score_copies = 0;
    double score_copies_high = 0;
    double non_torch_gib = 0;          ///< driver, kernels
    double non_torch_parallel_gib = 0; ///< with several ranks: communication buffers too
    double graphs_gib = 0;             ///< set aside within the budget
    double float8_workspace_gib = 0;   ///< of the attention kernels that read an FP8 cache
};

/// What TensorRT-LLM holds besides weights, cache and activations.
struct TensorRtConstants {
    double free_share = 0;            ///< of the memory left after loading that the cache takes
    double process_gib = 0;           ///< runtime, kernels, CUDA graphs
    double parallel_gib = 0;          ///< communication, with several ranks
    double parallel_gib_per_rank = 0; ///< and for each of them
};

struct ServingConstants {
    double visible_share = 0;            ///< of the nominal memory
    double visible_share_corrected = 0;  ///< GDDR with error correction
    std::int32_t sglang_state_slots = 0; ///< running sequences that hold a recurrent state
};

struct EngineConstants {
    VerdictThresholds verdict;
    QuickConstants quick;
    std::array<EvidenceAllowance, evidence_slots> evidence{};
    std::array<SpeedConstants, speed_slots> speed{};
    std::array<VllmConstants, 2> vllm{}; ///< by VllmVersion
    ServingConstants serving;
    TensorRtConstants tensorrt;
    LinkConstants link;
    /// Held on a device by the driver and libraries, outside the engine's own accounting.
    std::array<ByteRange, backend_count> driver_bytes{};
    /// Unpacks one layer of a quantised cache into F16 for flash attention (llama.cpp).
    std::array<bool, backend_count> unpacks_kv{};
    Bytes gguf_header_bytes_per_token = 0; ///< tokenizer metadata of a GGUF, per vocabulary row
    double host_usable_share = 0;          ///< of RAM: the rest is the system's
    double host_bandwidth_gb_per_s = 0;    ///< of RAM, where the request does not say
};

} // namespace vramscope
