// How the page is divided: columns by width, cards, rows of equal boxes.
#pragma once

#include "app/widgets.h"

namespace vramscope::app {

/// The columns at a page width. With one column everything is stacked, and the context slider
/// sticks to the bottom; set-up then opens as a sheet.
struct PageLayout {
    int columns = 1;
    float margin = 0;
    float left = 0;        ///< x of the first column
    float setup_width = 0; ///< 0 with one column
    float main_x = 0;
    float main_width = 0;
    float side_x = 0;
    float side_width = 0; ///< 0 with fewer than three columns
    float header_height = 0;
    float bottom_height = 0;
    bool strip_below = false; ///< the strip of pages has a line of its own in the header

    bool phone() const { return columns == 1; }
};
PageLayout page_layout(float width, bool coarse_pointer);

/// A card whose height is known when its content has been painted.
class Card {
public:
    Card(Ui& ui, float x, float y, float width, float padding = space::card);
    float left() const { return x_ + padding_; }
    float right() const { return x_ + width_ - padding_; }
    float top() const { return y_ + padding_; }
    float width() const { return width_ - 2 * padding_; }
    /// Paints the card behind its content, which ended at `content_bottom`; gives the card's end.
    float end(float content_bottom, float minimum_height = 0);

private:
    Ui& ui_;
    float x_;
    float y_;
    float width_;
    float padding_;
};

/// Boxes of equal width in rows.
struct Grid {
    int columns = 1;
    float cell_width = 0;
    float gap = 0;

    float x(float left, int index) const {
        return left + static_cast<float>(index % columns) * (cell_width + gap);
    }
};
/// As many columns as fit, but no row that is mostly empty when fewer columns fill it better.
Grid grid(float width, float minimum_cell, float gap, int count, int most = 12);

} // namespace vramscope::app
