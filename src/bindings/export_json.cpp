#include "bindings/export_json.h"

#include "bindings/estimate_json.h"
#include "core/estimator.h"

namespace vramscope::bindings {

[[gnu::noinline]] std::string export_json(const catalog::Query& query,
                                          const catalog::Catalog& catalog) {
    const auto resolved = catalog::resolve(query, catalog);
    if (!resolved)
        return {};
    return estimate_json(*resolved, estimate(resolved->request), catalog)
        .dump(2, ' ', false, catalog::Json::error_handler_t::replace);
}

} // namespace vramscope::bindings
