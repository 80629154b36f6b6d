// The tool as WebAssembly starts no other programs.
#include "cli/remote_files.h"

namespace vramscope::cli {

namespace {

catalog::Error no_curl() {
    return {"no-curl", "link",
            "this build of the tool does not read links; download the file and name it instead"};
}

} // namespace

catalog::Result<std::string> remote_text(const std::string& /*url*/,
                                         const std::string& /*accept*/) {
    return no_curl();
}

catalog::Result<std::string> RemoteReader::read(std::uint64_t /*offset*/, std::size_t /*length*/) {
    return no_curl();
}

} // namespace vramscope::cli
