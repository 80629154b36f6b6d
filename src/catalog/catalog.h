// The catalog in memory: models, weight files, devices, engines, quantisation formats.
//
// Sources are the JSON files of catalog/, each entry with its provenance; `catalog build` packs
// them into one snapshot, which the page fetches and the CLI reads. Both forms give this struct,
// and ids never change once released.
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
    verified, ///< parameter count equals the published tensor count, or the difference is named
    derived,  ///< from a close relative or a rounded published size
    reported  ///< as somebody states it
};

struct WeightFile {
    std::string name;
    Bytes bytes = 0; ///< 0 when only the artifact's total is known
};

/// A set of weight files that people download together.
struct Artifact {
    std::string id;           ///< unique within the model: "gguf-q4_k_m"
    std::string name;         ///< "GGUF Q4_K_M (Unsloth)"
    std::string format;       ///< id of a FileFormat: "gguf", "safetensors", "mlx" …
    std::string quantization; ///< id of a QuantizationFormat: "q4_k_m"
    std::string publisher;
    std::string repo; ///< Hugging Face repo of the files
    std::vector<WeightFile> files;
    Bytes bytes = 0;                  ///< total
    bool bytes_are_tensors = false;   ///< the total counts tensors only, without headers
    bool theoretical = false;         ///< no such file can be downloaded
    std::vector<std::string> engines; ///< engine keys that load it, most usual first
    std::string evidence; ///< "file-metadata", "tensor-metadata", "theoretical", "computed"
    std::string source;   ///< empty in a snapshot until its sources are read
};

/// What a published parameter count has and the checkpoint's own tensors do not, or the reverse.
struct NamedDifference {
    std::string group;           ///< "tied-head-copy", "fp8-scales", "mtp" …: a locale key's end
    std::int64_t parameters = 0; ///< positive: the published count is larger by so much
};

struct Model {
    std::string id;
    std::string name;
    std::string provider;
    std::string family;
    std::string hf_repo;
    std::string hf_repo_old; ///< former name that links still use
    std::string hf_revision;
    std::string ollama_tag;
    std::string license;
    bool license_checked = false; ///< read in a source; else as commonly stated
    std::string release;          ///< "2025", "2025-Q2", "2025-04" or "2025-04-14", as known
    std::vector<std::string> aliases;
    Architecture architecture;
    std::int64_t published_parameters = 0; ///< tensor elements as published, 0 = none published
    double rounded_parameters =
        0; ///< as written on the card (9.4e9), else the count to three digits
    Evidence evidence = Evidence::reported;
    std::vector<NamedDifference> differences; ///< count of the architecture + these = published
    std::string evidence_note;        ///< what else is known about how well the entry is known
    std::vector<std::string> sources; ///< empty in a snapshot until its sources are read
    std::vector<Artifact> artifacts;
};

/// Dense peak rates of one device in 10^12 operations a second; 0 = unknown.
struct DenseCompute {
    double fp16 = 0;
    double fp8 = 0;
    double int8 = 0;
    double fp4 = 0;
};

struct HardwareEntry {
    std::string id; ///< "rtx-3060-12gb"
    std::vector<std::string> aliases;
    Device device;                  ///< one of them
    std::int32_t count = 1;         ///< presets, and cards that carry several equal devices
    Bytes usable_at_most_bytes = 0; ///< what other versions of its OS allow; 0 = just usable_bytes
    DenseCompute compute;
    std::string vendor;
    std::string release;              ///< year
    std::vector<std::string> sources; ///< empty in a snapshot until its sources are read
};

/// A way to store weights and the engines that usually load it.
struct FileFormat {
    std::string id;   ///< "gguf"
    std::string name; ///< "GGUF"
    std::vector<std::string> engines;
};

struct EngineEntry {
    std::string id; ///< request key: "llama.cpp"
    std::string name;
    EngineId engine = EngineId::llama_cpp;
    std::string source;
};

/// A quantisation as people name it; a GGUF mixture, or a width.
struct QuantizationFormat {
    std::string id;   ///< lower case: "q4_k_m", "awq"
    std::string name; ///< "Q4_K_M", "AWQ INT4"
    std::vector<std::string> aliases;
    Mixture mixture = Mixture::count_; ///< count_: not a GGUF mixture
    double bits_per_weight = 0;        ///< nominal
    double matrix_bits = 0;            ///< of the matrices alone, where the nominal width is a mean
    bool padded_experts = false;       ///< vLLM's kernels round expert matrices up
    bool sixteen_bit = false;
    std::string quality; ///< hint class: "lossless", "near-lossless", "good", "fair", "poor"
    std::string source;
};

struct Catalog {
    std::string version; ///< of the data, as released
    std::string date;    ///< ISO date of the data
    std::string hash;    ///< of the content, hexadecimal
    std::vector<Model> models;
    std::vector<HardwareEntry> hardware;
    std::vector<EngineEntry> engines;
    std::vector<QuantizationFormat> quantizations;
    std::vector<FileFormat> formats;
    std::vector<std::string> hardware_ladder; ///< memory classes for recommendations, small first
    std::vector<std::string> hardware_table;  ///< devices that pages compare side by side
    StorageTypeTable storage_types;
    EngineConstants constants;

    /// Look-ups ignore case and know aliases; nullptr when nothing has that id.
    const Model* find_model(std::string_view id) const;
    const HardwareEntry* find_hardware(std::string_view id) const;
    const EngineEntry* find_engine(std::string_view id) const;
    const QuantizationFormat* find_quantization(std::string_view id) const;
    const FileFormat* find_format(std::string_view id) const;
};

/// The artifact of a model by id, or nullptr.
const Artifact* find_artifact(const Model& model, std::string_view id);

/// The format version that this build reads and writes; a snapshot with another major is refused
/// with a message that says which side is older.
inline constexpr int snapshot_schema = 1;

/// Reads a snapshot as `catalog build` wrote it. Sources are left out there; they have a file of
/// their own.
Result<Catalog> read_snapshot(std::string_view json);
/// Fills in the sources of a catalog from the file that was built with its snapshot.
Result<bool> read_snapshot_sources(std::string_view json, Catalog& catalog);

} // namespace vramscope::catalog
