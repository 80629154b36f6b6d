#include "catalog/json_reader.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

using namespace vramscope::catalog;

namespace {

std::string parse_message(std::string_view text) {
    const auto document = parse_json(text, "file.json");
    if (document)
        return "";
    CHECK(document.error().where == "file.json");
    CHECK(document.error().code == "invalid-json");
    return document.error().message;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("Faults of syntax are given by line and column") {
    CHECK(contains(parse_message("{\"a\": 1,\n  \"b\": }"), "line 2, column 8"));
    CHECK(contains(parse_message(""), "line 1, column 1"));
    CHECK(contains(parse_message("[1, 2"), "line 1, column 5"));
    CHECK(contains(parse_message("[1] [2]"), "line 1, column 5"));
    CHECK(contains(parse_message("{\"a\": 1, \"a\": 2}"), "key \"a\" occurs twice"));
    CHECK(contains(parse_message("[1e999]"), "number overflow"));
    CHECK(contains(parse_message("\"\xff\""), "ill-formed UTF-8"));
    CHECK(contains(parse_message(std::string(100000, '[')), "nested too deeply"));
    CHECK(parse_message("{\"a\": [1, {\"b\": null}]}").empty());
}

TEST_CASE("Any bytes give a document or a message in valid UTF-8") {
    const std::string text =
        "{\"models\": [{\"id\": \"\u4e16\u754c\", \"n\": -1.5e3, \"b\": true}]}";
    for (std::size_t length = 0; length < text.size(); ++length) {
        const auto document = parse_json(text.substr(0, length), "cut");
        REQUIRE_FALSE(document);
        // dump() refuses invalid UTF-8; replacing finds nothing to replace.
        const Json message = document.error().message;
        CHECK(message.dump(-1, ' ', false, Json::error_handler_t::replace).find("\xef\xbf\xbd") ==
              std::string::npos);
    }
    for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[20] = static_cast<char>(byte);
        (void)parse_json(changed, "changed");
    }
}

TEST_CASE("Fields are taken with their type and range") {
    const auto document = parse_json(
        R"({"whole": 2.0, "big": 1e9, "part": 2.5, "text": "x", "real": 0.5, "yes": true,
            "huge": 18446744073709551615, "list": ["a", "b"], "mixed": ["a", 1], "empty": ""})",
        "file.json");
    REQUIRE(document);
    JsonFaults faults;
    const JsonReader reader(*document, "file.json", faults);
    std::int32_t whole = 0;
    CHECK(reader.field("whole", whole, 0, 10));
    CHECK(whole == 2);
    std::int64_t big = 0;
    CHECK(reader.field("big", big, 0, 2'000'000'000));
    CHECK(big == 1'000'000'000);
    double real = 0;
    CHECK(reader.field("real", real, 0, 1));
    CHECK(real == 0.5);
    bool yes = false;
    CHECK(reader.field("yes", yes));
    CHECK(yes);
    std::vector<std::string> list;
    CHECK(reader.field("list", list));
    CHECK(list == std::vector<std::string>{"a", "b"});
    CHECK_FALSE(reader.field("absent", whole, 0, 10));
    CHECK(faults.empty());

    CHECK_FALSE(reader.field("part", whole, 0, 10));
    CHECK_FALSE(reader.field("whole", whole, 3, 10));
    CHECK_FALSE(reader.field("huge", big, 0, std::numeric_limits<std::int64_t>::max()));
    CHECK_FALSE(reader.field("text", whole, 0, 10));
    CHECK_FALSE(reader.field("text", real, 0, 1));
    CHECK_FALSE(reader.field("text", yes));
    CHECK_FALSE(reader.field("mixed", list));
    std::string text;
    CHECK_FALSE(reader.field("whole", text));
    CHECK_FALSE(reader.field("empty", text));
    CHECK_FALSE(reader.field("absent", text, Need::required));
    CHECK_FALSE(reader.object("list"));
    CHECK_FALSE(reader.array("text"));
    CHECK(faults.errors.size() == 12);
    CHECK(whole == 2);
    CHECK(faults.errors.front().where == "file.json: part");
    CHECK(faults.errors.front().message == "expected a whole number from 0 to 10, got 2.5");
}

TEST_CASE("Paths name entries by their ids, and misspelt fields get a suggestion") {
    const auto document =
        parse_json(R"({"models": [{"id": "m"}, {"shape": {"widht": 1}}]})", "f.json");
    REQUIRE(document);
    JsonFaults faults;
    const JsonReader root(*document, "f.json", faults);
    const auto list = root.array("models");
    REQUIRE(list);
    std::vector<std::string> paths;
    list->for_each_element([&](const JsonReader& element) {
        paths.push_back(element.path());
        if (const auto shape = element.object("shape"))
            shape->no_other_fields({"width", "height"});
    });
    CHECK(paths == std::vector<std::string>{"f.json: models[m]", "f.json: models[1]"});
    REQUIRE(faults.errors.size() == 1);
    CHECK(faults.errors[0].where == "f.json: models[1].shape.widht");
    CHECK(faults.errors[0].message == "is not a known field; did you mean \"width\"?");
}

TEST_CASE("The number of faults kept is bounded") {
    JsonFaults faults;
    for (int i = 0; i < 5000; ++i)
        faults.add("code", "where", "message");
    CHECK(faults.errors.size() == JsonFaults::limit);
}
