// Weight files and configs on disk: found, grouped, and read by their headers only.
#pragma once

#include <string>
#include <vector>

#include "catalog/result.h"
#include "core/storage_type.h"
#include "formats/inspection.h"

namespace vramscope::cli {

/// Whether a --model value names something on disk rather than a catalog entry.
bool names_a_file(const std::string& text);

/// Reads what the paths hold together. A folder stands for its config and weights; parts of a split
/// file, shards of an index and the config beside a checkpoint come along by themselves.
catalog::Result<formats::Inspection> inspect_files(const std::vector<std::string>& paths,
                                                   const StorageTypeTable& types);

} // namespace vramscope::cli
