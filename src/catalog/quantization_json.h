// catalog/quantization.json: storage types and the quantisations that people name.
//
//   "sources":       {"key": "where a figure comes from", ...}
//   "storage_types": {"q4_0": {"block_elements": 32, "block_bytes": 18, "source": "key"}, ...}
//   "formats":       [{"id", "name", "aliases", "mixture", "bits_per_weight", "sixteen_bit",
//                      "quality", "source"}, ...]
//
// Every storage type of the core must be described. A format with a `mixture` is a GGUF file type;
// `bits_per_weight` is nominal and meant for the `quick` profile, where the block sizes and rules
// of the core know better. `quality` is a class of the usual loss, no measurement.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// Fills the table and the list; false when there are faults, which are noted with their place.
bool read_quantization(const JsonReader& reader, StorageTypeTable& types,
                       std::vector<QuantizationFormat>& formats);

} // namespace vramscope::catalog
