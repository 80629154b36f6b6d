// llama.cpp: weights by layer, caches beside their layers, one compute buffer per device.
#include <algorithm>

#include "core/engines/engine.h"
#include "core/engines/llama_cpp_compute.h"
#include "core/engines/llama_cpp_projector.h"
#include "core/engines/llama_cpp_settings.h"

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

/// Bytes of one tensor under the request's weights: by mixture, else by the nominal width.
class TensorSizes {
public:
    explicit TensorSizes(const EstimateRequest& request)
        : weights_(request.weights),
          walker_(*request.architecture,
                  request.weights.mixture == Mixture::count_ ? Mixture::f16
                                                             : request.weights.mixture,
                  request.weights.importance_matrix, *request.storage_types) {}
    Bytes of(const Tensor& tensor) {
        if (weights_.mixture != Mixture::count_)
            return walker_.bytes_of(tensor);
        if (tensor.is_vector())
            return mul(tensor.elements(), 4);
        const double bits = weights_.nominal_bits_per_weight;
        return static_cast<Bytes>(static_cast<double>(tensor.elements()) * bits / 8.0 + 0.5);
    }

private:
    const Weights& weights_;
    RecipeWalker walker_;
};

/// ggml-vulkan has no Mamba-1 scan, so the scan's matrix stays where the CPU can use it.
bool runs_where_it_lies(const Tensor& tensor, const EstimateRequest& request, std::int32_t device) {
    if (request.devices[static_cast<std::size_t>(device)].backend != Backend::vulkan)
        return true;
    if (tensor.role != TensorRole::ssm_small || tensor.rows == 1 || tensor.layer < 0)
        return true;
    const Architecture& architecture = *request.architecture;
    const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
    return architecture.mixer(layer).kind != MixerKind::mamba;
}

void put_weights(const EstimateRequest& request, const LlamaCppSettings& settings,
                 const LayerSplit& split, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    std::array<Bytes, max_devices + 1> layers{}; // last slot: the host
    std::array<Bytes, max_devices + 1> other{};
    const auto slot = [](std::int32_t device) {
        return device == on_host ? max_devices : static_cast<std::size_t>(device);
    };
    TensorSizes sizes(request);
    Bytes embedding = 0;
    bool has_output = false;
    auto visit = [&](const Tensor& tensor) {
        const Bytes bytes = sizes.of(tensor);
        if (tensor.layer >= architecture.n_layer())
            return; // MTP layers are not loaded by default
        std::int32_t device = device_of(tensor, architecture, split, settings.experts);
        if (device != on_host && !runs_where_it_lies(tensor, request, device))
            device = on_host;
        (tensor.layer >= 0 ? layers : other)[slot(device)] += bytes;
        if (tensor.role == TensorRole::token_embd)
            embedding = bytes;
        if (tensor.role == TensorRole::output)
            has_output = true;
    };
    for_each_tensor(architecture, Inventory::gguf, visit);
    // A tied head is a second copy of the embedding wherever the output layer is offloaded to; in
    // unified memory both are the same pages of the file. Gemma 3n and 4 make the copy even on the
    // host.
    const std::int32_t output_device = split.output_device();
    const bool copies_on_host =
        architecture.gguf_arch == "gemma3n" || architecture.gguf_arch == "gemma4";
    if (!has_output && !ledger.is_unified() && (output_device != on_host || copies_on_host)) {
        other[slot(output_device)] += embedding;
    }

    for (std::size_t i = 0; i <= max_devices; ++i) {
        const std::int32_t device = i == max_devices ? on_host : static_cast<std::int32_t>(i);
        const std::int32_t entry = ledger.entry(device);
        const std::int32_t n_layers =
            device == on_host ? (split.n_devices > 0 ? split.first_unit[0] : architecture.n_layer())
                              : (device < split.n_devices ? split.units_on(device) : 0);
        Term layer_term =
            Ledger::term(Part::weights, entry, layers[i], "weights.layers", placement_source);
        Ledger::with(layer_term, "units", n_layers);
        ledger.put(layer_term);
        Term other_term = Ledger::term(Part::weights, entry, other[i],
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
                const LayerSplit& split, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const StorageTypeTable& types = *request.storage_types;
    const CacheLayout layout = CacheLayout::of(settings.cache);
    const auto device_of_cache = [&](std::int32_t layer) {
        return settings.offload_kqv ? split.device_of(layer) : on_host;
    };
    for (std::size_t m = 0; m < architecture.mixers.size(); ++m) {
        const Mixer& mixer = architecture.mixers[m];
        if (!attends(mixer.kind) && !is_recurrent(mixer.kind))
            continue;
        for (std::int32_t device = on_host; device < split.n_devices; ++device) {
            Bytes kv = 0;
            Bytes state = 0;
            std::int32_t n_layers = 0;
            for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
                const Layer& layer = architecture.layers[static_cast<std::size_t>(i)];
                if (layer.mixer != m || device_of_cache(i) != device)
                    continue;
                kv = add(kv, layer_kv_bytes(architecture, layer, settings.cache, types));
                state = add(state, layer_state_bytes(architecture, layer, settings.cache));
                if (!layer.shares_kv)
                    ++n_layers;
            }
            const CacheElements elements = cache_elements(mixer);
            Term term = Ledger::term(Part::kv, ledger.entry(device), kv, cache_formula(mixer.kind),
                                     cache_source);
            Ledger::with(term, "layers", n_layers);
            Ledger::with(term, "cells",
                         static_cast<double>(layout.cells_of(mixer, settings.cache)));
            Ledger::with(term, "streams", static_cast<double>(layout.streams));
            Ledger::with(term, "k_elements", static_cast<double>(elements.k));
            Ledger::with(term, "v_elements", static_cast<double>(elements.v));
            Ledger::with(term, "k_bits", types.bits_per_element(settings.cache.type_k));
            Ledger::with(term, "v_bits", types.bits_per_element(settings.cache.type_v));
            if (elements.indexer > 0) {
                Ledger::with(term, "indexer_elements", static_cast<double>(elements.indexer));
            }
            ledger.put(term);

            Term state_term = Ledger::term(Part::state, ledger.entry(device), state,
                                           "state.recurrent", state_source);
            Ledger::with(state_term, "layers", n_layers);
            Ledger::with(state_term, "n_seq", settings.cache.n_seq);
            Ledger::with(state_term, "bytes_per_sequence",
                         static_cast<double>(state_bytes_per_sequence(architecture, mixer)));
            ledger.put(state_term);
        }
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
                 const LayerSplit& split, Ledger& ledger) {
    const ComputeBuffers buffers = llama_cpp_compute_buffers(request, settings, split);
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
                    const LayerSplit& split, Ledger& ledger) {
    const Architecture& architecture = *request.architecture;
    const StorageTypeTable& types = *request.storage_types;
    const bool unpacks_k = types.bits_per_element(settings.cache.type_k) < 16;
    const bool unpacks_v = types.bits_per_element(settings.cache.type_v) < 16;
    if (!settings.cache.flash_attn || !settings.offload_kqv || (!unpacks_k && !unpacks_v))
        return;
    const CacheLayout layout = CacheLayout::of(settings.cache);
    for (std::int32_t device = 0; device < split.n_devices; ++device) {
        const auto d = static_cast<std::size_t>(device);
        const auto backend = static_cast<std::size_t>(request.devices[d].backend);
        if (!request.constants->unpacks_kv[backend])
            continue;
        Bytes largest = 0;
        for (std::int32_t i = 0; i < architecture.n_layer(); ++i) {
            const Mixer& mixer =
                architecture.mixer(architecture.layers[static_cast<std::size_t>(i)]);
            if (!attends(mixer.kind) || split.device_of(i) != device)
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

void plan(const EstimateRequest& request, MemoryPlan& plan) {
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    const LayerSplit split = split_layers(request, settings);
    Ledger ledger(request, plan);
    put_weights(request, settings, split, ledger);
    put_caches(request, settings, split, ledger);
    put_compute(request, settings, split, ledger);
    put_output(request, settings, ledger);
    put_kv_scratch(request, settings, split, ledger);
    put_driver(request, ledger);
    if (request.options.mmproj != StorageType::count_)
        put_towers(request, plan);
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
};

} // namespace vramscope
