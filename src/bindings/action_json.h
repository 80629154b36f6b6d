// Actions as JSON, from the HTML twin.
#pragma once

#include <string_view>

#include "app/view_model.h"
#include "catalog/result.h"

namespace vramscope::bindings {

/// {"kind": "set_field", "key": "n_ctx", "value": "8192"}; kinds are named as in view_model.h.
catalog::Result<app::Action> action_from_json(std::string_view json);

} // namespace vramscope::bindings
