// --model FILE: a model of the person's own, put beside the catalog's for this run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings/session.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"

namespace vramscope::cli {

/// Puts the models that requests name by file into a session's catalog, each file once.
class LocalModels {
public:
    explicit LocalModels(bindings::Session& session) : session_(session) {}

    /// Replaces a file in `model` by the id of what it holds. Without an artifact of the request's
    /// own, the file itself is the artifact. Leaves catalog ids alone.
    catalog::Result<bool> resolve(catalog::Query& query);

private:
    struct Known {
        std::string path;
        std::string id;
        bool has_artifact;
        std::string quantization; ///< of a config without weights
    };
    catalog::Result<Known> read(const std::string& path);

    bindings::Session& session_;
    std::vector<Known> known_;
};

} // namespace vramscope::cli
