// The page's parts, one file each. A panel paints itself from (x, y) at a width and gives the y
// where it ends; it reads the view and answers with actions. Panels without content take no room.
#pragma once

#include "app/layout.h"
#include "app/widgets.h"

namespace vramscope::app::panels {

/// Name, search, language, theme, unit, share: across the top, not scrolled.
void header_bar(Ui& ui, const ViewModel& view, const PageLayout& page, float width);

/// What the model is: name, provider, chips, summary.
float model_head(Ui& ui, const ViewModel& view, float x, float y, float width);
/// The controls of the set-up.
float controls(Ui& ui, const ViewModel& view, float x, float y, float width);
/// Card of model head and controls (wide pages).
float setup(Ui& ui, const ViewModel& view, float x, float y, float width);
/// Card of model head and what is set; opens the set-up sheet (phones).
float setup_summary(Ui& ui, const ViewModel& view, float x, float y, float width);
/// The context slider that sticks to the bottom (phones).
void bottom_bar(Ui& ui, const ViewModel& view, const PageLayout& page, float width, float height);
/// The set-up as a sheet; paints while it is open. To be called at the window that opened it.
void setup_sheet(Ui& ui, const ViewModel& view, float width, float height);

/// Verdict, bars, parts.
float answer(Ui& ui, const ViewModel& view, float x, float y, float width);
/// A figure's place: it says the exact value, and opens its terms when pressed.
void figure_item(Ui& ui, const Figure& figure, const ImRect& rect);
/// The main figures, a small card each.
float figures(Ui& ui, const ViewModel& view, float x, float y, float width);
/// Errors and warnings.
float messages(Ui& ui, const ViewModel& view, float x, float y, float width);

/// The tab strip with the chosen panel below.
float tabs(Ui& ui, const ViewModel& view, float x, float y, float width);
float context_plot(Ui& ui, const ViewModel& view, float x, float y, float width);
float heat(Ui& ui, const Table& content, float x, float y, float width);
float matrix(Ui& ui, const ViewModel& view, float x, float y, float width);
float hardware_table(Ui& ui, const ViewModel& view, float x, float y, float width);
float advice(Ui& ui, const ViewModel& view, float x, float y, float width);
float speed(Ui& ui, const ViewModel& view, float x, float y, float width);
float layers(Ui& ui, const ViewModel& view, float x, float y, float width);
float files(Ui& ui, const ViewModel& view, float x, float y, float width);
float architecture(Ui& ui, const ViewModel& view, float x, float y, float width);

/// A page beside the simulator, instead of all panels below the header. Its first column is moved
/// down by `stuck` so that it stays in sight.
float mode_page(Ui& ui, const ViewModel& view, const PageLayout& page, float x, float y,
                float stuck);
/// The strip of pages in the header; gives its width when it is `measured` only.
float mode_strip_width(const ViewModel& view);
void mode_strip(Ui& ui, const ViewModel& view, const ImRect& rect);
/// Keys that act anywhere: compare, undo, overview. Opens the overview.
void shortcuts(Ui& ui, const ViewModel& view, float width, float height);

/// The terms of the total, and what is assumed.
float why(Ui& ui, const ViewModel& view, float x, float y, float width);
float assumptions(Ui& ui, const ViewModel& view, float x, float y, float width);
/// The matrix' verdicts in a narrow column; nothing when they do not fit.
float short_matrix(Ui& ui, const ViewModel& view, float x, float y, float width);
/// Launch commands with a copy button.
float run(Ui& ui, const ViewModel& view, float x, float y, float width);
float related(Ui& ui, const ViewModel& view, float x, float y, float width);
float footer(Ui& ui, const ViewModel& view, float x, float y, float width);

} // namespace vramscope::app::panels
