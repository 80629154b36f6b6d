#include "cli/pages_command.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <ostream>

#include "catalog/sha256.h"
#include "cli/catalog_files.h"
#include "pages/build.h"

namespace vramscope::cli {
namespace {

using catalog::Error;
using catalog::Result;

/// "en English|de Deutsch": the ids.
std::vector<std::string> listed_languages(const report::Locale& english) {
    std::vector<std::string> ids;
    std::string_view list = english.text("language.list");
    while (!list.empty()) {
        ids.emplace_back(list.substr(0, list.find(' ')));
        list.remove_prefix(std::min(list.find('|'), list.size() - 1) + 1);
    }
    return ids;
}

std::vector<std::string> divided(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (end > 0)
            parts.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

bool is_address(std::string_view url) {
    return url.starts_with("https://") || url.starts_with("http://");
}

} // namespace

Result<bool> PagesCommand::run(const std::string& catalog_path, std::ostream& out) const {
    const auto start = std::chrono::steady_clock::now();
    if (!is_address(base_url_))
        return Error{"invalid-value", "base-url", "--base-url wants https://…, got " + base_url_};
    if (!repo_url_.empty() && !is_address(repo_url_))
        return Error{"invalid-value", "repo-url", "--repo-url wants https://…, got " + repo_url_};
    const auto catalog = load_catalog(catalog_path);
    if (!catalog)
        return catalog.error();
    const auto sources = find_source_folder({});
    if (!sources)
        return sources.error();
    const auto list_text = read_file(*sources + "/pages.json");
    if (!list_text)
        return Error{"unreadable-file", "pages.json", "cannot read " + *sources + "/pages.json"};
    const auto lists = pages::read_page_lists(*list_text);
    if (!lists)
        return lists.error();

    std::vector<std::string> ids = divided(locales_);
    if (ids.empty()) {
        const auto english = load_locale("en");
        if (!english)
            return english.error();
        ids = listed_languages(*english);
    }
    std::string inputs = catalog->hash + *list_text + base_url_ + '\n' + repo_url_ +
                         (png_pictures_ ? "\npng" : "\n");
    if (catalog->hash.empty()) // read from sources, which have no hash
        inputs += std::to_string(start.time_since_epoch().count());
    std::vector<pages::Language> languages;
    for (const std::string& id : ids) {
        const auto shared = locale_text(id);
        if (!shared)
            return shared.error();
        const auto own = locale_text("pages/" + id);
        if (!own)
            return own.error();
        auto locale = pages::merged_locale(*shared, *own);
        if (!locale)
            return locale.error();
        inputs += *shared + *own;
        languages.push_back({languages.empty() ? std::string() : id, std::move(*locale)});
    }
    // The program itself decides what pages look like.
    if (const auto program = read_file("/proc/self/exe"))
        inputs += *program;

    pages::SiteOptions options{base_url_, repo_url_, png_pictures_, jobs_};
    if (!options.base_url.ends_with('/'))
        options.base_url += '/';
    const auto report = pages::build_pages(
        {*catalog, languages, *lists, options, folder_, catalog::sha256(inputs)});
    if (!report)
        return report.error();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    out << report->pages << " pages in " << languages.size() << " languages, " << report->files
        << " files, " << report->bytes / 1000 << " kB; "
        << (report->unchanged ? std::string("nothing has changed")
                              : std::to_string(report->written) + " written, " +
                                    std::to_string(report->removed) + " removed")
        << "; " << static_cast<int>(seconds.count() * 1000) << " ms\n";
    return true;
}

} // namespace vramscope::cli
