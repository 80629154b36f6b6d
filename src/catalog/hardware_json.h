// catalog/hardware.json: devices in all their memory sizes, presets of several, memory classes.
//
//   "links":   {"PCIe 4.0 x16": 31.5}             GB/s to the host, one direction
//   "usable":  {"macos": {"steps": [{"up_to_gib": 32, "share": 0.667, "at_most": 0.78}, …]}}
//   "devices": [{"id": "rtx-4060-ti", "name": "RTX 4060 Ti", "memory_gib": [8, 16], …}]
//   "presets": [{"of": "rtx-3090-24gb", "counts": [2, 4]}]
//   "ladder":  ["rtx-3060-12gb", …]
//   "table":   ["rtx-3060-12gb", …]               devices that pages compare side by side
//
// A device gives one entry per memory size: id "rtx-4060-ti-16gb", name "RTX 4060 Ti 16GB". A
// preset gives "2x-rtx-3090-24gb".
#pragma once

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// Reads the file, or the snapshot's copy of it, into catalog.hardware and catalog.hardware_ladder.
/// Whether ids are unique and references lead somewhere is checked here too.
void read_hardware(const JsonReader& file, Catalog& catalog);

} // namespace vramscope::catalog
