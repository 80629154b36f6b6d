// The promise of design.md §4: no frames when idle, a few after input, no jump after a pause.
#include "platform/frame_pacer.h"

#include <catch2/catch_test_macros.hpp>

using vramscope::platform::FramePacer;

TEST_CASE("A fresh pacer is idle") {
    const FramePacer pacer;
    CHECK_FALSE(pacer.frame_due(0));
    CHECK_FALSE(pacer.frame_due(1e9));
}

TEST_CASE("Input asks for three frames and no more") {
    FramePacer pacer;
    pacer.input();
    int frames = 0;
    for (double now = 1; pacer.frame_due(now) && frames < 100; now += 1.0 / 60) {
        pacer.begin_frame(now);
        ++frames;
    }
    CHECK(frames == 3);
}

TEST_CASE("Input during the countdown starts it again") {
    FramePacer pacer;
    pacer.input();
    pacer.begin_frame(1.00);
    pacer.begin_frame(1.01);
    pacer.input();
    pacer.begin_frame(1.02);
    CHECK(pacer.frame_due(1.03));
    pacer.begin_frame(1.03);
    pacer.begin_frame(1.04);
    CHECK_FALSE(pacer.frame_due(1.05));
}

TEST_CASE("What the first frame after input changes is drawn within the three") {
    FramePacer pacer;
    pacer.input();
    int frames = 0;
    for (double now = 1; pacer.frame_due(now) && frames < 100; now += 1.0 / 60) {
        pacer.begin_frame(now);
        ++frames;
        if (frames == 1)
            pacer.change();
    }
    CHECK(frames == 3);
    pacer.change();
    CHECK(pacer.frame_due(2));
}

TEST_CASE("A key press costs three frames, whenever the key goes up among them") {
    for (const int frames_before : {0, 1, 2}) {
        FramePacer pacer;
        pacer.input();
        int frames = 0;
        for (double now = 1; frames < 100; now += 1.0 / 60) {
            if (frames == frames_before)
                pacer.release();
            if (!pacer.frame_due(now))
                break;
            pacer.begin_frame(now);
            ++frames;
        }
        CHECK(frames == 3);
    }
}

TEST_CASE("A key that goes up after the frames of its press costs one more") {
    FramePacer pacer;
    pacer.release();
    CHECK(pacer.frame_due(1));
    pacer.begin_frame(1);
    CHECK_FALSE(pacer.frame_due(1.02));
}

TEST_CASE("An animation draws until its end; a shorter wish does not cut it") {
    FramePacer pacer;
    pacer.animate_until(2.0);
    pacer.animate_until(1.5);
    CHECK(pacer.frame_due(1.9));
    CHECK_FALSE(pacer.frame_due(2.0));
}

TEST_CASE("Steps after a pause") {
    FramePacer pacer;
    pacer.begin_frame(10);
    pacer.begin_frame(3610);
    // Dear ImGui's double-click time is 0.30 s (ImGuiIO::MouseDoubleClickTime): a pause must show
    // as longer, or two clicks an hour apart were one double click.
    CHECK(pacer.step() > 0.30F);
    CHECK(pacer.animation_step() == 0.05F);
    pacer.begin_frame(3610.016);
    CHECK(pacer.step() > 0.0159F);
    CHECK(pacer.step() < 0.0161F);
    CHECK(pacer.animation_step() == pacer.step());
}

TEST_CASE("A clock that stands still or runs back gives a step above zero") {
    FramePacer pacer;
    pacer.begin_frame(5);
    pacer.begin_frame(5);
    CHECK(pacer.step() > 0.0F);
    pacer.begin_frame(4);
    CHECK(pacer.step() > 0.0F);
}
