// Lists that open above the page: the choices of a select, languages, folded segments. Long lists
// have a search field. Arrow keys move, Enter takes, Escape closes; on a narrow page the list is a
// sheet at the bottom edge.
#pragma once

#include <string_view>
#include <vector>

#include "app/widgets.h"

namespace vramscope::app {

void open_list(Ui& ui, std::string_view name);
bool list_is_open(std::string_view name);
/// Paints the list while it is open. `anchor` is the control it belongs to. Gives the index of what
/// was taken, or -1.
int choice_list(Ui& ui, std::string_view name, const ImRect& anchor,
                const std::vector<Choice>& choices, std::string_view search_hint = {});

/// A select: shows the chosen label and its detail, opens the list. Gives the new index, or -1.
int select(Ui& ui, std::string_view name, const ImRect& rect, const std::vector<Choice>& choices,
           std::string_view search_hint = {});

/// Darkens the page behind the sheet that is being painted.
void scrim(const Ui& ui);

/// One row of a list, for the model search as well. True when taken.
bool list_row(Ui& ui, const ImRect& rect, const Choice& choice, int index, bool highlighted);

/// Colours and paddings for a window above the page; undo with pop_panel_style(). A sheet holds
/// controls, which need to stand out from its surface.
enum class Surface : std::uint8_t { list, sheet };
void push_panel_style(const Ui& ui, Surface kind = Surface::list);
void pop_panel_style();

} // namespace vramscope::app
