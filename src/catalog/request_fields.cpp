#include "catalog/request_fields.h"

#include "core/ascii.h"
#include "core/request.h"

namespace vramscope::catalog {
namespace {

constexpr unsigned bit(EngineId engine) {
    return 1U << static_cast<unsigned>(engine);
}
constexpr unsigned any_engine = 0;
constexpr unsigned ggml_engines = bit(EngineId::llama_cpp) | bit(EngineId::ollama);
constexpr unsigned llama_cpp_only = bit(EngineId::llama_cpp);
constexpr unsigned serving_engines =
    bit(EngineId::vllm) | bit(EngineId::sglang) | bit(EngineId::tensorrt_llm);

constexpr double n_ctx_limit = 1073741824; // 2^30; core/solve.h searches as far
constexpr double ubatch_limit = 1048576;

constexpr const char* engine_names[] = {"llama.cpp",    "ollama",       "vllm",  "sglang",  "mlx",
                                        "transformers", "tensorrt-llm", "quick", "evidence"};
constexpr const char* evidence_engines[] = {"llama.cpp", "ollama", "vllm", "sglang", "unspecified"};
// llama.cpp's builds, then vLLM's versions.
constexpr const char* versions[] = {"b7324", "b8200", "b10256", "0.5.0", "0.7.0", "0.11", "0.25"};
constexpr const char* tools[] = {"server", "cli", "bench"};
constexpr const char* kv_types[] = {"f32",  "f16",  "bf16", "q8_0",   "q5_1",
                                    "q5_0", "q4_1", "q4_0", "iq4_nl", "f8_e4m3"};
constexpr const char* flash_attn[] = {"auto", "on", "off"};
constexpr const char* tower_types[] = {"off", "file", "f16", "bf16", "q8_0", "f32"};
constexpr const char* split_modes[] = {"layer", "row", "none", "tensor"};

using Names = std::span<const char* const>;

constexpr const char* n_ctx_aliases[] = {"ctx", "ctx_size", "num_ctx", "max_model_len"};
constexpr const char* n_seq_aliases[] = {"n_seq_max", "parallel", "n_parallel"};
constexpr const char* artifact_aliases[] = {"quant", "quantization"};
constexpr const char* hardware_aliases[] = {"gpu"};
constexpr const char* type_k_aliases[] = {"cache_type_k"};
constexpr const char* type_v_aliases[] = {"cache_type_v"};
constexpr const char* n_batch_aliases[] = {"batch_size"};
constexpr const char* n_ubatch_aliases[] = {"ubatch_size"};
constexpr const char* n_gpu_layers_aliases[] = {"ngl", "gpu_layers"};
constexpr const char* tensor_parallel_aliases[] = {"tensor_parallel_size", "tp"};
constexpr const char* pipeline_parallel_aliases[] = {"pipeline_parallel_size", "pp"};
constexpr const char* speculative_aliases[] = {"draft_max", "num_speculative_tokens"};

constexpr FieldInfo id(Field field, const char* key, const char* default_text, unsigned engines,
                       Names aliases = {}) {
    return {field, key, FieldKind::id, "", 0, 0, default_text, {}, aliases, engines};
}
constexpr FieldInfo choice(Field field, const char* key, const char* default_text, Names choices,
                           unsigned engines, Names aliases = {}) {
    return {field, key, FieldKind::choice, "", 0, 0, default_text, choices, aliases, engines};
}
constexpr FieldInfo boolean(Field field, const char* key, const char* default_text,
                            unsigned engines) {
    return {field, key, FieldKind::boolean, "", 0, 0, default_text, {}, {}, engines};
}
constexpr FieldInfo number(FieldKind kind, Field field, const char* key, const char* default_text,
                           double minimum, double maximum, const char* unit, unsigned engines,
                           Names aliases = {}) {
    return {field, key, kind, unit, minimum, maximum, default_text, {}, aliases, engines};
}
constexpr FieldKind integer = FieldKind::integer;
constexpr FieldKind real = FieldKind::real;

// In the order of URLs, forms and --help.
// clang-format off
constexpr FieldInfo table[field_count] = {
    id(Field::model, "model", "glm-4-9b-0414", any_engine),
    id(Field::artifact, "artifact", "Q4_K_M", any_engine, artifact_aliases),
    choice(Field::engine, "engine", "llama.cpp", engine_names, any_engine),
    choice(Field::engine_version, "engine_version", "", versions, llama_cpp_only | bit(EngineId::ollama) | bit(EngineId::vllm)),
    choice(Field::evidence_engine, "evidence_engine", "", evidence_engines, bit(EngineId::evidence)),
    choice(Field::tool, "tool", "", tools, llama_cpp_only),
    id(Field::hardware, "hardware", "rtx-3060-12gb", any_engine, hardware_aliases),
    number(real, Field::host_memory_gib, "host_memory_gib", "32", 0, 1048576, "GiB", any_engine),
    number(real, Field::reserved_gib, "reserved_gib", "0", 0, 1048576, "GiB", any_engine),
    number(integer, Field::n_ctx, "n_ctx", "32768", 1, n_ctx_limit, "tokens", any_engine, n_ctx_aliases),
    number(integer, Field::n_seq, "n_seq", "", 1, 4096, "sequences", any_engine, n_seq_aliases),
    choice(Field::type_k, "type_k", "f16", kv_types, any_engine, type_k_aliases),
    choice(Field::type_v, "type_v", "f16", kv_types, any_engine, type_v_aliases),
    choice(Field::flash_attn, "flash_attn", "auto", flash_attn, ggml_engines),
    number(integer, Field::n_batch, "n_batch", "", 1, ubatch_limit, "tokens", ggml_engines, n_batch_aliases),
    number(integer, Field::n_ubatch, "n_ubatch", "", 1, ubatch_limit, "tokens", llama_cpp_only, n_ubatch_aliases),
    number(integer, Field::n_outputs_max, "n_outputs_max", "", 0, ubatch_limit, "tokens", llama_cpp_only),
    number(integer, Field::n_gpu_layers, "n_gpu_layers", "", 0, 100000, "layers", ggml_engines, n_gpu_layers_aliases),
    boolean(Field::cpu_moe, "cpu_moe", "false", llama_cpp_only),
    number(integer, Field::n_cpu_moe, "n_cpu_moe", "0", 0, 100000, "layers", llama_cpp_only),
    boolean(Field::kv_unified, "kv_unified", "", llama_cpp_only),
    boolean(Field::swa_full, "swa_full", "false", llama_cpp_only),
    boolean(Field::offload_kqv, "offload_kqv", "true", llama_cpp_only),
    boolean(Field::op_offload, "op_offload", "true", llama_cpp_only),
    boolean(Field::embeddings, "embeddings", "false", llama_cpp_only),
    choice(Field::mmproj, "mmproj", "off", tower_types, ggml_engines),
    boolean(Field::mmproj_offload, "mmproj_offload", "true", ggml_engines),
    number(integer, Field::image_max_tokens, "image_max_tokens", "", 1, 65536, "tokens", ggml_engines),
    choice(Field::split_mode, "split_mode", "layer", split_modes, llama_cpp_only),
    number(FieldKind::list, Field::tensor_split, "tensor_split", "", 0, 1e9, "", llama_cpp_only),
    number(integer, Field::tensor_parallel, "tensor_parallel", "1", 1, 1024, "devices", serving_engines, tensor_parallel_aliases),
    number(integer, Field::pipeline_parallel, "pipeline_parallel", "1", 1, 1024, "devices", serving_engines, pipeline_parallel_aliases),
    number(real, Field::gpu_memory_utilization, "gpu_memory_utilization", "", 0.01, 1, "", serving_engines),
    number(integer, Field::max_num_seqs, "max_num_seqs", "", 1, 1048576, "sequences", serving_engines),
    number(integer, Field::max_num_batched_tokens, "max_num_batched_tokens", "", 1, n_ctx_limit, "tokens", serving_engines),
    boolean(Field::prefix_caching, "prefix_caching", "true", serving_engines),
    number(integer, Field::speculative_tokens, "speculative_tokens", "0", 0, 64, "tokens", any_engine, speculative_aliases),
    number(real, Field::acceptance_rate, "acceptance_rate", "0.7", 0, 1, "", any_engine),
    number(real, Field::user_rate, "user_rate", "10", 0.01, 1e6, "tokens/s", any_engine),
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < field_count; ++i) {
        if (table[i].field != static_cast<Field>(i))
            return false;
    }
    return true;
}
static_assert(in_order(), "the table follows the enum");

} // namespace

const FieldInfo& info(Field field) {
    return table[static_cast<std::size_t>(field)];
}

std::span<const FieldInfo> all_fields() {
    return table;
}

std::string field_key(std::string_view written) {
    while (written.starts_with('-'))
        written.remove_prefix(1);
    std::string key;
    for (const char c : written)
        key += c == '-' ? '_' : ascii::lower(c);
    return key;
}

const FieldInfo* find_field(std::string_view key) {
    const std::string wanted = field_key(key);
    for (const FieldInfo& field : table) {
        if (wanted == field.key)
            return &field;
        for (const char* alias : field.aliases) {
            if (wanted == alias)
                return &field;
        }
    }
    return nullptr;
}

} // namespace vramscope::catalog
