// Decimal numbers to and from double, correctly rounded: the same results as the C library's strtod
// and printf("%.*g"), in a tenth of the code (theirs calculate in 128 bits, which WebAssembly has
// to do in software). Short numbers are read with one division, all others digit by digit.
#pragma once

#include <string>

namespace vramscope {

/// Reads what strtod reads of "[+-]digits[.digits][e[+-]digits]"; no spaces, hexadecimal numbers,
/// "inf" or "nan". `end` becomes the place behind the number, or `text` when there is none (then
/// 0). What is too large is infinite.
double read_decimal(const char* text, const char** end);

/// As printf("%.*g") prints a finite number: at most `digits` (1 to 17) significant digits, no
/// trailing zeros, an exponent below 0.0001 and above the digits.
std::string decimal_text(double value, int digits);

/// With as few digits as read back as the same number, and an exponent only below 0.0001 and from
/// 1e17.
std::string shortest_text(double value);

} // namespace vramscope
