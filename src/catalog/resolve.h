// From a query (text) and a catalog to an EstimateRequest (numbers the core computes with).
#pragma once

#include <memory>

#include "catalog/catalog.h"
#include "catalog/inline_model.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"
#include "core/request.h"

namespace vramscope::catalog {

/// A request with everything it points to.
struct ResolvedRequest {
    EstimateRequest request;
    const Model* model = nullptr;       ///< points into the catalog or to `own_model`
    const Artifact* artifact = nullptr; ///< nullptr: computed from a recipe
    const QuantizationFormat* quantization = nullptr;
    std::vector<const HardwareEntry*> hardware;   ///< one per device; nullptr for a custom device
    std::shared_ptr<const InlineModel> own_model; ///< of a request that writes its model out
};

/// Errors: "unknown-model", "unknown-artifact", "unknown-hardware", "engine-not-modelled",
/// "invalid-value" … with the closest known ids in the message where there are any.
Result<ResolvedRequest> resolve(const Query& query, const Catalog& catalog);

/// Puts another model and weights into a request that is resolved otherwise, as resolve() does;
/// tables ask for many of them. `artifact` is nullptr for weights computed from their format.
/// `evidence` takes the allowance of the artifact's first engine when `artifact_names_evidence`.
void set_model_and_weights(const Model& model, const Artifact* artifact,
                           const QuantizationFormat* quantization, bool artifact_names_evidence,
                           EstimateRequest& out);

} // namespace vramscope::catalog
