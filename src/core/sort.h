// Sorting of short lists: one loop where every use of std::sort is 1.5 KB of WebAssembly.
#pragma once

#include <cstddef>
#include <utility>

namespace vramscope {

/// Stable. Takes n^2 / 4 steps on average: for lists up to a few hundred.
template <typename List, typename Less>
void sort_short(List& list, Less less) {
    for (std::size_t i = 1; i < list.size(); ++i) {
        auto item = std::move(list[i]);
        std::size_t place = i;
        for (; place > 0 && less(item, list[place - 1]); --place)
            list[place] = std::move(list[place - 1]);
        list[place] = std::move(item);
    }
}

template <typename List>
void sort_short(List& list) {
    sort_short(list, [](const auto& a, const auto& b) { return a < b; });
}

} // namespace vramscope
