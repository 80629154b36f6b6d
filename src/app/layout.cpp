#include "app/layout.h"

#include <algorithm>
#include <cmath>

namespace vramscope::app {

PageLayout page_layout(float width, bool coarse_pointer) {
    PageLayout page;
    page.columns = width >= 1100 ? 3 : width >= 760 ? 2 : 1;
    // The strip of pages has a line of its own where the search leaves it no room.
    page.strip_below = width >= 760 && width < 1280;
    page.header_height = page.strip_below ? 96 : 56;
    page.margin = page.phone() ? space::narrow_margin : space::margin;
    // Very wide screens keep lines readable: the page stops growing and stands in the middle.
    const float content = std::min(width - 2 * page.margin, 1640.0F);
    page.left = std::floor((width - content) / 2);
    if (page.phone()) {
        page.main_x = page.left;
        page.main_width = content;
        page.bottom_height = coarse_pointer ? 92 : 84;
        return page;
    }
    page.setup_width = std::round(std::clamp(width * 0.239F, 296.0F, 368.0F));
    if (page.columns == 3)
        page.side_width = std::round(std::clamp(width * 0.22F, 284.0F, 356.0F));
    page.main_x = page.left + page.setup_width + space::gap;
    const float side = page.columns == 3 ? page.side_width + space::gap : 0;
    page.main_width = page.left + content - page.main_x - side;
    page.side_x = page.main_x + page.main_width + space::gap;
    return page;
}

Card::Card(Ui& ui, float x, float y, float width, float padding)
    : ui_(ui), x_(x), y_(y), width_(width), padding_(padding) {}

float Card::end(float content_bottom, float minimum_height) {
    const float bottom = std::max(content_bottom + padding_, y_ + minimum_height);
    if (ui_.layers != nullptr) {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImRect box = snap(ui_, ImRect(x_, y_, x_ + width_, bottom));
        ui_.layers->SetCurrentChannel(list, 0);
        fill(box, ui_.colors.panel, radius::card);
        outline(ui_, box, ui_.colors.line, radius::card);
        ui_.layers->SetCurrentChannel(list, 1);
    }
    return bottom;
}

Grid grid(float width, float minimum_cell, float gap, int count, int most) {
    Grid made;
    made.gap = gap;
    int columns = static_cast<int>((width + gap) / (minimum_cell + gap));
    columns = std::clamp(columns, 1, std::max(1, std::min(most, count)));
    // The same number of rows with fewer columns is better balanced: 4 + 1 becomes 3 + 2.
    const int rows = (count + columns - 1) / std::max(1, columns);
    if (rows > 0)
        columns = std::max(1, (count + rows - 1) / rows);
    made.columns = columns;
    const auto n = static_cast<float>(columns);
    made.cell_width = (width - gap * (n - 1)) / n;
    return made;
}

} // namespace vramscope::app
