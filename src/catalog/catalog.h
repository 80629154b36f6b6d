// The catalog in memory: models, weight files, devices, engines, quantisation formats.
//
// Sources are the JSON files of catalog/, each entry with its provenance; `catalog build` packs them
// into one snapshot, which the page fetches and the CLI reads. Both forms give this struct, and ids
// never change once released.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/result.h"
#include "core/architecture.h"
#include "core/engine_constants.h"
#include "core/hardware.h"
#include "core/recipe.h"
#include "core/request.h"
#include "core/storage_type.h"

namespace vramscope::catalog {

/// How well an entry is known.
enum class Evidence : std::uint8_t {
    verified,   ///< parameter count equals the published tensor count, or the difference is named
    derived,    ///< from a close relative or a rounded published size
    reported    ///< as somebody states it
};

struct WeightFile {
    std::string name;
    Bytes bytes = 0;  ///< 0 when only the artifact's total is known
};

/// A set of weight files that people download together.
struct Artifact {
    std::string id;            ///< unique within the model: "gguf-q4_k_m"
    std::string name;          ///< "GGUF Q4_K_M (Unsloth)"
    std::string format;        ///< "gguf", "safetensors", "mlx", "exl2" …
    std::string quantization;  ///< id of a QuantizationFormat: "q4_k_m"
    std::string publisher;
    std::string repo;          ///< Hugging Face repo of the files
    std::vector<WeightFile> files;
    Bytes bytes = 0;           ///< total
    bool bytes_are_tensors = false;  ///< the total counts tensors only, without headers
    bool theoretical = false;  ///< no such file can be downloaded
    std::vector<std::string> engines;  ///< engine keys that load it, most usual first
    std::string evidence;      ///< "file-metadata", "theoretical", "computed"
    std::string source;
};

struct Model {
    std::string id;
    std::string name;
    std::string provider;
    std::string family;
    std::string hf_repo;
    std::string hf_repo_old;    ///< former name that links still use
    std::string hf_revision;
    std::string ollama_tag;
    std::string license;
    std::string release;        ///< "2025-Q2", "2025-04" or "2025-04-14", as known
    std::vector<std::string> aliases;
    Architecture architecture;
    std::int64_t published_parameters = 0;  ///< tensor elements as published, 0 = none published
    double rounded_parameters = 0;          ///< as written in the name or card: 9.4e9
    Evidence evidence = Evidence::reported;
    std::string evidence_note;   ///< which tensor groups explain a difference
    std::vector<std::string> sources;
    std::vector<Artifact> artifacts;
};

struct HardwareEntry {
    std::string id;              ///< "rtx-3060-12gb"
    std::vector<std::string> aliases;
    Device device;               ///< one of them
    std::int32_t count = 1;      ///< presets of several equal devices
    std::string vendor;
    std::string release;
    std::string source;
};

struct EngineEntry {
    std::string id;              ///< request key: "llama.cpp"
    std::string name;
    EngineId engine = EngineId::llama_cpp;
    std::string source;
};

/// A quantisation as people name it; a GGUF mixture, or a width.
struct QuantizationFormat {
    std::string id;              ///< lower case: "q4_k_m", "awq"
    std::string name;            ///< "Q4_K_M", "AWQ INT4"
    std::vector<std::string> aliases;
    Mixture mixture = Mixture::count_;   ///< count_: not a GGUF mixture
    double bits_per_weight = 0;          ///< nominal
    bool sixteen_bit = false;
    std::string quality;         ///< hint class: "lossless", "near-lossless", "good", "fair", "poor"
    std::string source;
};

struct Catalog {
    std::string version;         ///< of the data, as released
    std::string date;            ///< ISO date of the data
    std::string hash;            ///< of the content, hexadecimal
    std::vector<Model> models;
    std::vector<HardwareEntry> hardware;
    std::vector<EngineEntry> engines;
    std::vector<QuantizationFormat> quantizations;
    std::vector<std::string> hardware_ladder;  ///< memory classes for recommendations, small first
    StorageTypeTable storage_types;
    EngineConstants constants;

    /// Look-ups ignore case and know aliases; nullptr when nothing has that id.
    const Model* find_model(std::string_view id) const;
    const HardwareEntry* find_hardware(std::string_view id) const;
    const EngineEntry* find_engine(std::string_view id) const;
    const QuantizationFormat* find_quantization(std::string_view id) const;
};

/// The artifact of a model by id, or nullptr.
const Artifact* find_artifact(const Model& model, std::string_view id);

/// The format version that this build reads and writes; a snapshot with another major is refused
/// with a message that says which side is older.
inline constexpr int snapshot_schema = 1;

/// Reads a snapshot as `catalog build` wrote it.
Result<Catalog> read_snapshot(std::string_view json);

}  // namespace vramscope::catalog
