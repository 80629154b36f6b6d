// Which hardware a request asks for.
#pragma once

#include "catalog/catalog.h"
#include "core/request.h"
#include "core/workspace.h"

namespace vramscope::report {

/// The smallest class of the catalog's ladder on which the request fits: nothing else running
/// there, verdict `fits` on each of its devices. nullptr when none is large enough.
const catalog::HardwareEntry* recommended_hardware(const EstimateRequest& request,
                                                   const catalog::Catalog& catalog);
const catalog::HardwareEntry* recommended_hardware(const EstimateRequest& request,
                                                   const catalog::Catalog& catalog,
                                                   Workspace& workspace);

} // namespace vramscope::report
