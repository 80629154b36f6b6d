// What engines share that run checkpoints on ranks (vLLM, SGLang, Transformers, MLX).
#pragma once

#include <initializer_list>

#include "core/engines/engine.h"
#include "core/engines/transformers_weights.h"

namespace vramscope::serving {

/// n_seq of the request, 1 when open.
std::int64_t sequences(const EstimateRequest& request);
/// Scheduler limits after vLLM's defaults by card (vllm engine/arg_utils.py get_batch_defaults):
/// 8,192 tokens and 1,024 sequences from 70 GiB on (not A100), else 2,048 and 256.
std::int64_t max_num_seqs(const EstimateRequest& request);
std::int64_t max_batched_tokens(const EstimateRequest& request);
const VllmConstants& vllm_constants(const EstimateRequest& request);

/// What the driver shows of a card: GDDR boards with error correction lose a sixteenth of it.
Bytes visible_bytes(const EstimateRequest& request, const Device& device);

/// Intermediate results of one layer for `tokens` tokens in 16 bits: residual, attention and the
/// three widths of a gated feed-forward part.
double layer_activation_bytes(const EstimateRequest& request, std::int32_t tensor_parallel,
                              double tokens);

/// One entry per rank, and the host's, empty (unless everything is unified).
void lay_out_ranks(const EstimateRequest& request, const RankLayout& ranks, MemoryPlan& plan);
struct Value {
    const char* symbol;
    double value;
    template <typename Number>
    Value(const char* name, Number number) : symbol(name), value(static_cast<double>(number)) {}
};
void put(MemoryPlan& plan, std::int32_t device, Part part, const ByteRange& bytes,
         const char* formula, const char* source, std::initializer_list<Value> values);

} // namespace vramscope::serving
