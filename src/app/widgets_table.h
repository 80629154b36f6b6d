// Tables without vertical lines: figures right-aligned, verdicts as pills, rows that can be chosen.
// Where a table does not fit it becomes a list of blocks, one a row, so nothing scrolls sideways.
#pragma once

#include "app/widgets.h"

namespace vramscope::app {

enum class Density : std::uint8_t { normal, compact };

/// Gives the height. Title and caption are the panel's business.
float table(Ui& ui, ImVec2 position, float width, const Table& content,
            Density density = Density::normal);
/// The first column and those with verdicts only: for narrow places. Empty when there are none.
Table verdict_columns(const Table& content);
/// The width that a table needs to stand as rows.
float table_width(const Table& content, Density density = Density::normal);

} // namespace vramscope::app
