#include "platform/frame_pacer.h"

#include <algorithm>

namespace vramscope::platform {

void FramePacer::animate_until(double time) {
    animate_until_ = std::max(animate_until_, time);
}

void FramePacer::begin_frame(double now) {
    if (started_)
        step_ = static_cast<float>(std::clamp(now - last_, 1e-4, longest_step));
    started_ = true;
    last_ = now;
    if (remaining_ > 0)
        --remaining_;
}

float FramePacer::animation_step() const {
    return std::min(step_, static_cast<float>(longest_animation_step));
}

} // namespace vramscope::platform
