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
    double fits = 0;   ///< the high estimate must be at most this
    double tight = 0;  ///< the expected estimate must be at most this
};

/// `quick`: parameters x bits per weight + raw KV + a runtime overhead.
struct QuickConstants {
    std::array<double, hardware_class_count> overhead_gib{};
    double overhead_share_of_weights = 0;
    std::array<double, hardware_class_count> decode_share_of_bandwidth{};
    double decode_factor_quantised = 0;  ///< multiplies the decode rate of quantised weights
    double usable_share_of_memory = 0;
    double max_context_credit_gib = 0;  ///< less overhead_gib when the largest context is sought
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

/// Single-stream decode: seconds per token = bytes read / (share * bandwidth) + fixed seconds.
struct DecodeConstants {
    double weights_share_of_bandwidth = 0;
    double kv_share_of_bandwidth = 0;
    double fixed_seconds = 0;
    double relative_spread = 0;  ///< half-width of the stated range, as a share of the rate
};

struct EngineConstants {
    VerdictThresholds verdict;
    QuickConstants quick;
    std::array<EvidenceAllowance, evidence_slots> evidence{};
    std::array<DecodeConstants, hardware_class_count> decode{};
    double prefill_share_of_compute = 0;  ///< achieved share of dense FP16 compute
    double prefill_relative_spread = 0;
    /// Held on a device by the driver and libraries, outside the engine's own accounting.
    std::array<ByteRange, backend_count> driver_bytes{};
    Bytes gguf_header_bytes_per_token = 0;  ///< tokenizer metadata of a GGUF, per vocabulary row
    double host_usable_share = 0;           ///< of RAM: the rest is the system's
    double host_bandwidth_gb_per_s = 0;     ///< of RAM, where the request does not say
};

}  // namespace vramscope
