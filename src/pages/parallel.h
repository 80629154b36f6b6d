// Work that is divided among threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace vramscope::pages {

/// Calls work(0) … work(count - 1), each once, on `jobs` threads.
template <typename Work>
void in_parallel(std::size_t count, unsigned jobs, Work work) {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < jobs; ++i)
        threads.emplace_back(loop);
    loop();
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace vramscope::pages
