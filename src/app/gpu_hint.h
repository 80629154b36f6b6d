// What the browser says of its GPU, matched to the catalog's devices.
#pragma once

#include <string_view>

#include "catalog/catalog.h"

namespace vramscope::app {

/// The device whose name stands in a renderer string ("ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 Ti
/// Direct3D11 …)"), the longest name first; nullptr when none does. Of several memory sizes the
/// smallest.
const catalog::HardwareEntry* device_in(std::string_view renderer, const catalog::Catalog& catalog);

} // namespace vramscope::app
