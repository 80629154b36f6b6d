// The tool as WebAssembly has no threads and leaves the site to the native one.
#include "cli/pages_command.h"

namespace vramscope::cli {

catalog::Result<bool> PagesCommand::run(const std::string& /*catalog_path*/,
                                        std::ostream& /*out*/) const {
    return catalog::Error{"not-here", "pages",
                          "this build of the tool makes no static pages; the native one does"};
}

} // namespace vramscope::cli
