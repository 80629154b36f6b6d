// The questions beyond one estimate: advise, fit, models, devices. Arguments and answers:
// session.h.
#pragma once

#include <string_view>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"

namespace vramscope::bindings {

using Question = catalog::Result<catalog::Json> (*)(const catalog::Query& query,
                                                    const catalog::Json& call,
                                                    const catalog::Catalog& catalog);
/// The question of that method, or nullptr.
Question find_question(std::string_view method);

} // namespace vramscope::bindings
