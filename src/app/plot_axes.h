// What the plots against the context share: where the axis ends, which contexts are computed,
// ticks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/view_context.h"

namespace vramscope::app {

/// The x axis ends at a power of two that shows the native limit, the current context and, when it
/// is near, the place where memory runs out.
std::int64_t right_end(const ViewContext& context);
/// Sixteen equal steps, and the short contexts where windows fill and padding shows.
std::vector<std::int64_t> sample_contexts(std::int64_t end);
std::vector<ContextPlot::Tick> context_ticks(const ViewContext& context, std::int64_t end);
/// The last context that fits, for one sequence; 0 beyond the search.
std::int64_t limit_per_sequence(const ViewContext& context);

} // namespace vramscope::app
