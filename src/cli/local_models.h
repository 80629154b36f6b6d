// --model FILE or LINK: a model of the person's own, written into the request.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/result.h"

namespace vramscope::cli {

/// Reads the models that requests name by files or links, each once.
class LocalModels {
public:
    /// `catalog` must outlive it; what it knows is not looked for elsewhere.
    explicit LocalModels(const catalog::Catalog& catalog) : catalog_(catalog) {}

    /// Replaces files or a link in `model` by what they hold (catalog/inline_model.h). Without an
    /// artifact of the request's own, the file itself is the artifact. Leaves catalog ids alone.
    catalog::Result<bool> resolve(catalog::Query& query);

private:
    struct Known {
        std::string given;
        std::string model;  ///< written out
        std::string fields; ///< of the request, which come with it
    };
    catalog::Result<Known> read(const std::string& given);

    const catalog::Catalog& catalog_;
    std::vector<Known> known_;
};

} // namespace vramscope::cli
