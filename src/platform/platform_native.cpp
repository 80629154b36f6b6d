// The platform without a browser (see headless.h).
#include <algorithm>
#include <string>

#include "imgui.h"
#include "platform/headless.h"
#include "platform/platform.h"
#include "platform/ui_context.h"

namespace vramscope::platform {
namespace {

constexpr int atlas_side = 2048;

struct Native {
    Host* host = nullptr;
    float step = 0;
    bool requested = false;
    std::string copied;
    std::string opened;
};

Native& native() {
    static Native instance;
    return instance;
}

/// Plays the renderer's part: whatever ImGui wants of its textures is done.
void settle_textures(const ImDrawData& data) {
    if (data.Textures == nullptr)
        return;
    for (ImTextureData* texture : *data.Textures) {
        if (texture->Status == ImTextureStatus_WantCreate)
            texture->SetTexID(1);
        if (texture->Status == ImTextureStatus_WantDestroy && texture->UnusedFrames > 0) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        } else if (texture->Status != ImTextureStatus_WantDestroy) {
            texture->SetStatus(ImTextureStatus_OK);
        }
    }
}

} // namespace

bool start(const char*, Host& host) {
    if (native().host != nullptr)
        return false;
    native().host = &host;
    ui_context::create(atlas_side, false);
    return true;
}

void stop() {
    if (native().host == nullptr)
        return;
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ui_context::destroy();
    native() = Native{};
}

void request_frame() {
    native().requested = true;
}
void request_frame_after_change() {
    request_frame();
}
void request_frames_for(float) {
    native().requested = true;
}
float delta_seconds() {
    return std::min(native().step, 0.05F);
}

bool prefers_dark() {
    return true;
}
bool prefers_reduced_motion() {
    return false;
}
bool coarse_pointer() {
    return false;
}
void set_embedded(bool) {}
void set_background(unsigned) {}

void copy_to_clipboard(std::string_view text) {
    native().copied = text;
    if (native().host != nullptr)
        native().host->clipboard_written(true);
}

void open_url(std::string_view url) {
    native().opened = url;
}

namespace headless {

const ImDrawData& run_frame(float width, float height, float scale, float seconds) {
    native().step = seconds;
    native().requested = false;
    ui_context::run_frame(*native().host, {width, height, scale}, seconds);
    const ImDrawData& data = *ImGui::GetDrawData();
    settle_textures(data);
    return data;
}

std::string_view last_copied() {
    return native().copied;
}
std::string_view last_opened() {
    return native().opened;
}
bool frame_requested() {
    return native().requested;
}

} // namespace headless

} // namespace vramscope::platform
