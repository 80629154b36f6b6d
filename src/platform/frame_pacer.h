// Decides whether another frame is due. Times are seconds on any steady clock.
#pragma once

namespace vramscope::platform {

class FramePacer {
public:
    /// Frames drawn after each input or change. ImGui needs more than one: a click shows its
    /// result in the next frame, and a window finds its size in the second.
    static constexpr int frames_after_input = 3;
    /// ImGui may not see more than this at once, yet more than the time of a double click, or two
    /// clicks with an idle hour between them would count as one.
    static constexpr double longest_step = 0.5;
    static constexpr double longest_animation_step = 0.05;

    void input() { remaining_ = frames_after_input; }
    /// What a frame changed is seen in the next one, and settles in the one after.
    void change() { remaining_ = remaining_ > 2 ? remaining_ : 2; }
    /// One frame, in which what is held shows that it is no longer.
    void release() { remaining_ = remaining_ > 0 ? remaining_ : 1; }
    void animate_until(double time);
    /// A frame starts: advances the clock and uses up one of the frames that are due.
    void begin_frame(double now);
    [[nodiscard]] bool frame_due(double now) const {
        return remaining_ > 0 || now < animate_until_;
    }

    /// Step for ImGui, > 0 as it demands.
    [[nodiscard]] float step() const { return step_; }
    [[nodiscard]] float animation_step() const;

private:
    int remaining_ = 0;
    double animate_until_ = 0;
    double last_ = 0;
    bool started_ = false;
    float step_ = 1.0F / 60.0F;
};

} // namespace vramscope::platform
