// config.json of a Hugging Face checkpoint (or of its MLX conversion) to an architecture.
//
// A config says how wide things are, its `model_type` says what they are; hf_model_types.cpp lists
// the types we know. Multimodal configs nest the language model's (`text_config` and kin). Source:
// transformers configuration_*.py and modeling_*.py, and the model code that checkpoints bring.
#pragma once

#include <string>

#include "catalog/json_reader.h"
#include "formats/shape_reading.h"

namespace vramscope::formats {

struct ConfigReading : ShapeReading {
    std::string model_type;
    std::string name; ///< _name_or_path when it names a repository
};

/// Faults for values of a wrong kind go to the reader; what is not known goes to `missing`.
ConfigReading read_hf_config(const catalog::JsonReader& config);

} // namespace vramscope::formats
