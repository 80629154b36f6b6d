// What to change so that it fits, in request fields: the advice of core/advice.h with weights and
// devices of the catalog, ready to be applied by one click.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "core/advice.h"

namespace vramscope::report {

/// A field to set; an empty value takes it back to its default.
struct FieldValue {
    catalog::Field field;
    std::string value;
};

struct AdvisedStep {
    AdviceStep step;
    std::vector<FieldValue> set;
};
struct AdvisedRequest {
    Advice advice;                  ///< its steps are in `steps`
    std::vector<AdvisedStep> steps; ///< ranked
};

/// Offered are: the usual weights with fewer bits (usual_weights.h), one and three more devices of
/// the last kind, and the larger classes of the catalog's ladder. Options that the engine does not
/// have are never advised. Errors are those of resolve().
catalog::Result<AdvisedRequest> advise(const catalog::Query& query, const catalog::Catalog& catalog,
                                       Verdict goal = Verdict::tight);

/// The query with a step's fields set.
catalog::Query with_step(const catalog::Query& query, const AdvisedStep& step);

} // namespace vramscope::report
