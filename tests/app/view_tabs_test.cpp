// What the tabs show while they are chosen: layers, speed, and the terms of a figure.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "app/measured_points.h"
#include "support/app.h"
#include "support/files.h"

using namespace vramscope;
using app::Action;
using app::ViewModel;
using test::figure;
using test::ready_app;

namespace {

ViewModel view_of(std::string_view url) {
    app::App app = ready_app("en");
    app.open_url(url);
    return app.view();
}

double sum_of(const app::Table& table, std::size_t column) {
    double sum = 0;
    for (const app::Row& row : table.rows)
        sum += row.cells[column].exact;
    return sum;
}

} // namespace

TEST_CASE("The layer map: one cell a layer, and runs that add up to the figures") {
    // Gemma 3 12B: 48 layers, five of them windowed (1,024 tokens), then a global one.
    const ViewModel view = view_of("?model=gemma-3-12b-it&n_ctx=32768&tab=layers");
    const app::LayerPicture& map = view.layers;
    REQUIRE(map.cells.size() == 48);
    CHECK(map.kinds.size() == 2);
    CHECK(map.period == 6);
    CHECK(map.runs.rows.size() == 17); // 8 x (five windowed, one global), and the rest
    CHECK(map.cells[5].level == 1.0);
    CHECK(map.cells[0].level < 0.1);
    CHECK(map.cells[0].tooltip.find("1,024") != std::string::npos);
    double weights = 0;
    double kv = 0;
    for (const app::Row& device : view.devices.rows) {
        weights += device.cells[1].exact;
        kv += device.cells[2].exact;
    }
    CHECK(sum_of(map.runs, 4) == weights);
    CHECK(sum_of(map.runs, 5) == kv);
    CHECK(view_of("?model=gemma-3-12b-it").layers.cells.empty());
}

TEST_CASE("The speed tab says what the figure says") {
    const ViewModel view = view_of("?tab=speed&model=meta-llama-3-8b&hardware=rtx-4090-24gb");
    const app::RatePlot& decode = view.speed.decode;
    const auto at = std::find(decode.x.begin(), decode.x.end(), 32768.0);
    REQUIRE(at != decode.x.end());
    const auto i = static_cast<std::size_t>(at - decode.x.begin());
    CHECK(decode.expected[i] == figure(view, "decode").exact);
    CHECK(decode.low[i] < decode.expected[i]);
    CHECK(decode.expected.front() > decode.expected.back());
    double shares = 0;
    for (const app::Bar::Segment& share : view.speed.shares)
        shares += share.bytes;
    CHECK(shares > 0.98);
    CHECK(shares < 1.001);
    // More users get more together and less each.
    CHECK(view.speed.together.expected[1] > view.speed.together.expected[0]);
    CHECK(view.speed.each.expected[1] < view.speed.each.expected[0]);
    CHECK(view.speed.together.limit == figure(view, "max_sequences").exact);
}

TEST_CASE("Measured points of the same model, weights and device are dots with their source") {
    app::App app = ready_app("en");
    app.open_url("?tab=speed&model=gpt-oss-20b&artifact=mxfp4&hardware=dgx-spark-128gb");
    CHECK(app.view().speed.decode.dots.empty());
    app.apply({Action::Kind::take_points, {}, test::read_file("tests/reference/speed_points.txt")});
    const std::vector<app::RatePlot::Dot>& dots = app.view().speed.decode.dots;
    // llama.cpp's benches/dgx-spark.md: 84.1 tokens/s at a mean depth of 16.
    const auto found = std::find_if(dots.begin(), dots.end(), [](const app::RatePlot::Dot& dot) {
        return dot.x == 16 && dot.y == 84.1;
    });
    REQUIRE(found != dots.end());
    CHECK(found->tooltip.find("ggml-org/llama.cpp/benches/dgx-spark.md") != std::string::npos);
    app.apply({Action::Kind::set_field, "hardware", "rtx-3060-12gb"});
    for (const app::RatePlot::Dot& dot : app.view().speed.decode.dots)
        CHECK(dot.y != 84.1);
}

TEST_CASE("Any figure opens into its terms") {
    app::App app = ready_app("en");
    app.open_url("?hardware=rtx-3090-24gb*2");
    app.apply({Action::Kind::explain, {}, "kv"});
    const ViewModel& kv = app.view();
    REQUIRE(kv.why.size() == 2); // one term on each device
    CHECK(kv.explained == "kv");
    CHECK(kv.why_title.find("1.25") != std::string::npos);
    CHECK(kv.why[0].formula.find("128") != std::string::npos);
    CHECK(kv.why[0].range.find("bytes") != std::string::npos);
    app.apply({Action::Kind::copy_explanation, {}, {}});
    const std::string copied = app.take_clipboard_text();
    CHECK(copied.starts_with("### KV cache"));
    CHECK(copied.find(kv.why[1].formula) != std::string::npos);
    for (const char* id : {"decode", "first_token", "max_context", "max_sequences", "kv_saving",
                           "total", "host", "weights", "overhead"}) {
        INFO(id);
        app.apply({Action::Kind::explain, {}, id});
        CHECK(app.view().explained == id);
        CHECK_FALSE(app.view().why.empty());
    }
    app.apply(app.view().why_back.action);
    CHECK(app.view().explained.empty());
    CHECK(app.view().why_back.label.empty());
}

TEST_CASE("The terms of a token add up to its time") {
    for (const char* url : {"?", "?model=qwen3-30b-a3b&hardware=rtx-3090-24gb*2",
                            "?model=qwen3-30b-a3b&n_cpu_moe=24"}) {
        INFO(url);
        app::App app = ready_app("en");
        app.open_url(url);
        app.apply({Action::Kind::explain, {}, "decode"});
        const ViewModel& view = app.view();
        double milliseconds = 0;
        for (std::size_t i = 1; i < view.why.size(); ++i)
            milliseconds += std::strtod(view.why[i].value.c_str(), nullptr);
        CHECK(milliseconds == Catch::Approx(1000 / figure(view, "decode").exact).epsilon(0.02));
    }
}
