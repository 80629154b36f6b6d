// Verification: does the architecture of an entry have as many parameters as its publisher counted?
#pragma once

#include "catalog/catalog.h"

namespace vramscope::catalog {

struct CountCheck {
    std::int64_t computed = 0;    ///< all tensors of the architecture: text, MTP, towers
    std::int64_t named = 0;       ///< sum of the named differences
    std::int64_t unexplained = 0; ///< published - computed - named; 0 when nothing is published
    Evidence evidence = Evidence::reported;
};

/// verified: published = computed + named, to the last parameter, or to 5 millionths when
/// differences had to be named. derived: within 0.5 % of the published count, or, when none is
/// published, within 5 % of the rounded size. Else reported.
CountCheck check_count(const Model& model);

/// Whether two models have the same text layers, whatever their context, towers and MTP layers.
bool same_shape(const Architecture& a, const Architecture& b);

/// Groups that a named difference may have; the page has words for each.
bool is_difference_group(std::string_view group);

} // namespace vramscope::catalog
