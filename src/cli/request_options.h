// Request fields as command-line options.
#pragma once

#include <map>
#include <string>

#include "catalog/request_fields.h"
#include "catalog/result.h"

namespace CLI { // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace vramscope::cli {

/// The options of one command that takes a request: `[URL] --model … --n-ctx …`.
class RequestOptions {
public:
    /// Adds a positional URL and one option per field, in both spellings, with its aliases.
    void add_to(CLI::App& command);

    bool given() const;
    /// The URL's fields, overridden by options.
    catalog::Result<catalog::Query> query() const;

private:
    std::string url_;
    std::map<catalog::Field, std::string> values_;
};

} // namespace vramscope::cli
