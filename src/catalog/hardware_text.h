// The `hardware` field of a request: what devices a person has.
//
//   rtx-3090-24gb            one device by id
//   rtx-3090-24gb*2          two of them
//   rtx-4090-24gb,rtx-3060-12gb   different ones
//   cpu                      no accelerator
//   custom:24:936            a device typed in: GiB and GB/s
//   [{"memory_gib": 24, "bandwidth_gb_per_s": 936, "name": "my card"}, "rtx-3060-12gb"]   as JSON
#pragma once

#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/result.h"

namespace vramscope::catalog {

struct ChosenDevice {
    Device device;
    const HardwareEntry* entry = nullptr; ///< nullptr: typed in
};

/// Empty for `cpu`. Errors: "unknown-hardware", "invalid-value", "too-many-devices".
Result<std::vector<ChosenDevice>> read_hardware(std::string_view text, const Catalog& catalog);

} // namespace vramscope::catalog
