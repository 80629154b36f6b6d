// Model entries as JSON: catalog/models/<family>.json.
//
//   {"models": [{"id": "glm-4-9b-0414", "name": …, "architecture": {…}, "artifacts": […]}, …]}
//
// An entry with "base": "<id of an earlier entry of the file>" takes provider, family, license
// and architecture from there and repeats what differs; its own `architecture`
// is merged into the base's key by key, null removes a key.
#pragma once

#include <vector>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// A copy of the file in which every entry is complete and `base` is gone. Faults: a base that is
/// not there, or stands further down.
Json without_bases(const JsonReader& file);

/// Reads the entries of a complete file into catalog.models. `catalog` has its formats already.
/// Entries whose architecture cannot be read are left out, with a fault.
void read_models(const JsonReader& file, Catalog& catalog);

/// "2025", "2025-Q2", "2025-04" or "2025-04-14".
bool is_release_date(std::string_view text);

} // namespace vramscope::catalog
