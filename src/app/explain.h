// "Explain this number": the terms of any figure, in the field's notation with the numbers put in.
#pragma once

#include <string>

#include "app/view_context.h"

namespace vramscope::app {

/// A term of the estimate as the column "Why" shows it.
Explanation explain_term(const ViewContext& context, const Term& term, bool on_host);

/// Fills the column with the terms of the figure that is opened (UiState::explained).
void explain_figure(const ViewContext& context, ViewModel& view);

/// What the column shows, to be pasted elsewhere.
std::string explanation_markdown(const ViewModel& view);

} // namespace vramscope::app
