#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <regex>
#include <set>

#include "catalog/request_fields.h"
#include "core/estimate.h"
#include "report/locale.h"
#include "support/files.h"
#include "support/locale.h"

using namespace vramscope;
using report::ByteUnit;
using test::locale;

namespace {

constexpr const char* languages[] = {"en", "de", "es", "fr", "pt", "ja", "ko", "zh"};

std::set<std::string> keys_of(const report::Locale& locale) {
    std::set<std::string> keys;
    for (const std::string_view key : locale.keys())
        keys.emplace(key);
    return keys;
}

/// The placeholders of a text, as often as they occur at least once.
std::set<std::string> placeholders(std::string_view text) {
    static const std::regex pattern(R"(\{[a-z_0-9]+\})");
    const std::string copy(text);
    std::set<std::string> found;
    for (std::sregex_iterator i(copy.begin(), copy.end(), pattern), end; i != end; ++i) {
        found.insert(i->str());
    }
    return found;
}

} // namespace

// Expected formats: Unicode CLDR 44, main/{en,de,ja}.xml, decimal and percent patterns; a narrow
// no-break space before the percent sign is what DIN 5008 asks for.
TEST_CASE("Numbers are written as each language writes them") {
    CHECK(locale("en").integer(32768) == "32,768");
    CHECK(locale("de").integer(32768) == "32.768");
    CHECK(locale("ja").integer(32768) == "32,768");
    CHECK(locale("en").decimal(1234.5, 2) == "1,234.50");
    CHECK(locale("de").decimal(1234.5, 2) == "1.234,50");
    CHECK(locale("en").percent(0.676, 1) == "67.6%");
    CHECK(locale("de").percent(0.676, 1) == "67,6\u202f%");
    CHECK(locale("ja").percent(0.676, 1) == "67.6%");
    CHECK(locale("en").integer(-1234) == "\u22121,234");
    CHECK(locale("en").integer(999) == "999");
    CHECK(locale("en").integer(1000000) == "1,000,000");
}

TEST_CASE("Halves are rounded away from zero, and nothing prints as minus zero") {
    CHECK(locale("en").decimal(0.125, 2) == "0.13");
    CHECK(locale("en").decimal(-0.125, 2) == "\u22120.13");
    CHECK(locale("en").decimal(-0.001, 2) == "0.00");
    CHECK(locale("en").decimal(0.5, 0) == "1");
    CHECK(locale("en").decimal(9.996, 2) == "10.00");
}

TEST_CASE("A number has as many decimals as it needs") {
    CHECK(locale("en").number(2) == "2");
    CHECK(locale("en").number(1.0625) == "1.0625");
    CHECK(locale("de").number(8.5) == "8,5");
    CHECK(locale("en").number(0.1 + 0.2) == "0.3");
}

TEST_CASE("Bytes name their unit") {
    // The file of GLM-4-9B-0414 Q4_K_M as the reference page prints it: 5.74 GiB / 6.17 GB.
    constexpr Bytes file = 6166574944;
    CHECK(locale("en").bytes(file, ByteUnit::gib) == "5.74\u00a0GiB");
    CHECK(locale("en").bytes(file, ByteUnit::gb) == "6.17\u00a0GB");
    CHECK(locale("de").bytes(file, ByteUnit::gib) == "5,74\u00a0GiB");
    CHECK(locale("en").exact_bytes(file) == "6,166,574,944\u00a0bytes");
    CHECK(locale("en").bytes_number(1, ByteUnit::gib) == "<0.01");
    CHECK(locale("en").bytes_number(0, ByteUnit::gib) == "0.00");
}

TEST_CASE("A range whose ends print the same is one figure") {
    CHECK(locale("en").bytes_range(gib, 2 * gib, ByteUnit::gib) == "1.00–2.00\u00a0GiB");
    CHECK(locale("en").bytes_range(gib, gib + 1, ByteUnit::gib) == "1.00\u00a0GiB");
    CHECK(locale("ja").bytes_range(gib, 2 * gib, ByteUnit::gib) == "1.00〜2.00\u00a0GiB");
}

TEST_CASE("Round token counts have a short form") {
    CHECK(locale("en").tokens_short(32768) == "32K");
    CHECK(locale("en").tokens_short(131072) == "128K");
    CHECK(locale("en").tokens_short(1048576) == "1M");
    CHECK(locale("en").tokens_short(1000) == "1,000");
    CHECK(locale("de").tokens_short(40000) == "40.000");
}

TEST_CASE("Placeholders are filled, others stay") {
    CHECK(locale("en").format("verdict.detail.of", {"7.12", "12 GiB", "RTX"}) ==
          "7.12 of 12 GiB on RTX");
    CHECK(locale("en").format("no.such.key", {"x"}) == "no.such.key");
}

TEST_CASE("A locale file with a fault is refused with its key") {
    CHECK(report::Locale::read("nonsense").error().code == "invalid-json");
    CHECK(report::Locale::read(R"({"language": 1})").error().where == "language");
    CHECK(report::Locale::read(R"({"language": "xx"})").error().code == "missing-key");
}

TEST_CASE("Every language has the same keys and placeholders") {
    const report::Locale& english = locale("en");
    const std::set<std::string> keys = keys_of(english);
    for (const char* language : languages) {
        const report::Locale& other = locale(language);
        CHECK(other.language() == language);
        CHECK(keys_of(other) == keys);
        for (const std::string& key : keys) {
            INFO(language << ": " << key);
            CHECK(!other.text(key).empty());
            CHECK(placeholders(other.text(key)) == placeholders(english.text(key)));
        }
    }
}

TEST_CASE("The list of languages names exactly the files there are") {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(VRAMSCOPE_SOURCE_DIR) / "catalog/locales")) {
        if (entry.is_regular_file())
            files.insert(entry.path().stem().string());
    }
    std::set<std::string> listed;
    std::string list(locale("en").text("language.list"));
    std::size_t start = 0;
    while (start < list.size()) {
        listed.insert(list.substr(start, list.find(' ', start) - start));
        start = std::min(list.find('|', start), list.size() - 1) + 1;
    }
    CHECK(listed == files);
    for (const char* language : languages)
        CHECK(locale(language).text("language.list") == list);
}

// Keys are written in full where they are used; those that are put together begin with a prefix
// that is listed here with the ends it can have.
TEST_CASE("Every key that the code uses exists") {
    const std::regex literal(
        R"((?:text|format|has|add_fact)\(\s*(?:context, view, )?\"([a-z][a-z0-9_-]*\.[a-zA-Z0-9_.-]+)\")");
    const std::filesystem::path source = std::filesystem::path(VRAMSCOPE_SOURCE_DIR) / "src";
    std::size_t found = 0;
    for (const char* folder : {"report", "app"}) {
        for (const auto& entry : std::filesystem::directory_iterator(source / folder)) {
            if (entry.path().extension() != ".cpp")
                continue;
            const std::string code = test::read_file("src/" + std::string(folder) + "/" +
                                                     entry.path().filename().string());
            for (std::sregex_iterator i(code.begin(), code.end(), literal), end; i != end; ++i) {
                const std::string key = (*i)[1].str();
                if (key.back() == '.')
                    continue;
                INFO(entry.path().filename() << ": " << key);
                CHECK(locale("en").has(key));
                ++found;
            }
        }
    }
    CHECK(found > 100); // the pattern still finds them
}

TEST_CASE("Every request field has a label and a help text") {
    for (const catalog::FieldInfo& field : catalog::all_fields()) {
        INFO(field.key);
        CHECK(locale("en").has(std::string("field.") + field.key));
        CHECK(locale("en").has(help_key(field)));
    }
}

TEST_CASE("Every part, verdict and term that the core names has its texts") {
    for (std::size_t i = 0; i < part_count; ++i) {
        CHECK(locale("en").has(std::string("part.") + name(static_cast<Part>(i))));
    }
    for (const Verdict verdict :
         {Verdict::fits, Verdict::tight, Verdict::offload, Verdict::does_not_fit}) {
        CHECK(locale("en").has(std::string("verdict.") + name(verdict)));
        if (verdict != Verdict::fits)
            CHECK(locale("en").has(std::string("advice.") + name(verdict)));
    }
    const std::regex formula(R"("((?:weights|kv|state|compute|overhead|output)\.[a-z_]+)\")");
    std::size_t found = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(VRAMSCOPE_SOURCE_DIR) / "src/core")) {
        if (entry.path().extension() != ".cpp")
            continue;
        const std::string code =
            test::read_file(std::filesystem::relative(entry.path(), VRAMSCOPE_SOURCE_DIR).string());
        for (std::sregex_iterator i(code.begin(), code.end(), formula), end; i != end; ++i) {
            const std::string key = "why." + (*i)[1].str();
            INFO(key);
            CHECK(locale("en").has(key + ".title"));
            CHECK(locale("en").has(key + ".text"));
            ++found;
        }
    }
    CHECK(found >= 10);
}
