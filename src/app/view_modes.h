// The pages beside the simulator as plain data. Not for painters.
#pragma once

#include "app/mode_rows.h"
#include "app/view_context.h"

namespace vramscope::app {

/// The strip of pages; every view has it.
void build_mode_strip(const ViewInput& input, ViewModel& view);
/// The page that is open; the simulator's parts are not made then.
void build_mode(const ViewContext& context, const ViewInput& input, ViewModel& view);
void build_compare(const ViewContext& context, ViewModel& view);

/// A cell with a text and what is exactly behind it.
Cell figure_cell(std::string text, double exact = -1);
Cell verdict_cell(const report::Locale& locale, Verdict verdict);

} // namespace vramscope::app
