#include "catalog/snapshot.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "catalog/packed_table.h"
#include "catalog/sha256.h"
#include "core/tensors.h"
#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::catalog;

namespace {

const Snapshot& snapshot() {
    static const Snapshot built = [] {
        auto made = build_snapshot(test::catalog_sources());
        if (!made)
            FAIL(made.error().where + ": " + made.error().message);
        return std::move(*made);
    }();
    return built;
}

std::string with_schema(int schema) {
    std::string text = snapshot().catalog;
    const std::string start = "{\"schema\":1,";
    REQUIRE(text.starts_with(start));
    return "{\"schema\":" + std::to_string(schema) + "," + text.substr(start.size());
}

} // namespace

TEST_CASE("SHA-256 gives the figures of its standard") {
    // FIPS 180-2, appendix B.
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("The same sources give the same bytes, in whatever order they come") {
    std::vector<SourceFile> files = test::catalog_sources();
    std::reverse(files.begin(), files.end());
    const auto again = build_snapshot(files);
    REQUIRE(again);
    CHECK(again->catalog == snapshot().catalog);
    CHECK(again->sources == snapshot().sources);
}

TEST_CASE("The hash is that of all bytes behind the first line") {
    const std::string& text = snapshot().catalog;
    const std::string body = text.substr(text.find('\n') + 1);
    CHECK(text.find(sha256(body)) < text.find('\n'));
    const auto catalog = read_snapshot(text);
    REQUIRE(catalog);
    CHECK(catalog->hash == sha256(body));
    CHECK(catalog->date.size() == 10);
}

TEST_CASE("A snapshot holds what its sources say") {
    const auto sources = read_sources(test::catalog_sources());
    auto packed = read_snapshot(snapshot().catalog);
    REQUIRE(sources);
    REQUIRE(packed);
    const auto filled = read_snapshot_sources(snapshot().sources, *packed);
    if (!filled)
        FAIL(filled.error().message);
    REQUIRE(packed->models.size() == sources->models.size());
    for (std::size_t i = 0; i < sources->models.size(); ++i) {
        const Model& a = sources->models[i];
        const Model& b = packed->models[i];
        CAPTURE(a.id);
        CHECK(a.id == b.id);
        CHECK(a.name == b.name);
        CHECK(a.provider == b.provider);
        CHECK(a.family == b.family);
        CHECK(a.hf_repo == b.hf_repo);
        CHECK(a.license == b.license);
        CHECK(a.license_checked == b.license_checked);
        CHECK(a.release == b.release);
        CHECK(a.aliases == b.aliases);
        CHECK(a.evidence == b.evidence);
        CHECK(a.evidence_note == b.evidence_note);
        CHECK(a.published_parameters == b.published_parameters);
        CHECK(a.rounded_parameters == b.rounded_parameters);
        CHECK(a.differences.size() == b.differences.size());
        CHECK(a.sources == b.sources);
        CHECK(a.architecture.mixers == b.architecture.mixers);
        CHECK(a.architecture.feed_forwards == b.architecture.feed_forwards);
        CHECK(a.architecture.layers.size() == b.architecture.layers.size());
        CHECK(a.architecture.native_context == b.architecture.native_context);
        CHECK(count_parameters(a.architecture).total() == count_parameters(b.architecture).total());
        REQUIRE(a.artifacts.size() == b.artifacts.size());
        for (std::size_t j = 0; j < a.artifacts.size(); ++j) {
            CHECK(a.artifacts[j].id == b.artifacts[j].id);
            CHECK(a.artifacts[j].name == b.artifacts[j].name);
            CHECK(a.artifacts[j].bytes == b.artifacts[j].bytes);
            CHECK(a.artifacts[j].files.size() == b.artifacts[j].files.size());
            CHECK(a.artifacts[j].engines == b.artifacts[j].engines);
            CHECK(a.artifacts[j].source == b.artifacts[j].source);
        }
    }
    REQUIRE(packed->hardware.size() == sources->hardware.size());
    for (std::size_t i = 0; i < sources->hardware.size(); ++i) {
        const HardwareEntry& a = sources->hardware[i];
        const HardwareEntry& b = packed->hardware[i];
        CAPTURE(a.id);
        CHECK(a.id == b.id);
        CHECK(a.count == b.count);
        CHECK(a.device.name == b.device.name);
        CHECK(a.device.memory_bytes == b.device.memory_bytes);
        CHECK(a.device.usable_bytes == b.device.usable_bytes);
        CHECK(a.device.bandwidth_gb_per_s == b.device.bandwidth_gb_per_s);
        CHECK(a.device.hardware_class == b.device.hardware_class);
        CHECK(a.sources == b.sources);
    }
    CHECK(packed->hardware_ladder == sources->hardware_ladder);
}

TEST_CASE("Sources belong to one snapshot") {
    auto catalog = read_snapshot(snapshot().catalog);
    REQUIRE(catalog);
    catalog->hash = "0";
    const auto filled = read_snapshot_sources(snapshot().sources, *catalog);
    REQUIRE_FALSE(filled);
    CHECK(filled.error().code == "other-catalog");
    CHECK_FALSE(read_snapshot_sources("{", *catalog));
}

TEST_CASE("An older page and an older catalog say which of them it is") {
    const auto newer = read_snapshot(with_schema(2));
    REQUIRE_FALSE(newer);
    CHECK(newer.error().code == "catalog-newer");
    CHECK(newer.error().message.find("older than its catalog") != std::string::npos);
    const auto older = read_snapshot(with_schema(0));
    REQUIRE_FALSE(older);
    CHECK(older.error().code == "catalog-older");
    for (const char* text : {"[]", "{}", "null", "{\"schema\":\"1\"}", "3"}) {
        const auto none = read_snapshot(text);
        REQUIRE_FALSE(none);
        CHECK(none.error().code == "not-a-catalog");
    }
}

TEST_CASE("A cut or spoilt snapshot is refused, never half read") {
    const std::string& whole = snapshot().catalog;
    for (std::size_t part = 0; part < 40; ++part) {
        CHECK_FALSE(read_snapshot(whole.substr(0, whole.size() * part / 40)));
    }
    // Valid JSON with a section that is something else.
    for (const char* section : {"formats", "quantization", "engines", "hardware", "architectures",
                                "models", "artifacts"}) {
        auto document = parse_json(whole, "catalog.json");
        REQUIRE(document);
        for (const Json& other : {Json(), Json(1), Json("x"), Json::array({1}), Json::object()}) {
            Json changed = *document;
            changed[section] = other;
            CAPTURE(section, changed[section].dump());
            CHECK_FALSE(read_snapshot(changed.dump()));
        }
    }
}

TEST_CASE("A table gives back the objects it was made of") {
    std::vector<Json> objects;
    for (int i = 0; i < 6; ++i) {
        Json object = {{"id", "m" + std::to_string(i)}, {"maker", i < 3 ? "A" : "B"}};
        if (i == 2)
            object["note"] = {{"list", {1, 2}}};
        objects.push_back(std::move(object));
    }
    const std::string text = pack_table(objects, {"id", "note", "maker"});
    const auto table = parse_json(text, "table");
    REQUIRE(table);
    // Makers repeat, so that rows hold places in a list of words.
    CHECK((*table)["words"]["maker"] == Json({"A", "B"}));
    JsonFaults faults;
    CHECK(unpack_table(JsonReader(*table, "table", faults)) == objects);
    CHECK(faults.empty());

    Json broken = *table;
    broken["rows"][0][2] = 7;
    unpack_table(JsonReader(broken, "table", faults));
    REQUIRE(faults.errors.size() == 1);
    CHECK(faults.errors[0].message == "\"maker\" points outside its words");
}
