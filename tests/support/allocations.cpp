#include "support/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t count = 0;
} // namespace

std::size_t vramscope::test::allocations() {
    return count;
}

// The program's own, counted; sanitizers see the malloc below them. Out of line, so that compilers
// that pair `new` with `free` do not object.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    std::abort();
}
// What std::stable_sort asks for; freed by the same delete.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++count;
    return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
