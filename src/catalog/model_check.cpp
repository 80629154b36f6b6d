#include "catalog/model_check.h"

#include <algorithm>
#include <array>

#include "core/tensors.h"

namespace vramscope::catalog {
namespace {

constexpr std::array<std::string_view, 14> difference_groups = {
    "tied-head-copy", // the checkpoint stores the output head although it equals the embedding
    "mtp",            // multi-token-prediction layers
    "mtp-embeddings", // their own copies of embedding and head
    "towers",         // vision or audio
    "fp8-scales",     // block scales of an FP8 checkpoint
    "packing",        // numbers packed several to an element (INT4, MXFP4)
    "sinks",          // attention sinks
    "gates",          // gates of cross-attention layers
    "buffers",        // stored masks and tables that are no weights
    "router-bias",    // score corrections counted apart
    "routing-tables", // hash tables of expert routing
    "vocabulary",     // the counted checkpoint has other embedding rows
    "norms",          // norms that the counted checkpoint lacks or adds
    "other"};         // named in evidence_note

/// Publishers round, and some leave towers and MTP layers out.
bool near(double rounded, std::int64_t count) {
    const auto exact = static_cast<double>(count);
    return rounded > 0 && exact > 0.95 * rounded && exact < 1.05 * rounded;
}

} // namespace

CountCheck check_count(const Model& model) {
    CountCheck check;
    const ParameterCount count = count_parameters(model.architecture);
    check.computed = count.total();
    for (const NamedDifference& difference : model.differences)
        check.named += difference.parameters;
    if (model.published_parameters > 0) {
        check.unexplained = model.published_parameters - check.computed - check.named;
        const double share = static_cast<double>(check.unexplained) /
                             static_cast<double>(model.published_parameters);
        // Scales of packed checkpoints are known to a few tensors of thousands.
        const double allowed = model.differences.empty() ? 0 : 5e-6;
        if (share >= -allowed && share <= allowed) {
            check.evidence = Evidence::verified;
        } else if (share > -0.005 && share < 0.005) {
            check.evidence = Evidence::derived;
        }
    } else if (near(model.rounded_parameters, check.computed) ||
               near(model.rounded_parameters, count.text)) {
        check.evidence = Evidence::derived;
    }
    return check;
}

bool same_shape(const Architecture& a, const Architecture& b) {
    if (a.n_embd != b.n_embd || a.n_vocab != b.n_vocab || a.tied_embeddings != b.tied_embeddings ||
        a.norms != b.norms || a.mixers != b.mixers || a.feed_forwards != b.feed_forwards ||
        a.layers.size() != b.layers.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        if (a.layers[i].mixer != b.layers[i].mixer ||
            a.layers[i].feed_forward != b.layers[i].feed_forward) {
            return false;
        }
    }
    return true;
}

bool is_difference_group(std::string_view group) {
    return std::find(difference_groups.begin(), difference_groups.end(), group) !=
           difference_groups.end();
}

} // namespace vramscope::catalog
