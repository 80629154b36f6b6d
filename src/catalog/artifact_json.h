// Weight files as JSON: the `artifacts` of a model entry, and catalog/formats.json.
//
//   {"id": "gguf-q4_k_m", "format": "gguf", "quantization": "q4_k_m", "publisher": "Unsloth",
//    "repo": "unsloth/GLM-4-9B-0414-GGUF", "files": ["GLM-4-9B-0414-Q4_K_M.gguf"],
//    "bytes": 6166574944, "evidence": "file-metadata", "source": "evidence-page"}
//
// A file is a name or {"name", "bytes"}; "model-{00001..00004}-of-00004.safetensors" stands for
// four.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// Reads catalog/formats.json, or the snapshot's copy of it, into catalog.formats.
void read_formats(const JsonReader& file, Catalog& catalog);

/// Reads one artifact. What it leaves out follows from its format and repo: engines, name,
/// publisher.
Artifact read_artifact(const JsonReader& entry, const Catalog& catalog);

/// The names that a pattern with one "{from..to}" stands for, zero-padded like `from`; the text
/// itself when it has none; empty when the pattern makes no sense or more than 1000 names.
std::vector<std::string> expand_file_names(std::string_view pattern);

} // namespace vramscope::catalog
