#include "catalog/request_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "catalog/json_reader.h"
#include "core/ascii.h"
#include "core/decimal.h"
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

constexpr const char* engines[] = {"llama.cpp",    "ollama",       "vllm",  "sglang",  "mlx",
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

using K = FieldKind;

// One line a field, in the order of URLs, forms and --help.
constexpr FieldInfo table[field_count] = {
    {Field::model, "model", K::id, "", 0, 0, "glm-4-9b-0414", {}, {}, "help.model", any_engine},
    {Field::artifact,
     "artifact",
     K::id,
     "",
     0,
     0,
     "Q4_K_M",
     {},
     artifact_aliases,
     "help.artifact",
     any_engine},
    {Field::engine,
     "engine",
     K::choice,
     "",
     0,
     0,
     "llama.cpp",
     engines,
     {},
     "help.engine",
     any_engine},
    {Field::engine_version,
     "engine_version",
     K::choice,
     "",
     0,
     0,
     "",
     versions,
     {},
     "help.engine_version",
     llama_cpp_only | bit(EngineId::ollama) | bit(EngineId::vllm)},
    {Field::evidence_engine,
     "evidence_engine",
     K::choice,
     "",
     0,
     0,
     "",
     evidence_engines,
     {},
     "help.evidence_engine",
     bit(EngineId::evidence)},
    {Field::tool, "tool", K::choice, "", 0, 0, "", tools, {}, "help.tool", llama_cpp_only},
    {Field::hardware,
     "hardware",
     K::id,
     "",
     0,
     0,
     "rtx-3060-12gb",
     {},
     hardware_aliases,
     "help.hardware",
     any_engine},
    {Field::host_memory_gib,
     "host_memory_gib",
     K::real,
     "GiB",
     0,
     1048576,
     "32",
     {},
     {},
     "help.host_memory_gib",
     any_engine},
    {Field::reserved_gib,
     "reserved_gib",
     K::real,
     "GiB",
     0,
     1048576,
     "0",
     {},
     {},
     "help.reserved_gib",
     any_engine},
    {Field::n_ctx,
     "n_ctx",
     K::integer,
     "tokens",
     1,
     n_ctx_limit,
     "32768",
     {},
     n_ctx_aliases,
     "help.n_ctx",
     any_engine},
    {Field::n_seq,
     "n_seq",
     K::integer,
     "sequences",
     1,
     4096,
     "",
     {},
     n_seq_aliases,
     "help.n_seq",
     any_engine},
    {Field::type_k, "type_k", K::choice, "", 0, 0, "f16", kv_types, type_k_aliases, "help.type_k",
     any_engine},
    {Field::type_v, "type_v", K::choice, "", 0, 0, "f16", kv_types, type_v_aliases, "help.type_v",
     any_engine},
    {Field::flash_attn,
     "flash_attn",
     K::choice,
     "",
     0,
     0,
     "auto",
     flash_attn,
     {},
     "help.flash_attn",
     ggml_engines},
    {Field::n_batch,
     "n_batch",
     K::integer,
     "tokens",
     1,
     ubatch_limit,
     "",
     {},
     n_batch_aliases,
     "help.n_batch",
     ggml_engines},
    {Field::n_ubatch,
     "n_ubatch",
     K::integer,
     "tokens",
     1,
     ubatch_limit,
     "",
     {},
     n_ubatch_aliases,
     "help.n_ubatch",
     llama_cpp_only},
    {Field::n_outputs_max,
     "n_outputs_max",
     K::integer,
     "tokens",
     0,
     ubatch_limit,
     "",
     {},
     {},
     "help.n_outputs_max",
     llama_cpp_only},
    {Field::n_gpu_layers,
     "n_gpu_layers",
     K::integer,
     "layers",
     0,
     100000,
     "",
     {},
     n_gpu_layers_aliases,
     "help.n_gpu_layers",
     ggml_engines},
    {Field::cpu_moe,
     "cpu_moe",
     K::boolean,
     "",
     0,
     0,
     "false",
     {},
     {},
     "help.cpu_moe",
     llama_cpp_only},
    {Field::n_cpu_moe,
     "n_cpu_moe",
     K::integer,
     "layers",
     0,
     100000,
     "0",
     {},
     {},
     "help.n_cpu_moe",
     llama_cpp_only},
    {Field::kv_unified,
     "kv_unified",
     K::boolean,
     "",
     0,
     0,
     "",
     {},
     {},
     "help.kv_unified",
     llama_cpp_only},
    {Field::swa_full,
     "swa_full",
     K::boolean,
     "",
     0,
     0,
     "false",
     {},
     {},
     "help.swa_full",
     llama_cpp_only},
    {Field::offload_kqv,
     "offload_kqv",
     K::boolean,
     "",
     0,
     0,
     "true",
     {},
     {},
     "help.offload_kqv",
     llama_cpp_only},
    {Field::op_offload,
     "op_offload",
     K::boolean,
     "",
     0,
     0,
     "true",
     {},
     {},
     "help.op_offload",
     llama_cpp_only},
    {Field::embeddings,
     "embeddings",
     K::boolean,
     "",
     0,
     0,
     "false",
     {},
     {},
     "help.embeddings",
     llama_cpp_only},
    {Field::mmproj,
     "mmproj",
     K::choice,
     "",
     0,
     0,
     "off",
     tower_types,
     {},
     "help.mmproj",
     ggml_engines},
    {Field::mmproj_offload,
     "mmproj_offload",
     K::boolean,
     "",
     0,
     0,
     "true",
     {},
     {},
     "help.mmproj_offload",
     ggml_engines},
    {Field::image_max_tokens,
     "image_max_tokens",
     K::integer,
     "tokens",
     1,
     65536,
     "",
     {},
     {},
     "help.image_max_tokens",
     ggml_engines},
    {Field::split_mode,
     "split_mode",
     K::choice,
     "",
     0,
     0,
     "layer",
     split_modes,
     {},
     "help.split_mode",
     llama_cpp_only},
    {Field::tensor_split,
     "tensor_split",
     K::list,
     "",
     0,
     1e9,
     "",
     {},
     {},
     "help.tensor_split",
     llama_cpp_only},
    {Field::tensor_parallel,
     "tensor_parallel",
     K::integer,
     "devices",
     1,
     1024,
     "1",
     {},
     tensor_parallel_aliases,
     "help.tensor_parallel",
     serving_engines},
    {Field::pipeline_parallel,
     "pipeline_parallel",
     K::integer,
     "devices",
     1,
     1024,
     "1",
     {},
     pipeline_parallel_aliases,
     "help.pipeline_parallel",
     serving_engines},
    {Field::gpu_memory_utilization,
     "gpu_memory_utilization",
     K::real,
     "",
     0.01,
     1,
     "",
     {},
     {},
     "help.gpu_memory_utilization",
     serving_engines},
    {Field::max_num_seqs,
     "max_num_seqs",
     K::integer,
     "sequences",
     1,
     1048576,
     "",
     {},
     {},
     "help.max_num_seqs",
     serving_engines},
    {Field::max_num_batched_tokens,
     "max_num_batched_tokens",
     K::integer,
     "tokens",
     1,
     n_ctx_limit,
     "",
     {},
     {},
     "help.max_num_batched_tokens",
     serving_engines},
    {Field::prefix_caching,
     "prefix_caching",
     K::boolean,
     "",
     0,
     0,
     "true",
     {},
     {},
     "help.prefix_caching",
     serving_engines},
    {Field::speculative_tokens,
     "speculative_tokens",
     K::integer,
     "tokens",
     0,
     64,
     "0",
     {},
     speculative_aliases,
     "help.speculative_tokens",
     any_engine},
    {Field::acceptance_rate,
     "acceptance_rate",
     K::real,
     "",
     0,
     1,
     "0.7",
     {},
     {},
     "help.acceptance_rate",
     any_engine},
    {Field::user_rate,
     "user_rate",
     K::real,
     "tokens/s",
     0.01,
     1e6,
     "10",
     {},
     {},
     "help.user_rate",
     any_engine},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < field_count; ++i) {
        if (table[i].field != static_cast<Field>(i))
            return false;
    }
    return true;
}
static_assert(in_order(), "the table follows the enum");

constexpr std::size_t value_limit = 1 << 20; // an inline architecture is the longest

std::string canonical_key(std::string_view key) {
    while (key.starts_with('-'))
        key.remove_prefix(1);
    std::string text;
    for (const char c : key)
        text += c == '-' ? '_' : ascii::lower(c);
    return text;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// At most so much of a wrong value is repeated in a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t shown = 60;
    const bool cut = text.size() > shown;
    std::string copy(text.substr(0, shown));
    for (char& c : copy) {
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    }
    while (cut && !copy.empty() && (static_cast<unsigned char>(copy.back()) & 0x80U) != 0) {
        copy.pop_back();
    }
    return "\"" + copy + (cut ? "…\"" : "\"");
}

std::string plain(double number) {
    return decimal_text(number, 12);
}

/// A finite number with nothing behind it.
std::optional<double> parse_real(std::string_view text) {
    if (text.empty() || text.size() > 40)
        return std::nullopt;
    // strtod also takes hexadecimal, "inf" and "nan": only digits, sign, point and exponent pass.
    for (const char c : text) {
        const bool plain_number =
            (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
        if (!plain_number)
            return std::nullopt;
    }
    const std::string copy(text);
    char* end = nullptr;
    const double number = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

/// A whole number; "32k" and "1M" count in steps of 1,024, as context lengths do.
std::optional<double> parse_whole(std::string_view text) {
    double unit = 1;
    if (!text.empty()) {
        const char last = ascii::lower(text.back());
        if (last == 'k' || last == 'm') {
            unit = last == 'k' ? 1024.0 : 1048576.0;
            text.remove_suffix(1);
        }
    }
    const auto number = parse_real(text);
    if (!number || *number * unit != std::floor(*number * unit))
        return std::nullopt;
    return *number * unit;
}

std::optional<bool> parse_boolean(std::string_view text) {
    for (const char* yes : {"true", "1", "on", "yes"}) {
        if (ascii::equal_ignoring_case(text, yes))
            return true;
    }
    for (const char* no : {"false", "0", "off", "no"}) {
        if (ascii::equal_ignoring_case(text, no))
            return false;
    }
    return std::nullopt;
}

std::string joined(std::span<const char* const> choices) {
    std::string text;
    for (const char* choice : choices) {
        if (!text.empty())
            text += ", ";
        text += choice;
    }
    return text;
}

Error invalid(const FieldInfo& field, std::string_view given, const std::string& allowed) {
    return {"invalid-value", field.key,
            std::string(field.key) + ": expected " + allowed + ", got " + quoted(given)};
}

std::string number_range(const FieldInfo& field) {
    std::string text = field.kind == FieldKind::real ? "a number" : "a whole number";
    text += " from " + plain(field.minimum) + " to " + plain(field.maximum);
    if (*field.unit != '\0')
        text += std::string(" (") + field.unit + ")";
    return text;
}

bool in_range(const FieldInfo& field, double number) {
    return number >= field.minimum && number <= field.maximum;
}

/// The value in its one spelling, or what is wrong with it.
Result<std::string> canonical_value(const FieldInfo& field, std::string_view text) {
    switch (field.kind) {
    case FieldKind::id:
        return std::string(text);
    case FieldKind::integer: {
        const auto number = parse_whole(text);
        if (!number || !in_range(field, *number))
            return invalid(field, text, number_range(field));
        return plain(*number);
    }
    case FieldKind::real: {
        const auto number = parse_real(text);
        if (!number || !in_range(field, *number))
            return invalid(field, text, number_range(field));
        return plain(*number);
    }
    case FieldKind::boolean: {
        const auto flag = parse_boolean(text);
        if (!flag)
            return invalid(field, text, "true or false");
        return std::string(*flag ? "true" : "false");
    }
    case FieldKind::choice: {
        for (const char* choice : field.choices) {
            if (ascii::equal_ignoring_case(text, choice))
                return std::string(choice);
        }
        return invalid(field, text, "one of " + joined(field.choices));
    }
    case FieldKind::list:
        break;
    }
    std::string canonical;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const auto number = parse_real(trimmed(text.substr(start, comma - start)));
        if (!number || !in_range(field, *number)) {
            return invalid(field, text, "numbers from 0 on, separated by commas");
        }
        if (!canonical.empty())
            canonical += ',';
        canonical += plain(*number);
        start = comma + 1;
    }
    return canonical;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = ascii::lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            decoded += text[i] == '+' ? ' ' : text[i];
        }
    }
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view plain_characters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~*,:/()";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (plain_characters.find(c) != std::string_view::npos) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += '%';
            encoded += digits[byte >> 4U];
            encoded += digits[byte & 15U];
        }
    }
    return encoded;
}

} // namespace

const FieldInfo& info(Field field) {
    return table[static_cast<std::size_t>(field)];
}

std::span<const FieldInfo> all_fields() {
    return table;
}

const FieldInfo* find_field(std::string_view key) {
    const std::string wanted = canonical_key(key);
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

Result<bool> Query::set(std::string_view key, std::string_view value) {
    const FieldInfo* field = find_field(key);
    if (field != nullptr)
        return set(field->field, value);
    std::array<std::string_view, field_count> known;
    for (std::size_t i = 0; i < field_count; ++i)
        known[i] = table[i].key;
    const std::string_view meant = closest_name(canonical_key(key), known);
    std::string message = "there is no request field " + quoted(key);
    if (!meant.empty())
        message += "; did you mean \"" + std::string(meant) + "\"?";
    return Error{"unknown-field", std::string(key.substr(0, 60)), message};
}

Result<bool> Query::set(Field field, std::string_view value) {
    const FieldInfo& about = info(field);
    value = trimmed(value);
    if (value.empty()) {
        clear(field);
        return true;
    }
    if (value.size() > value_limit) {
        return Error{"invalid-value", about.key,
                     std::string(about.key) + ": the value is too long"};
    }
    Result<std::string> text = canonical_value(about, value);
    if (!text)
        return text.error();
    // A value that is the default anyway is left out, so that equal requests are equal texts.
    if (ascii::equal_ignoring_case(*text, about.default_text))
        text->clear();
    values_[static_cast<std::size_t>(field)] = std::move(*text);
    return true;
}

std::string_view Query::value(Field field) const {
    const std::string& given = text(field);
    return given.empty() ? std::string_view(info(field).default_text) : std::string_view(given);
}

std::vector<UrlParameter> url_parameters(std::string_view url) {
    std::vector<UrlParameter> parameters;
    const std::size_t mark = url.find('?');
    if (mark != std::string_view::npos) {
        url.remove_prefix(mark + 1);
    } else if (url.find('=') == std::string_view::npos) {
        return parameters;
    }
    url = url.substr(0, url.find('#'));
    while (!url.empty()) {
        const std::size_t end = std::min(url.find('&'), url.size());
        const std::string_view pair = url.substr(0, end);
        url.remove_prefix(std::min(end + 1, url.size()));
        if (pair.empty())
            continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        parameters.push_back(
            {percent_decoded(pair.substr(0, equals)),
             equals < pair.size() ? percent_decoded(pair.substr(equals + 1)) : std::string()});
    }
    return parameters;
}

Result<Query> query_from_url(std::string_view url, std::vector<UrlParameter>* others) {
    Query query;
    for (UrlParameter& parameter : url_parameters(url)) {
        const FieldInfo* field = find_field(parameter.key);
        if (field == nullptr) {
            if (others != nullptr)
                others->push_back(std::move(parameter));
            continue;
        }
        const Result<bool> set = query.set(field->field, parameter.value);
        if (!set)
            return set.error();
    }
    return query;
}

std::string query_to_url(const Query& query) {
    std::string url;
    for (const FieldInfo& field : table) {
        if (!query.is_set(field.field))
            continue;
        if (!url.empty())
            url += '&';
        url += field.key;
        url += '=';
        url += percent_encoded(query.text(field.field));
    }
    return url;
}

} // namespace vramscope::catalog
