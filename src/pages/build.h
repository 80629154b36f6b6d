// Builds the whole site into a folder: in parallel, and writing only what has changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pages/site.h"

namespace vramscope::pages {

struct BuildInput {
    const catalog::Catalog& catalog;
    const std::vector<Language>& languages; ///< the first one lies at the top of the folder
    const PageLists& lists;
    SiteOptions options;
    std::string folder;
    std::string fingerprint; ///< of everything that the content depends on; see BuildReport
};

/// What a run did. A run whose fingerprint and files equal those of the last one (kept in
/// <folder>/.pages) is over at once; else every file is made and compared with what is there.
struct BuildReport {
    bool unchanged = false;
    std::size_t pages = 0; ///< HTML documents
    std::size_t files = 0; ///< all, pages included
    std::size_t written = 0;
    std::size_t removed = 0; ///< of the last run, no longer part of the site
    std::uint64_t bytes = 0;
};

/// Errors: an id of pages.json that is not in the catalog, a file that cannot be written.
catalog::Result<BuildReport> build_pages(const BuildInput& input);

/// The shared style sheet (style.css, compiled in).
std::string_view style_sheet();

} // namespace vramscope::pages
