// The question, resolved: everything the estimator needs, without ids, text or catalogs.
//
// Users speak in request fields (catalog/request_fields.h); resolving those against a catalog gives
// this struct. Options that a person left open are empty and get the engine's own default in
// defaults.h, by engine version and tool.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/architecture.h"
#include "core/engine_constants.h"
#include "core/hardware.h"
#include "core/recipe.h"
#include "core/storage_type.h"

namespace vramscope {

enum class EngineId : std::uint8_t {
    llama_cpp,
    ollama,
    vllm,
    sglang,
    mlx,
    transformers,
    tensorrt_llm,
    quick,    ///< profile of the German reference page: parameters x bits per weight
    evidence, ///< profile of the Japanese reference page: file bytes + recorded allowance
    count_
};
inline constexpr std::size_t engine_count = static_cast<std::size_t>(EngineId::count_);

/// llama.cpp builds whose allocation rules differ, in order: of 2025; of February to May 2026 (an
/// input for given embeddings, the mask still in 32 bits); of June 2026; of September and later.
enum class LlamaCppVersion : std::uint8_t { b7324, b8200, b10256, v0_5_0, v0_7_0 };

/// The attention mask is an input of 32 bits, converted where flash attention reads it.
constexpr bool masks_in_32_bits(LlamaCppVersion version) {
    return version <= LlamaCppVersion::b8200;
}

/// vLLM's ways to profile its start: until 0.11 all copies of the sampler's scores count, graphs
/// come on top of the budget; 0.25 samples sparingly and sets memory for graphs aside.
enum class VllmVersion : std::uint8_t { v0_11, v0_25, count_ };

/// Which program of an engine runs; sets defaults for sequences, unified cache and outputs.
enum class Tool : std::uint8_t { server, cli, bench };

enum class FlashAttention : std::uint8_t { automatic, on, off };
enum class SplitMode : std::uint8_t { layer, row, none, tensor };

/// Engine options; an empty one means "the engine's default".
struct Options {
    std::int64_t n_ctx = 32768; ///< tokens, as the engine's own option means it
    std::optional<std::int32_t> n_seq;
    StorageType type_k = StorageType::f16;
    StorageType type_v = StorageType::f16;
    FlashAttention flash_attn = FlashAttention::automatic;
    std::optional<std::int32_t> n_batch;
    std::optional<std::int32_t> n_ubatch;
    std::optional<std::int32_t> n_outputs_max;
    std::optional<std::int32_t> n_gpu_layers; ///< empty: all
    std::int32_t n_cpu_moe = 0;               ///< experts of the first n layers stay on the host
    bool cpu_moe = false;                     ///< all experts stay on the host
    std::optional<bool> kv_unified;
    bool swa_full = false;
    bool offload_kqv = true;
    bool op_offload = true;
    bool embeddings = false;
    /// How the file of the towers (mmproj) stores its matrices; `count_`: none is loaded. A tower
    /// that was read from a file has that file's own bytes.
    StorageType mmproj = StorageType::count_;
    bool mmproj_offload = true;                   ///< towers on the first device
    std::optional<std::int32_t> image_max_tokens; ///< of one image; empty: the projector's own
    SplitMode split_mode = SplitMode::layer;
    std::vector<double> tensor_split; ///< shares per device; empty: by free memory
    std::int32_t tensor_parallel = 1;
    std::int32_t pipeline_parallel = 1;
    std::optional<double> gpu_memory_utilization;
    std::optional<std::int32_t> max_num_seqs;
    std::optional<std::int32_t> max_num_batched_tokens;
    bool prefix_caching = true;          ///< keeps shared beginnings (a second state per sequence)
    std::int32_t speculative_tokens = 0; ///< drafted per step by the model's own extra layer (MTP)
    double acceptance_rate = 0.7;        ///< chance that a draft is right, given the one before was
    double user_rate = 10;               ///< tokens per second that each user should get

    friend bool operator==(const Options&, const Options&) = default;
};

/// What the weights are: a GGUF mixture computed tensor by tensor, or one nominal width.
struct Weights {
    Mixture mixture = Mixture::count_; ///< count_: not a GGUF mixture
    bool importance_matrix = false;
    double nominal_bits_per_weight = 0; ///< used by `quick`, and by artifacts without a mixture
    double matrix_bits = 0;             ///< width of quantised matrices, 0: the nominal one
    bool padded_experts = false;        ///< vLLM rounds expert matrices up (MXFP4)
    bool sixteen_bit = false;           ///< unquantised (F16/BF16): `quick` decodes it at full rate
    Bytes file_bytes = 0;               ///< exact bytes of the recorded files, 0 = none recorded
    Bytes tensor_bytes = 0;             ///< exact tensor bytes when recorded apart from the file

    friend bool operator==(const Weights&, const Weights&) = default;
};

struct EstimateRequest {
    const Architecture* architecture = nullptr;
    const StorageTypeTable* storage_types = nullptr;
    const EngineConstants* constants = nullptr;

    Weights weights;
    double rounded_parameters = 0; ///< as published ("9.4B"), for `quick`
    EngineId engine = EngineId::llama_cpp;
    EngineId evidence_engine = EngineId::count_; ///< whose allowance; count_ = unspecified engine
    LlamaCppVersion llama_cpp_version = LlamaCppVersion::v0_7_0;
    VllmVersion vllm_version = VllmVersion::v0_25;
    Tool tool = Tool::server;
    bool tool_given = false; ///< the tool was named, so its own n_seq default applies

    std::vector<Device> devices; ///< accelerators; empty: CPU only
    Host host;
    Options options;
};

} // namespace vramscope
