// Files behind links, read by ranges with the curl that is installed. curl is started without a
// shell and only for http and https, redirects included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/result.h"

namespace vramscope::cli {

/// A small text, such as a hub's list of files. `accept` is a media type or "".
catalog::Result<std::string> remote_text(const std::string& url, const std::string& accept);

/// One file that is read piece by piece.
class RemoteReader {
public:
    explicit RemoteReader(std::string url) : url_(std::move(url)) {}

    /// Bytes from `offset` on, at most `length`; none at the end. Errors: "no-curl", "no-host",
    /// "no-connection", "gated", "missing", "busy", "server-fault", "refused", "slow", "truncated",
    /// "no-ranges".
    catalog::Result<std::string> read(std::uint64_t offset, std::size_t length);
    /// Known after the first read, when the host tells it.
    std::optional<std::uint64_t> size() const { return size_; }
    std::uint64_t bytes_read() const { return bytes_read_; }

private:
    std::string url_;
    std::optional<std::uint64_t> size_;
    std::uint64_t bytes_read_ = 0;
    [[maybe_unused]] bool whole_file_ = false; ///< the host ignores ranges
    std::string beginning_;   ///< what it sent before it was stopped
};

} // namespace vramscope::cli
