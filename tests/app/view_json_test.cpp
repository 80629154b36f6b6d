#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "support/app.h"

using namespace vramscope;
using Json = nlohmann::json;

TEST_CASE("The view's JSON holds what the view holds") {
    app::App app = test::ready_app("ja");
    const app::ViewModel& view = app.view();
    const Json json = Json::parse(app::view_json(view));
    CHECK(json["model_name"] == view.model_name);
    CHECK(json["controls"].size() == view.controls.size());
    CHECK(json["matrix"]["rows"].size() == view.matrix.rows.size());
    CHECK(json["hardware"]["rows"].size() == view.hardware.rows.size());
    CHECK(json["why"].size() == view.why.size());
    CHECK(json["total"]["exact"] == view.total.exact);
    CHECK(json["verdict_text"] == view.verdict_text);
    CHECK(json["total"]["id"] == "total");
}

TEST_CASE("A choice of a control's own field is its value, others are actions") {
    app::App app = test::ready_app();
    const Json json = Json::parse(app::view_json(app.view()));
    for (const Json& control : json["controls"]) {
        for (const Json& choice : control.value("choices", Json::array())) {
            INFO(control["id"]);
            CHECK(choice.contains("label"));
            if (control["id"] == "type_k") {
                CHECK(choice["action"]["kind"] == "set_fields");
            } else if (control["id"] == "key_type") {
                CHECK(choice["action"]["key"] == "type_k");
            } else {
                CHECK(!choice.contains("action"));
            }
        }
    }
}

TEST_CASE("Any text is valid inside the JSON") {
    app::ViewModel view;
    view.model_name = "quote \" backslash \\ newline \n tab \t nul-like \x01 emoji 🙂";
    CHECK(Json::parse(app::view_json(view))["model_name"] == view.model_name);
}
