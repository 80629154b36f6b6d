// The printed figures of the two reference pages (tests/reference/golden.json), checked through any
// door to the estimator: a JSON call in, its result out.
#pragma once

#include <functional>

#include "catalog/json_reader.h"

namespace vramscope::test {

/// {"method": "estimate" | "catalog.show", …} -> the result; a failed call is a failed test.
using Door = std::function<catalog::Json(const catalog::Json&)>;

struct GoldenCount {
    int figures = 0; ///< compared
    int equal = 0;
};

/// Compares every figure, with a CHECK each, and says how many there were.
GoldenCount check_golden(const Door& door);

/// Fewer would mean that a table of golden.json was not read: 19 facts of the model, 14 of the
/// simulator's state, 8 x 6 and 8 x 6 of its tables, 6 x 5 and 5 x 2 of the files, 6 x 6, 2 and 6.
inline constexpr int golden_figures_at_least = 213;

} // namespace vramscope::test
