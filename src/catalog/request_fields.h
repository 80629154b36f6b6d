// The one vocabulary of requests.
//
// Every field a person can set is declared once, in request_fields.cpp: key, kind, unit, range,
// default, choices; its one-line explanation is the text "help.<key>" of the locales. URL parameters (`n_ctx=32768`), command-line flags (`--n-ctx 32768`),
// JSON keys, attributes of the custom element and tooltips all come from that table, so a link
// copied from the page can be pasted to the command line and means the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/result.h"

namespace vramscope::catalog {

enum class Field : std::uint8_t {
    model,
    artifact,
    engine,
    engine_version,
    evidence_engine,
    tool,
    hardware,
    host_memory_gib,
    reserved_gib,
    n_ctx,
    n_seq,
    type_k,
    type_v,
    flash_attn,
    n_batch,
    n_ubatch,
    n_outputs_max,
    n_gpu_layers,
    cpu_moe,
    n_cpu_moe,
    kv_unified,
    swa_full,
    offload_kqv,
    op_offload,
    embeddings,
    mmproj,
    mmproj_offload,
    image_max_tokens,
    split_mode,
    tensor_split,
    tensor_parallel,
    pipeline_parallel,
    gpu_memory_utilization,
    max_num_seqs,
    max_num_batched_tokens,
    prefix_caching,
    speculative_tokens,
    acceptance_rate,
    user_rate,
    count_
};
inline constexpr std::size_t field_count = static_cast<std::size_t>(Field::count_);

enum class FieldKind : std::uint8_t {
    id, ///< names something of the catalog (or, in JSON, an inline object)
    integer,
    real,
    boolean, ///< true/false, 1/0, on/off, yes/no
    choice,  ///< one of `choices`
    list     ///< numbers separated by commas
};

struct FieldInfo {
    Field field;
    const char* key; ///< with underscores; dashes are accepted everywhere
    FieldKind kind;
    const char* unit; ///< "tokens", "GiB", "" …
    double minimum;   ///< integer, real, and each number of a list
    double maximum;
    const char* default_text; ///< "" = the engine's own default
    std::span<const char* const> choices;
    std::span<const char* const> aliases;
    unsigned engines; ///< bit per EngineId: who knows this option; 0 = everybody
};

/// The locale key of the one-line explanation.
inline std::string help_key(const FieldInfo& field) {
    return std::string("help.") + field.key;
}

const FieldInfo& info(Field field);
std::span<const FieldInfo> all_fields();
/// "n_ctx" of "--n-ctx" or "N_CTX".
std::string field_key(std::string_view written);
/// The field of that key or alias (dashes = underscores, any case), or nullptr.
const FieldInfo* find_field(std::string_view key);

/// A request as people write it: canonical text per field, empty where the default applies.
/// Two queries mean the same exactly when they are equal.
class Query {
public:
    /// Checks and stores; an Error names the key, what was given and what is allowed.
    /// An empty value takes the field back to its default.
    Result<bool> set(std::string_view key, std::string_view value);
    Result<bool> set(Field field, std::string_view value);
    void clear(Field field) { values_[static_cast<std::size_t>(field)].clear(); }

    bool is_set(Field field) const { return !text(field).empty(); }
    /// Given text or "".
    const std::string& text(Field field) const { return values_[static_cast<std::size_t>(field)]; }
    /// Given text, else the default's text.
    std::string_view value(Field field) const;

    friend bool operator==(const Query&, const Query&) = default;

private:
    std::array<std::string, field_count> values_{};
};

/// Reads `?model=…&n_ctx=…` (a whole URL, a query string, with or without '?', percent-encoded).
/// Keys that are no request fields (lang, theme …) are left to the caller: they land in `others`.
struct UrlParameter {
    std::string key;
    std::string value;
};
/// All pairs of a URL or query string, decoded, in order.
std::vector<UrlParameter> url_parameters(std::string_view url);
Result<Query> query_from_url(std::string_view url, std::vector<UrlParameter>* others = nullptr);
/// The query string of all fields that differ from their defaults, in table order, without '?'.
std::string query_to_url(const Query& query);

} // namespace vramscope::catalog
