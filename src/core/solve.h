// The inverse questions: what is the most that still fits?
#pragma once

#include <cstdint>

#include "core/request.h"
#include "core/workspace.h"

namespace vramscope {

/// Largest n_ctx (as the engine's option means it) whose expected need is within free memory on
/// every device: a multiple of the engine's padding, not capped at the model's native limit.
/// 0 when not even one step fits; context_search_limit when memory does not bound it.
std::int64_t max_context_tokens(const EstimateRequest& request);
std::int64_t max_context_tokens(const EstimateRequest& request, Workspace& workspace);

/// Most sequences that fit when each has the context that one has now; 0 when none fits.
std::int64_t max_sequences(const EstimateRequest& request);
std::int64_t max_sequences(const EstimateRequest& request, Workspace& workspace);

/// Contexts are searched up to here: 2^30 tokens, the largest n_ctx that requests accept.
inline constexpr std::int64_t context_search_limit = std::int64_t{1} << 30;
/// LLAMA_MAX_SEQ of llama.cpp is 256; other engines go further.
inline constexpr std::int64_t sequence_search_limit = 4096;

} // namespace vramscope
