// The repository's own catalog, for tests.
#pragma once

#include <vector>

#include "bindings/session.h"
#include "catalog/catalog.h"
#include "catalog/sources.h"

namespace vramscope::test {

/// The sources of catalog/, read from disk.
std::vector<catalog::SourceFile> catalog_sources();
/// A catalog made of them by way of a snapshot, as the page gets it; made once.
const catalog::Catalog& shared_catalog();
/// A session that holds it, for one test.
bindings::Session session();

} // namespace vramscope::test
