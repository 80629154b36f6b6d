// The numbers that GGUF files use for storage types and file types.
//
// Source: ggml include/ggml.h (enum ggml_type, commit d99724f2) and llama.cpp include/llama.h (enum
// llama_ftype, b9793). How large a block of each type is: catalog/quantization.json.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/recipe.h"
#include "core/storage_type.h"

namespace vramscope::formats {

/// The storage type of ggml's number, or count_ when ggml has none of that number.
StorageType storage_type_from_ggml(std::uint32_t id);
/// ggml's number of a storage type; the largest number when ggml does not know it.
std::uint32_t ggml_id(StorageType type);
inline constexpr std::uint32_t no_ggml_id = 0xFFFFFFFF;

/// Name of a type that a file may hold although no current llama.cpp loads it: removed from ggml,
/// or known to the fork ik_llama.cpp only. Empty when the number means nothing.
struct ForeignType {
    std::string_view name;
    std::string_view advice; ///< what to do about it
};
ForeignType foreign_ggml_type(std::uint32_t id);

/// The mixture that `general.file_type` states, or count_.
Mixture mixture_from_file_type(std::int64_t file_type);

} // namespace vramscope::formats
