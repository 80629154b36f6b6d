// The C library without what our modules never use: about 20 KB of their WebAssembly.
//
// Linked as objects, so that these functions come before those of the library. The test program has
// the library whole.
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "core/decimal.h"

/// For the JSON parser. The C library's calculates in 128 bits.
extern "C" double strtod(const char* text, char** end) {
    const char* rest = nullptr;
    const double number = vramscope::read_decimal(text, &rest);
    if (end != nullptr)
        *end = const_cast<char*>(rest);
    return number;
}

/// Beside strtod in the C library's object file, which must not be asked for.
extern "C" float strtof(const char* text, char** end) {
    return static_cast<float>(strtod(text, end));
}
extern "C" long double strtold(const char* text, char** end) {
    return static_cast<long double>(strtod(text, end));
}

namespace {

/// Text that is cut to a buffer, with its whole length.
struct Cut {
    char* buffer;
    std::size_t size;
    std::size_t length = 0;

    void put(char c) {
        if (length + 1 < size)
            buffer[length] = c;
        ++length;
    }
    void number(unsigned value, unsigned base, const char* digits, int width, char fill) {
        char reversed[12];
        int count = 0;
        do {
            reversed[count++] = digits[value % base];
            value /= base;
        } while (value != 0);
        for (int i = count; i < width; ++i)
            put(fill);
        while (count > 0)
            put(reversed[--count]);
    }
};

} // namespace

/// What the JSON parser's messages and the names of Dear ImGui's windows need:
/// %s %.*s %d %i %u %x %X %% and a width or (for whole numbers) a least count of digits.
extern "C" int vsnprintf(char* buffer, std::size_t size, const char* format, va_list arguments) {
    Cut out{buffer, buffer == nullptr ? 0 : size};
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            out.put(*format);
            continue;
        }
        ++format;
        char fill = *format == '0' ? '0' : ' ';
        int width = 0;
        int most = INT_MAX;
        if (format[0] == '.' && format[1] == '*') {
            most = va_arg(arguments, int);
            format += 2;
        } else if (format[0] == '.') {
            fill = '0';
            ++format;
        }
        for (; *format >= '0' && *format <= '9'; ++format)
            width = width * 10 + (*format - '0');
        if (*format == 's') {
            const char* text = va_arg(arguments, const char*);
            for (int i = 0; i < most && text[i] != '\0'; ++i)
                out.put(text[i]);
        } else if (*format == 'd' || *format == 'i') {
            const int value = va_arg(arguments, int);
            if (value < 0)
                out.put('-');
            out.number(value < 0 ? 0U - static_cast<unsigned>(value) : static_cast<unsigned>(value),
                       10, "0123456789", width, fill);
        } else if (*format == 'u') {
            out.number(va_arg(arguments, unsigned), 10, "0123456789", width, fill);
        } else if (*format == 'x') {
            out.number(va_arg(arguments, unsigned), 16, "0123456789abcdef", width, fill);
        } else if (*format == 'X') {
            out.number(va_arg(arguments, unsigned), 16, "0123456789ABCDEF", width, fill);
        } else if (*format == '\0') {
            break;
        } else {
            out.put(*format);
        }
    }
    if (out.size > 0)
        buffer[out.length < size ? out.length : size - 1] = '\0';
    return static_cast<int>(out.length);
}

extern "C" int snprintf(char* buffer, std::size_t size, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
