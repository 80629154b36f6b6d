// A page painted without a browser, and a hand to use it with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/canvas_ui.h"
#include "app/view_model.h"
#include "app/widgets.h" // ImGui with its operators
#include "platform/headless.h"
#include "platform/platform.h"

namespace vramscope::app::test {

class PaintedPage final : public platform::Host {
public:
    ViewModel view;
    PaintState state;
    PaintLog log;
    /// Everything that was done since the last clear().
    std::vector<Action> actions;

    PaintedPage(ViewModel content, float width, float height)
        : view(std::move(content)), width_(width), height_(height) {
        started_ = platform::start("#canvas", *this);
        prepare_imgui();
        state.fonts = {platform::font(platform::Face::regular),
                       platform::font(platform::Face::semibold),
                       platform::font(platform::Face::mono)};
        state.log = &log;
        frames(4);
    }
    ~PaintedPage() {
        if (started_)
            platform::stop();
    }
    PaintedPage(const PaintedPage&) = delete;
    PaintedPage& operator=(const PaintedPage&) = delete;

    void frame(float width, float height) override {
        state.delta_seconds = platform::delta_seconds();
        std::vector<Action> done;
        paint(view, state, width, height, done);
        actions.insert(actions.end(), done.begin(), done.end());
    }

    const ImDrawData& draw() { return platform::headless::run_frame(width_, height_, scale_); }
    void frames(int count) {
        for (int i = 0; i < count; ++i)
            draw();
    }
    void resize(float width, float height, float scale = 1) {
        width_ = width;
        height_ = height;
        scale_ = scale;
        frames(4);
    }
    float width() const { return width_; }
    float height() const { return height_; }

    /// The item of that name that was painted last, as what lies on top is painted last.
    const PaintLog::Item* find(std::string_view name) const {
        const PaintLog::Item* found = nullptr;
        for (const PaintLog::Item& item : log.items)
            if (item.name == name)
                found = &item;
        return found;
    }
    bool shows(std::string_view text) const {
        for (const PaintLog::Text& painted : log.texts)
            if (painted.text.find(text) != std::string::npos)
                return true;
        return false;
    }

    // The pointer
    void move(float x, float y) {
        ImGui::GetIO().AddMousePosEvent(x, y);
        frames(2);
    }
    void press() {
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        frames(2);
    }
    void release() {
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        frames(2);
    }
    /// A click in the middle of an item; false when there is none of that name.
    bool click(std::string_view name) {
        const PaintLog::Item* item = find(name);
        if (item == nullptr)
            return false;
        move((item->box.left + item->box.right) / 2, (item->box.top + item->box.bottom) / 2);
        press();
        release();
        return true;
    }

    // The keyboard
    void key(ImGuiKey which) {
        ImGui::GetIO().AddKeyEvent(which, true);
        frames(2);
        ImGui::GetIO().AddKeyEvent(which, false);
        frames(2);
    }
    void type(const char* text) {
        ImGui::GetIO().AddInputCharactersUTF8(text);
        frames(3);
    }

    /// What was done last, or nothing.
    Action last() const { return actions.empty() ? Action{} : actions.back(); }

    /// The values that a field was set to.
    std::vector<std::string> values_of(std::string_view field) const {
        std::vector<std::string> values;
        for (const Action& action : actions)
            if (action.kind == Action::Kind::set_field && action.key == field)
                values.push_back(action.value);
        return values;
    }

    std::string last_value(std::string_view field) const {
        const std::vector<std::string> values = values_of(field);
        return values.empty() ? std::string() : values.back();
    }

private:
    float width_;
    float height_;
    float scale_ = 1;
    bool started_ = false;
};

} // namespace vramscope::app::test
