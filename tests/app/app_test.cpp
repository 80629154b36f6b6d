#include <catch2/catch_test_macros.hpp>

#include "support/app.h"

using namespace vramscope;
using app::Action;
using catalog::Field;
using test::control;
using test::figure;
using test::ready_app;

namespace {

void set(app::App& app, std::string_view key, std::string_view value) {
    app.apply({Action::Kind::set_field, std::string(key), std::string(value)});
}

bool has_bad_message(const app::ViewModel& view) {
    return !view.messages.empty() && view.messages.front().tone == app::Tone::bad;
}

} // namespace

TEST_CASE("Nothing is shown before catalog and texts are there") {
    app::App app;
    CHECK(!app.ready());
    CHECK(!app.load_catalog("{"));
    CHECK(!app.load_locale("[]"));
    CHECK(!app.ready());
    CHECK(app.view().controls.empty());
}

TEST_CASE("A damaged catalog leaves the last good one") {
    app::App app = ready_app();
    CHECK(!app.load_catalog("not JSON"));
    CHECK(app.ready());
    CHECK(app.view().model_name == "GLM-4-9B-0414");
}

TEST_CASE("The default request has no query string") {
    CHECK(ready_app().url().empty());
}

TEST_CASE("A link brings the state back") {
    app::App app = ready_app();
    set(app, "artifact", "Q8_0");
    set(app, "hardware", "rtx-3090-24gb");
    set(app, "n_ctx", "8192");
    app.apply({Action::Kind::set_unit, {}, "gb"});
    app.apply({Action::Kind::select_tab, {}, "matrix"});
    app::App other = ready_app();
    other.open_url("https://example.org/vramscope/?" + app.url());
    CHECK(other.state() == app.state());
    CHECK(other.url() == app.url());
    other.apply({Action::Kind::copy_link, {}, {}});
    CHECK(other.take_clipboard_text().starts_with("https://example.org/vramscope/?" + app.url() +
                                                  "&asof="));
    CHECK(other.take_clipboard_text().empty());
}

TEST_CASE("The context of one sequence stays when their number changes") {
    app::App app = ready_app();
    set(app, "n_ctx", "8192");
    set(app, "n_seq", "4");
    CHECK(app.state().query.value(Field::n_ctx) == "32768"); // llama.cpp counts all together
    CHECK(control(app.view(), "n_ctx").value == 8192);
    set(app, "n_ctx", "4096");
    CHECK(app.state().query.value(Field::n_ctx) == "16384");
    set(app, "engine", "quick"); // and the profiles count one
    CHECK(app.state().query.value(Field::n_ctx) == "4096");
    CHECK(control(app.view(), "n_ctx").value == 4096);
}

TEST_CASE("Several fields change at once, the context last") {
    app::App app = ready_app();
    set(app, "n_seq", "2");
    app.apply({Action::Kind::set_fields, {}, "n_ctx=8192&artifact=Q6_K"});
    CHECK(app.state().query.value(Field::n_ctx) == "16384");
    CHECK(app.state().query.value(Field::artifact) == "Q6_K");
}

TEST_CASE("Several equal devices are a number beside the device") {
    app::App app = ready_app();
    set(app, "hardware", "rtx-3090-24gb");
    set(app, "hardware_count", "2");
    CHECK(app.state().query.value(Field::hardware) == "rtx-3090-24gb*2");
    CHECK(control(app.view(), "hardware_count").value == 2);
    CHECK(app.view().bars.size() >= 2);
    set(app, "hardware_count", "0");
    CHECK(has_bad_message(app.view()));
    CHECK(app.state().query.value(Field::hardware) == "rtx-3090-24gb*2");
}

TEST_CASE("Bad input is refused in words and changes nothing") {
    for (const char* value : {"0", "-5", "text", "1000000000000000", "1.5"}) {
        app::App app = ready_app();
        INFO(value);
        set(app, "n_ctx", value);
        CHECK(app.state().query == catalog::Query{});
        CHECK(has_bad_message(app.view()));
        CHECK(control(app.view(), "n_ctx").error.find(value) != std::string::npos);
        set(app, "n_ctx", "8192"); // and is forgotten with the next good one
        CHECK(!has_bad_message(app.view()));
        CHECK(control(app.view(), "n_ctx").error.empty());
    }
}

TEST_CASE("A link with faults is applied as far as it goes") {
    app::App app = ready_app();
    app.open_url("?model=no-such-model&n_ctx=-1&artifact=Q8_0&hardware=nothing");
    CHECK(app.view().model_name == "GLM-4-9B-0414");
    CHECK(app.state().query.value(Field::artifact) == "Q8_0");
    CHECK(app.view().messages.size() >= 3);
    CHECK(has_bad_message(app.view()));
}

TEST_CASE("Numbers are understood as the language writes them") {
    app::App german = ready_app("de");
    set(german, "n_ctx", "16.384");
    CHECK(control(german.view(), "n_ctx").value == 16384);
    set(german, "reserved_gib", "0,5");
    CHECK(german.state().query.value(Field::reserved_gib) == "0.5");
    CHECK(control(german.view(), "reserved_gib").edit_text == "0,5");
    set(german, "reserved_gib", "1.5");
    CHECK(german.state().query.value(Field::reserved_gib) == "1.5");
    app::App english = ready_app("en");
    set(english, "n_ctx", "16,384");
    CHECK(control(english.view(), "n_ctx").value == 16384);
    set(english, "n_ctx", "32K");
    CHECK(control(english.view(), "n_ctx").value == 32768);
}

TEST_CASE("The context slider gives what the estimator gives") {
    app::App app = ready_app();
    set(app, "n_ctx", "8192");
    // KV of GLM-4-9B-0414 at 8,192 tokens, as the reference page prints it in bytes.
    CHECK(figure(app.view(), "kv").exact == 335544320.0);
}

TEST_CASE("A language that is not loaded yet shows as soon as it is") {
    app::App app = ready_app();
    const std::string english = app.view().setup_title;
    app.apply({Action::Kind::set_language, {}, "fr"});
    CHECK(app.view().setup_title == english);
    CHECK(app.state().language == "fr");
}

TEST_CASE("Unknown actions and tabs change nothing") {
    app::App app = ready_app();
    const app::UiState before = app.state();
    app.apply({Action::Kind::select_tab, {}, "no-such-tab"});
    app.apply({Action::Kind::set_unit, {}, "stone"});
    app.apply({Action::Kind::set_field, "no_such_field", "1"});
    CHECK(app.state() == before);
    CHECK(has_bad_message(app.view()));
    app.apply({Action::Kind::reset, {}, {}});
    CHECK(!has_bad_message(app.view()));
}

TEST_CASE("Choosing another engine keeps what still makes sense") {
    app::App app = ready_app();
    set(app, "engine", "evidence");
    set(app, "artifact", "int4-theoretical");
    CHECK(app.view().messages.size() == 1); // theoretical rows are no files
    set(app, "engine", "llama.cpp");
    CHECK(!has_bad_message(app.view()));
}

TEST_CASE("The revision grows with every change and only then") {
    app::App app = ready_app();
    app.view();
    const unsigned revision = app.revision();
    set(app, "n_ctx", "32768"); // the value it has
    CHECK(app.revision() == revision);
    set(app, "n_ctx", "8192");
    CHECK(app.revision() > revision);
}

// What is remembered between views must not show: any walk through the state gives the same view as
// going there directly.
TEST_CASE("A view does not depend on how its state was reached") {
    app::App app = ready_app();
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"n_ctx", "8192"},
                                                          {"n_ctx", "65536"},
                                                          {"artifact", "Q8_0"},
                                                          {"n_seq", "3"},
                                                          {"n_ctx", "16384"},
                                                          {"hardware", "rtx-3090-24gb"},
                                                          {"type_k", "q8_0"},
                                                          {"engine", "evidence"},
                                                          {"n_ctx", "32768"},
                                                          {"engine", "llama.cpp"},
                                                          {"n_ctx", "262144"}}) {
        app.view();
        set(app, key, value);
        app::App direct = ready_app();
        direct.open_url("?" + app.url());
        INFO(key << " = " << value);
        CHECK(app::view_json(app.view()) == app::view_json(direct.view()));
        CHECK(app.view().context_plot.series.size() == direct.view().context_plot.series.size());
        CHECK(app.view().context_plot.tokens == direct.view().context_plot.tokens);
    }
    app.apply({Action::Kind::set_unit, {}, "gb"});
    app::App direct = ready_app();
    direct.open_url("?" + app.url());
    CHECK(app::view_json(app.view()) == app::view_json(direct.view()));
}
