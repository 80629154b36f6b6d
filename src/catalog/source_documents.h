// From the files of catalog/ to parsed documents and the catalog they describe.
#pragma once

#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/snapshot.h"
#include "catalog/sources.h"

namespace vramscope::catalog {

struct ReadSources {
    SourceDocuments documents;
    Catalog catalog;
    /// For each model of the catalog, the file it stands in.
    std::vector<std::string> model_files;
    /// Locale files, parsed; the name is "locales/de.json".
    std::vector<std::pair<std::string, Json>> locales;
};

/// Reads all files, in the order of their paths whatever the order given. What is wrong with one
/// field or entry goes to `faults`, and reading goes on.
ReadSources read_all_sources(const std::vector<SourceFile>& files, JsonFaults& faults);

} // namespace vramscope::catalog
