// The interface without a browser: fonts, settings and the answers that event handlers need.
#include "platform/headless.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "imgui.h"
#include "platform/glyph_loader.h"
#include "platform/ui_context.h"

using namespace vramscope::platform;

namespace {

struct TestHost final : Host {
    std::function<void()> paint;
    bool copied = false;
    void frame(float width, float height) override {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({width, height});
        ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
        if (paint)
            paint();
        ImGui::End();
    }
    void clipboard_written(bool success) override { copied = success; }
};

struct Started {
    TestHost host;
    Started() { REQUIRE(start("#canvas", host)); }
    ~Started() { stop(); }
    void frames(int count, float scale = 1) {
        for (int i = 0; i < count; ++i)
            headless::run_frame(800, 600, scale);
    }
};

std::string utf8(char32_t from, char32_t to) {
    std::string text;
    for (char32_t c = from; c < to; ++c) {
        text += static_cast<char>(0xE0 | (c >> 12));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
    return text;
}

} // namespace

TEST_CASE("Starts once, stops, starts again") {
    TestHost host;
    REQUIRE(start("#canvas", host));
    CHECK_FALSE(start("#canvas", host));
    stop();
    REQUIRE(start("#canvas", host));
    headless::run_frame(100, 100);
    stop();
}

TEST_CASE("Nothing blinks and nothing waits: an untouched interface needs no frames") {
    Started app;
    app.host.paint = [] {
        static char buffer[8] = "";
        ImGui::SetKeyboardFocusHere();
        ImGui::InputText("##field", buffer, sizeof buffer);
    };
    app.frames(5);
    CHECK_FALSE(ui_context::needs_more_frames());
    CHECK_FALSE(ImGui::GetIO().ConfigInputTextCursorBlink);
}

TEST_CASE("A held key or button asks for frames until it is let go") {
    Started app;
    app.frames(3);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_DownArrow, true);
    app.frames(3);
    CHECK(ui_context::needs_more_frames());
    ImGui::GetIO().AddKeyEvent(ImGuiKey_DownArrow, false);
    app.frames(3);
    CHECK_FALSE(ui_context::needs_more_frames());
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    app.frames(2);
    CHECK_FALSE(ui_context::needs_more_frames());
}

TEST_CASE("All digits have one width, in every face and at every pixel ratio") {
    Started app;
    for (const float scale : {1.0F, 1.25F, 1.5F, 2.0F, 3.0F}) {
        for (const Face face : {Face::regular, Face::semibold, Face::mono}) {
            float ones = 0;
            float eights = 0;
            float offset = 0;
            app.host.paint = [&] {
                push_text(text_size::title, face);
                ones = ImGui::CalcTextSize("1111111111").x;
                eights = ImGui::CalcTextSize("8888888888").x;
                const ImFontGlyph* glyph = ImGui::GetFontBaked()->FindGlyph('e');
                const float pixels = glyph->AdvanceX * scale;
                offset = std::fabs(pixels - std::round(pixels));
                ImGui::PopFont();
            };
            app.frames(2, scale);
            CHECK(ones > 0.0F);
            CHECK(ones == eights);
            CHECK(offset < 1e-3F); // every advance is a whole number of device pixels
        }
    }
}

TEST_CASE("Text keeps its em and centres its capitals") {
    Started app;
    app.host.paint = [] {
        for (const float size : {text_size::caption, text_size::body, text_size::title,
                                 text_size::heading, text_size::display}) {
            push_text(size);
            const ImFontGlyph* capital = ImGui::GetFontBaked()->FindGlyph('H');
            CHECK(ImGui::GetFontSize() == size);
            const float above = capital->Y0;
            const float below = size - capital->Y1;
            CHECK(std::fabs(above - below) <= 1.5F);
            ImGui::PopFont();
        }
    };
    app.frames(2);
}

TEST_CASE("The glyph atlas stays bounded and recovers") {
    Started app;
    std::string text;
    app.host.paint = [&text] { ImGui::TextWrapped("%s", text.c_str()); };
    for (char32_t block = 0x4E00; block < 0x9C00; block += 2000) {
        text = utf8(block, block + 2000);
        app.frames(3, 3);
        const ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
        CHECK(texture.Width <= 2048);
        CHECK(texture.Height <= 2048);
    }
    // More than fits at once: fallback glyphs, no crash, no endless frames.
    text = utf8(0x4E00, 0x9E00);
    app.frames(200, 3);
    CHECK(glyph_loader::atlas_is_full());
    CHECK(ImGui::GetIO().Fonts->TexData->Width <= 2048);
    text = "Back to normal";
    app.frames(130, 3);
    CHECK_FALSE(glyph_loader::atlas_is_full());
    CHECK_FALSE(ui_context::needs_more_frames());
}

TEST_CASE("The same language again asks for nothing") {
    Started app;
    set_language("ja");
    app.host.paint = [] { set_language("ja"); };
    app.frames(3);
    CHECK_FALSE(ui_context::needs_more_frames());
    CHECK_FALSE(headless::frame_requested());
    set_language("ko");
    CHECK(headless::frame_requested());
    CHECK(ui_context::needs_more_frames());
    set_language("");
}

TEST_CASE("Control characters and joiners take no room, odd code points do no harm") {
    Started app;
    float with_joiner = 0;
    float without = 0;
    app.host.paint = [&] {
        with_joiner = ImGui::CalcTextSize("a\u200D\uFE0Fb").x;
        without = ImGui::CalcTextSize("ab").x;
        ImGui::TextUnformatted("\x01\x7F\xC2\x80 \xF4\x8F\xBF\xBF \xFF\xC0 \U0001F600");
    };
    app.frames(3);
    CHECK(with_joiner == without);
}

TEST_CASE("What a finger finds") {
    Started app;
    ImVec2 slider;
    app.host.paint = [&slider] {
        static float value = 0;
        ImGui::SliderFloat("##slider", &value, 0, 1);
        item_takes_drag(Axis::horizontal);
        slider = ImGui::GetItemRectMin();
        ImGui::BeginChild("list", {0, 200});
        for (int i = 0; i < 100; ++i)
            ImGui::TextUnformatted("row");
        ImGui::EndChild();
    };
    ImGui::GetIO().AddMousePosEvent(20, 12);
    app.frames(3);
    TouchSurface surface = ui_context::touch_surface({slider.x + 5, slider.y + 5});
    CHECK(surface.drag_horizontally);
    CHECK_FALSE(surface.drag_vertically);
    CHECK_FALSE(surface.scroll_down);

    ImGui::GetIO().AddMousePosEvent(50, 100);
    app.frames(2);
    surface = ui_context::touch_surface({50, 100});
    CHECK_FALSE(surface.drag_horizontally);
    CHECK(surface.scroll_down);
    CHECK_FALSE(surface.scroll_up); // already at the top
    CHECK(ui_context::can_scroll(0, 10));
    CHECK_FALSE(ui_context::can_scroll(0, -10));
    CHECK_FALSE(ui_context::can_scroll(10, 0));

    ui_context::scroll_touched(0, -25);
    CHECK(ui_context::needs_more_frames());
    app.frames(2);
    CHECK(ui_context::can_scroll(0, -10));
}

TEST_CASE("The wheel scrolls by the browser's pixels") {
    Started app;
    float scrolled = 0;
    app.host.paint = [&scrolled] {
        ImGui::BeginChild("list", {300, 400});
        scrolled = ImGui::GetScrollY();
        for (int i = 0; i < 200; ++i)
            ImGui::TextUnformatted("row");
        ImGui::EndChild();
    };
    ImGui::GetIO().AddMousePosEvent(50, 100);
    app.frames(3);
    ui_context::add_wheel(0, 120);
    app.frames(3);
    CHECK(scrolled == 120.0F);
    ui_context::add_wheel(0, -20);
    app.frames(3);
    CHECK(scrolled == 100.0F);
}

TEST_CASE("Copying reaches the host") {
    Started app;
    app.host.paint = [] { copy_to_clipboard("text"); };
    app.frames(1);
    CHECK(headless::last_copied() == "text");
    CHECK(app.host.copied);
}

TEST_CASE("Lines are placed on device pixels") {
    Started app;
    app.frames(1, 1.5F);
    CHECK(std::fabs(device_pixel() - 1 / 1.5F) < 1e-6F);
    const float edge = snap(10.4F) * 1.5F;
    CHECK(std::fabs(edge - std::round(edge)) < 1e-4F);
}
