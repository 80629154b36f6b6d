// The pages themselves: one function for each kind, each gives a whole HTML document.
#pragma once

#include <string>

#include "pages/site.h"

namespace vramscope::pages {

std::string model_page(const Site& site, const Language& language, const ModelEntry& entry,
                       app::ViewMemo& memo);
std::string pair_page(const Site& site, const Language& language, const ModelEntry& entry,
                      const catalog::HardwareEntry& hardware, app::ViewMemo& memo);
std::string family_page(const Site& site, const Language& language, const Family& family);
std::string size_page(const Site& site, const Language& language, std::size_t size_class);
std::string hardware_page(const Site& site, const Language& language, const HardwarePage& hardware);
std::string models_index(const Site& site, const Language& language);
std::string hardware_index(const Site& site, const Language& language);

/// "Models with 5 to 10 B parameters".
std::string size_name(const Site& site, const report::Locale& locale, std::size_t size_class);

} // namespace vramscope::pages
