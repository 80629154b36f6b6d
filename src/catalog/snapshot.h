// The snapshot: the one catalog file that the page fetches, and its file of sources.
//
// catalog.json begins with one line of its own:
//
//   {"schema":1,"version":"0.1.0","date":"2026-11-30","hash":"<SHA-256 of all that follows>",
//
// and goes on with "formats", "quantization", "engines" (as their sources, less the texts that tell
// where facts come from), "hardware", "architectures" (each once), "models" and "artifacts" (packed
// tables). catalog-sources.json holds the texts left out, by id. Reading is declared in catalog.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/sources.h"

namespace vramscope::catalog {

/// The sources of a catalog as parsed documents; model entries are complete (without_bases).
struct SourceDocuments {
    Json version;
    Json sources;
    Json formats;
    Json quantization;
    Json engines;
    Json hardware;
    std::vector<Json> models; ///< all entries of all files, in order
};

/// Packs documents and the catalog that was read from them, both sound.
Snapshot pack_snapshot(const SourceDocuments& documents, const Catalog& catalog);

} // namespace vramscope::catalog
