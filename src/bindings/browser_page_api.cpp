#include "bindings/page_api.h"

#include <emscripten.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/app.h"
#include "app/canvas_ui.h"
#include "bindings/action_json.h"
#include "bindings/export_json.h"
#include "platform/platform.h"

// clang-format off
EM_JS(void, vs_page_tell, (const char* name, const char* text), {
    const listener = Module[UTF8ToString(name)];
    if (listener) listener(UTF8ToString(text));
});
EM_JS(void, vs_page_signal, (const char* name, int value), {
    const listener = Module[UTF8ToString(name)];
    if (listener) listener(!!value);
});
// clang-format on

namespace vramscope::bindings {
namespace {

char* to_c_text(const std::string& text) {
    auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy != nullptr)
        std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

char* error_text(const catalog::Error& error) {
    return to_c_text(app::error_json(error));
}

void hook_takes_drag(bool horizontal, bool vertical) {
    using platform::Axis;
    platform::item_takes_drag(horizontal && vertical ? Axis::both
                              : horizontal           ? Axis::horizontal
                                                     : Axis::vertical);
}
void hook_text_field(std::string_view label, bool numeric) {
    platform::describe_text_field(label, numeric);
}

/// The application on its canvas.
class Page final : public platform::Host {
public:
    app::App application;

    bool start(const char* canvas_selector) {
        if (!platform::start(canvas_selector, *this))
            return false;
        app::prepare_imgui();
        paint_state_.fonts = {platform::font(platform::Face::regular),
                              platform::font(platform::Face::semibold),
                              platform::font(platform::Face::mono)};
        paint_state_.hooks = {hook_takes_drag, hook_text_field};
        started_ = true;
        platform::request_frame();
        return true;
    }
    void stop() {
        if (started_)
            platform::stop();
        started_ = false;
    }

    void apply(const app::Action& action) {
        act(action);
        changed();
    }
    bool work(double milliseconds) {
        const unsigned before = application.revision();
        application.work(emscripten_get_now, milliseconds);
        if (before != application.revision())
            changed();
        return application.has_work();
    }
    /// Data or state changed outside of the canvas.
    void changed() {
        publish();
        if (started_)
            platform::request_frame();
    }

    void frame(float width, float height) override {
        if (!application.ready())
            return;
        paint_state_.prefers_dark = platform::prefers_dark();
        paint_state_.coarse_pointer = platform::coarse_pointer();
        paint_state_.reduced_motion = platform::prefers_reduced_motion();
        paint_state_.delta_seconds = platform::delta_seconds();
        platform::set_language(application.state().language);
        actions_.clear();
        app::paint(application.view(), paint_state_, width, height, actions_);
        for (const app::Action& action : actions_) {
            if (action.kind == app::Action::Kind::open_link)
                platform::open_url(action.value);
            act(action);
            platform::request_frame_after_change();
        }
        platform::set_background(paint_state_.background);
        if (paint_state_.frames_for > 0)
            platform::request_frames_for(paint_state_.frames_for);
        const bool dragging = ImGui::IsMouseDown(ImGuiMouseButton_Left);
        const double now = emscripten_get_now();
        if (!dragging || now - last_published_ms_ >= publish_interval_ms)
            publish();
    }
    void environment_changed() override { platform::request_frame(); }
    void context_lost() override { vs_page_signal("onContext", 1); }
    void context_restored() override { vs_page_signal("onContext", 0); }
    void clipboard_written(bool success) override {
        vs_page_signal("onClipboard", success ? 1 : 0);
    }

private:
    static constexpr double publish_interval_ms = 100;

    void act(const app::Action& action) {
        if (action.kind == app::Action::Kind::open_files)
            vs_page_signal("onOpenFiles", 1);
        application.apply(action);
        std::string copied = application.take_clipboard_text();
        if (action.kind == app::Action::Kind::export_as)
            copied += export_more(action.value);
        if (!copied.empty())
            platform::copy_to_clipboard(copied);
    }
    /// What the application leaves to its host.
    [[gnu::noinline]] std::string export_more(const std::string& what) {
        if (what == "picture")
            vs_page_signal("onPicture", 1);
        return what == "json" ? export_json(application.state().query, application.catalog())
                              : std::string();
    }

    void publish() {
        if (!application.ready())
            return;
        const app::ViewModel& view = application.view();
        if (application.revision() == published_revision_)
            return;
        published_revision_ = application.revision();
        last_published_ms_ = emscripten_get_now();
        vs_page_tell("onView", app::view_json(view).c_str());
        vs_page_tell("onUrl", application.url().c_str());
        if (application.state().modes.mode != app::Mode::simulator && application.has_work())
            vs_page_signal("onWork", 1);
    }

    app::PaintState paint_state_;
    std::vector<app::Action> actions_;
    bool started_ = false;
    unsigned published_revision_ = 0;
    double last_published_ms_ = 0;
};

Page& page() {
    static Page instance;
    return instance;
}

} // namespace
} // namespace vramscope::bindings

using vramscope::bindings::page;

int vs_app_start(const char* canvas_selector) {
    return page().start(canvas_selector) ? 1 : 0;
}
void vs_app_stop() {
    page().stop();
}

char* vs_app_catalog(const char* json, std::size_t length) {
    const auto loaded = page().application.load_catalog({json, length});
    if (!loaded)
        return vramscope::bindings::error_text(loaded.error());
    page().changed();
    return nullptr;
}

char* vs_app_locale(const char* json, std::size_t length) {
    const auto loaded = page().application.load_locale({json, length});
    if (!loaded)
        return vramscope::bindings::error_text(loaded.error());
    page().changed();
    return nullptr;
}

void vs_app_url(const char* query, std::size_t length) {
    page().application.open_url({query, length});
    page().changed();
}

char* vs_app_action(const char* json, std::size_t length) {
    const auto action = vramscope::bindings::action_from_json({json, length});
    if (!action)
        return vramscope::bindings::error_text(action.error());
    page().apply(*action);
    return nullptr;
}

int vs_app_work(double milliseconds) {
    return page().work(milliseconds) ? 1 : 0;
}

void vs_app_settle() {
    page().application.settle();
}

char* vs_app_view() {
    if (!page().application.ready())
        return nullptr;
    return vramscope::bindings::to_c_text(vramscope::app::view_json(page().application.view()));
}
