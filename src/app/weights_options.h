// Which weights a person can choose for a model under an engine. Not for painters.
#pragma once

#include <string>
#include <vector>

#include "app/view_context.h"

namespace vramscope::app {

struct WeightsOption {
    const catalog::Artifact* artifact = nullptr;         ///< nullptr: computed from a recipe
    const catalog::QuantizationFormat* format = nullptr; ///< nullptr: the artifact's is not known
    std::string request;                                 ///< text of the `artifact` field
    bool selected = false;
};

/// Recorded files that the engine loads, then formats it loads that nobody recorded, largest first;
/// the model's own artifacts for `evidence`, the usual formats for `quick`. The current choice is
/// always among them.
std::vector<WeightsOption> weights_options(const ViewContext& context);

/// The files recorded for the model, whatever the engine.
std::vector<WeightsOption> artifact_options(const ViewContext& context);

/// The rows of the precision x context matrix: the same, limited to formats in common use.
std::vector<WeightsOption> matrix_options(const ViewContext& context);

/// The request with these weights instead.
EstimateRequest with_weights(const ViewContext& context, const WeightsOption& option);

/// "Q4_K_M" for the engines that only know formats, "GGUF Q4_K_M (Unsloth)" for recorded files.
std::string option_name(const ViewContext& context, const WeightsOption& option);

} // namespace vramscope::app
