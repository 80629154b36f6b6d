// From the JSON sources of catalog/ to a snapshot: validation and packing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/result.h"

namespace vramscope::catalog {

struct SourceFile {
    std::string path; ///< relative to catalog/: "models/glm.json"
    std::string content;
};

/// All faults found in the sources, each naming file, entry, field and reason; empty when sound.
std::vector<Error> check_sources(const std::vector<SourceFile>& files);

/// The catalog that sound sources describe, with all its sources and nothing packed; the first
/// fault otherwise.
Result<Catalog> read_sources(const std::vector<SourceFile>& files);

/// What `catalog build` writes.
struct Snapshot {
    std::string catalog; ///< catalog.json: what the page fetches at its start
    std::string
        sources; ///< catalog-sources.json: where the facts come from, fetched when asked for
};

/// Packs sound sources: deterministic (same input, same bytes), with schema version, data version,
/// date and content hash. Locales are not part of it.
Result<Snapshot> build_snapshot(const std::vector<SourceFile>& files);

} // namespace vramscope::catalog
