// pages: the static site, with its badges and JSON files, written into a folder.
#pragma once

#include <iosfwd>
#include <string>

#include "catalog/result.h"

namespace CLI {
class App;
}

namespace vramscope::cli {

class PagesCommand {
public:
    void add_to(CLI::App& app);
    bool given() const;
    /// Builds the site and prints one line of what was done to `out`.
    catalog::Result<bool> run(const std::string& catalog_path, std::ostream& out) const;

private:
    CLI::App* command_ = nullptr;
    std::string folder_;
    std::string base_url_;
    std::string repo_url_;
    std::string locales_;
    unsigned jobs_ = 0;
    bool png_pictures_ = false;
};

} // namespace vramscope::cli
