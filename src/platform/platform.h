// The place the user interface runs in: a canvas in a browser page, or nothing at all (native
// tests). The application includes this header and imgui.h, never a browser header.
//
//     struct App : platform::Host {
//         void frame(float width, float height) override { /* ImGui::Begin … ImGui::End */ }
//     };
//     if (!platform::start("#canvas", app)) { /* no WebGL2: the page shows its HTML twin */ }
//
// Units: lengths are CSS pixels (the layout unit); device pixels appear only where named.
// Threads: everything runs on the browser's main thread.
// Drawing is on demand: a frame is drawn after input, after request_frame() and while
// request_frames_for() lasts. Otherwise there are no frames and no timers.
#pragma once

#include <string_view>

struct ImFont;

namespace vramscope::platform {

/// What the platform calls. One Host per started platform; it must outlive stop().
struct Host {
    virtual ~Host() = default;
    /// Builds the interface, between ImGui::NewFrame() and ImGui::Render(). It may run twice for
    /// one picture (input is handled inside the browser's own event, so that clipboard and links
    /// are allowed): change state only in answer to widgets.
    virtual void frame(float width, float height) = 0;
    /// The preferred theme, motion or pointer changed; a frame follows by itself.
    virtual void environment_changed() {}
    /// The GPU took the drawing context away: say so in HTML, the canvas is blank.
    virtual void context_lost() {}
    /// Drawing works again; a frame follows by itself.
    virtual void context_restored() {}
    /// The answer to copy_to_clipboard(); false means that the browser refused. Show either.
    virtual void clipboard_written(bool success) { static_cast<void>(success); }
};

/// Takes the canvas, creates the WebGL2 and ImGui contexts and listens for input. False, with
/// nothing left behind, when there is no such canvas or no WebGL2.
[[nodiscard]] bool start(const char* canvas_selector, Host& host);

/// Removes every listener, the text field and both contexts. start() may be called again.
void stop();

/// Something visible changed outside of input (data arrived): draw soon.
void request_frame();
/// Called from within a frame, whose input changed something: draw that.
void request_frame_after_change();
/// Keep drawing for so long (an animation); longer wishes win over shorter ones.
void request_frames_for(float seconds);
/// Time since the previous frame for animations: never more than 0.05 s, so that a movement that
/// starts after an idle hour begins at its beginning. (ImGui's own DeltaTime is nearer the truth,
/// because double clicks and tooltips are told by it.)
[[nodiscard]] float delta_seconds();

// The environment; all false before start().
[[nodiscard]] bool prefers_dark();
[[nodiscard]] bool prefers_reduced_motion();
/// The main pointer is a finger: make targets 44 px high.
[[nodiscard]] bool coarse_pointer();

/// Inside a page of somebody else: the wheel then belongs to that page until the canvas is
/// focused. On by itself inside an iframe.
void set_embedded(bool embedded);

// Text. Sizes are the em in CSS pixels; ImGui's line height equals it, and capitals and digits
// stand in the middle of that height. Digits of a face all have the same advance.
enum class Face { regular, semibold, mono };
namespace text_size {
inline constexpr float caption = 12;
inline constexpr float body = 14;
inline constexpr float title = 17;
inline constexpr float heading = 22;
inline constexpr float display = 26;
} // namespace text_size
[[nodiscard]] ImFont* font(Face face);
/// ImGui::PushFont() for a face and size; undo with ImGui::PopFont().
void push_text(float size, Face face = Face::regular);
/// BCP 47 tag of the interface ("ja"): chooses the regional form of Han characters. May be called
/// in every frame.
void set_language(std::string_view tag);

// Pixels.
/// One device pixel: the thinnest crisp line.
[[nodiscard]] float device_pixel();
/// The nearest device pixel edge: lines and boxes placed there are not smeared.
[[nodiscard]] float snap(float position);
/// Colour behind everything, 0xRRGGBB.
void set_background(unsigned rgb);

// Touch and keyboard help for the last ImGui item.
enum class Axis { horizontal, vertical, both };
/// A finger that starts on this item and moves along `axis` drags it (sliders, plots); along the
/// other axis it scrolls, as it does everywhere else.
void item_takes_drag(Axis axis);
/// For a text field, right after it: what a phone keyboard should offer, and what a screen reader
/// calls the field. Ignored unless the field is active.
void describe_text_field(std::string_view label, bool numeric);

/// Copies text. The browser allows it in answer to a click or key; the host hears the outcome.
void copy_to_clipboard(std::string_view text);
/// Opens an http(s) address in a new tab; other schemes are refused.
void open_url(std::string_view url);

} // namespace vramscope::platform
