// What a set of weight files and configs holds together, and how it is said.
//
// An Inspector is given what the readers made of each file, in any order: parts of a split GGUF,
// shards, a config, a projector, an adapter. The result has one architecture, exact bytes, and
// notes on everything that is missing, does not fit together, or is a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "catalog/catalog.h"
#include "catalog/result.h"
#include "core/recipe.h"
#include "core/tensors.h"
#include "formats/gguf_reader.h"
#include "formats/safetensors_reader.h"
#include "formats/stored_quantization.h"

namespace vramscope::formats {

enum class FileKind : std::uint8_t {
    gguf_model,
    gguf_projector,
    gguf_adapter,
    gguf_other,
    safetensors,
    safetensors_index,
    config
};
std::string_view name(FileKind kind);

struct InspectedFile {
    std::string name;
    FileKind kind = FileKind::config;
    Bytes bytes = 0; ///< of the file; 0 when not known
    Bytes tensor_bytes = 0;
    std::int64_t parameters = 0; ///< elements of its tensors
    std::int64_t tensors = 0;
    std::string detail; ///< "GGUF v3, big endian"
};

/// Tensors that have a storage type, or a role, in common.
struct TensorGroup {
    std::string name;
    std::int64_t tensors = 0;
    std::int64_t parameters = 0;
    Bytes bytes = 0;
};

struct Inspection {
    std::string name;   ///< of the model, as the files state it, else from a file's name
    std::string format; ///< "gguf", "safetensors", "mlx", or "config" when there are no weights
    std::string architecture_name; ///< general.architecture or model_type
    std::string hf_repo;           ///< where the files say they come from
    std::string license;
    std::vector<InspectedFile> files;
    std::optional<Architecture> architecture;
    bool shape_equals_table = false; ///< architecture's inventory = the tensors of the files
    std::int64_t parameters = 0;     ///< weights of the model's files, unpacked; else of the shape
    Bytes tensor_bytes = 0;          ///< of the model's files, 0 without weights
    Bytes file_bytes = 0;
    Bytes projector_bytes = 0;
    Bytes adapter_bytes = 0;
    std::int64_t adapter_parameters = 0;
    std::string quantization;      ///< id of the catalog's format, "" when none fits
    std::string quantization_name; ///< as a person reads it
    Mixture mixture = Mixture::count_;
    bool recipe_exact = false; ///< the mixture's recipe gives just these bytes
    bool complete = true;      ///< no part or shard is missing
    std::vector<TensorGroup> types;
    std::vector<TensorGroup> roles; ///< GGUF only
    std::vector<std::string> notes;
};

class Inspector {
public:
    explicit Inspector(const StorageTypeTable& types) : types_(types) {}

    void add(GgufHeader header, std::string name, std::uint64_t file_bytes);
    void add(SafetensorsHeader header, std::string name, std::uint64_t file_bytes);
    /// A config.json, params.json, hf_quant_config.json or safetensors index, told by its keys.
    catalog::Result<FileKind> add_json(std::string_view text, std::string name);
    /// Files that an index or a split number names and that were not given.
    std::vector<std::string> wanted_files() const;

    /// An error when the files do not describe one model at all.
    catalog::Result<Inspection> result();

private:
    struct Gguf {
        GgufHeader header;
        std::string name;
        std::uint64_t bytes;
    };
    struct Shard {
        SafetensorsHeader header;
        std::string name;
        std::uint64_t bytes;
    };
    catalog::Result<bool> inspect_gguf(Inspection& out);
    void inspect_safetensors(Inspection& out);
    void inspect_config(Inspection& out);
    void add_projectors(Inspection& out);
    void find_recipe(Inspection& out, std::int64_t file_type, bool importance_matrix) const;

    const StorageTypeTable& types_;
    std::vector<Gguf> models_;
    std::vector<Gguf> projectors_;
    std::vector<Gguf> adapters_;
    std::vector<Gguf> others_;
    std::vector<Shard> shards_;
    std::optional<SafetensorsIndex> index_;
    std::string index_name_;
    std::string config_; ///< text, kept until everything is there
    std::string config_name_;
    std::string quant_config_;
};

nlohmann::ordered_json inspection_json(const Inspection& inspection);
/// Lines for a terminal.
std::string inspection_text(const Inspection& inspection);

/// The entry for catalog/models/<family>.json, as `catalog check` takes it once its "TODO" texts
/// are filled in. `sources` say where the facts are from.
nlohmann::ordered_json draft_entry(const Inspection& inspection,
                                   const std::vector<std::string>& sources);

/// The model as a request writes it out (catalog/inline_model.h), for estimates and links; "" when
/// there is no architecture. Without weights, or with some missing, it has none. Fields that belong
/// with it stand in request_fields().
std::string inline_model(const Inspection& inspection);
/// What to ask for besides the model, as a link's query: "artifact=file&mmproj=file".
std::string request_fields(const Inspection& inspection);

} // namespace vramscope::formats
