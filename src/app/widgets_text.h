// Text: measuring, one line with an ellipsis, wrapped paragraphs.
//
// A line's box is as high as its style says and the glyphs stand in its middle, so boxes of
// different styles align by their boxes. Lines break at blanks and within East Asian text (save
// before closing punctuation); a word that is longer than a line is divided at a hyphen, a slash or
// such, else anywhere. A no-break space keeps a figure and its unit together.
#pragma once

#include <string_view>
#include <vector>

#include "app/widgets.h"

namespace vramscope::app {

enum class Align : std::uint8_t { left, centre, right };

/// The faces that measuring and painting use from now on; paint() hands them over every frame.
void set_text_fonts(const Fonts& fonts);

float text_width(TextStyle style, std::string_view text);
float line_height(TextStyle style);

/// One line from `position` (the box's top left); gives its width.
float text_line(Ui& ui, TextStyle style, ImVec2 position, Color color, std::string_view text,
                ImDrawList* list = nullptr);
/// One line within [left, right], shortened with "…" when it does not fit; then a tooltip named
/// after the text tells the whole. Gives the drawn width.
float text_between(Ui& ui, TextStyle style, float left, float right, float top, Color color,
                   std::string_view text, Align align = Align::left);
/// One line in the middle of a rectangle's height.
float text_in(Ui& ui, TextStyle style, const ImRect& rect, Color color, std::string_view text,
              Align align = Align::left);

/// The lines of a paragraph at that width; line feeds start new lines.
std::vector<std::string_view> wrap(TextStyle style, float width, std::string_view text);
ImVec2 paragraph_size(TextStyle style, float width, std::string_view text);
/// Paints wrapped text; gives its height.
float paragraph(Ui& ui, TextStyle style, ImVec2 position, float width, Color color,
                std::string_view text, ImDrawList* list = nullptr);
/// The widest piece of a text that wrapping keeps whole.
float widest_word(TextStyle style, std::string_view text);

} // namespace vramscope::app
