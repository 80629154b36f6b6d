#include "core/engines/vllm_cache.h"

#include <algorithm>

#include "core/cache.h"

namespace vramscope {
namespace {

constexpr std::int64_t default_block = 16;

/// Adds a layer to the group of its kind.
void add_layer(PagedCache& cache, PagedCache::Group layer) {
    for (std::int32_t i = 0; i < cache.n_groups; ++i) {
        PagedCache::Group& group = cache.groups[static_cast<std::size_t>(i)];
        if (group.kind == layer.kind && group.window == layer.window &&
            group.bytes_per_token == layer.bytes_per_token) {
            ++group.layers;
            return;
        }
    }
    if (cache.n_groups == static_cast<std::int32_t>(cache.groups.size()))
        return;
    layer.layers = 1;
    cache.groups[static_cast<std::size_t>(cache.n_groups)] = layer;
    ++cache.n_groups;
}

void add_layers(PagedCache& cache, const Architecture& architecture, const Layer& layer,
                const Options& options, std::int32_t tensor_parallel) {
    const Mixer& mixer = architecture.mixer(layer);
    if (attends(mixer.kind) && !layer.shares_kv) {
        PagedCache::Group group;
        group.bytes_per_token = paged_token_bytes(mixer, options.type_k, tensor_parallel);
        if (is_windowed(mixer.kind) && mixer.window > 0) {
            group.kind = mixer.kind == MixerKind::chunked ? PagedCache::Kind::chunk
                                                          : PagedCache::Kind::window;
            group.window = mixer.window;
        }
        add_layer(cache, group);
    }
    if (is_recurrent(mixer.kind)) {
        PagedCache::Group group;
        group.kind = PagedCache::Kind::state;
        group.bytes_per_token =
            paged_state_bytes(architecture, mixer, tensor_parallel, options.speculative_tokens);
        add_layer(cache, group);
    }
}

} // namespace

double paged_element_bytes(StorageType type) {
    switch (type) {
    case StorageType::f32:
        return 4;
    case StorageType::f16:
    case StorageType::bf16:
        return 2;
    default:
        return 1;
    }
}

Bytes paged_token_bytes(const Mixer& mixer, StorageType type, std::int32_t tensor_parallel) {
    const double width = paged_element_bytes(type);
    if (mixer.kind == MixerKind::latent) {
        // One latent cannot be split: every rank holds it. With an indexer an 8-bit cache has its
        // own layout (656 bytes: 512 numbers, four scales, 64 rotary numbers in 16 bits), and the
        // indexer's key is 8-bit with a scale.
        const bool sparse = mixer.indexer_head_dim > 0;
        const double elements = mixer.kv_lora_rank + mixer.qk_rope_head_dim;
        const double latent = sparse && width == 1
                                  ? mixer.kv_lora_rank + 16.0 + 2.0 * mixer.qk_rope_head_dim
                                  : width * elements;
        return static_cast<Bytes>(latent) + (sparse ? mixer.indexer_head_dim + 4 : 0);
    }
    const std::int32_t heads = std::max(1, mixer.kv_heads / tensor_parallel);
    const double scales = type == StorageType::q8_0 ? 2.0 * 4.0 : 0.0;
    return static_cast<Bytes>(heads * (width * (mixer.head_dim_k + mixer.head_dim_v) + scales));
}

Bytes paged_state_bytes(const Architecture& architecture, const Mixer& mixer,
                        std::int32_t tensor_parallel, std::int32_t drafts) {
    const Bytes all = state_bytes_per_sequence(architecture, mixer);
    const Bytes state = std::min(all, mul(4, mul(mixer.d_state, mixer.d_inner)));
    const Bytes convolved = (all - state) / 2;
    const std::int32_t kept = std::max(1, mixer.d_conv - 1);
    return (state + convolved * (kept + drafts) / kept) / tensor_parallel;
}

PagedCache PagedCache::of(const EstimateRequest& request, const RankLayout& ranks) {
    const Architecture& architecture = *request.architecture;
    PagedCache cache;
    for (const Layer& layer : architecture.layers) {
        add_layers(cache, architecture, layer, request.options, ranks.tensor_parallel);
    }
    if (request.options.speculative_tokens > 0) {
        for (const Layer& layer : architecture.mtp_layers) {
            add_layers(cache, architecture, layer, request.options, ranks.tensor_parallel);
        }
    }
    Bytes widest = 0;
    Bytes state = 0;
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    for (std::int32_t i = 0; i < cache.n_groups; ++i) {
        Group& group = cache.groups[static_cast<std::size_t>(i)];
        group.layers = ceil_div(group.layers, ranks.pipeline_parallel);
        (group.kind == Kind::state ? state : widest) =
            std::max(group.kind == Kind::state ? state : widest, group.bytes_per_token);
        fewest = fewest == 0 ? group.layers : std::min(fewest, group.layers);
        most = std::max(most, group.layers);
    }
    // The attention block grows until its page holds a state.
    std::int64_t block = default_block;
    if (widest > 0 && state > 0)
        block = std::max(block, round_up(ceil_div(state, widest), default_block));
    const Bytes page = widest > 0 ? mul(block, widest) : state;
    // Kinds of nearly the same number of layers pad the smaller one.
    const std::int64_t size = 4 * most < 5 * fewest ? most : fewest;
    for (std::int32_t i = 0; i < cache.n_groups; ++i) {
        Group& group = cache.groups[static_cast<std::size_t>(i)];
        group.repeats = ceil_div(group.layers, std::max<std::int64_t>(1, size));
        group.block_tokens =
            group.kind == Kind::state || group.bytes_per_token <= 0
                ? block
                : block * std::max<Bytes>(1, page / mul(block, group.bytes_per_token));
        if (group.kind == Kind::full)
            cache.block_tokens = group.block_tokens;
    }
    cache.block_bytes = mul(page, size);
    // One page holds the state; a prefix cache keeps a second one, drafts one each.
    cache.state_pages =
        (request.options.prefix_caching ? 2 : 1) + request.options.speculative_tokens;
    return cache;
}

std::int64_t PagedCache::blocks(const Group& group, std::int64_t tokens,
                                std::int64_t batched_tokens) const {
    switch (group.kind) {
    case Kind::state:
        return group.repeats * state_pages;
    case Kind::window:
        return group.repeats *
               (ceil_div(std::min(group.window - 1 + batched_tokens, tokens), group.block_tokens) +
                1);
    case Kind::chunk:
        return group.repeats *
               ceil_div(std::min(group.window + batched_tokens, tokens), group.block_tokens);
    case Kind::full:
        break;
    }
    return group.repeats * ceil_div(tokens, group.block_tokens);
}

std::int64_t PagedCache::blocks_per_sequence(std::int64_t tokens,
                                             std::int64_t batched_tokens) const {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < n_groups; ++i) {
        sum += blocks(groups[static_cast<std::size_t>(i)], tokens, batched_tokens);
    }
    return sum;
}

} // namespace vramscope
