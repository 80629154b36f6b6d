// The C face of the core: what core.mjs and app.js export beside the page.
#pragma once

#include <cstddef>

extern "C" {

/// Answers one JSON call (bindings/session.h) of `length` bytes. The answer is a NUL-terminated
/// text from malloc(): the caller frees it. nullptr when there is no memory for it. One thread.
char* vs_call(const char* json, std::size_t length);
}
