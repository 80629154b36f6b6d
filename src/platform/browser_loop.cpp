// Start, stop and the frame loop in the browser.
#include <emscripten/html5.h>

#include <algorithm>
#include <array>
#include <memory>

#include "imgui.h"
#include "platform/browser_gl.h"
#include "platform/browser_js.h"
#include "platform/browser_session.h"

namespace vramscope::platform {
namespace {

// Beyond this, glyphs are forgotten and drawn anew: 64 MB of GPU memory.
constexpr int largest_atlas_side = 4096;

std::unique_ptr<BrowserSession> current;
unsigned frame_count = 0;
unsigned background = 0x0e1116;

double now_seconds() {
    return emscripten_get_now() / 1000;
}

const char* css_cursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
    case ImGuiMouseCursor_None:
        return "none";
    case ImGuiMouseCursor_TextInput:
        return "text";
    case ImGuiMouseCursor_ResizeAll:
        return "move";
    case ImGuiMouseCursor_ResizeNS:
        return "ns-resize";
    case ImGuiMouseCursor_ResizeEW:
        return "ew-resize";
    case ImGuiMouseCursor_ResizeNESW:
        return "nesw-resize";
    case ImGuiMouseCursor_ResizeNWSE:
        return "nwse-resize";
    case ImGuiMouseCursor_Hand:
        return "pointer";
    case ImGuiMouseCursor_Wait:
        return "wait";
    case ImGuiMouseCursor_Progress:
        return "progress";
    case ImGuiMouseCursor_NotAllowed:
        return "not-allowed";
    default:
        return "default";
    }
}

void run_frame(BrowserSession& s) {
    s.pacer.begin_frame(now_seconds());
    if (s.frames_until_hover_ends > 0 && --s.frames_until_hover_ends == 0)
        ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    ui_context::run_frame(s.host, s.size, s.pacer.step());
    ++frame_count;
    const ui_context::TextField field = ui_context::active_text_field();
    if (s.wants_text)
        browser_js::describe_text(field.label, field.numeric);
}

bool visible(const BrowserSession& s) {
    return s.device_width > 0 && s.device_height > 0;
}

void request_animation_frame(BrowserSession& s);

void draw(BrowserSession& s) {
    if (s.context_lost || !visible(s))
        return;
    run_frame(s);
    browser_js::set_cursor(css_cursor(ImGui::GetMouseCursor()));
    browser_events::follow_focus(false);
    s.renderer.draw(*ImGui::GetDrawData(), s.device_width, s.device_height, background);
    const bool more = s.pacer.frame_due(now_seconds()) || ui_context::needs_more_frames() ||
                      s.frames_until_hover_ends > 0;
    if (more)
        request_animation_frame(s);
}

bool on_animation_frame(double, void*) {
    if (!current)
        return false;
    current->animation_frame = 0;
    // Not every change of the ratio is announced; the size report then draws.
    const auto ratio = static_cast<float>(emscripten_get_device_pixel_ratio());
    if (ratio != current->size.scale)
        browser_js::measure();
    else
        draw(*current);
    return false;
}

void request_animation_frame(BrowserSession& s) {
    if (s.animation_frame != 0 || s.context_lost || !visible(s))
        return;
    s.animation_frame = emscripten_request_animation_frame(on_animation_frame, nullptr);
}

bool environment_has(unsigned flag) {
    return current && (current->environment & flag) != 0;
}

} // namespace

BrowserSession* session() {
    return current.get();
}

void note_input() {
    current->pacer.input();
    request_animation_frame(*current);
}

void note_release() {
    BrowserSession& s = *current;
    const bool shows = ImGui::IsAnyItemActive();
    if (visible(s) && !shows && s.animation_frame == 0)
        run_frame(s);
    if (shows || ui_context::needs_more_frames())
        s.pacer.release();
    if (s.pacer.frame_due(now_seconds()))
        request_animation_frame(s);
}

void handle_input_now() {
    BrowserSession& s = *current;
    if (!visible(s))
        return;
    // ImGui takes one step of a key or a button a frame: a tap is four, and on a busy machine what
    // was typed just before waits in front of it.
    constexpr int most_frames = 64;
    for (int i = 0; i < most_frames; ++i) {
        const bool last = !ui_context::has_queued_input();
        run_frame(s);
        if (last)
            break;
    }
    note_input();
}

void draw_now() {
    current->pacer.input();
    draw(*current);
}

bool start(const char* canvas_selector, Host& host) {
    if (current || !browser_js::attach(canvas_selector))
        return false;
    Renderer renderer;
    if (!browser_gl::open_context() || !renderer.create()) {
        browser_js::detach();
        return false;
    }
    current = std::make_unique<BrowserSession>(host);
    BrowserSession& s = *current;
    s.renderer = renderer;
    s.environment = browser_js::environment();
    s.embedded = (s.environment & browser_js::environment_embedded) != 0;
    ui_context::create(std::min(largest_atlas_side, renderer.largest_texture_side()),
                       (s.environment & browser_js::environment_mac) != 0);
    browser_events::listen();
    browser_js::watch_size();
    return true;
}

void stop() {
    if (!current)
        return;
    if (current->animation_frame != 0)
        emscripten_cancel_animation_frame(current->animation_frame);
    current->renderer.destroy();
    ui_context::destroy();
    browser_js::detach();
    current.reset();
}

void request_frame() {
    if (current)
        note_input();
}

void request_frame_after_change() {
    if (!current)
        return;
    current->pacer.change();
    request_animation_frame(*current);
}

void request_frames_for(float seconds) {
    if (!current)
        return;
    current->pacer.animate_until(now_seconds() + static_cast<double>(seconds));
    request_animation_frame(*current);
}

float delta_seconds() {
    return current ? current->pacer.animation_step() : 0;
}

bool prefers_dark() {
    return environment_has(browser_js::environment_dark);
}

bool prefers_reduced_motion() {
    return environment_has(browser_js::environment_reduced_motion);
}

bool coarse_pointer() {
    return environment_has(browser_js::environment_coarse_pointer);
}

void set_embedded(bool embedded) {
    if (current)
        current->embedded = embedded;
}

void set_background(unsigned rgb) {
    if (background == rgb)
        return;
    background = rgb;
    request_frame();
}

void copy_to_clipboard(std::string_view text) {
    if (current)
        browser_js::write_clipboard(text, true);
}

void open_url(std::string_view url) {
    browser_js::open_url(url);
}

} // namespace vramscope::platform

/// For tests and the page: frames built since the program began. Stands still when idle.
extern "C" EMSCRIPTEN_KEEPALIVE unsigned vs_frame_count() {
    return vramscope::platform::frame_count;
}

/// The browser took the drawing context away, or gave a new one.
extern "C" EMSCRIPTEN_KEEPALIVE void vs_on_context(int restored) {
    using namespace vramscope::platform;
    BrowserSession& s = *session();
    if (restored == 0) {
        s.context_lost = true;
        if (s.animation_frame != 0)
            emscripten_cancel_animation_frame(s.animation_frame);
        s.animation_frame = 0;
        s.host.context_lost();
        return;
    }
    if (!s.renderer.create())
        return;
    Renderer::forget_textures();
    s.context_lost = false;
    s.host.context_restored();
    note_input();
}
