// Requests as JSON objects: {"model": "glm-4-9b-0414", "n_ctx": 8192, "hardware":
// ["rtx-3090-24gb*2"]}.
#pragma once

#include "catalog/json_reader.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"

namespace vramscope::bindings {

/// Keys are request fields in any spelling; values are numbers, texts, booleans, null (= default),
/// lists (`tensor_split`, `hardware`) and objects (an inline model, a custom device).
catalog::Result<catalog::Query> query_from_json(const catalog::Json& request);

/// The fields that are set, as text.
catalog::Json query_to_json(const catalog::Query& query);

} // namespace vramscope::bindings
