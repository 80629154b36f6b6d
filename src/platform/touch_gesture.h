// One finger on the canvas: tap, drag of a widget, or scroll. A finger presses nothing until it is
// known what it is doing, because a press that turns out to be a scroll cannot be taken back.
#pragma once

namespace vramscope::platform {

struct TouchPoint {
    float x = 0;
    float y = 0;
};

/// What lies under the finger when it comes down.
struct TouchSurface {
    bool drag_horizontally = false; ///< a widget there is dragged along this axis
    bool drag_vertically = false;
    bool scroll_up = false; ///< content above the visible part: a finger moving down shows it
    bool scroll_down = false;
    bool scroll_left = false;
    bool scroll_right = false;
};

struct TouchAction {
    enum class Kind {
        nothing, ///< undecided; the page may still take the movement
        press,   ///< button down at `at`, then move to `to`
        move,    ///< button is down: move to `to`
        scroll,  ///< scroll the content by `to - at`, that is with the finger
        tap,     ///< button down and up at `at`
        release, ///< button up at `to`
        leave,   ///< the movement is the page's
    };
    Kind kind = Kind::nothing;
    TouchPoint at;
    TouchPoint to;
};

class TouchGesture {
public:
    /// A finger moves this far before it counts as moving.
    static constexpr float slop = 8;

    void begin(TouchPoint point, const TouchSurface& surface);
    TouchAction move(TouchPoint point);
    TouchAction end(TouchPoint point);
    /// A second finger came, or the browser took over. Answers `release` if a button was down.
    TouchAction cancel();
    [[nodiscard]] bool active() const { return state_ != State::idle; }
    /// The movement is ours: the page must not scroll.
    [[nodiscard]] bool taken() const {
        return state_ == State::dragging || state_ == State::scrolling;
    }

private:
    enum class State { idle, undecided, dragging, scrolling, left };
    State state_ = State::idle;
    TouchSurface surface_;
    TouchPoint start_;
    TouchPoint last_;
    bool horizontal_ = false;
};

} // namespace vramscope::platform
