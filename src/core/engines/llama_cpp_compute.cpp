#include "core/engines/llama_cpp_compute.h"

#include <algorithm>

namespace vramscope {

ComputeBuffers llama_cpp_compute_buffers(const EstimateRequest& request,
                                         const LlamaCppSettings& settings,
                                         const LayerSplit& split) {
    const Architecture& architecture = *request.architecture;
    const CacheLayout layout = CacheLayout::of(settings.cache);
    const Bytes row = mul(4, settings.n_ubatch);
    const Bytes width = architecture.n_embd;
    Bytes inner = 0;
    Bytes scores = 0;
    Bytes plain_cells = 0;
    Bytes window_cells = 0;
    for (const Layer& layer : architecture.layers) {
        const FeedForward& ff = architecture.feed_forward(layer);
        inner = std::max<Bytes>(inner, mul(ff.gated ? 3 : 1, ff.n_ff));
        inner = std::max<Bytes>(inner, mul(3, ff.n_experts_used, ff.n_ff_expert));
        const Mixer& mixer = architecture.mixer(layer);
        if (!attends(mixer.kind)) continue;
        Bytes& cells = is_windowed(mixer.kind) ? window_cells : plain_cells;
        cells = layout.cells_of(mixer, settings.cache);
        if (!settings.cache.flash_attn) scores = std::max(scores, mul(mixer.q_heads, cells));
    }
    const Bytes mask = mul(settings.cache.flash_attn ? 2 : 4,
                           mul(settings.n_ubatch, plain_cells + window_cells));
    const Bytes outputs = std::min(settings.n_ubatch, settings.n_outputs_max);
    Bytes logits = mul(4, mul(outputs, architecture.vocab_rows_in_gguf()));
    if (logits <= mask) logits = 0;
    const Bytes peak = std::max({mul(row, inner), mul(row, scores), logits});
    ComputeBuffers buffers;
    const Bytes device = add(add(peak, mul(row, 4 * width + 8)), mask);
    for (std::int32_t d = 0; d < split.n_devices; ++d) {
        if (split.units_on(d) > 0) buffers.devices[static_cast<std::size_t>(d)] = device;
    }
    buffers.host = split.n_devices > 0 ? add(mul(row, 4 * width + 9), mask) : add(device, mul(row, width));
    return buffers;
}

}  // namespace vramscope
