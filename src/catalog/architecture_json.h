// Architectures as JSON: part of a catalog entry, and inline in a request.
//
// The object has the fields of core/architecture.h under their own names, enums in snake_case.
// `mixers` and `feed_forwards` are objects whose keys name the descriptions, and `layers` (and
// `mtp_layers`) is a list of groups that use those names:
//
//   "layers": [{"count": 62, "cycle": ["local", "local", "global"], "feed_forward": "dense"}]
//
// A group has `count` layers of one `mixer` or of a `cycle` of mixers, and one `feed_forward` or a
// list that is cycled likewise; or it spells them out as `mixers` and `feed_forwards` of equal
// length. `head_dim` stands for head_dim_k and head_dim_v at once.
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "catalog/json_reader.h"
#include "catalog/result.h"
#include "core/architecture.h"

namespace vramscope::catalog {

/// Reads a sound architecture, one that find_fault() has nothing to say about; false when there are
/// faults, which are noted with their place.
bool read_architecture(const JsonReader& reader, Architecture& architecture);
/// The same from text; the error is the first fault.
Result<Architecture> read_architecture(std::string_view text,
                                       std::string_view name = "architecture");

/// The compact group form, without fields that have their default. Descriptions are named after
/// their kind.
nlohmann::ordered_json write_architecture(const Architecture& architecture);

} // namespace vramscope::catalog
