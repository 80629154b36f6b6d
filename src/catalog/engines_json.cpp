#include "catalog/engines_json.h"

#include <array>

namespace vramscope::catalog {
namespace {

constexpr std::array<std::string_view, hardware_class_count> class_keys = {"nvidia_consumer",
                                                                           "nvidia_professional",
                                                                           "nvidia_datacenter",
                                                                           "amd_consumer",
                                                                           "amd_datacenter",
                                                                           "intel",
                                                                           "apple",
                                                                           "unified_memory",
                                                                           "cpu",
                                                                           "other"};
constexpr std::array<std::string_view, backend_count> backend_keys = {
    "cuda", "rocm", "vulkan", "metal", "sycl", "cpu", "other"};
constexpr std::array<std::string_view, engine_count> engine_keys = {
    "llama.cpp",    "ollama",       "vllm",  "sglang",  "mlx",
    "transformers", "tensorrt-llm", "quick", "evidence"};

template <typename Enum, std::size_t size>
Enum enum_from_key(const std::array<std::string_view, size>& keys, std::string_view key) {
    std::size_t i = 0;
    while (i < size && keys[i] != key)
        ++i;
    return static_cast<Enum>(i);
}

constexpr double gib_limit = 1e6;

/// One number per hardware class: `default`, overridden by class keys.
void read_by_class(const JsonReader& parent, std::string_view key, double maximum,
                   std::array<double, hardware_class_count>& out) {
    const auto reader = parent.object(key, Need::required);
    if (!reader)
        return;
    double usual = 0;
    reader->field("default", usual, 0, maximum, Need::required);
    out.fill(usual);
    for (std::size_t i = 0; i < hardware_class_count; ++i) {
        reader->field(class_keys[i], out[i], 0, maximum);
    }
}

void read_quick(const JsonReader& root, QuickConstants& out) {
    const auto reader = root.object("quick", Need::required);
    if (!reader)
        return;
    read_by_class(*reader, "overhead_gib", 100, out.overhead_gib);
    read_by_class(*reader, "decode_share_of_bandwidth", 1, out.decode_share_of_bandwidth);
    reader->field("overhead_share_of_weights", out.overhead_share_of_weights, 0, 1, Need::required);
    reader->field("decode_factor_quantised", out.decode_factor_quantised, 0, 1, Need::required);
    reader->field("usable_share_of_memory", out.usable_share_of_memory, 0, 1, Need::required);
    reader->field("max_context_credit_gib", out.max_context_credit_gib, 0, 100, Need::required);
}

void read_allowance(const JsonReader& reader, EvidenceAllowance& out) {
    reader.field("low_gib", out.low_gib, 0, gib_limit, Need::required);
    const auto points = reader.array("points");
    if (!points) {
        reader.field("high_gib", out.high_gib, 0, gib_limit, Need::required);
        reader.field("high_share_of_weights", out.high_share_of_weights, 0, 10);
        reader.field("high_share_of_kv", out.high_share_of_kv, 0, 10);
        return;
    }
    points->for_each_element([&](const JsonReader& element) {
        EvidenceAllowance::Point point;
        element.field("kv_bytes", point.kv_bytes, 0, bytes_limit, Need::required);
        element.field("high_gib", point.high_gib, 0, gib_limit, Need::required);
        if (!out.points.empty() && point.kv_bytes <= out.points.back().kv_bytes) {
            element.fault("kv_bytes must grow from point to point");
            return;
        }
        out.points.push_back(point);
    });
    if (out.points.size() < 2) {
        reader.field_fault("points", "at least two points are needed to draw a line");
        out.points.clear();
    }
}

void read_evidence(const JsonReader& root, EngineConstants& out) {
    const auto reader = root.object("evidence", Need::required);
    if (!reader)
        return;
    static_assert(evidence_slots == engine_count + 1);
    if (const auto usual = reader->object("unspecified", Need::required)) {
        read_allowance(*usual, out.evidence[engine_count]);
    }
    for (std::size_t i = 0; i < engine_count; ++i) {
        // An engine without an allowance of its own is an unspecified one.
        out.evidence[i] = out.evidence[engine_count];
        if (const auto allowance = reader->object(engine_keys[i])) {
            out.evidence[i] = {};
            read_allowance(*allowance, out.evidence[i]);
        }
    }
}

constexpr std::array<std::string_view, decode_cost_count> decode_keys = {
    "dense",     "expert", "kv",           "kv_plain",        "state",       "arithmetic",
    "attention", "layer",  "expert_layer", "recurrent_layer", "latent_layer"};
constexpr std::array<std::string_view, prefill_cost_count> prefill_keys = {
    "dense_16bit",     "dense_quantised", "expert_16bit", "expert_quantised", "attention",
    "attention_plain", "weights",         "layer",        "expert_layer",     "recurrent_token"};

template <std::size_t size>
void read_costs(const JsonReader& parent, std::string_view key,
                const std::array<std::string_view, size>& keys, std::array<double, size>& out,
                SpeedRange& range) {
    const auto reader = parent.object(key, Need::required);
    if (!reader)
        return;
    for (std::size_t i = 0; i < size; ++i)
        reader->field(keys[i], out[i], 0, 1e6, Need::required);
    reader->field("low", range.low, 0.01, 1, Need::required);
    reader->field("high", range.high, 1, 100, Need::required);
}

void read_speed(const JsonReader& root, EngineConstants& out) {
    const auto reader = root.object("speed", Need::required);
    if (!reader)
        return;
    for (std::size_t i = 0; i < speed_slots; ++i) {
        const std::string_view key = i < hardware_class_count ? class_keys[i] : "unified_cuda";
        const auto entry = reader->object(key, Need::required);
        if (!entry)
            continue;
        SpeedConstants& constants = out.speed[i];
        entry->field("compute_scale", constants.compute_scale, 0.001, 100, Need::required);
        entry->field("tflops_per_gb_per_s", constants.tflops_per_gb_per_s, 0, 100, Need::required);
        entry->field("tile_tokens", constants.tile.tokens, 1, 4096, Need::required);
        entry->field("tile_cost", constants.tile.cost, 0, 100, Need::required);
        entry->field("batch_expert_microseconds", constants.tile.expert_microseconds, 0, 1e6,
                     Need::required);
        entry->field("calibrated", constants.calibrated, Need::required);
        read_costs(*entry, "decode", decode_keys, constants.decode, constants.decode_range);
        read_costs(*entry, "prefill", prefill_keys, constants.prefill, constants.prefill_range);
    }
    if (const auto link = root.object("link", Need::required)) {
        link->field("hop_microseconds", out.link.hop_microseconds, 0, 1e6, Need::required);
        link->field("all_reduce_microseconds", out.link.all_reduce_microseconds, 0, 1e6,
                    Need::required);
        link->field("gb_per_s", out.link.gb_per_s, 0.1, 1e5, Need::required);
    }
}

void read_serving(const JsonReader& root, EngineConstants& out) {
    if (const auto reader = root.object("serving", Need::required)) {
        ServingConstants& serving = out.serving;
        reader->field("visible_share", serving.visible_share, 0.1, 1, Need::required);
        reader->field("visible_share_corrected", serving.visible_share_corrected, 0.1, 1,
                      Need::required);
        reader->field("sglang_state_slots", serving.sglang_state_slots, 0, 65536, Need::required);
    }
    if (const auto reader = root.object("tensorrt-llm", Need::required)) {
        TensorRtConstants& tensorrt = out.tensorrt;
        reader->field("free_share", tensorrt.free_share, 0.01, 1, Need::required);
        reader->field("process_gib", tensorrt.process_gib, 0, gib_limit, Need::required);
        reader->field("parallel_gib", tensorrt.parallel_gib, 0, gib_limit, Need::required);
        reader->field("parallel_gib_per_rank", tensorrt.parallel_gib_per_rank, 0, gib_limit,
                      Need::required);
    }
    const auto versions = root.object("vllm", Need::required);
    if (!versions)
        return;
    constexpr std::string_view keys[] = {"0.11", "0.25"};
    for (std::size_t i = 0; i < out.vllm.size(); ++i) {
        const auto reader = versions->object(keys[i], Need::required);
        if (!reader)
            continue;
        VllmConstants& vllm = out.vllm[i];
        reader->field("utilization", vllm.utilization, 0.01, 1, Need::required);
        reader->field("score_copies_low", vllm.score_copies_low, 0, 100, Need::required);
        reader->field("score_copies", vllm.score_copies, 0, 100, Need::required);
        reader->field("score_copies_high", vllm.score_copies_high, 0, 100, Need::required);
        reader->field("non_torch_gib", vllm.non_torch_gib, 0, gib_limit, Need::required);
        reader->field("non_torch_parallel_gib", vllm.non_torch_parallel_gib, 0, gib_limit,
                      Need::required);
        reader->field("graphs_gib", vllm.graphs_gib, 0, gib_limit, Need::required);
        reader->field("float8_workspace_gib", vllm.float8_workspace_gib, 0, gib_limit,
                      Need::required);
    }
}

void read_driver(const JsonReader& root, EngineConstants& out) {
    const auto reader = root.object("driver", Need::required);
    if (!reader)
        return;
    for (std::size_t i = 0; i < backend_count; ++i) {
        const auto entry = reader->object(backend_keys[i], Need::required);
        if (!entry)
            continue;
        double low = 0;
        double expected = 0;
        double high = 0;
        entry->field("low_gib", low, 0, gib_limit, Need::required);
        entry->field("expected_gib", expected, low, gib_limit, Need::required);
        entry->field("high_gib", high, expected, gib_limit, Need::required);
        out.driver_bytes[i] = {from_gib(low), from_gib(expected), from_gib(high)};
    }
}

void read_kv_scratch(const JsonReader& root, EngineConstants& out) {
    const auto reader = root.object("kv_scratch", Need::required);
    if (!reader)
        return;
    for (std::size_t i = 0; i < backend_count; ++i) {
        reader->field(backend_keys[i], out.unpacks_kv[i]);
    }
}

void read_engine_list(const JsonReader& root, Catalog& catalog) {
    const auto reader = root.array("engines", Need::required);
    if (!reader)
        return;
    reader->for_each_element([&](const JsonReader& element) {
        EngineEntry entry;
        element.field("id", entry.id, Need::required);
        element.field("name", entry.name, Need::required);
        element.field("source", entry.source);
        entry.engine = engine_from_key(entry.id);
        if (entry.engine == EngineId::count_) {
            element.field_fault("id",
                                "no engine of the estimator has the key \"" + entry.id + "\"");
            return;
        }
        catalog.engines.push_back(std::move(entry));
    });
}

} // namespace

void read_engines(const JsonReader& reader, Catalog& catalog) {
    EngineConstants& constants = catalog.constants;
    read_engine_list(reader, catalog);
    if (const auto verdict = reader.object("verdict", Need::required)) {
        verdict->field("fits", constants.verdict.fits, 0, 1, Need::required);
        verdict->field("tight", constants.verdict.tight, 0, 1, Need::required);
    }
    read_quick(reader, constants.quick);
    read_evidence(reader, constants);
    read_speed(reader, constants);
    read_driver(reader, constants);
    read_kv_scratch(reader, constants);
    read_serving(reader, constants);
    if (const auto header = reader.object("gguf_header_bytes_per_token", Need::required)) {
        header->field("value", constants.gguf_header_bytes_per_token, 0, 100000, Need::required);
    }
    if (const auto host = reader.object("host", Need::required)) {
        host->field("usable_share_of_memory", constants.host_usable_share, 0, 1, Need::required);
        host->field("bandwidth_gb_per_s", constants.host_bandwidth_gb_per_s, 1, 1e6,
                    Need::required);
    }
}

HardwareClass hardware_class_from_key(std::string_view key) {
    return enum_from_key<HardwareClass>(class_keys, key);
}
Backend backend_from_key(std::string_view key) {
    return enum_from_key<Backend>(backend_keys, key);
}
EngineId engine_from_key(std::string_view key) {
    return enum_from_key<EngineId>(engine_keys, key);
}
std::string_view key_of(EngineId engine) {
    return engine_keys[static_cast<std::size_t>(engine)];
}
std::string_view key_of(HardwareClass hardware_class) {
    return class_keys[static_cast<std::size_t>(hardware_class)];
}

} // namespace vramscope::catalog
