#include <catch2/catch_test_macros.hpp>

#include "support/app.h"

using namespace vramscope;
using app::Action;
using test::ready_app;

namespace {

app::App opened(const std::string& query) {
    app::App app = ready_app();
    app.open_url("https://example.org/?" + query);
    return app;
}

const app::Tab* selected_tab(const app::ViewModel& view) {
    for (const app::Tab& tab : view.tabs)
        if (tab.selected)
            return &tab;
    return nullptr;
}

} // namespace

TEST_CASE("While everything fits there is nothing to change") {
    app::App app = opened("tab=change");
    CHECK(app.view().change.label.empty());
    CHECK(app.view().advice.columns.empty());
    REQUIRE(selected_tab(app.view()) != nullptr);
    CHECK(selected_tab(app.view())->id == "context");
}

TEST_CASE("What to change is worked out when it is looked at") {
    app::App app = opened("model=llama-3.3-70b-instruct&hardware=rtx-4090-24gb");
    CHECK(app.view().change.label == "What to change");
    CHECK(app.view().tabs.front().id == "change");
    CHECK(app.view().advice.columns.empty());
    app.apply(app.view().change.action);
    CHECK(selected_tab(app.view())->id == "change");
    CHECK(app.view().advice.rows.size() > 3);
}

TEST_CASE("Every line of what to change brings what it promises") {
    for (const char* query :
         {"model=llama-3.3-70b-instruct&hardware=rtx-4090-24gb",
          "model=deepseek-r1&hardware=h100-80gb*4", "model=qwen3-30b-a3b&hardware=rtx-3060-12gb",
          "model=gemma-3-12b-it&hardware=rtx-3060-12gb&n_ctx=131072&n_seq=4&kv_unified=false"}) {
        app::App app = opened(std::string(query) + "&tab=change");
        const app::Table advice = app.view().advice;
        INFO(query);
        REQUIRE(!advice.rows.empty());
        for (const app::Row& row : advice.rows) {
            app::App other = opened(std::string(query) + "&tab=change");
            other.apply(row.action);
            INFO(row.cells[0].text << ": " << row.action.value << " -> " << other.url());
            CHECK(other.view().verdict_text == row.cells[2].text);
            CHECK(other.view().verdict_sign == row.cells[2].sign);
        }
    }
}
