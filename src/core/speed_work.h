// Work: what one device reads and computes when tokens pass, apart from how fast it is.
//
// Everything here follows from the architecture, the weights and the placement; nothing is fitted.
// speed.h turns work into seconds with the constants of catalog/engines.json.
#pragma once

#include <array>
#include <cstdint>

#include "core/engines/llama_cpp_settings.h"
#include "core/model_facts.h"
#include "core/placement.h"
#include "core/request.h"

namespace vramscope {

/// Attention of layers that see the same number of tokens.
struct AttentionWork {
    double window = 0;          ///< tokens seen at most; 0: all
    double bytes_per_token = 0; ///< cache read for each token seen, all layers of the group
    double flops_per_token = 0; ///< for each pair of a new token and a token seen
};

struct DeviceWork {
    double dense_bytes = 0;    ///< weights that every step reads whole, the head included
    double expert_bytes = 0;   ///< all routed experts; a step reads those its tokens choose
    double dense_weights = 0;  ///< elements behind dense_bytes: 2 flops each per token
    double expert_weights = 0; ///< elements of the experts that one token uses
    double head_weights = 0;   ///< elements of the output head, part of dense_weights
    double state_bytes = 0;    ///< recurrent state of one sequence, read and written
    double layers = 0;
    double expert_layers = 0;
    double recurrent_layers = 0;
    double latent_layers = 0;
    std::array<AttentionWork, 4> attention{};
    std::int32_t attention_groups = 0;

    /// Cache bytes that one sequence with `depth` tokens behind it reads for its next token.
    double cache_bytes(double depth) const;
    /// Flops of attention for the next token of such a sequence.
    double attention_flops(double depth) const;
    /// The same summed over `tokens` new tokens that start at `depth`.
    double attention_flops(double depth, double tokens) const;
    bool is_idle() const { return layers <= 0 && dense_bytes <= 0 && expert_bytes <= 0; }
};

struct SpeedWork {
    std::array<DeviceWork, max_devices + 1> devices{}; ///< accelerators, then the host
    std::int32_t n_devices = 0;                        ///< accelerators
    double expert_share = 0;        ///< of the routed experts that one token uses
    std::int32_t parallel = 1;      ///< devices that share every layer (tensor parallel)
    double hop_bytes_per_token = 0; ///< hidden state handed on at a device boundary

    const DeviceWork& host() const { return devices[max_devices]; }
    /// Share of all routed experts that a step of `batch` tokens reads. Tokens that chose apart
    /// from each other would read 1 - (1 - used / experts) ^ batch; some experts are chosen more
    /// often than others, which counts like batch ^ 0.8125 tokens (batched-bench rows of the DGX
    /// Spark: three models, 8 to 32 sequences).
    double experts_read(double batch) const;

    static SpeedWork of(const EstimateRequest& request);
};

/// The work found last, and what it was found for.
struct SpeedWorkMemo {
    std::uint64_t generation = 0; ///< of ModelFacts, 0: nothing yet
    LayerShares shares;
    ExpertPlacement experts;
    StorageType type_k = StorageType::count_;
    StorageType type_v = StorageType::count_;
    EngineId engine = EngineId::count_;
    std::size_t n_devices = 0;
    std::int32_t parallel = 0;
    SpeedWork work;
};
/// The work of a request whose model and weights `facts` has selected.
const SpeedWork& speed_work(const EstimateRequest& request, const ModelFacts& facts,
                            SpeedWorkMemo& memo);

} // namespace vramscope
