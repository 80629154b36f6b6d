// Readable output: the page's view as lines of text, in the page's own words.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"
#include "report/locale.h"

namespace vramscope::cli {

catalog::Result<std::string> estimate_text(const catalog::Query& query,
                                           const catalog::Catalog& catalog,
                                           const report::Locale& locale);

} // namespace vramscope::cli
