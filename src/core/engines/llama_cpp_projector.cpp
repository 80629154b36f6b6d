#include "core/engines/llama_cpp_projector.h"

#include <algorithm>

#include "core/engines/graph/scheduler.h"
#include "core/engines/graph/tower.h"

namespace vramscope {
namespace {

constexpr const char* weights_source =
    "llama.cpp convert_hf_to_gguf.py, MmprojModel, b10256; equal to published files";
constexpr const char* graph_source =
    "llama.cpp tools/mtmd/clip.cpp and models/, b11118; as mtmd_get_memory_usage counts";
constexpr const char* unknown_graph_source =
    "unslothai/unsloth PR #6312: running projectors take 1.3 to 1.4 times their file";

/// Vectors of a tower: norms, biases and what else has one dimension.
std::int64_t vector_elements(const Tower& tower) {
    if (tower.projector == Projector::unknown)
        return 0;
    const std::int64_t width = tower.n_embd;
    const std::int64_t out = tower.n_output;
    std::int64_t layer = tower.has_rms_norms() ? 2 * width : 4 * width;
    if (tower.has_biases())
        layer += 5 * width + tower.n_ff * (tower.has_gates() ? 2 : 1);
    std::int64_t all = mul(tower.n_layer, layer);
    switch (tower.projector) {
    case Projector::gemma3:
        return all + 4 * width; // patch bias, last norm, norm before the projection
    case Projector::gemma4v:
        // Norms behind both parts, and on queries and keys.
        return all + mul(tower.n_layer, 2 * width + 2 * (width / tower.n_head));
    case Projector::pixtral:
        return all + 2 * width + out; // the break token is stored a second time
    case Projector::qwen2vl:
        return all + 6 * width + out;
    case Projector::qwen2_5vl:
        return all + 5 * width + out;
    default: // qwen3vl
        return all + 7 * width + out + mul(tower.deepstack_layers, 12 * width + out);
    }
}

/// Whether the kernel that cuts an image into patches is stored in 16 bits.
bool has_half_patches(const Tower& tower, StorageType type) {
    switch (tower.projector) {
    case Projector::gemma3:
        return false;
    case Projector::qwen2vl:
    case Projector::qwen2_5vl:
        return type != StorageType::f32;
    default:
        return type == StorageType::f16;
    }
}

std::int64_t floor_sqrt(std::int64_t value) {
    std::int64_t root = 0;
    while ((root + 1) * (root + 1) <= value)
        ++root;
    return root;
}

void put(MemoryPlan& plan, Part part, std::int32_t entry, const ByteRange& bytes,
         const char* formula, const char* source, const Tower& tower, double tokens) {
    if (bytes.high == 0)
        return;
    Term term;
    term.part = part;
    term.device = entry;
    term.bytes = bytes;
    term.formula = formula;
    term.source = source;
    term.values[0] = {"parameters", static_cast<double>(tower.parameters)};
    term.value_count = 1;
    if (tokens > 0)
        term.values[static_cast<std::size_t>(term.value_count++)] = {"image_tokens", tokens};
    plan.put(term);
}

} // namespace

Bytes tower_bytes(const Tower& tower, StorageType type, const StorageTypeTable& types) {
    if (tower.file_bytes > 0)
        return tower.file_bytes;
    const std::int64_t vectors = vector_elements(tower);
    const std::int64_t places = mul(tower.n_positions, tower.n_embd);
    const bool two_frames = tower.projector >= Projector::qwen2vl;
    const std::int64_t patches =
        mul(mul(two_frames ? 6 : 3, tower.n_embd), mul(tower.patch_size, tower.patch_size));
    // Rows that are no whole number of blocks stay in 16 bits: the way back from the feed-forward
    // width of 4,304.
    const std::int32_t block = types[type].block_elements;
    const bool uneven = block > 0 && tower.n_ff % block != 0;
    const std::int64_t sixteen_bit = uneven ? mul(tower.n_layer, mul(tower.n_embd, tower.n_ff)) : 0;
    const std::int64_t broken = tower.projector == Projector::pixtral ? tower.n_output : 0;
    const std::int64_t matrices = std::max<std::int64_t>(
        tower.parameters + broken - vectors - places - patches - sixteen_bit, 0);
    return mul(4, vectors + places) + mul(has_half_patches(tower, type) ? 2 : 4, patches) +
           mul(2, sixteen_bit) + types.row_bytes(type, matrices);
}

ImageTokens image_tokens(const Tower& tower, std::int64_t allowed) {
    const std::int64_t area = mul(tower.merge, tower.merge);
    if (tower.image_size > 0 && tower.patch_size > 0) {
        const std::int64_t side = tower.image_size / tower.patch_size;
        const std::int64_t tokens = side * side / std::max<std::int64_t>(area, 1);
        return {tokens, tokens};
    }
    std::int64_t warm = 256;
    std::int64_t largest = 1024;
    if (tower.projector == Projector::gemma4v) {
        largest = 1120;
    } else if (tower.projector >= Projector::qwen2vl) {
        warm = 46 * 46;
        largest = 4096;
    }
    if (allowed > 0)
        largest = allowed;
    return {std::min(warm, largest), largest};
}

TowerBuffers tower_buffers(const EstimateRequest& request, const Tower& tower,
                           std::int64_t tokens) {
    const bool on_device = !request.devices.empty() && request.options.mmproj_offload;
    const bool vulkan = on_device && request.devices[0].backend == Backend::vulkan;
    graph::TowerImage image;
    image.side = floor_sqrt(tokens) * tower.merge;
    image.flash_attn = request.options.flash_attn != FlashAttention::off;
    image.f32_patches = tower.file_bytes > 0 ? tower.file_f32_patches
                                             : !has_half_patches(tower, request.options.mmproj);
    graph::Graph graph;
    if (image.side == 0 || !graph::build_tower(graph, tower, image))
        return {};
    graph::SchedulerSettings scheduling;
    scheduling.n_backends = on_device ? 2 : 1;
    scheduling.reorders = vulkan;
    scheduling.limits_split_inputs = false;
    if (vulkan)
        scheduling.largest_tensor = 4 * gib - 1;
    graph::SchedulerScratch scratch;
    graph::Schedule schedule;
    graph::schedule(graph, scheduling, scratch, schedule);
    graph::Alignments alignments;
    alignments.host = 32;
    if (on_device && !vulkan)
        alignments.device = 128;
    const std::size_t n = on_device ? 2 : 1;
    graph::AllocatorScratch places;
    graph::StepRange no_range;
    const graph::ArenaSizes sizes =
        graph::allocate(graph, schedule, n, alignments, places, no_range);
    return on_device ? TowerBuffers{sizes[0].at, sizes[1].at} : TowerBuffers{0, sizes[0].at};
}

[[gnu::noinline]] void put_towers(const EstimateRequest& request, MemoryPlan& plan) {
    const Options& options = request.options;
    const bool on_device = !request.devices.empty() && options.mmproj_offload;
    const std::int32_t home = on_device ? 0 : std::max(plan.host, 0);
    for (const Tower& tower : request.architecture->towers) {
        const Bytes weights = tower_bytes(tower, options.mmproj, *request.storage_types);
        put(plan, Part::weights, home, ByteRange::exact(weights), "projector.weights",
            weights_source, tower, 0);
        const ImageTokens tokens = image_tokens(tower, options.image_max_tokens.value_or(0));
        const TowerBuffers warm = tower_buffers(request, tower, tokens.warm_up);
        if (warm.device == 0 && warm.host == 0) {
            put(plan, Part::compute, home, {0, weights / 4, weights * 2 / 5}, "projector.unknown",
                unknown_graph_source, tower, 0);
            continue;
        }
        // A larger image than that of the warm-up makes the buffers grow when it comes.
        const TowerBuffers full =
            tokens.largest > tokens.warm_up ? tower_buffers(request, tower, tokens.largest) : warm;
        const auto count = static_cast<double>(tokens.warm_up);
        put(plan, Part::compute, home,
            {warm.device, warm.device, std::max(warm.device, full.device)}, "projector.compute",
            graph_source, tower, count);
        put(plan, Part::compute, std::max(plan.host, 0),
            {warm.host, warm.host, std::max(warm.host, full.host)}, "projector.compute",
            graph_source, tower, count);
    }
}

} // namespace vramscope
