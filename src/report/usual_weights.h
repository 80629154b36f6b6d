// Which weights of a model come into question under an engine.
//
// The recorded files that the engine loads, and the formats people commonly find or make for any
// model, so that a model without recorded files can be asked about too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace vramscope::report {

struct UsualWeights {
    const catalog::Artifact* artifact = nullptr;         ///< nullptr: computed from the format
    const catalog::QuantizationFormat* format = nullptr; ///< nullptr: the artifact's is not known
    std::string request;                                 ///< text of the `artifact` field
    double bits_per_weight() const { return format != nullptr ? format->bits_per_weight : 0; }
};

/// Widest first. One recorded file per format (the first that is no computed stand-in); formats
/// that llama-quantize refuses for these shapes are left out.
std::vector<UsualWeights> usual_weights(const catalog::Model& model, EngineId engine,
                                        const catalog::Catalog& catalog);

/// The rank of a quality hint: 0 lossless, 1 near-lossless, 2 good, 3 fair, 4 poor or unknown.
int quality_rank(const catalog::QuantizationFormat* format);

} // namespace vramscope::report
