// The search behind "what is the most that still fits?".
#pragma once

#include <algorithm>

#include "core/units.h"

namespace vramscope {

/// Largest count in [0, limit] for which need(count) leaves head-room >= 0, given that head-room
/// falls with the count. Every device fills up nearly linearly, so the least head-room of all is
/// concave: a secant stops short of the answer, the tangent there (its next count) leads to it or
/// just past it. Bisection guards the rest. Typically six to ten evaluations instead of thirty.
template <typename HeadRoom>
std::int64_t largest_fitting(std::int64_t limit, HeadRoom room_at) {
    std::int64_t low = 1;
    Bytes low_room = room_at(low);
    if (low_room < 0)
        return 0;
    std::int64_t high = limit;
    Bytes high_room = room_at(high);
    if (high_room >= 0)
        return limit;
    Bytes fall = 0; // of the head-room at `low`, by one more; 0 = not known
    int slow = 0;   // steps in a row that left more than half of the width
    while (high - low > 1) {
        const std::int64_t width = high - low;
        std::int64_t middle = low + width / 2;
        if (slow < 2) {
            const double steps =
                fall > 0 ? static_cast<double>(low_room) / static_cast<double>(fall)
                         : static_cast<double>(low_room) /
                               (static_cast<double>(low_room) - static_cast<double>(high_room)) *
                               static_cast<double>(width);
            middle = low + static_cast<std::int64_t>(
                               std::clamp(steps, 1.0, static_cast<double>(width - 1)));
        }
        fall = 0;
        const Bytes room = room_at(middle);
        if (room < 0) {
            high = middle;
            high_room = room;
        } else {
            low = middle;
            low_room = room;
            // Often it is the answer: look one further.
            if (high - low > 1) {
                const Bytes next = room_at(low + 1);
                if (next < 0)
                    return low;
                fall = room - next;
                ++low;
                low_room = next;
            }
        }
        slow = high - low > width / 2 ? slow + 1 : 0;
    }
    return low;
}

} // namespace vramscope
