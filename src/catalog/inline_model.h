// A model of the person's own, written into the request itself, so that a link works without the
// files it was read from.
//
//   {"name": "Seventy", "architecture": {…},
//    "weights": {"format": "gguf", "name": "Q4_K_M", "quantization": "q4_k_m",
//                "bits_per_weight": 4.85, "bytes": 42520395776}}
//
// `weights` are those of the files: exact tensor bytes, and either a format of the catalog or the
// width that gives just these bytes. A bare architecture object is a model without a name.
//
// In links the same object is written without the characters that links escape:
//
//   (name:Seventy,architecture:(n_embd:8192,layers:*((count:80,mixer:full_attention)),…),…)
//
// `(` `)` hold an object, `*(` `)` a list; texts stand bare, with ~xx for a byte that would be read
// as something else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "catalog/catalog.h"
#include "catalog/result.h"

namespace vramscope::catalog {

struct InlineModel {
    Model model; ///< with one artifact, "file", when the weights are known
    /// The artifact's own width, when no format of the catalog gives its bytes.
    std::optional<QuantizationFormat> quantization;
};

/// Whether a request's model is written out rather than named.
bool is_inline_model(std::string_view text);
/// Both spellings. `catalog` tells which engines load the format.
Result<std::shared_ptr<const InlineModel>> read_inline_model(std::string_view text,
                                                             const Catalog& catalog);

/// The spelling for links, and back to JSON (total: what is no such text becomes no JSON either).
std::string link_text(const nlohmann::ordered_json& value);
std::string json_of_link_text(std::string_view text);

/// "glm-4-9b-0414" of "THUDM/GLM-4 9B (0414)": an id made of a name, "model" when nothing is left.
std::string id_of_name(std::string_view name);

} // namespace vramscope::catalog
