// Powers of two for logarithmic scales, to within a few last bits. The C library's functions are no
// better for that, and bring 9 KB of tables that do not compress.
#pragma once

namespace vramscope::app {

/// For positive, finite values.
double log2_of(double value);
/// Exact for whole exponents; for exponents between -1,000 and 1,000.
double exp2_of(double exponent);

} // namespace vramscope::app
