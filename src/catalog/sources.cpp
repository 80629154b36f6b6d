#include "catalog/sources.h"

#include <utility>

#include "catalog/source_check.h"
#include "catalog/source_documents.h"

namespace vramscope::catalog {

std::vector<Error> check_sources(const std::vector<SourceFile>& files) {
    JsonFaults faults;
    ReadSources sources = read_all_sources(files, faults);
    check_all(sources, faults);
    return std::move(faults.errors);
}

Result<Catalog> read_sources(const std::vector<SourceFile>& files) {
    JsonFaults faults;
    ReadSources sources = read_all_sources(files, faults);
    check_all(sources, faults);
    if (!faults.empty())
        return std::move(faults.errors.front());
    return std::move(sources.catalog);
}

Result<Snapshot> build_snapshot(const std::vector<SourceFile>& files) {
    JsonFaults faults;
    ReadSources sources = read_all_sources(files, faults);
    check_all(sources, faults);
    if (!faults.empty())
        return std::move(faults.errors.front());
    return pack_snapshot(sources.documents, sources.catalog);
}

} // namespace vramscope::catalog
