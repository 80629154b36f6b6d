// llama.cpp: weights by layer, caches beside their layers, one compute buffer per device.
#include <algorithm>

#include "core/engines/engine.h"
#include "core/engines/llama_cpp_compute.h"
#include "core/engines/llama_cpp_projector.h"
#include "core/engines/llama_cpp_settings.h"
#include "core/workspace.h"

namespace vramscope {
namespace {

constexpr const char* placement_source = "llama.cpp src/llama-model.cpp load_tensors, b10256";
constexpr const char* cache_source = "llama.cpp src/llama-kv-cache.cpp, b10256";
constexpr const char* state_source = "llama.cpp src/llama-memory-recurrent.cpp, b10256";
constexpr const char* graph_source = "llama.cpp src/llama-graph.cpp, ggml-alloc.c, by version";
constexpr const char* output_source = "llama.cpp src/llama-context.cpp output_reserve, b10256";
constexpr Bytes bytes_per_f16 = 2;
constexpr Bytes bytes_per_f32 = 4;
constexpr const char* kv_scratch_source =
    "llama.cpp ggml/src/ggml-cuda/fattn-common.cuh launch_fattn; equal to two logs (T136, T137)";
constexpr const char* driver_source = "catalog: measured device totals less the engine's own sum";

/// Entries of the plan: one per device, then the host unless a unified device stands for it.
class Ledger {
public:
    Ledger(const EstimateRequest& request, MemoryPlan& plan) : plan_(plan) {
        const std::size_t n = std::min(request.devices.size(), max_devices);
        const bool unified = n == 1 && request.devices[0].unified;
        plan.n_devices = unified ? 1 : n + 1;
        plan.host = unified ? -1 : static_cast<std::int32_t>(n);
    }
    std::int32_t entry(std::int32_t device) const {
        return device != on_host ? device : std::max(plan_.host, 0);
    }
    bool is_unified() const { return plan_.host < 0; }
    /// A term without numbers yet; add them with `with`.
    static Term term(Part part, std::int32_t entry, Bytes bytes, const char* formula,
                     const char* source) {
        Term made;
        made.part = part;
        made.device = entry;
        made.bytes = ByteRange::exact(bytes);
        made.formula = formula;
        made.source = source;
        return made;
    }
    static void with(Term& term, const char* symbol, double value) {
        const auto i = static_cast<std::size_t>(term.value_count);
        if (i >= term.values.size())
            return;
        term.values[i] = {symbol, value};
        ++term.value_count;
    }
    void put(const Term& term) {
        if (term.bytes.high > 0)
            plan_.put(term);
    }

private:
    MemoryPlan& plan_;
};

void put_weights(const EstimateRequest& request, const PlacementMemo& placement, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const LayerSplit& split = placement.split;
    for (std::size_t i = 0; i <= max_devices; ++i) {
        if (placement.layers[i] == 0 && placement.other[i] == 0)
            continue;
        const std::int32_t device = i == max_devices ? on_host : static_cast<std::int32_t>(i);
        const std::int32_t entry = ledger.entry(device);
        const std::int32_t n_layers =
            device == on_host ? (split.n_devices > 0 ? split.first_unit[0] : architecture.n_layer())
                              : (device < split.n_devices ? split.units_on(device) : 0);
        Term layer_term = Ledger::term(Part::weights, entry, placement.layers[i], "weights.layers",
                                       placement_source);
        Ledger::with(layer_term, "units", n_layers);
        ledger.put(layer_term);
        Term other_term = Ledger::term(Part::weights, entry, placement.other[i],
                                       device == on_host ? "weights.embedding" : "weights.output",
                                       placement_source);
        Ledger::with(other_term, "n_vocab", architecture.vocab_rows_in_gguf());
        Ledger::with(other_term, "n_embd", architecture.n_embd);
        ledger.put(other_term);
    }
}

const char* cache_formula(MixerKind kind) {
    switch (kind) {
    case MixerKind::sliding_window:
        return "kv.sliding_window";
    case MixerKind::chunked:
        return "kv.chunked";
    case MixerKind::latent:
        return "kv.latent";
    default:
        return "kv.full_attention";
    }
}

/// Layers of the same mixer on the same device make one term.
void put_caches(const EstimateRequest& request, const LlamaCppSettings& settings,
                const PlacementMemo& placement, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const StorageTypeTable& types = *request.storage_types;
    const CacheLayout layout = CacheLayout::of(settings.cache);
    for (const CacheGroup& group : placement.groups) {
        const Mixer& mixer = architecture.mixers[group.mixer];
        Layer layer;
        layer.mixer = group.mixer;
        const Bytes kv =
            mul(group.n_owners, layer_kv_bytes(architecture, layer, settings.cache, types));
        const Bytes state =
            mul(group.n_layers, layer_state_bytes(architecture, layer, settings.cache));
        const CacheElements elements = cache_elements(mixer);
        Term term = Ledger::term(Part::kv, ledger.entry(group.device), kv,
                                 cache_formula(mixer.kind), cache_source);
        Ledger::with(term, "layers", group.n_owners);
        Ledger::with(term, "cells", static_cast<double>(layout.cells_of(mixer, settings.cache)));
        Ledger::with(term, "streams", static_cast<double>(layout.streams));
        Ledger::with(term, "k_elements", static_cast<double>(elements.k));
        Ledger::with(term, "v_elements", static_cast<double>(elements.v));
        Ledger::with(term, "k_bits", types.bits_per_element(settings.cache.type_k));
        Ledger::with(term, "v_bits", types.bits_per_element(settings.cache.type_v));
        if (elements.indexer > 0)
            Ledger::with(term, "indexer_elements", static_cast<double>(elements.indexer));
        ledger.put(term);

        if (state == 0)
            continue;
        Term state_term = Ledger::term(Part::state, ledger.entry(group.device), state,
                                       "state.recurrent", state_source);
        Ledger::with(state_term, "layers", group.n_owners);
        Ledger::with(state_term, "n_seq", settings.cache.n_seq);
        Ledger::with(state_term, "bytes_per_sequence",
                     static_cast<double>(state_bytes_per_sequence(architecture, mixer)));
        ledger.put(state_term);
    }
}

/// What DeepSeek V4's attention adds to a compute buffer, which the graph leaves out: queries,
/// results and the indexer's scores. Where a backend does not fuse the indexer, its scores of every
/// head are there twice (67,094.60 MiB at 1,048,576 tokens: unslothai/unsloth PR #6940).
ByteRange compressed_attention_bytes(const Architecture& architecture,
                                     const LlamaCppSettings& settings, Backend backend) {
    Bytes activations = 0;
    Bytes scores = 0;
    std::int64_t heads = 0;
    for (const Mixer& mixer : architecture.mixers) {
        if (mixer.kind != MixerKind::compressed)
            continue;
        const Bytes row = mul(settings.n_ubatch, bytes_per_f32);
        activations = std::max(activations, mul(2, mul(row, mul(mixer.q_heads, mixer.head_dim_k))));
        if (mixer.indexer_head_dim == 0 || mixer.compress_ratio == 0)
            continue;
        scores = std::max(scores, mul(row, settings.n_ctx_per_seq / mixer.compress_ratio));
        heads = std::max<std::int64_t>(heads, mixer.indexer_heads);
    }
    // Fused on these since July 2026: llama.cpp PR #24231.
    const bool fused = (backend == Backend::cuda || backend == Backend::cpu) &&
                       settings.version >= LlamaCppVersion::b10256;
    const Bytes expected = add(activations, scores);
    return {0, expected, fused ? mul(2, expected) : add(activations, mul(2, mul(scores, heads)))};
}

void put_compute(const EstimateRequest& request, const LlamaCppSettings& settings,
                 const LayerSplit& split, ComputeMemo& memo, Ledger& ledger) {
    const ComputeBuffers buffers = llama_cpp_compute_buffers(request, settings, split, memo);
    const auto put = [&](std::int32_t device, Bytes bytes) {
        Term term =
            Ledger::term(Part::compute, ledger.entry(device), bytes,
                         device == on_host ? "compute.host" : "compute.graph_peak", graph_source);
        if (device != on_host || split.n_devices == 0) {
            const Backend backend = device == on_host
                                        ? Backend::cpu
                                        : request.devices[static_cast<std::size_t>(device)].backend;
            term.bytes += compressed_attention_bytes(*request.architecture, settings, backend);
        }
        Ledger::with(term, "n_ubatch", settings.n_ubatch);
        Ledger::with(term, "n_outputs", std::min(settings.n_ubatch, settings.n_outputs_max));
        Ledger::with(term, "n_embd", request.architecture->n_embd);
        Ledger::with(term, "cells", static_cast<double>(settings.n_ctx_per_seq));
        ledger.put(term);
    };
    const auto n = static_cast<std::int32_t>(std::min(request.devices.size(), max_devices));
    for (std::int32_t d = 0; d < n; ++d)
        put(d, buffers.devices[static_cast<std::size_t>(d)]);
    put(on_host, buffers.host);
}

void put_output(const EstimateRequest& request, const LlamaCppSettings& settings, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const Bytes per_row =
        architecture.vocab_rows_in_gguf() + (settings.embeddings ? architecture.n_embd : 0);
    Term term =
        Ledger::term(Part::output, ledger.entry(on_host),
                     mul(4, mul(settings.cache.n_seq, per_row)), "output.rows", output_source);
    Ledger::with(term, "n_seq", settings.cache.n_seq);
    Ledger::with(term, "n_vocab", architecture.vocab_rows_in_gguf());
    ledger.put(term);
}

void put_driver(const EstimateRequest& request, Ledger& ledger) {
    const std::size_t n = std::min(request.devices.size(), max_devices);
    for (std::size_t d = 0; d < n; ++d) {
        const auto backend = static_cast<std::size_t>(request.devices[d].backend);
        Term term;
        term.part = Part::overhead;
        term.device = static_cast<std::int32_t>(d);
        term.bytes = request.constants->driver_bytes[backend];
        term.formula = "overhead.driver";
        term.source = driver_source;
        ledger.put(term);
    }
}

/// Flash attention of these backends reads F16: a quantised cache of one layer at a time is
/// unpacked into a pool that stays as large as the largest layer. It grows with the tokens in the
/// cache.
void put_kv_scratch(const EstimateRequest& request, const LlamaCppSettings& settings,
                    const PlacementMemo& placement, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const StorageTypeTable& types = *request.storage_types;
    const bool unpacks_k = types.bits_per_element(settings.cache.type_k) < 16;
    const bool unpacks_v = types.bits_per_element(settings.cache.type_v) < 16;
    if (!settings.cache.flash_attn || !settings.offload_kqv || (!unpacks_k && !unpacks_v))
        return;
    const CacheLayout layout = CacheLayout::of(settings.cache);
    for (std::int32_t device = 0; device < placement.split.n_devices; ++device) {
        const auto d = static_cast<std::size_t>(device);
        const auto backend = static_cast<std::size_t>(request.devices[d].backend);
        if (!request.constants->unpacks_kv[backend])
            continue;
        Bytes largest = 0;
        for (const CacheGroup& group : placement.groups) {
            const Mixer& mixer = architecture.mixers[group.mixer];
            if (!attends(mixer.kind) || group.device != device)
                continue;
            const CacheElements elements = cache_elements(mixer);
            const std::int64_t per_cell =
                (unpacks_k ? elements.k : 0) + (unpacks_v ? elements.v : 0);
            const std::int64_t cells = mul(layout.cells_of(mixer, settings.cache), layout.streams);
            largest = std::max(largest, mul(bytes_per_f16, mul(per_cell, cells)));
        }
        Term term =
            Ledger::term(Part::overhead, device, largest, "overhead.kv_scratch", kv_scratch_source);
        term.bytes.low = 0;
        ledger.put(term);
    }
}

void plan_in(const EstimateRequest& request, Workspace& workspace, MemoryPlan& plan) {
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    const PlacementMemo& placement =
        llama_cpp_placement(request, settings, workspace.facts, workspace.placement);
    Ledger ledger(request, plan);
    put_weights(request, placement, ledger);
    put_caches(request, settings, placement, ledger);
    put_compute(request, settings, placement.split, workspace.compute, ledger);
    put_output(request, settings, ledger);
    put_kv_scratch(request, settings, placement, ledger);
    put_driver(request, ledger);
    if (request.options.mmproj != StorageType::count_)
        put_towers(request, plan);
}

void plan(const EstimateRequest& request, MemoryPlan& plan) {
    if (plan.workspace != nullptr) {
        plan_in(request, *plan.workspace, plan);
        return;
    }
    Workspace workspace;
    workspace.select(request);
    plan_in(request, workspace, plan);
}

/// Sequences with streams of their own share the context in whole steps each, and a compressed
/// cache grows by its own, so these do not grow evenly.
bool even_range(const EstimateRequest& request, Workspace& workspace, EvenRange& out) {
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    if (CacheLayout::of(settings.cache).streams != 1)
        return false;
    for (const Mixer& mixer : request.architecture->mixers) {
        if (mixer.kind == MixerKind::compressed)
            return false;
    }
    const LayerSplit& split =
        llama_cpp_placement(request, settings, workspace.facts, workspace.placement).split;
    const ComputePiece& piece =
        llama_cpp_compute_piece(request, settings, split, workspace.compute);
    const Device& device = request.devices[0];
    out.kind = (device.backend == Backend::vulkan ? 1U : 0U) | (device.unified ? 2U : 0U) |
               (request.constants->unpacks_kv[static_cast<std::size_t>(device.backend)] ? 4U : 0U);
    out.low = piece.low;
    out.high = piece.high;
    // A micro-batch that is cut down to the context is another one at the next step.
    if (request.options.n_ctx <= settings.n_ubatch)
        out.low = out.high = CacheLayout::of(settings.cache).cells / cache_padding;
    out.for_any_weights = split.offloads_everything() && !settings.experts.all_on_host &&
                          settings.experts.layers_on_host == 0;
    return true;
}

std::int64_t sequences(const EstimateRequest& request) {
    return LlamaCppSettings::of(request).cache.n_seq;
}

} // namespace

constexpr Engine llama_cpp_engine = {
    .id = EngineId::llama_cpp,
    .key = "llama.cpp",
    .plan = plan,
    .context_step = cache_padding,
    .context_is_shared = true,
    .can_offload_to_host = true,
    .sequences = sequences,
    .max_context = nullptr,
    .device_room = nullptr,
    .even_range = even_range,
};

} // namespace vramscope
