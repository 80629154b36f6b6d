// The paged cache of vLLM: groups of layers that share one pool of equal pages.
//
// Layers of one kind make a group; kinds are cut into groups of equal size, so that one block id
// means one page in each tensor of a group. Pages must be equal: with recurrent layers the
// attention block grows until its page holds a state (1,568 tokens for a 27B with an FP8 cache),
// with windows of other widths the smaller page takes more tokens. Source: vLLM
// v1/core/kv_cache_utils.py and v1/kv_cache_interface.py, as of 2026; figures of the logs in
// tests/reference/serving_cases.txt.
#pragma once

#include <array>
#include <cstdint>

#include "core/engines/transformers_weights.h"
#include "core/request.h"

namespace vramscope {

struct PagedCache {
    enum class Kind : std::uint8_t { full, window, chunk, state };
    struct Group {
        Kind kind = Kind::full;
        std::int64_t repeats = 0; ///< groups of this kind
        std::int64_t layers = 0;  ///< layers of this kind on a rank
        std::int64_t block_tokens = 0;
        std::int64_t window = 0;
        Bytes bytes_per_token = 0; ///< one layer on one rank; a whole state for `state`
    };
    std::array<Group, 6> groups{};
    std::int32_t n_groups = 0;
    Bytes block_bytes = 0;          ///< one block of the pool on one rank
    std::int64_t block_tokens = 16; ///< of the layers that see everything
    std::int64_t state_pages = 0;   ///< pages a sequence keeps in each state group

    /// Blocks of one group that a sequence of `tokens` holds at most; `batched_tokens` in one step.
    std::int64_t blocks(const Group& group, std::int64_t tokens, std::int64_t batched_tokens) const;
    /// All groups together.
    std::int64_t blocks_per_sequence(std::int64_t tokens, std::int64_t batched_tokens) const;

    static PagedCache of(const EstimateRequest& request, const RankLayout& ranks);
};

/// Bytes of one number in the cache of engines that store 16 or 8 bits: f16/bf16 2, f8 1, f32 4;
/// q8_0 stands for one byte and a 32-bit scale per token and head.
double paged_element_bytes(StorageType type);
Bytes paged_token_bytes(const Mixer& mixer, StorageType type, std::int32_t tensor_parallel);
/// A recurrent state on one rank: convolution in 16 bits, longer by each drafted token, state
/// in 32.
Bytes paged_state_bytes(const Architecture& architecture, const Mixer& mixer,
                        std::int32_t tensor_parallel, std::int32_t drafts);

} // namespace vramscope
