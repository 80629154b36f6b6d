// strtod of the WebAssembly modules, for the JSON parser: the C library's is linked only where
// something else needs it too (then it wins: this one is weak; see decimal.h).
#include "core/decimal.h"

extern "C" __attribute__((weak)) double strtod(const char* text, char** end) {
    const char* behind = nullptr;
    const double value = vramscope::read_decimal(text, &behind);
    if (end != nullptr)
        *end = const_cast<char*>(behind);
    return value;
}
