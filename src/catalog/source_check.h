// What only shows when all sources are seen together: references, duplicates, plausibility, counts.
#pragma once

#include "catalog/json_reader.h"
#include "catalog/source_documents.h"

namespace vramscope::catalog {

/// Adds all faults found; sets each model's evidence to what its parameter count proves, and its
/// rounded size where the entry gives none.
void check_all(ReadSources& sources, JsonFaults& faults);

} // namespace vramscope::catalog
