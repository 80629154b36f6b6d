#include "core/engines/graph/representative_layers.h"

namespace vramscope::graph {
namespace {

/// The longest published pattern is eight layers (Jamba); mixtures add a cycle of three.
constexpr std::size_t longest_cycle = 24;

constexpr std::size_t kept_repetitions(std::size_t cycle) {
    return cycle == 1 ? 4 : 3;
}

/// Whole repetitions of the cycle of that length that starts at `begin`.
std::size_t repetitions(const std::vector<std::uint64_t>& kinds, std::size_t begin,
                        std::size_t cycle, std::size_t end) {
    std::size_t i = begin + cycle;
    while (i < end && kinds[i] == kinds[i - cycle])
        ++i;
    return (i - begin) / cycle;
}

} // namespace

void representative_layers(const std::vector<std::uint64_t>& kinds,
                           std::vector<std::int32_t>& chosen) {
    chosen.clear();
    const std::size_t end = kinds.size();
    std::size_t i = 0;
    while (i < end) {
        std::size_t best_cycle = 1;
        std::size_t best_saved = 0;
        std::size_t best_repetitions = 1;
        for (std::size_t cycle = 1; cycle <= longest_cycle && i + cycle <= end; ++cycle) {
            const std::size_t n = repetitions(kinds, i, cycle, end);
            const std::size_t kept = kept_repetitions(cycle);
            const std::size_t saved = n > kept ? (n - kept) * cycle : 0;
            if (saved > best_saved) {
                best_saved = saved;
                best_cycle = cycle;
                best_repetitions = n;
            }
        }
        const std::size_t covered = best_cycle * best_repetitions;
        for (std::size_t j = 0; j < covered - best_saved; ++j) {
            chosen.push_back(static_cast<std::int32_t>(i + j));
        }
        i += covered;
    }
}

} // namespace vramscope::graph
