// Bytes as a function of the context, so that one look at a graph answers for a whole range.
//
// Tensors that hold caches grow evenly with the context, all others stay as they are. Sums of such
// sizes grow evenly, too; only comparisons (which block fits best, whether the arena must grow) can
// turn out differently elsewhere. StepRange notes how far each comparison holds: within the range
// that is left in the end, the result is exact.
#pragma once

#include "core/units.h"

namespace vramscope::graph {

struct Affine {
    Bytes at = 0;     ///< at the context that is looked at
    Bytes growth = 0; ///< more for each further step of the context

    constexpr Bytes value(std::int64_t steps) const { return at + growth * steps; }
    constexpr Affine& operator+=(const Affine& other) {
        at += other.at;
        growth += other.growth;
        return *this;
    }
    friend constexpr Affine operator+(Affine a, const Affine& b) { return a += b; }
    friend constexpr Affine operator-(const Affine& a, const Affine& b) {
        return {a.at - b.at, a.growth - b.growth};
    }
};

/// Steps before (<= 0) and behind (>= 0) the context looked at for which everything seen so far
/// comes out the same.
class StepRange {
public:
    std::int64_t low = 0;
    std::int64_t high = 0;

    bool less_or_equal(const Affine& a, const Affine& b) {
        const Affine gap = b - a;
        const bool result = gap.at >= 0;
        if (gap.growth != 0)
            result ? keep(gap.at, gap.growth) : keep(-1 - gap.at, -gap.growth);
        return result;
    }
    bool less(const Affine& a, const Affine& b) { return !less_or_equal(b, a); }
    /// Equality that could not be foreseen holds here only; differing numbers stay so up to where
    /// they meet.
    bool equal(const Affine& a, const Affine& b) {
        const Affine gap = b - a;
        if (gap.growth != 0) {
            if (gap.at == 0)
                stay();
            else
                gap.at > 0 ? keep(gap.at - 1, gap.growth) : keep(-1 - gap.at, -gap.growth);
        }
        return gap.at == 0;
    }
    void stay() { low = high = 0; }

private:
    /// `at` + `growth` x steps, not negative here, stays so.
    void keep(Bytes at, Bytes growth) {
        const std::int64_t steps = at / (growth < 0 ? -growth : growth);
        if (growth < 0)
            high = steps < high ? steps : high;
        else
            low = -steps > low ? -steps : low;
    }
};

} // namespace vramscope::graph
