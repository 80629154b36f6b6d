// From a GGUF header to an architecture.
//
// The tensor table says what a layer is made of, for architectures nobody told us about as well:
// the presence and the shapes of its tensors give the kind and the widths of its mixer and
// feed-forward part. Metadata adds what tensors cannot say: head counts, windows, experts per
// token, contexts. The inventory of the architecture found is held against the table, so that a
// shape that leaves something out says so.
//
// Source of keys and meanings: llama.cpp src/llama-arch.cpp, src/llama-model.cpp, src/models/*.cpp
// (b9793).
#pragma once

#include "formats/gguf_reader.h"
#include "formats/shape_reading.h"

namespace vramscope::formats {

/// What sort of GGUF a file is, by general.type and general.architecture.
enum class GgufKind : std::uint8_t {
    model,
    projector,  ///< mmproj: a vision or audio tower with its projector
    adapter,    ///< LoRA
    vocabulary, ///< metadata without tensors
    other       ///< importance matrix, control vector …
};
GgufKind kind_of(const GgufHeader& header);

ShapeReading read_gguf_architecture(const GgufHeader& header);

/// The towers of a projector file, counted by the first letter of their tensors.
std::vector<Tower> read_projector(const GgufHeader& header);

} // namespace vramscope::formats
