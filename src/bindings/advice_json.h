// Answers to "what to change" and "what would the engine do by itself" as JSON. Keys: session.h.
#pragma once

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/resolve.h"
#include "core/automatic_fit.h"
#include "report/advise.h"

namespace vramscope::bindings {

catalog::Json range_json(const ByteRange& range);
catalog::Json range_json(const RateRange& range);
/// {n_ubatch: 256, artifact: "q4_k_m", tensor_split: null}: fields to merge into a request.
catalog::Json fields_json(std::span<const report::FieldValue> fields);

catalog::Json advice_json(const report::AdvisedRequest& advised, Verdict goal);
catalog::Json fit_json(const EstimateRequest& request, const AutomaticFit& fit,
                       const FitOptions& options);

} // namespace vramscope::bindings
