// The answer: what a request needs, where it lies, whether it fits, how fast it decodes.
//
// Every byte count is a ByteRange; what the engine allocates deterministically is exact (low =
// high), what cannot be known (driver, display) is a range. Every figure is the sum of its terms,
// and a term names its formula, the numbers put in, and its source: the UI can answer "why?" for
// any number.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/hardware.h"
#include "core/units.h"

namespace vramscope {

/// The parts of memory, in the order they are stacked in bars and tables.
enum class Part : std::uint8_t { weights, kv, state, compute, overhead, output, count_ };
inline constexpr std::size_t part_count = static_cast<std::size_t>(Part::count_);
/// "weights", "kv" …: the prefix of the JSON keys `<part>_bytes`.
const char* name(Part part);

struct PartBytes {
    std::array<ByteRange, part_count> parts{};

    ByteRange& operator[](Part part) { return parts[static_cast<std::size_t>(part)]; }
    const ByteRange& operator[](Part part) const { return parts[static_cast<std::size_t>(part)]; }
    ByteRange total() const {
        ByteRange sum;
        for (const ByteRange& part : parts)
            sum += part;
        return sum;
    }
    PartBytes& operator+=(const PartBytes& other) {
        for (std::size_t i = 0; i < part_count; ++i)
            parts[i] += other.parts[i];
        return *this;
    }
};

enum class Verdict : std::uint8_t {
    fits,    ///< the high estimate is at most 90 % of free memory (threshold: catalog)
    tight,   ///< the expected estimate is at most 100 %
    offload, ///< too much for the device, but the host can take the rest
    does_not_fit
};
/// "fits", "tight", "offload", "does-not-fit", as in JSON and locale keys.
const char* name(Verdict verdict);

/// One number inside a term's formula. `symbol` is the field's notation ("kv_heads").
struct TermValue {
    const char* symbol = nullptr;
    double value = 0;
};

/// One summand of a figure. `formula` is an id ("kv.full_attention") under which the locales keep
/// the explanation; `source` names where the rule comes from.
struct Term {
    Part part = Part::weights;
    std::int32_t device = 0; ///< index into Estimate::devices
    ByteRange bytes;
    const char* formula = nullptr;
    const char* source = nullptr;
    std::array<TermValue, 8> values{};
    std::int32_t value_count = 0;
};

/// A remark that belongs to the figures: `id` is a locale key, up to two numbers and a text go in.
struct Remark {
    const char* id = nullptr;
    double first = 0;
    double second = 0;
    std::string text;
};

/// What a step of decoding waits for most.
enum class Limit : std::uint8_t {
    bandwidth, ///< reading weights, cache and state
    compute,   ///< arithmetic
    launch,    ///< the fixed cost of kernels and routing
    link,      ///< passing data between devices
    memory,    ///< no room for another sequence
    count_
};
inline constexpr std::size_t limit_count = static_cast<std::size_t>(Limit::count_);
/// "bandwidth", "compute" …, as in JSON and locale keys.
const char* name(Limit limit);

/// Share of a step's time that each limit takes; they add up to 1, or are 0 when nothing is known.
using LimitShares = std::array<double, limit_count>;

/// Several sequences decoded together.
struct BatchPoint {
    std::int64_t sequences = 0;
    RateRange tokens_per_second; ///< of all sequences together
    double per_sequence = 0;     ///< expected rate that each one sees
    Limit limit = Limit::bandwidth;
};

/// What a serving engine does with the memory that is left: the figures it prints at start.
struct ServingEstimate {
    Bytes pool_bytes = 0;          ///< cache pool of one rank
    std::int64_t block_tokens = 0; ///< 0: the engine has no pool
    std::int64_t blocks = 0;
    std::int64_t tokens = 0; ///< "GPU KV cache size"
    double concurrency = 0;  ///< sequences of the requested context at once
};

struct DeviceEstimate {
    std::string name;
    bool is_host = false;
    PartBytes parts;
    Bytes capacity_bytes = 0; ///< nominal; 0 = not known (host without a given size)
    Bytes free_bytes = 0;     ///< usable less reserved: what the verdict is about
    double used_fraction = 0; ///< expected total / capacity, 0 when the capacity is unknown
    Verdict verdict = Verdict::fits;
};

struct Estimate {
    std::vector<DeviceEstimate> devices; ///< accelerators first, then the host
    PartBytes parts;                     ///< summed over all devices
    Verdict verdict = Verdict::fits;

    Bytes kv_mha_bytes = 0;                ///< the same cache as plain F16 multi-head attention
    double kv_saving_fraction = 0;         ///< 1 - kv / kv_mha
    std::int64_t max_context_tokens = 0;   ///< largest context that still fits, per request's n_seq
    std::int64_t max_sequences = 0;        ///< most sequences at the requested context each
    RateRange decode_tokens_per_second;    ///< one sequence, its context filled
    RateRange prefill_tokens_per_second;   ///< all zero: not known for this hardware
    double first_token_seconds = 0;        ///< reading a prompt of the requested context
    Limit decode_limit = Limit::bandwidth; ///< what takes most of a token's time
    LimitShares decode_shares{};
    Limit prefill_limit = Limit::compute;
    LimitShares prefill_shares{};
    bool speed_extrapolated = false;       ///< the class of hardware has no admitted measurements
    std::vector<BatchPoint> batches;       ///< 1, 2, 4 … sequences, up to what fits
    std::int64_t max_users = 0;            ///< most that each get the requested rate
    Limit max_users_limit = Limit::memory; ///< what keeps the next one out

    ServingEstimate serving;

    Bytes download_bytes = 0; ///< files of the artifact; computed when none is recorded
    bool download_is_exact = false;
    Bytes artifact_tensor_bytes = 0; ///< all weight tensors, no header
    std::int64_t parameters = 0;

    std::vector<Term> terms;
    std::vector<Remark> assumptions;
    std::vector<Remark> warnings;

    ByteRange total() const { return parts.total(); }
};

} // namespace vramscope
