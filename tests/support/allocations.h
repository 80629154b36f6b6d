// How often the heap was asked for memory by `new`, by the whole test program so far.
#pragma once

#include <cstddef>

namespace vramscope::test {

std::size_t allocations();

} // namespace vramscope::test
