#include "app/hardware_items.h"

#include <catch2/catch_test_macros.hpp>

#include "app/gpu_hint.h"
#include "support/app.h"
#include "support/catalog.h"

using namespace vramscope;
using app::Action;
using test::control;
using test::ready_app;

namespace {

std::string device(const char* renderer) {
    const catalog::HardwareEntry* found = app::device_in(renderer, test::shared_catalog());
    return found != nullptr ? found->id : "";
}

} // namespace

TEST_CASE("Devices are added, counted, replaced and taken away one by one") {
    app::App app = ready_app("en");
    app.open_url("?hardware=rtx-3090-24gb,rtx-4090-24gb*2");
    CHECK(control(app.view(), "hardware").value_text == "RTX 3090 24GB");
    CHECK(control(app.view(), "hardware_1").value_text == "RTX 4090 24GB");
    CHECK(control(app.view(), "hardware_count_1").value == 2);
    app.apply({Action::Kind::set_field, "hardware_count_1", "3"});
    CHECK(app.state().query.value(catalog::Field::hardware) == "rtx-3090-24gb,rtx-4090-24gb*3");
    app.apply({Action::Kind::set_field, "hardware_count", "0"});
    CHECK(app.state().query.value(catalog::Field::hardware) == "rtx-4090-24gb*3");
    // The last device stays.
    app.apply({Action::Kind::set_field, "hardware_count", "0"});
    CHECK(app.view().messages.size() == 1);
    CHECK(control(app.view(), "hardware_count").value == 3);
    app.apply({Action::Kind::show_advanced, {}, "1"});
    const std::vector<app::Choice> more = control(app.view(), "hardware_add").choices;
    for (const app::Choice& choice : more)
        if (choice.label == "RTX 3060 12GB")
            app.apply(choice.action);
    CHECK(app.state().query.value(catalog::Field::hardware) == "rtx-4090-24gb*3,rtx-3060-12gb");
}

TEST_CASE("A device of one's own has a memory and a bandwidth") {
    app::App app = ready_app("de");
    app.open_url("?hardware=custom:24:936");
    CHECK(control(app.view(), "custom_memory").value == 24);
    CHECK(control(app.view(), "custom_bandwidth").value == 936);
    app.apply({Action::Kind::set_field, "custom_memory", "31,5"});
    CHECK(app.state().query.value(catalog::Field::hardware) == "custom:31.5:936");
}

// Renderer strings as browsers give them: ANGLE on Windows, on macOS, Mesa.
TEST_CASE("The browser's name of a GPU finds its device") {
    CHECK(device("ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 Ti SUPER (0x00002705) Direct3D11 vs_5_0 "
                 "ps_5_0, D3D11)")
              .starts_with("rtx-4070-ti-super"));
    CHECK(device("ANGLE (NVIDIA, NVIDIA GeForce RTX 3090 Direct3D11 vs_5_0 ps_5_0, D3D11)") ==
          "rtx-3090-24gb");
    CHECK(device("NVIDIA GeForce RTX 4070 Laptop GPU/PCIe/SSE2").find("laptop") !=
          std::string::npos);
    CHECK(device("ANGLE (Apple, ANGLE Metal Renderer: Apple M4 Pro, Unspecified Version)")
              .starts_with("apple-m4-pro"));
    CHECK(device("Google SwiftShader").empty());
    CHECK(device("").empty());
}

TEST_CASE("A detected GPU is offered once, and forgotten when asked to") {
    app::App app = ready_app("en");
    app.apply({Action::Kind::detected_gpu, {}, "NVIDIA GeForce RTX 3090/PCIe/SSE2"});
    REQUIRE(app.view().gpu_hint.label.find("RTX 3090") != std::string::npos);
    CHECK(app.url().empty());
    app.apply(app.view().gpu_hint.action);
    CHECK(app.state().query.value(catalog::Field::hardware) == "rtx-3090-24gb");
    CHECK(app.view().gpu_hint.label.empty());
    app.apply({Action::Kind::detected_gpu, {}, {}});
    CHECK(app.view().gpu_name.empty());
}

TEST_CASE("Advanced options say their flag and what they change while the drawer is open") {
    app::App app = ready_app("en");
    CHECK(control(app.view(), "n_ubatch").effect.empty());
    app.apply({Action::Kind::show_advanced, {}, "1"});
    CHECK(control(app.view(), "n_ubatch").flag == "--ubatch-size");
    CHECK(control(app.view(), "n_ubatch").effect.find("+") != std::string::npos);
    CHECK(control(app.view(), "key_type").effect.find("Q8_0") != std::string::npos);
    app.apply({Action::Kind::set_field, "engine", "vllm"});
    CHECK(control(app.view(), "gpu_memory_utilization").flag == "--gpu-memory-utilization");
    for (const app::Control& one : app.view().controls)
        CHECK(one.id != "n_ubatch");
}

TEST_CASE("The download takes as long as the person's line is slow") {
    app::App app = ready_app("en");
    const std::string before = test::figure(app.view(), "download").detail;
    app.apply({Action::Kind::set_field, "line_speed", "1000"});
    CHECK(test::figure(app.view(), "download").detail != before);
    CHECK(app.url() == "line=1000");
    app::App other = ready_app("en");
    other.open_url("?line=1000");
    CHECK(other.state().line_mbit == 1000);
}
