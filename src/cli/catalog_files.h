// Where the tool finds its catalog and locales on disk.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/result.h"
#include "catalog/sources.h"
#include "report/locale.h"

namespace vramscope::cli {

/// All JSON sources below a folder, without locales and schemas, in a fixed order.
catalog::Result<std::vector<catalog::SourceFile>> read_source_files(const std::string& folder);

/// The folder of the catalog's sources: `given`, else `catalog` here or in a folder above, else
/// that of the checkout the tool was built from. Error "missing-catalog" names what was looked for.
catalog::Result<std::string> find_source_folder(const std::string& given);

/// A catalog: from `given` (a snapshot file or a folder of sources), else from the snapshot beside
/// the program, else from the sources.
catalog::Result<catalog::Catalog> load_catalog(const std::string& given);

/// A language's texts: beside the program, or in the sources.
catalog::Result<report::Locale> load_locale(const std::string& language);

/// The text of that language's file; `name` is "de", or "pages/de" for the static pages' own texts.
catalog::Result<std::string> locale_text(const std::string& name);

/// The whole file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);
/// Writes through a neighbour file, so that a failed write leaves the old content.
bool write_file(const std::string& path, const std::string& content);

} // namespace vramscope::cli
