// The application with the repository's own catalog and texts, for tests.
#pragma once

#include <string_view>

#include "app/app.h"
#include "support/locale.h"

namespace vramscope::test {

/// Ready to show a view in that language.
app::App ready_app(std::string_view language = "en");

/// The figure of that id among the total, the parts and the figures; fails the test when missing.
const app::Figure& figure(const app::ViewModel& view, std::string_view id);
const app::Control& control(const app::ViewModel& view, std::string_view id);

} // namespace vramscope::test
