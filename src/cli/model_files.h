// Weight files and configs on disk: found, grouped, and read by their headers only.
#pragma once

#include <string>
#include <vector>

#include "catalog/result.h"
#include "core/storage_type.h"
#include "formats/hub_links.h"
#include "formats/inspection.h"

namespace vramscope::cli {

/// Whether a --model value names something on disk rather than a catalog entry.
bool names_a_file(const std::string& text);
/// Whether it is a link, or a repository as people write them: "org/name", "hf:…", "ollama:…".
bool names_a_link(const std::string& text);
/// The hubs that links are read from: the file that the environment's VRAMSCOPE_HUBS names, else
/// hubs.json beside the program or in the catalog's sources.
catalog::Result<formats::Hubs> load_hubs();

/// Reads what the paths hold together. A folder stands for its config and weights; parts of a split
/// file, shards of an index and the config beside a checkpoint come along by themselves. Links are
/// read by ranges with curl; a repository of several models is an error that lists them.
catalog::Result<formats::Inspection> inspect_files(const std::vector<std::string>& paths,
                                                   const StorageTypeTable& types);

} // namespace vramscope::cli
