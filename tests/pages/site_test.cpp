// The static pages: markup, addresses, lists, and writing only what has changed.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "core/estimator.h"
#include "pages/address.h"
#include "pages/build.h"
#include "pages/drawings.h"
#include "pages/html.h"
#include "pages/page.h"
#include "support/catalog.h"
#include "support/files.h"
#include "support/locale.h"

using namespace vramscope;
namespace fs = std::filesystem;

namespace {

constexpr const char* languages[] = {"en", "de", "es", "fr", "ja", "ko", "pt", "zh"};

report::Locale merged(const std::string& language) {
    auto locale =
        pages::merged_locale(test::locale_text(language),
                             test::read_file("catalog/locales/pages/" + language + ".json"));
    REQUIRE(locale);
    return std::move(*locale);
}

/// A catalog of two models, so that a whole site is made in no time.
catalog::Catalog small_catalog() {
    catalog::Catalog catalog = test::shared_catalog();
    std::erase_if(catalog.models, [](const catalog::Model& model) {
        return model.id != "glm-4-9b-0414" && model.id != "qwen3-30b-a3b";
    });
    REQUIRE(catalog.models.size() == 2);
    catalog.hardware_table.resize(2);
    return catalog;
}

const pages::PageLists small_lists{
    {}, {"rtx-3060-12gb"}, {2, 10}, {"glm-4-9b-0414"}, {"rtx-3060-12gb"}};

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct TemporaryFolder {
    fs::path path = fs::temp_directory_path() / "vramscope-pages-test";
    TemporaryFolder() { fs::remove_all(path); }
    ~TemporaryFolder() { fs::remove_all(path); }
};

} // namespace

TEST_CASE("Markup is escaped in text and attributes") {
    pages::Html html;
    html.element("a", {{"href", "?a=1&b=\"2\""}, {"class", pages::no_value}}, "1 < 2 & 3 > 2");
    CHECK(html.str() == "<a href=\"?a=1&amp;b=&quot;2&quot;\">1 &lt; 2 &amp; 3 &gt; 2</a>");
}

TEST_CASE("Links inside the site are relative, outside absolute") {
    CHECK(pages::slug("Qwen 2.5 Coder") == "qwen-2.5-coder");
    CHECK(pages::slug("A.X (SKT)") == "a.x-skt");
    CHECK(pages::relative("models/a.html", "models/b.html") == "b.html");
    CHECK(pages::relative("models/a.html", "models/index.html") == "./");
    CHECK(pages::relative("models/a.html", "index.html") == "../");
    CHECK(pages::relative("de/models/a/b.html", "models/a/b.html") == "../../../models/a/b.html");
    CHECK(pages::relative("index.html", "de/models/index.html") == "de/models/");
    CHECK(pages::absolute("https://x.org/y/", "models/index.html") == "https://x.org/y/models/");
    CHECK(pages::absolute("https://x.org/y/", "models/a.html") == "https://x.org/y/models/a.html");
}

TEST_CASE("All languages have the pages' texts, with the same placeholders") {
    const auto holes = [](std::string_view text) {
        std::set<char> found;
        for (std::size_t i = 0; i + 2 < text.size(); ++i) {
            if (text[i] == '{' && text[i + 2] == '}')
                found.insert(text[i + 1]);
        }
        return found;
    };
    const report::Locale english = merged("en");
    for (const char* language : languages) {
        const report::Locale other = merged(language);
        CHECK(other.keys().size() == english.keys().size());
        for (const std::string_view key : english.keys()) {
            if (!key.starts_with("pages."))
                continue;
            INFO(language << ": " << key);
            CHECK(other.has(key));
            CHECK(holes(other.text(key)) == holes(english.text(key)));
        }
    }
}

TEST_CASE("A device's list has of each model what the sweep ranks first") {
    // One model in eight, and one whose usual weights are of nearly the same size.
    catalog::Catalog catalog = test::shared_catalog();
    std::size_t index = 0;
    std::erase_if(catalog.models, [&index](const catalog::Model& model) {
        return index++ % 8 != 0 && model.id != "gpt-oss-20b" && model.id != "glm-4-9b-0414";
    });
    std::vector<pages::Language> all;
    all.push_back({"", merged("en")});
    const pages::SiteOptions options{"https://x.org/", "", false, 1};
    pages::Site site{catalog, all, options, small_lists, "s.css", {}, {}, {}, {}};
    REQUIRE(pages::fill_models(site, 1));
    pages::HardwarePage page{catalog.find_hardware("rtx-3060-12gb"), {}};
    pages::fill_rows(site, page);

    catalog::Query query;
    REQUIRE(query.set("hardware", "rtx-3060-12gb"));
    REQUIRE(query.set("n_ctx", "8192"));
    report::ModelFilter filter;
    filter.find_max_context = false;
    filter.worst_quality = 3;
    auto sweep = report::ModelSweep::start(query, catalog, filter);
    REQUIRE(sweep);
    sweep->advance_until([] { return false; });
    auto rows = sweep->take_rows();
    report::sort_rows(rows, report::ModelColumn::rank, false);
    std::set<const catalog::Model*> seen;
    std::size_t same = 0;
    for (const report::ModelRow& row : rows) {
        if (!seen.insert(row.model).second)
            continue;
        const auto own = std::ranges::find_if(page.rows, [&row](const pages::HardwareRow& one) {
            return one.row.model == row.model;
        });
        REQUIRE(own != page.rows.end());
        INFO(row.model->id);
        CHECK(own->row.request == row.request);
        CHECK(own->row.figures.total.expected == row.figures.total.expected);
        ++same;
    }
    CHECK(same == page.rows.size());
    CHECK(same > 20);
}

TEST_CASE("A badge says what the estimate says") {
    const catalog::Catalog catalog = small_catalog();
    std::vector<pages::Language> all;
    all.push_back({"", merged("en")});
    const pages::SiteOptions options{"https://x.org/", "", false, 1};
    pages::Site site{catalog, all, options, small_lists, "s.css", {}, {}, {}, {}};
    REQUIRE(pages::fill_models(site, 1));
    const pages::ModelEntry& entry = *site.find_model("glm-4-9b-0414");
    const auto& hardware = *catalog.find_hardware("rtx-3060-12gb");
    const pages::BadgeFigures figures = pages::badge_figures(site, entry, hardware);
    const Estimate estimate = vramscope::estimate(entry.resolved.request);
    CHECK(figures.needed_bytes == estimate.devices.front().parts.total().expected);
    CHECK(figures.max_context_tokens == estimate.max_context_tokens);
    CHECK(pages::badge_text({Verdict::fits, 12 * gib, 7 * gib, 136404, 32.04}) ==
          "fits 12 GB \u00b7 136K ctx \u00b7 32 tok/s");
    CHECK(pages::badge_text({Verdict::does_not_fit, 12 * gib, 38 * gib + 1, 0, 3}) ==
          "does not fit 12 GB \u00b7 needs 39 GB");
    const std::string svg = pages::badge_svg(figures, entry, "RTX 3060 12GB");
    CHECK(svg.find("role=\"img\" aria-labelledby=\"t d\"") != std::string::npos);
    CHECK(svg.find("<title id=\"t\">GLM-4-9B-0414: ") != std::string::npos);
}

TEST_CASE("A second run writes nothing, and what is gone is removed") {
    const catalog::Catalog catalog = small_catalog();
    const TemporaryFolder folder;
    std::vector<pages::Language> all;
    all.push_back({"", merged("en")});
    all.push_back({"de", merged("de")});
    const pages::SiteOptions options{"https://x.org/", "", false, 2};
    const auto run = [&](const std::vector<pages::Language>& some, const char* fingerprint) {
        auto report = pages::build_pages(
            {catalog, some, small_lists, options, folder.path.string(), fingerprint});
        REQUIRE(report);
        return *report;
    };
    const pages::BuildReport first = run(all, "1");
    CHECK(first.written == first.files);
    CHECK(run(all, "1").unchanged);
    const pages::BuildReport other_inputs = run(all, "2");
    CHECK_FALSE(other_inputs.unchanged);
    CHECK(other_inputs.written == 0);

    const std::string html = read(folder.path / "de/models/glm-4-9b-0414.html");
    CHECK(html.find(" style=") == std::string::npos);
    CHECK(html.find("<script type=\"application/ld+json\">") == html.rfind("<script"));
    CHECK(html.find("hreflang=\"x-default\" href=\"https://x.org/models/glm-4-9b-0414.html\"") !=
          std::string::npos);

    all.pop_back();
    const pages::BuildReport one_language = run(all, "3");
    CHECK(one_language.removed > first.pages / 3);
    CHECK_FALSE(fs::exists(folder.path / "de/models/glm-4-9b-0414.html"));
}
