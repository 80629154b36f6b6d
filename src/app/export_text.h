// What is shown, as text for other programs: Markdown for people, CSV with exact values for tables.
#pragma once

#include <string>
#include <string_view>

#include "app/view_model.h"

namespace vramscope::app {

/// "markdown" or "csv"; "" for anything else. `link` reproduces the view.
std::string export_text(const ViewModel& view, std::string_view what, std::string_view link);

} // namespace vramscope::app
