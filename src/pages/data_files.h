// What machines read: the figures of the pages as JSON, the sitemap, robots.txt.
#pragma once

#include <string>
#include <vector>

#include "pages/site.h"

namespace vramscope::pages {

/// api/v1/models/<id>.json: the headline, the matrix and the hardware table of the model's page.
/// Described in catalog/README.md; keys are only ever added within v1.
std::string model_json(const Site& site, const ModelEntry& entry, app::ViewMemo& memo);
/// api/v1/models/index.json
std::string index_json(const Site& site);

struct NamedFile {
    std::string path;
    std::string content;
};
/// sitemap.xml with one sitemap per language, and robots.txt.
std::vector<NamedFile> sitemap_files(const Site& site);

} // namespace vramscope::pages
