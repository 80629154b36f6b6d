// catalog/engines.json: engines, verdict thresholds, and the constants of engines and hardware
// classes.
#pragma once

#include <string_view>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// Reads the whole file (or the snapshot's copy of it, whose `source` texts are stripped) into
/// catalog.engines and catalog.constants; faults go to the reader.
void read_engines(const JsonReader& reader, Catalog& catalog);

/// Keys of classes, backends and engines as files and requests spell them; count_ when unknown.
HardwareClass hardware_class_from_key(std::string_view key);
Backend backend_from_key(std::string_view key);
EngineId engine_from_key(std::string_view key);
std::string_view key_of(EngineId engine);
std::string_view key_of(HardwareClass hardware_class);

} // namespace vramscope::catalog
