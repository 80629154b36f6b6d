// Habits of llama.cpp's graphs that a model's shape does not show: where a scale is applied, in
// which order norms and rotary embeddings come, how a router turns scores into weights.
//
// One row per architecture name; a name that is not in the table gets what most models do, derived
// from the shape. Sources: llama.cpp src/models/*.cpp (b10256) and node lists of 0.7.0.
#pragma once

#include <cstdint>

#include "core/architecture.h"

namespace vramscope::graph {

enum class NormStyle : std::uint8_t { rms, layer };
enum class RopeUse : std::uint8_t { always, windowed_layers, never };
enum class QkOrder : std::uint8_t { norm_then_rope, rope_then_norm };
enum class Activation : std::uint8_t { gated_unit, one_operation, squared_relu };
enum class LogitOps : std::uint8_t { none, scale, softcap };
enum class Routing : std::uint8_t { softmax, sigmoid, softmax_of_chosen };
enum class Parallel : std::uint8_t {
    none,
    cohere, ///< feed-forward of the norm; then + residual, + attention
    falcon, ///< feed-forward of the norm; then + attention, + residual
    neox,   ///< feed-forward with a norm of its own; then + attention, + residual
};

struct Traits {
    NormStyle norms = NormStyle::rms;
    RopeUse rope = RopeUse::always;
    QkOrder qk_order = QkOrder::norm_then_rope;
    Parallel parallel = Parallel::none;
    Activation plain_activation = Activation::one_operation; ///< of feed-forwards without a gate
    LogitOps logit_ops = LogitOps::none;
    Routing routing = Routing::softmax;
    bool normalised_weights = true; ///< expert weights divided by their sum
    bool scaled_weights = false;    ///< … and multiplied by a constant
    bool expert_groups = false;     ///< experts chosen from the best groups only (DeepSeek-V3)
    bool scaled_embeddings = false;
    bool scaled_by_input = false;   ///< … by a factor per token (images come in unscaled)
    bool scaled_queries = false;    ///< queries scaled after the rotary embedding
    bool query_temperature = false; ///< queries times a factor by position (Llama 4, Ministral 3)
    bool scaled_residuals = false;  ///< Granite
    bool attention_softcap = false; ///< Gemma 2
    std::int8_t position_parts = 1; ///< position numbers per token (4 with multi-axis rotary)
    bool late_outputs = false; ///< rows to output are picked behind the last layer (before 0.7.0)
    bool gate_divided_by_score = false; ///< shared expert's gate as silu(x) / x (Qwen2-MoE)
    bool interleaved_heads = false;  ///< delta net stored by key head, keys repeated (Qwen3-Next)
    bool scaled_before_head = false; ///< MiniCPM: in front of the head, not behind it
    bool factors_on_full_layers = false; ///< rotary factors not used on windowed layers (Gemma 4)
    bool normalised_values = false;      ///< values go through a norm without weights (Gemma 4)
    bool residual_first_at_end = false;  ///< … in the sum behind the feed-forward only (Phi-3)
    bool residual_first = false;         ///< sums take the residual as their first operand
    bool gate_is_sigmoid = true;         ///< of attention gates per head; else softplus (Laguna)
    bool precise_experts = false;        ///< experts' last product in full precision (Mistral 4)
    bool windowed_order = false;         ///< queries, keys, values expanded in this order
};

Traits traits_of(const Architecture& architecture);

} // namespace vramscope::graph
