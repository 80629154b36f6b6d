#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "support/app.h"
#include "support/files.h"

using namespace vramscope;
using app::ViewModel;
using Json = nlohmann::json;
using test::control;
using test::figure;
using test::ready_app;

namespace {

const Json& golden() {
    static const Json document = Json::parse(test::read_file("tests/reference/golden.json"));
    return document;
}

/// The view of a query string, in English.
ViewModel view_of(std::string_view url, std::string_view language = "en") {
    app::App app = ready_app(language);
    app.open_url(url);
    return app.view();
}

std::string decimals(double value, int digits) {
    return test::locale("en").decimal(value, digits);
}

const app::Row& row(const app::Table& table, std::string_view first_cell) {
    for (const app::Row& candidate : table.rows) {
        if (candidate.cells[0].text == first_cell)
            return candidate;
    }
    FAIL("no row " << first_cell);
    return table.rows.front();
}

/// The row that chooses so.
const app::Row& with_value(const app::Table& table, const std::string& value) {
    for (const app::Row& candidate : table.rows) {
        if (candidate.action.value == value)
            return candidate;
    }
    FAIL("no row for " << value);
    return table.rows.front();
}

std::string artifact_name(const std::string& id) {
    for (const Json& artifact : golden()["evidence"]["artifacts"]) {
        if (artifact["id"] == id)
            return artifact["name"];
    }
    FAIL("no artifact " << id);
    return {};
}

const app::Fact& fact(const ViewModel& view, std::string_view label) {
    for (const app::Fact& candidate : view.architecture) {
        if (candidate.label == label)
            return candidate;
    }
    FAIL("no fact " << label);
    return view.architecture.front();
}

/// Every text of the view, for checks on all of them.
void for_each_text(const Json& json, const std::function<void(const std::string&)>& visit) {
    if (json.is_string())
        visit(json.get<std::string>());
    if (!json.is_structured())
        return;
    for (const auto& child : json)
        for_each_text(child, visit);
}

} // namespace

// The simulator page, as printed (tests/reference/golden.json); its GB are GiB.
TEST_CASE("The quick profile shows the printed figures of the simulator page") {
    const Json& state = golden()["quick"]["state"];
    const ViewModel view = view_of("?engine=quick");
    CHECK(figure(view, "total").value == decimals(state["total_GB"], 2));
    CHECK(figure(view, "weights").value == decimals(state["weights_GB"], 2));
    CHECK(figure(view, "weights").detail == decimals(state["weights_pct"], 1) + "%");
    CHECK(figure(view, "kv").value == decimals(state["kv_GB"], 2));
    CHECK(figure(view, "kv").detail == decimals(state["kv_pct"], 1) + "%");
    CHECK(figure(view, "overhead").value == decimals(state["overhead_GB"], 2));
    CHECK(figure(view, "overhead").detail == decimals(state["overhead_pct"], 1) + "%");
    CHECK(figure(view, "decode").value == decimals(state["decode_tok_s"], 1));
    CHECK(figure(view, "max_context").value == "136,404");
    CHECK(figure(view, "max_context").detail.find("32,768") != std::string::npos);
    CHECK(figure(view, "kv_saving").value == decimals(state["kv_saving_pct"], 1) + "%");
    CHECK(figure(view, "kv_saving").detail.find(decimals(state["mha_fp16_GB"], 2)) !=
          std::string::npos);
    CHECK(view.verdict_text == "Fits comfortably");
    CHECK(view.verdict_tone == app::Tone::ok);
}

TEST_CASE("The matrix under the quick profile is the printed one") {
    const ViewModel view = view_of("?engine=quick");
    for (const Json& printed : golden()["quick"]["matrix"]) {
        const app::Row& shown = with_value(view.matrix, printed["quantization"]);
        INFO(printed["quantization"]);
        CHECK(shown.cells[1].text == decimals(printed["bits_per_weight"], 2));
        CHECK(shown.cells[2].text == decimals(printed["weights"], 2));
        CHECK(shown.cells[3].text == decimals(printed["total_8k"], 2));
        CHECK(shown.cells[4].text == decimals(printed["total_32k"], 2));
        CHECK(shown.cells[5].text == decimals(printed["total_128k"], 2));
        CHECK(shown.cells[6].action.value == printed["recommended"].get<std::string>());
    }
}

TEST_CASE("The hardware table under the quick profile is the printed one") {
    const ViewModel view = view_of("?engine=quick");
    for (const Json& printed : golden()["quick"]["hardware"]) {
        const app::Row& shown = with_value(view.hardware, printed["id"]);
        INFO(printed["id"]);
        CHECK(shown.cells[1].text == test::locale("en").integer(printed["memory_gib"]) + " GiB · " +
                                         test::locale("en").integer(printed["bandwidth"]) +
                                         " GB/s");
        CHECK(shown.cells[2].text == decimals(printed["needed_32k"], 2));
        CHECK(shown.cells[3].text == decimals(printed["used_percent"], 0) + "%");
        CHECK(shown.cells[4].text == "Fits comfortably");
        CHECK(shown.cells[4].sign == "✓");
        CHECK(shown.cells[5].text == decimals(printed["decode"], 1));
    }
}

// The evidence page, as printed.
TEST_CASE("The evidence profile shows the printed ranges") {
    const ViewModel view = view_of("?engine=evidence&n_ctx=8192");
    const Json& headline = golden()["evidence"]["headline"];
    CHECK(figure(view, "total")
              .detail.find(decimals(headline["total_low_GiB"], 2) + "–" +
                           decimals(headline["total_high_GiB"], 2)) != std::string::npos);
    for (const Json& printed : golden()["evidence"]["matrix"]) {
        const app::Row& shown = row(view.matrix, artifact_name(printed["artifact"]));
        INFO(printed["artifact"]);
        std::size_t column = 3;
        for (const char* range : {"range_2048", "range_8192", "range_32768"}) {
            CHECK(shown.cells[column].text ==
                  decimals(printed[range][0], 2) + "–" + decimals(printed[range][1], 2));
            ++column;
        }
    }
}

TEST_CASE("The file table shows names, exact bytes and evidence") {
    const ViewModel view = view_of("?");
    for (const Json& printed : golden()["evidence"]["artifacts"]) {
        const app::Row& shown = row(view.files, printed["name"].get<std::string>());
        INFO(printed["id"]);
        CHECK(shown.cells[2].exact == printed["bytes"].get<double>());
        CHECK(shown.cells[2].text == test::locale("en").integer(printed["bytes"]));
        for (const Json& file : printed["files"]) {
            CHECK(shown.cells[1].text.find(file.get<std::string>()) != std::string::npos);
        }
        if (printed.contains("GiB"))
            CHECK(shown.cells[3].text == decimals(printed["GiB"], 2));
        if (printed.contains("GB"))
            CHECK(shown.cells[4].text == decimals(printed["GB"], 2));
    }
    CHECK(row(view.files, "INT4 theoretical").cells[6].text == "theoretical");
}

TEST_CASE("The architecture facts are those of both pages") {
    const ViewModel view = view_of("?");
    CHECK(fact(view, "Checkpoint").value == "zai-org/GLM-4-9B-0414");
    CHECK(fact(view, "Checkpoint").url == "https://huggingface.co/zai-org/GLM-4-9B-0414");
    CHECK(fact(view, "Former name").value == "THUDM/GLM-4-9B-0414");
    CHECK(fact(view, "Revision").value == "645b8482494e31b6b752272bf7f7f273ef0f3caf");
    CHECK(fact(view, "Nearest Ollama tag").value == "glm4:9b");
    CHECK(fact(view, "Parameters in all").value.starts_with("9,400,279,040"));
    CHECK(fact(view, "Layers / hidden size").value == "40 / 4,096");
    CHECK(fact(view, "Query heads / KV heads").value == "32 Q / 2 KV");
    CHECK(fact(view, "Head dimension").value == "128");
    CHECK(fact(view, "Vocabulary / longest context").value == "151,552 / 32,768");
    CHECK(fact(view, "Topology").value == "Dense transformer");
    CHECK(fact(view, "Attention").value == "Grouped-query attention (GQA)");
}

TEST_CASE("The notes give this model's own cache in bytes") {
    const ViewModel view = view_of("?");
    const auto noted = [&](std::string_view text) {
        return std::any_of(view.notes.begin(), view.notes.end(), [&](const app::Message& note) {
            return note.text.find(text) != std::string::npos;
        });
    };
    CHECK(noted("335,544,320\u00a0bytes (0.3125\u00a0GiB)"));
    CHECK(noted("1,342,177,280\u00a0bytes (1.2500\u00a0GiB)"));
    CHECK(noted("2 KV heads count here, not the 32 query heads"));
}

// Figures of the engine itself (llama.cpp's own report for this file).
TEST_CASE("llama.cpp's weights are split between device and host") {
    const ViewModel view = view_of("?");
    CHECK(figure(view, "weights").exact == 5808062464.0);
    REQUIRE(view.devices.rows.size() == 2);
    CHECK(view.devices.rows[0].cells[1].exact == 5808062464.0);
    CHECK(view.devices.rows[1].cells[1].exact == 349175808.0);
}

TEST_CASE("Parts, bars and the total agree with each other") {
    for (const char* url : {"?", "?engine=quick", "?engine=evidence", "?hardware=cpu",
                            "?hardware=apple-m-max-64gb", "?hardware=rtx-3060-12gb*2"}) {
        INFO(url);
        const ViewModel view = view_of(url);
        double parts = 0;
        for (const app::Figure& part : view.parts)
            parts += part.exact;
        CHECK(parts == view.total.exact);
        double bars = 0;
        for (const app::Bar& bar : view.bars) {
            bars += bar.total_bytes;
            double segments = 0;
            for (const app::Bar::Segment& segment : bar.segments)
                segments += segment.bytes;
            CHECK(segments == bar.total_bytes);
        }
        CHECK(bars == view.total.exact);
    }
}

TEST_CASE("A click in a table leads to the numbers it shows") {
    app::App app = ready_app();
    const ViewModel before = app.view();
    const app::Row& target = before.matrix.rows.front();
    const app::Cell& cell = target.cells[3];
    REQUIRE(cell.action.kind == app::Action::Kind::set_fields);
    app.apply(cell.action);
    double on_device = 0;
    for (const app::Figure& part : app.view().parts) {
        if (part.id != "host")
            on_device += part.exact;
    }
    CHECK(on_device == cell.exact);
    app.apply({app::Action::Kind::reset, {}, {}});
    for (const app::Row& device : before.hardware.rows) {
        app.apply(device.action);
        INFO(device.cells[0].text);
        CHECK(app.view().verdict_text == device.cells[4].text);
        if (device.cells[5].exact > 0) {
            CHECK(figure(app.view(), "decode").exact == device.cells[5].exact);
        }
    }
}

TEST_CASE("The slider reaches four times the native limit and marks it") {
    const ViewModel view = view_of("?");
    const app::Control& slider = control(view, "n_ctx");
    CHECK(slider.logarithmic);
    CHECK(slider.minimum == 1024);
    CHECK(slider.maximum == 131072);
    const auto native =
        std::find_if(slider.marks.begin(), slider.marks.end(),
                     [](const app::Control::Mark& mark) { return mark.tone == app::Tone::accent; });
    REQUIRE(native != slider.marks.end());
    CHECK(native->value == 32768);
    CHECK(control(view_of("?n_ctx=300"), "n_ctx").minimum == 256);
    CHECK(control(view_of("?n_ctx=1000000"), "n_ctx").maximum == 1048576);
}

TEST_CASE("Going beyond what the model was trained for is said") {
    const ViewModel view = view_of("?n_ctx=65536");
    const bool said =
        std::any_of(view.messages.begin(), view.messages.end(), [](const app::Message& message) {
            return message.text.find("65,536") != std::string::npos;
        });
    CHECK(said);
}

TEST_CASE("What does not fit says so in a word, a sign and a tone") {
    const ViewModel view = view_of("?hardware=rtx-3060-12gb&artifact=F16&host_memory_gib=1");
    CHECK(view.verdict_sign == "✕");
    CHECK(view.verdict_tone == app::Tone::bad);
    CHECK(view.verdict_text == "Does not fit");
    CHECK(view.verdict_detail.find("too much") != std::string::npos);
    CHECK(figure(view, "max_context").tone == app::Tone::bad);
}

TEST_CASE("Search finds models by words in any order") {
    app::App app = ready_app();
    app.apply({app::Action::Kind::search, {}, "9b GLM"});
    const auto& results = app.view().search_results;
    CHECK(std::any_of(results.begin(), results.end(), [](const app::Choice& choice) {
        return choice.action.value == "glm-4-9b-0414";
    }));
    app.apply({app::Action::Kind::search, {}, "zzz"});
    CHECK(app.view().search_results.empty());
}

TEST_CASE("The plot's curve passes through the estimate") {
    const ViewModel view = view_of("?");
    const app::ContextPlot& plot = view.context_plot;
    REQUIRE(plot.tokens.size() > 2);
    for (const auto& series : plot.series)
        CHECK(series.bytes.size() == plot.tokens.size());
    const auto at = std::find(plot.tokens.begin(), plot.tokens.end(), 32768.0);
    REQUIRE(at != plot.tokens.end());
    double sum = 0;
    for (const auto& series : plot.series) {
        sum += series.bytes[static_cast<std::size_t>(at - plot.tokens.begin())];
    }
    CHECK(sum == plot.current_bytes);
    CHECK(plot.native_tokens == 32768);
    CHECK(plot.y_ticks.front().value == 0);
    CHECK(plot.y_ticks.back().value >= plot.current_bytes);
}

TEST_CASE("No text is a bare key or holds an unfilled placeholder, in any language") {
    for (const char* language : {"en", "de", "es", "fr", "pt", "ja", "ko", "zh"}) {
        for (const char* url :
             {"?", "?engine=quick", "?engine=evidence",
              "?artifact=int4-theoretical&engine=evidence", "?hardware=cpu",
              "?hardware=rtx-3090-24gb*2", "?n_ctx=100000", "?artifact=F16",
              "?n_seq=4&n_ctx=16384&type_k=q8_0&type_v=q8_0", "?model=nothing&n_ctx=x"}) {
            const ViewModel view = view_of(url, language);
            for_each_text(Json::parse(app::view_json(view)), [&](const std::string& text) {
                INFO(language << ' ' << url << ": " << text);
                CHECK(text.find('{') == std::string::npos);
                const bool bare_key = text.starts_with("field.") || text.starts_with("why.") ||
                                      text.starts_with("figure.") || text.starts_with("error.") ||
                                      text.starts_with("verdict.") || text.starts_with("matrix.");
                CHECK(!bare_key);
            });
        }
    }
}
