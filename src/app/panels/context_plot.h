// What pointing into the memory plot means.
#pragma once

namespace vramscope::app::panels {

/// Tokens for a pointed position: a multiple of 1,024, or a power of two within a few pixels.
double plot_tokens(double pointed, double tokens_per_pixel, double least, double most);

} // namespace vramscope::app::panels
