// The schemas help editors; the readers decide. Both know the same fields.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "catalog/architecture_fields.h"
#include "catalog/json_reader.h"
#include "catalog/sources.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;
using namespace vramscope::catalog;
using Names = std::set<std::string>;

namespace {

Json schema(const char* name) {
    const std::string path = std::string("catalog/schema/") + name + ".schema.json";
    auto document = parse_json(test::read_file(path), path);
    if (!document)
        FAIL(document.error().message);
    return std::move(*document);
}

Names properties(const Json& object) {
    Names names;
    for (const auto& [key, value] : object["properties"].items())
        names.insert(key);
    return names;
}

Names listed(const Json& choices) {
    Names names;
    for (const Json& choice : choices["enum"])
        names.insert(choice.get<std::string>());
    return names;
}

Names names_of(std::initializer_list<std::string_view> list) {
    Names names;
    for (const std::string_view name : list)
        names.emplace(name);
    return names;
}

/// All names under which objects of the shipped files have fields, by the kind of object.
void collect(const Json& entries, Names& into) {
    for (const Json& entry : entries) {
        for (const auto& [key, value] : entry.items())
            into.insert(key);
    }
}

bool contains_all(const Names& all, const Names& some) {
    for (const std::string& name : some) {
        if (!all.contains(name)) {
            UNSCOPED_INFO(name);
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("The schema of an architecture has the fields that are read") {
    const Json definitions = schema("models")["$defs"];
    const auto taker = [](Names& names) {
        return [&names](std::string_view key, const auto&) { names.emplace(key); };
    };
    const Mixer any_mixer;
    Names mixer = {"kind", "head_dim", "qk_norm", "gate"};
    mixer_fields(any_mixer, taker(mixer));
    CHECK(properties(definitions["mixer"]) == mixer);
    const FeedForward any_feed_forward;
    Names feed_forward = {"kind"};
    feed_forward_fields(any_feed_forward, taker(feed_forward));
    CHECK(properties(definitions["feed_forward"]) == feed_forward);
    const LayerNorms any_norms;
    Names norms;
    norm_fields(any_norms, taker(norms));
    CHECK(properties(definitions["norms"]) == norms);
    const Architecture any_architecture;
    Names architecture = {"norms", "mixers", "feed_forwards", "layers", "mtp_layers", "towers"};
    architecture_fields(any_architecture, taker(architecture));
    CHECK(properties(definitions["architecture"]) == architecture);

    const Json& mixer_properties = definitions["mixer"]["properties"];
    CHECK(listed(mixer_properties["kind"]) == names_of(mixer_kinds));
    CHECK(listed(mixer_properties["qk_norm"]) == names_of(qk_norms));
    CHECK(listed(mixer_properties["gate"]) == names_of(attention_gates));
    CHECK(listed(definitions["feed_forward"]["properties"]["kind"]) ==
          names_of(feed_forward_kinds));
}

TEST_CASE("The shipped entries have no field that a schema lacks") {
    Names models;
    Names artifacts;
    Names devices;
    for (const SourceFile& file : test::catalog_sources()) {
        auto document = parse_json(file.content, file.path);
        REQUIRE(document);
        if (file.path.starts_with("models/")) {
            collect((*document)["models"], models);
            for (const Json& model : (*document)["models"])
                collect(model.value("artifacts", Json::array()), artifacts);
        }
        if (file.path == "hardware.json")
            collect((*document)["devices"], devices);
    }
    const Json model = schema("models")["$defs"]["model"];
    CHECK(contains_all(properties(model), models));
    CHECK(contains_all(properties(model["properties"]["artifacts"]["items"]), artifacts));
    CHECK(contains_all(properties(schema("hardware")["$defs"]["device"]), devices));
}

TEST_CASE("The readers know every field of the schemas") {
    // An entry with all fields, each of a wrong type: faults of every kind but "not a known field".
    const auto wrong_entry = [](const Names& names) {
        Json entry = Json::object();
        for (const std::string& name : names)
            entry[name] = Json::array({1.5});
        return entry;
    };
    const Json definitions = schema("models")["$defs"];
    Json model = wrong_entry(properties(definitions["model"]));
    model.erase("base");
    model["architecture"] = wrong_entry(properties(definitions["architecture"]));
    model["artifacts"] = Json::array(
        {wrong_entry(properties(definitions["model"]["properties"]["artifacts"]["items"]))});
    const Json device = wrong_entry(properties(schema("hardware")["$defs"]["device"]));
    for (const Error& fault : check_sources(
             {{"models/a.json", Json({{"models", {model}}}).dump()},
              {"hardware.json", Json({{"devices", {device}}, {"ladder", {"a"}}}).dump()},
              {"formats.json", Json(wrong_entry(properties(schema("formats")))).dump()},
              {"sources.json", Json(wrong_entry(properties(schema("sources")))).dump()},
              {"version.json", Json(wrong_entry(properties(schema("version")))).dump()}})) {
        CAPTURE(fault.where, fault.message);
        CHECK(fault.code != "unknown-field");
    }
}
