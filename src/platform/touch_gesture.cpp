#include "platform/touch_gesture.h"

#include <cmath>

namespace vramscope::platform {

using Kind = TouchAction::Kind;

void TouchGesture::begin(TouchPoint point, const TouchSurface& surface) {
    state_ = State::undecided;
    surface_ = surface;
    start_ = last_ = point;
}

TouchAction TouchGesture::move(TouchPoint point) {
    const TouchPoint previous = last_;
    switch (state_) {
    case State::idle:
    case State::left:
        return {};
    case State::dragging:
        last_ = point;
        return {Kind::move, previous, point};
    case State::scrolling: {
        last_ = point;
        TouchPoint from = point;
        (horizontal_ ? from.x : from.y) = horizontal_ ? previous.x : previous.y;
        return {Kind::scroll, from, point};
    }
    case State::undecided:
        break;
    }
    const float dx = point.x - start_.x;
    const float dy = point.y - start_.y;
    if (std::hypot(dx, dy) < slop)
        return {};
    last_ = point;
    horizontal_ = std::fabs(dx) > std::fabs(dy);
    if (horizontal_ ? surface_.drag_horizontally : surface_.drag_vertically) {
        state_ = State::dragging;
        return {Kind::press, start_, point};
    }
    const bool scrolls = horizontal_ ? (dx > 0 ? surface_.scroll_left : surface_.scroll_right)
                                     : (dy > 0 ? surface_.scroll_up : surface_.scroll_down);
    state_ = scrolls ? State::scrolling : State::left;
    if (!scrolls)
        return {Kind::leave, start_, point};
    // From here, not from the start: the content does not jump by the slop.
    return {Kind::scroll, point, point};
}

TouchAction TouchGesture::end(TouchPoint point) {
    const State state = state_;
    state_ = State::idle;
    if (state == State::undecided)
        return {Kind::tap, start_, start_};
    if (state == State::dragging)
        return {Kind::release, last_, point};
    return {};
}

TouchAction TouchGesture::cancel() {
    const State state = state_;
    state_ = State::idle;
    if (state == State::dragging)
        return {Kind::release, last_, last_};
    return {};
}

} // namespace vramscope::platform
