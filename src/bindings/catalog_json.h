// Catalog entries as JSON, for `catalog list` and `catalog show`.
#pragma once

#include <string_view>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/result.h"

namespace vramscope::bindings {

/// An array of objects with `id`. Kinds: models, artifacts (with `model`), hardware, engines,
/// quantizations. Error "unknown-kind" else.
catalog::Result<catalog::Json> list_json(const catalog::Catalog& catalog, std::string_view kind);

/// One entry of any kind with everything that is known of it; models first when ids clash.
catalog::Result<catalog::Json> show_json(const catalog::Catalog& catalog, std::string_view id);

} // namespace vramscope::bindings
