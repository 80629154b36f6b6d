#include "platform/touch_gesture.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope::platform;
using Kind = TouchAction::Kind;

namespace {

TouchSurface scrolls_both_ways() {
    TouchSurface surface;
    surface.scroll_up = surface.scroll_down = true;
    return surface;
}

TouchSurface slider_on_a_scrolling_page() {
    TouchSurface surface = scrolls_both_ways();
    surface.drag_horizontally = true;
    return surface;
}

} // namespace

TEST_CASE("A finger that hardly moves is a tap where it came down") {
    TouchGesture touch;
    touch.begin({100, 100}, scrolls_both_ways());
    CHECK(touch.move({103, 104}).kind == Kind::nothing);
    const TouchAction action = touch.end({104, 104});
    CHECK(action.kind == Kind::tap);
    CHECK(action.at.x == 100.0F);
    CHECK(action.at.y == 100.0F);
    CHECK_FALSE(touch.active());
}

TEST_CASE("A drag scrolls with the finger and clicks nothing") {
    TouchGesture touch;
    touch.begin({100, 300}, scrolls_both_ways());
    const TouchAction first = touch.move({100, 280});
    CHECK(first.kind == Kind::scroll);
    CHECK(first.to.y - first.at.y == 0.0F); // the slop is not made up for by a jump
    CHECK(touch.taken());
    const TouchAction second = touch.move({112, 250});
    CHECK(second.kind == Kind::scroll);
    CHECK(second.to.y - second.at.y == -30.0F);
    CHECK(second.to.x - second.at.x == 0.0F); // the axis is locked
    CHECK(touch.end({112, 250}).kind == Kind::nothing);
}

TEST_CASE("A slider is dragged along its axis only") {
    TouchGesture touch;
    SECTION("along it") {
        touch.begin({100, 300}, slider_on_a_scrolling_page());
        const TouchAction press = touch.move({112, 301});
        CHECK(press.kind == Kind::press);
        CHECK(press.at.x == 100.0F);
        CHECK(press.to.x == 112.0F);
        const TouchAction move = touch.move({150, 340});
        CHECK(move.kind == Kind::move);
        CHECK(move.to.x == 150.0F);
        CHECK(touch.end({160, 340}).kind == Kind::release);
    }
    SECTION("across it: the page scrolls") {
        touch.begin({100, 300}, slider_on_a_scrolling_page());
        CHECK(touch.move({101, 288}).kind == Kind::scroll);
    }
}

TEST_CASE("What cannot be scrolled here belongs to the page, to its end") {
    TouchGesture touch;
    TouchSurface at_the_top;
    at_the_top.scroll_down = true;
    touch.begin({100, 300}, at_the_top);
    CHECK(touch.move({100, 320}).kind == Kind::leave); // pulls down: nothing above
    CHECK_FALSE(touch.taken());
    CHECK(touch.move({100, 200}).kind == Kind::nothing);
    CHECK(touch.end({100, 200}).kind == Kind::nothing);

    touch.begin({100, 300}, at_the_top);
    CHECK(touch.move({100, 280}).kind == Kind::scroll);
}

TEST_CASE("A second finger ends the gesture; a held widget is let go") {
    TouchGesture touch;
    touch.begin({100, 300}, slider_on_a_scrolling_page());
    CHECK(touch.cancel().kind == Kind::nothing);
    CHECK(touch.end({100, 300}).kind == Kind::nothing); // no tap afterwards

    touch.begin({100, 300}, slider_on_a_scrolling_page());
    CHECK(touch.move({130, 300}).kind == Kind::press);
    CHECK(touch.cancel().kind == Kind::release);
}
