#include "catalog/model_check.h"

#include <algorithm>
#include <array>

#include "core/tensors.h"

namespace vramscope::catalog {
namespace {

constexpr std::array<std::string_view, 12> difference_groups = {
    "tied-head-copy", // the checkpoint stores the output head although it equals the embedding
    "mtp",            // multi-token-prediction layers
    "mtp-embeddings", // their own copies of embedding and head
    "towers",         // vision or audio
    "fp8-scales",     // block scales of an FP8 checkpoint
    "packing",        // numbers packed several to an element (INT4, MXFP4)
    "buffers",        // stored masks and tables that are no weights
    "router-bias",    // score corrections counted apart
    "routing-tables", // hash tables of expert routing
    "vocabulary",     // the counted checkpoint has other embedding rows
    "norms",          // norms that the counted checkpoint lacks or adds
    "other"};         // named in evidence_note

} // namespace

CountCheck check_count(const Model& model) {
    CountCheck check;
    check.computed = count_parameters(model.architecture).total();
    for (const NamedDifference& difference : model.differences)
        check.named += difference.parameters;
    const auto computed = static_cast<double>(check.computed);
    if (model.published_parameters > 0) {
        check.unexplained = model.published_parameters - check.computed - check.named;
        const double share = static_cast<double>(check.unexplained) /
                             static_cast<double>(model.published_parameters);
        if (check.unexplained == 0) {
            check.evidence = Evidence::verified;
        } else if (share > -0.005 && share < 0.005) {
            check.evidence = Evidence::derived;
        }
    } else if (model.rounded_parameters > 0 && computed > 0.95 * model.rounded_parameters &&
               computed < 1.05 * model.rounded_parameters) {
        check.evidence = Evidence::derived;
    }
    return check;
}

bool is_difference_group(std::string_view group) {
    return std::find(difference_groups.begin(), difference_groups.end(), group) !=
           difference_groups.end();
}

} // namespace vramscope::catalog
