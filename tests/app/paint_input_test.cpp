// Using the painted page: what pointer and keyboard do, as Actions.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/painted_page.h"
#include "app/panels/context_plot.h"
#include "app/sample_view.h"
#include "app/widgets_slider.h"

using namespace vramscope::app;
using namespace vramscope::app::test;

namespace {

Control context_control() {
    const ViewModel view = sample_view();
    return *std::find_if(view.controls.begin(), view.controls.end(),
                         [](const Control& control) { return control.id == "n_ctx"; });
}

using Values = std::vector<std::string>;

/// Applies what was done to the context, as the application would.
void follow_context(PaintedPage& page) {
    const std::string value = page.last_value("n_ctx");
    if (value.empty())
        return;
    for (Control& control : page.view.controls)
        if (control.id == "n_ctx")
            page.view.context_plot.current_tokens = control.value = std::stod(value);
    page.frames(1);
}

bool has_keyboard(const PaintedPage& page, std::string_view name) {
    const PaintLog::Item* item = page.find(name);
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (item == nullptr || g.NavId == 0 || g.NavWindow == nullptr || !g.NavCursorVisible)
        return false;
    const ImRect focused =
        ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[ImGuiNavLayer_Main]);
    return std::abs(focused.Min.x - item->box.left) < 1 &&
           std::abs(focused.Min.y - item->box.top) < 1;
}

/// Presses Tab until the item has the keyboard.
bool tab_to(PaintedPage& page, std::string_view name) {
    for (int i = 0; i < 60; ++i) {
        if (has_keyboard(page, name))
            return true;
        page.key(ImGuiKey_Tab);
    }
    return false;
}

} // namespace

TEST_CASE("A logarithmic slider stops at powers of two, its marks and its ends") {
    const Control control = context_control();
    CHECK(slider_stops(control) ==
          std::vector<double>{2048, 4096, 8192, 16384, 32768, 65536, 131072});
    CHECK(snapped_value(control, 0, false) == 2048);
    CHECK(snapped_value(control, 1, false) == 131072);
    // Half way between 2^11 and 2^17 is 2^14.
    CHECK(snapped_value(control, 0.5, false) == 16384);
    CHECK(snapped_value(control, 0.58, false) == 16384);
    CHECK(snapped_value(control, 0.59, false) == 32768);
    // Finely, multiples of 256: 2^(11 + 6 * 0.58) = 22,853.
    CHECK(snapped_value(control, 0.58, true) == 22784);

    Control odd = control;
    odd.maximum = 200000;
    odd.marks.push_back({40960, "40K", Tone::accent});
    CHECK(slider_stops(odd) ==
          std::vector<double>{2048, 4096, 8192, 16384, 32768, 40960, 65536, 131072, 200000});
    CHECK(next_stop(odd, 40960, 1, false) == 65536);
    CHECK(next_stop(odd, 40960, -1, false) == 32768);
    CHECK(next_stop(odd, 50000, -1, false) == 40960);
    CHECK(next_stop(odd, 200000, 1, false) == 200000);
    CHECK(next_stop(odd, 2048, -1, false) == 2048);
    CHECK(next_stop(odd, 40960, 1, true) == 41216);
}

TEST_CASE("Pointing into the plot means whole kibitokens, and powers of two nearby") {
    using panels::plot_tokens;
    CHECK(plot_tokens(50000, 100, 256, 131072) == 50176);
    CHECK(plot_tokens(65000, 100, 256, 131072) == 65536);
    CHECK(plot_tokens(33000, 100, 256, 131072) == 32768);
    CHECK(plot_tokens(34000, 100, 256, 131072) == 33792);
    CHECK(plot_tokens(-5, 100, 256, 131072) == 256);
    CHECK(plot_tokens(400000, 100, 256, 131072) == 131072);
}

TEST_CASE("Dragging the context slider") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.find("n_ctx:track") != nullptr);
    const PaintLog::Item track = *page.find("n_ctx:track");
    const float middle = (track.box.top + track.box.bottom) / 2;
    const auto x_at = [&](float part) {
        return track.box.left + 9 + part * (track.box.right - track.box.left - 18);
    };
    page.move(x_at(4.0F / 6), middle); // 2^15, where it is
    page.press();
    CHECK(page.values_of("n_ctx") == Values{});
    page.move(x_at(2.1F / 6), middle);
    CHECK(page.last_value("n_ctx") == "8192");
    follow_context(page);
    page.actions.clear();
    page.move(x_at(2.3F / 6), middle); // still the same stop: nothing new
    CHECK(page.values_of("n_ctx") == Values{});
    page.move(page.width() - 1, 5); // far beyond the end
    CHECK(page.last_value("n_ctx") == "131072");
    follow_context(page);
    page.release();
    page.actions.clear();
    page.move(x_at(0.2F), middle);
    CHECK(page.actions.empty());
}

TEST_CASE("Dragging in the plot") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.find("plot") != nullptr);
    const PaintLog::Item plot = *page.find("plot");
    const float middle = (plot.box.top + plot.box.bottom) / 2;
    // The plot shows 2,048 to 196,608 tokens.
    const auto x_of = [&](double tokens) {
        const double part = (tokens - 2048) / (196608 - 2048);
        return plot.box.left + static_cast<float>(part) * (plot.box.right - plot.box.left);
    };
    page.move(x_of(65300), middle);
    page.press();
    CHECK(page.last_value("n_ctx") == "65536");
    follow_context(page);
    page.move(x_of(100352), middle);
    REQUIRE_FALSE(page.values_of("n_ctx").empty());
    const double tokens = std::stod(page.last_value("n_ctx"));
    CHECK(std::abs(tokens - 100352) <= 1024);
    CHECK(static_cast<long>(tokens) % 1024 == 0);
    page.move(x_of(190000), middle); // the control ends at 131,072
    CHECK(page.last_value("n_ctx") == "131072");
    page.release();
}

TEST_CASE("Arrow keys move a focused slider and leave the focus where it is") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(tab_to(page, "n_ctx:track"));
    page.key(ImGuiKey_RightArrow);
    CHECK(page.last_value("n_ctx") == "65536");
    follow_context(page);
    CHECK(has_keyboard(page, "n_ctx:track"));
    page.key(ImGuiKey_LeftArrow);
    CHECK(page.last_value("n_ctx") == "32768");
    follow_context(page);
    page.key(ImGuiKey_End);
    CHECK(page.last_value("n_ctx") == "131072");
    CHECK(has_keyboard(page, "n_ctx:track"));
}

TEST_CASE("Tab reaches every kind of item, in order") {
    PaintedPage page(sample_view(), 1440, 900);
    for (const char* name : {"search", "language", "unit:GiB", "theme", "share", "artifact",
                             "engine:llama.cpp", "hardware", "n_ctx:track", "n_ctx:entry",
                             "n_seq:less", "type_k:F16", "reset", "tab:context", "plot", "copy"}) {
        INFO(name);
        if (std::string_view(name) == "search" || std::string_view(name) == "n_seq:less")
            continue; // a text field reports no place; less than the least is not offered
        CHECK(tab_to(page, name));
    }
}

TEST_CASE("A select opens, is searched and taken from by keyboard") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.click("hardware"));
    REQUIRE(page.find("filter") != nullptr);
    page.type("rtx 40");
    CHECK(page.find("RTX 4090 24GB") != nullptr);
    CHECK(page.find("Apple M-Max 64GB") == nullptr);
    page.key(ImGuiKey_DownArrow);
    page.key(ImGuiKey_Enter);
    CHECK(page.values_of("hardware") == Values{"RTX 4090 24GB"});
    CHECK(page.find("filter") == nullptr);

    page.actions.clear();
    REQUIRE(page.click("hardware"));
    page.key(ImGuiKey_Escape);
    page.frames(2);
    CHECK(page.find("filter") == nullptr);
    CHECK(page.actions.empty());

    REQUIRE(page.click("hardware"));
    REQUIRE(page.click("Mac Studio 128GB"));
    CHECK(page.values_of("hardware") == Values{"Mac Studio 128GB"});
}

TEST_CASE("Folded segments are behind the last one") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.click("engine:Ollama"));
    CHECK(page.values_of("engine") == Values{"Ollama"});
    page.actions.clear();
    CHECK(page.find("engine:Transformers") == nullptr);
    REQUIRE(page.click("engine:more"));
    page.frames(2);
    REQUIRE(page.click("Transformers"));
    CHECK(page.values_of("engine") == Values{"Transformers"});
    // The chosen one is always shown.
    for (Control& control : page.view.controls)
        for (Choice& choice : control.choices)
            if (control.id == "engine")
                choice.selected = choice.label == "Transformers";
    page.frames(2);
    CHECK(page.find("engine:Transformers") != nullptr);
}

TEST_CASE("The search asks while one types, and takes a result by keyboard or pointer") {
    PaintedPage page(sample_view(), 1440, 900);
    page.key(ImGuiKey_Slash);
    page.frames(2);
    page.type("glm");
    CHECK(page.last() == Action{Action::Kind::search, "", "glm"});
    page.view.search_results = {choice("GLM-4-9B-0414", "", field_action("model", "glm-4-9b-0414")),
                                choice("GLM-4.5-Air", "", field_action("model", "glm-4.5-air"))};
    page.frames(3);
    page.actions.clear();
    page.key(ImGuiKey_DownArrow);
    page.key(ImGuiKey_Enter);
    CHECK(page.values_of("model") == Values{"glm-4.5-air"});
    CHECK(page.last() == Action{Action::Kind::search, "", ""});

    page.actions.clear();
    page.frames(3);
    REQUIRE(page.click("search"));
    page.type("glm");
    REQUIRE(page.click("GLM-4-9B-0414"));
    CHECK(page.values_of("model") == Values{"glm-4-9b-0414"});
}

TEST_CASE("Values are typed in: Enter takes them, Escape drops them") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.click("n_ctx:entry"));
    page.frames(3);
    page.type("50000");
    CHECK(page.values_of("n_ctx") == Values{});
    page.key(ImGuiKey_Enter);
    CHECK(page.values_of("n_ctx") == Values{"50000"});

    page.actions.clear();
    page.frames(3);
    REQUIRE(page.click("n_ctx:entry"));
    page.frames(3);
    page.type("123");
    page.key(ImGuiKey_Escape);
    CHECK(page.values_of("n_ctx") == Values{});

    // Leaving the field takes the input as well.
    REQUIRE(page.click("host_memory_gib"));
    page.type("64");
    REQUIRE(page.click("theme"));
    CHECK(page.values_of("host_memory_gib") == Values{"64"});
}

TEST_CASE("Steppers step within their range") {
    PaintedPage page(sample_view(), 1440, 900);
    REQUIRE(page.click("n_seq:less")); // already the least
    CHECK(page.values_of("n_seq") == Values{});
    REQUIRE(page.click("n_seq:more"));
    CHECK(page.values_of("n_seq") == Values{"2"});
}

TEST_CASE("Header, tabs, rows, links and copying") {
    PaintedPage page(sample_view(), 1440, 1600);
    REQUIRE(page.click("unit:GB"));
    CHECK(page.last() == Action{Action::Kind::set_unit, "", "gb"});
    REQUIRE(page.click("theme"));
    CHECK(page.last() == Action{Action::Kind::set_theme, "", "light"});
    REQUIRE(page.click("language"));
    REQUIRE(page.click("日本語"));
    CHECK(page.last() == Action{Action::Kind::set_language, "", "ja"});
    REQUIRE(page.click("share"));
    CHECK(page.last().kind == Action::Kind::copy_link);
    CHECK(page.state.frames_for > 0.0F);
    page.frames(120);
    CHECK(page.state.frames_for == 0.0F);
    REQUIRE(page.click("copy"));
    CHECK(page.last() == Action{Action::Kind::copy_text, "", page.view.commands[0].text});
    CHECK(page.shows("Copied"));
    REQUIRE(page.click("commands:vLLM"));
    REQUIRE(page.click("copy"));
    CHECK(page.last() == Action{Action::Kind::copy_text, "", page.view.commands[2].text});
    REQUIRE(page.click("reset"));
    CHECK(page.last().kind == Action::Kind::reset);
    REQUIRE(page.click("tab:hardware"));
    CHECK(page.last() == Action{Action::Kind::select_tab, "", "hardware"});

    page.view = sample_view(Wording::english, "dark", "model");
    page.frames(3);
    REQUIRE(page.click("Checkpoint"));
    CHECK(page.last() == Action{Action::Kind::open_link, "", page.view.architecture[0].url});

    page.view = sample_view(Wording::english, "dark", "hardware");
    page.frames(3);
    std::vector<PaintLog::Item> rows;
    for (const PaintLog::Item& item : page.log.items)
        if (item.name == "hardware:row")
            rows.push_back(item);
    REQUIRE(rows.size() == page.view.hardware.rows.size());
    page.move(rows[3].box.left + 40, rows[3].box.top + 12);
    page.press();
    page.release();
    CHECK(page.values_of("hardware") == Values{"RTX 3090 24GB"});
}

TEST_CASE("On a phone the set-up is a sheet and the slider stays at the bottom") {
    PaintedPage page(sample_view(), 390, 844);
    page.state.coarse_pointer = true;
    page.frames(3);
    CHECK(page.find("artifact") == nullptr);
    REQUIRE(page.find("n_ctx:track") != nullptr);
    CHECK(page.find("n_ctx:track")->box.top > 700.0F);
    REQUIRE(page.click("setup"));
    page.frames(3);
    REQUIRE(page.find("artifact") != nullptr);
    CHECK(page.find("artifact")->box.bottom - page.find("artifact")->box.top == 44.0F);
    // Further down the sheet scrolls.
    page.move(200, 700);
    ImGui::GetIO().AddMouseWheelEvent(0, -3);
    page.frames(3);
    REQUIRE(page.click("type_k:Q8"));
    CHECK(page.values_of("type_k") == Values{"q8_0"});
    page.key(ImGuiKey_Escape);
    page.frames(2);
    CHECK(page.find("artifact") == nullptr);
}
