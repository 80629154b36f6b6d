// The Estimate of a request as the command line prints it with --json.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "catalog/request_fields.h"

namespace vramscope::bindings {

/// "" when the query does not resolve.
std::string export_json(const catalog::Query& query, const catalog::Catalog& catalog);

} // namespace vramscope::bindings
