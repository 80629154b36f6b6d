// The pages beside the simulator: state and address, rows in slices, compare, undo, old links.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

#include "app/evidence.h"
#include "app/painted_page.h"
#include "bindings/export_json.h"
#include "bindings/session.h"
#include "report/sweep.h"
#include "support/app.h"
#include "support/catalog.h"

using namespace vramscope;
using app::Action;
using app::Mode;
using catalog::Field;
using test::ready_app;
using Kind = app::Action::Kind;

namespace {

void set(app::App& app, std::string_view key, std::string_view value) {
    app.apply({Kind::set_field, std::string(key), std::string(value)});
}
void open_mode(app::App& app, const char* mode) {
    app.apply({Kind::select_mode, {}, mode});
}

/// A clock of which every look takes a millisecond: slices are always the same.
double ticks = 0;
double tick() {
    return ++ticks;
}

/// Works until nothing is left; how many slices it took.
int finish(app::App& app, double milliseconds = 50) {
    int slices = 0;
    for (; app.has_work() && slices < 100'000; ++slices) {
        app.work(tick, milliseconds);
        app.view();
    }
    return slices;
}

std::vector<app::Row> rows_of(const app::ViewModel& view) {
    std::vector<app::Row> rows;
    for (std::size_t i = 0; i < view.mode->table.count; ++i)
        rows.push_back(view.mode->table.source->row(i));
    return rows;
}

/// What changes in a state, by chance, as actions do it.
void shake(app::App& app, std::mt19937& random) {
    const catalog::Catalog& catalog = app.catalog();
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    const auto number = [&](std::size_t count) { return std::to_string(pick(count)); };
    switch (random() % 16) {
    case 0:
        return set(app, "model", catalog.models[pick(catalog.models.size())].id);
    case 1:
        return set(app, "hardware", catalog.hardware[pick(catalog.hardware.size())].id);
    case 2:
        return set(app, "hardware_count", std::to_string(1 + pick(8)));
    case 3:
        return set(app, "n_ctx", std::to_string(256 + pick(200'000)));
    case 4:
        return set(app, "n_seq", std::to_string(1 + pick(16)));
    case 5:
        return set(app, "engine", catalog.engines[pick(catalog.engines.size())].id);
    case 6:
        return set(app, "type_k", pick(2) == 0 ? "q8_0" : "q4_0");
    case 7:
        return set(app, "artifact", pick(2) == 0 ? "Q8_0" : "recipe:Q5_K_M");
    case 8:
        return set(app, "min_speed", number(90) + "." + number(9));
    case 9:
        return set(app, "family", catalog.models[pick(catalog.models.size())].family);
    case 10:
        return set(app, "license", catalog.models[pick(catalog.models.size())].license);
    case 11:
        return set(app, "sort", pick(2) == 0 ? "-decode" : "total");
    case 12:
        return set(app, pick(2) == 0 ? "vision" : "moe", pick(2) == 0 ? "yes" : "");
    case 13:
        return app.apply({Kind::compare_add, {}, {}});
    case 14:
        return app.apply({Kind::set_unit, {}, pick(2) == 0 ? "gb" : "gib"});
    default: {
        constexpr const char* modes[] = {"", "run", "need", "compare"};
        return open_mode(app, modes[pick(4)]);
    }
    }
}

} // namespace

TEST_CASE("A thousand states come back from their address, and mean the same to the command line",
          "[modes]") {
    std::mt19937 random(5);
    app::App app = ready_app();
    app::App other = ready_app();
    bindings::Session session = test::session();
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        for (int n = 0; n < 3; ++n)
            shake(app, random);
        if (random() % 40 == 0)
            app.open_url("https://example.org/");
        const std::string url = app.url();
        INFO(url);
        seen.insert(url);
        other.apply({Kind::set_unit, {}, "gib"}); // the reader's, where an address says nothing
        other.open_url("https://example.org/?" + url);
        REQUIRE(other.state() == app.state());
        REQUIRE(other.url() == url);
        // The command line reads addresses with the same parser.
        const auto query = catalog::query_from_url("https://example.org/?" + url);
        REQUIRE(query);
        REQUIRE(*query == app.state().query);
        if (i % 20 != 0)
            continue;
        const auto answer = catalog::parse_json(
            session.call(catalog::Json{{"method", "estimate"}, {"url", url}}.dump()), "answer");
        const auto shown = catalog::parse_json(
            bindings::export_json(app.state().query, app.catalog()), "estimate");
        REQUIRE(answer);
        REQUIRE(shown);
        CHECK((*answer)["ok"] == *shown);
    }
    CHECK(seen.size() > 900);
}

TEST_CASE("An address of nonsense opens what there is of it", "[modes]") {
    app::App app = ready_app();
    app.open_url("?view=cats&sort=beauty&min_speed=fast&vision=maybe&with=&with=%3D%3D&asof=~~~~~");
    CHECK(app.state().modes.mode == Mode::simulator);
    CHECK(app.state().modes.options.empty());
    CHECK_FALSE(app.view().verdict_text.empty());
    open_mode(app, "compare");
    // The empty query is the default request; the other is none and is not shown.
    CHECK(app.view().mode->cards.size() <= 2);
}

TEST_CASE("What can I run: slices give the rows of the sweep", "[modes]") {
    app::App app = ready_app();
    set(app, "hardware", "rtx-4090-24gb");
    set(app, "n_ctx", "8192");
    open_mode(app, "run");
    CHECK(app.view().mode->table.count == 0);
    CHECK(app.view().mode->done < 1);
    const int slices = finish(app);
    CHECK(slices > 5);
    const app::ViewModel& view = app.view();
    CHECK(view.mode->done == 1);
    CHECK(view.controls.size() >= 4);

    report::ModelFilter filter;
    auto sweep = report::ModelSweep::start(app.state().query, app.catalog(), filter);
    REQUIRE(sweep);
    while (sweep->advance(1000)) {
    }
    std::vector<report::ModelRow> expected = sweep->take_rows();
    report::sort_rows(expected, report::ModelColumn::rank, false);
    const std::vector<app::Row> rows = rows_of(view);
    REQUIRE(rows.size() == expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        INFO(i << " " << rows[i].action.value);
        CHECK(rows[i].action.value ==
              "model=" + expected[i].model->id + "&artifact=" + expected[i].request);
        CHECK(rows[i].cells[5].exact == static_cast<double>(expected[i].figures.total.expected));
        CHECK(rows[i].cells[6].exact ==
              static_cast<double>(expected[i].figures.max_context_tokens));
    }

    // A filter works on the rows that are there.
    set(app, "min_speed", "40");
    CHECK(app.view().mode->done >= 0.5);
    finish(app);
    CHECK(app.view().mode->table.count < rows.size());
    for (const app::Row& row : rows_of(app.view()))
        CHECK(row.cells[7].exact >= 40);

    // Its head sorts, and turns round.
    const Action by_need = app.view().mode->table.columns[5].action;
    app.apply(by_need);
    CHECK(app.view().mode->table.columns[5].order == 1);
    std::vector<app::Row> sorted = rows_of(app.view());
    CHECK(std::is_sorted(sorted.begin(), sorted.end(), [](const app::Row& a, const app::Row& b) {
        return a.cells[5].exact < b.cells[5].exact;
    }));
    app.apply(app.view().mode->table.columns[5].action);
    CHECK(app.view().mode->table.columns[5].order == -1);

    // A row opens in the simulator, with what it said there.
    sorted = rows_of(app.view());
    app.apply(sorted.front().action);
    CHECK(app.state().modes.mode == Mode::simulator);
    CHECK(app.view().total.exact == sorted.front().cells[5].exact);
}

TEST_CASE("What do I need: smallest memory first, and a row brings its devices", "[modes]") {
    app::App app = ready_app();
    set(app, "model", "llama-3.3-70b-instruct");
    open_mode(app, "need");
    finish(app);
    const std::vector<app::Row> rows = rows_of(app.view());
    REQUIRE(rows.size() > 10);
    CHECK(std::is_sorted(rows.begin(), rows.end(), [](const app::Row& a, const app::Row& b) {
        return a.cells[1].exact < b.cells[1].exact;
    }));
    const auto several = std::find_if(rows.begin(), rows.end(), [](const app::Row& row) {
        return row.action.value.find("*2") != std::string::npos;
    });
    REQUIRE(several != rows.end());
    app.apply(several->action);
    CHECK(app.state().modes.mode == Mode::simulator);
    CHECK(app.view().bars.size() >= 2);
    CHECK(app.view().verdict_tone != app::Tone::bad);
}

TEST_CASE("Compare marks what differs, and keeps its order in the address", "[modes]") {
    app::App app = ready_app();
    app.apply({Kind::compare_add, {}, {}});
    app.apply({Kind::compare_add, {}, {}});
    CHECK(app.state().modes.compared.size() == 1);
    CHECK_FALSE(app.view().add_to_compare.enabled);
    set(app, "n_ctx", "8192");
    app.apply({Kind::compare_add, {}, {}});
    open_mode(app, "compare");
    const app::Table& table = app.view().mode->comparison;
    REQUIRE(table.columns.size() == 3);
    for (const app::Row& row : table.rows) {
        INFO(row.cells[0].text);
        CHECK(row.marked == (row.cells[1].text != row.cells[2].text));
        CHECK(row.marked == row.cells[0].text.starts_with("\u2260"));
    }
    CHECK(std::count_if(table.rows.begin(), table.rows.end(),
                        [](const app::Row& row) { return row.marked; }) >= 3);
    app.apply({Kind::compare_move, "0", "1"});
    CHECK(app.state().modes.compared == std::vector<std::string>{"n_ctx=8192", ""});
    app.apply({Kind::compare_remove, {}, "1"});
    app.apply({Kind::compare_remove, {}, "7"});
    app.apply({Kind::compare_open, {}, "0"});
    CHECK(app.state().query.value(Field::n_ctx) == "8192");
    CHECK(app.state().modes.mode == Mode::simulator);
}

TEST_CASE("Undo goes back to where one came to rest", "[modes]") {
    app::App app = ready_app();
    app.open_url("https://example.org/?hardware=rtx-4090-24gb");
    CHECK_FALSE(app.view().undo.enabled);
    for (const char* tokens : {"4096", "8192", "16384"})
        set(app, "n_ctx", tokens); // one movement
    CHECK(app.view().undo.enabled);
    app.settle();
    set(app, "artifact", "Q8_0");
    app.apply({Kind::undo, {}, {}});
    CHECK_FALSE(app.state().query.is_set(Field::artifact));
    CHECK(app.state().query.value(Field::n_ctx) == "16384");
    CHECK(app.view().redo.enabled);
    app.apply({Kind::undo, {}, {}});
    CHECK(app.url() == "hardware=rtx-4090-24gb");
    CHECK_FALSE(app.view().undo.enabled);
    app.apply({Kind::redo, {}, {}});
    app.apply({Kind::redo, {}, {}});
    CHECK(app.state().query.text(Field::artifact) == "Q8_0");
    CHECK_FALSE(app.view().redo.enabled);
    app.apply({Kind::undo, {}, {}});
    set(app, "n_ctx", "2048"); // another way: what was undone is gone
    CHECK_FALSE(app.view().redo.enabled);
}

TEST_CASE("An old link says what it said", "[modes]") {
    app::App app = ready_app();
    app.open_url("https://example.org/?n_ctx=8192");
    app.apply({Kind::copy_link, {}, {}});
    const std::string link = app.take_clipboard_text();
    app::App same = ready_app();
    same.open_url(link);
    const std::size_t messages = app.view().messages.size();
    CHECK(same.view().messages.size() == messages);

    const std::string old = "https://example.org/?n_ctx=8192&asof=2025.1~b7324~7645123456~99840";
    app::App then = ready_app();
    then.open_url(old);
    REQUIRE(then.view().messages.size() == messages + 1);
    const std::string text = then.view().messages.front().text;
    INFO(text);
    CHECK(text.find("2025.1") != std::string::npos);
    CHECK(text.find(app.catalog().version) != std::string::npos);
    CHECK(text.find("7.12") != std::string::npos); // 7,645,123,456 bytes
    CHECK(text.find("99,840") != std::string::npos);
    CHECK(then.url().find("asof=2025.1") != std::string::npos); // a reload says so again
    set(then, "n_ctx", "4096");
    CHECK(then.view().messages.size() <= messages);
    CHECK(then.url().find("asof") == std::string::npos);
}

TEST_CASE("A report carries the request and its figures", "[modes]") {
    app::App app = ready_app();
    const std::string url =
        app::report_url("https://example.org/x", "https://example.org/?n_ctx=8192", app.view());
    CHECK(url.starts_with("https://example.org/x/issues/new?title=Wrong%20number%3A%20GLM-4-9B"));
    CHECK(url.find("n_ctx%3D8192") != std::string::npos);
    CHECK(url.size() < 6000); // servers refuse what is longer than 8 KB
    CHECK(app::report_url("", "x", app.view()).empty());
}

TEST_CASE("Exports hold what is shown", "[modes]") {
    app::App app = ready_app();
    app.apply({Kind::export_as, {}, "markdown"});
    const std::string markdown = app.take_clipboard_text();
    CHECK(markdown.starts_with("# GLM-4-9B-0414\n"));
    CHECK(markdown.find("| " + app.view().total.label + " |") != std::string::npos);
    app.apply({Kind::export_as, {}, "csv"});
    const std::string csv = app.take_clipboard_text();
    CHECK(csv.find(std::to_string(static_cast<long long>(app.view().total.exact))) !=
          std::string::npos);
    open_mode(app, "run");
    finish(app);
    app.apply({Kind::export_as, {}, "csv"});
    const std::string rows = app.take_clipboard_text();
    CHECK(static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')) ==
          app.view().mode->table.count + 1);
}

TEST_CASE("The long table makes only the rows in sight", "[modes][paint]") {
    struct Counted final : app::RowSource {
        const app::RowSource* of = nullptr;
        mutable int made = 0;
        app::Row row(std::size_t index) const override {
            ++made;
            return of->row(index);
        }
    };
    app::App app = ready_app();
    open_mode(app, "run");
    finish(app);
    REQUIRE(app.view().mode->table.count > 300);
    for (const auto& [width, height] :
         {std::pair{1440.0F, 900.0F}, {1024.0F, 768.0F}, {390.0F, 844.0F}}) {
        INFO(width);
        app::ViewModel view = app.view();
        auto counted = std::make_shared<Counted>();
        counted->of = app.view().mode->table.source.get();
        view.mode = std::make_shared<app::ModeView>(*view.mode);
        view.mode->table.source = counted;
        app::test::PaintedPage page(std::move(view), width, height);
        counted->made = 0;
        page.draw();
        CHECK(counted->made > 3);
        CHECK(counted->made < 40);
        for (const auto& item : page.log.items) {
            INFO(item.name);
            CHECK(item.box.left >= -0.5F);
            CHECK(item.box.right <= width + 0.5F);
        }
        const auto row = std::find_if(page.log.items.begin(), page.log.items.end(),
                                      [](const auto& item) { return item.name == "run:row"; });
        REQUIRE(row != page.log.items.end());
        page.move(row->box.left + 40, row->box.top + 12);
        page.press();
        page.release();
        CHECK(page.last().kind == Kind::open_simulator);
        if (width < 600)
            continue;
        REQUIRE(page.click("run:sort:-decode"));
        CHECK(page.last() == Action{Kind::set_field, "sort", "-decode"});
        REQUIRE(page.click("mode:compare"));
        CHECK(page.last() == Action{Kind::select_mode, {}, "compare"});
    }
}

TEST_CASE("Keys act anywhere on the page", "[modes][paint]") {
    app::App app = ready_app();
    app.open_url("https://example.org/");
    set(app, "n_ctx", "8192");
    app::test::PaintedPage page(app.view(), 1440, 900);
    page.type("c");
    CHECK(page.last().kind == Kind::compare_add);
    page.type("2");
    CHECK(page.last() == Action{Kind::select_mode, {}, "run"});
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    page.key(ImGuiKey_Z);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    page.frames(2);
    CHECK(page.last().kind == Kind::undo);
    page.type("?");
    page.frames(3);
    CHECK(page.shows(page.view.shortcuts.back().label));
    CHECK(page.shows("Ctrl+Shift+Z"));
    page.key(ImGuiKey_Escape);
    CHECK_FALSE(page.shows("Ctrl+Shift+Z"));
}
