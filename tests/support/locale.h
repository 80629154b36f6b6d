// The repository's own texts, for tests.
#pragma once

#include <string>
#include <string_view>

#include "report/locale.h"

namespace vramscope::test {

/// The file catalog/locales/<language>.json.
std::string locale_text(std::string_view language);
/// The same, read; made once.
const report::Locale& locale(std::string_view language);

} // namespace vramscope::test
