// The layer map. A cell's filling says how much its layer remembers, its sign how: a full square
// (everything), a frame (a window), a diamond (a latent), a ring (a state), half and half, a dash.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

using Sign = LayerPicture::Sign;

constexpr float cell_gap = 4;
constexpr float sign_size = 10;

void sign_of(Ui& ui, Sign sign, ImVec2 centre, Color color) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float r = sign_size / 2;
    const ImRect box = snap(ui, ImRect(centre.x - r, centre.y - r, centre.x + r, centre.y + r));
    switch (sign) {
    case Sign::full:
        fill(box, color, 2);
        break;
    case Sign::window:
        list->AddRect(box.Min, box.Max, color, 2, 0, 1.5F);
        fill({box.Max.x - r, box.Min.y, box.Max.x, box.Max.y}, color, 2);
        break;
    case Sign::latent:
        list->AddQuadFilled({centre.x, centre.y - r - 1}, {centre.x + r + 1, centre.y},
                            {centre.x, centre.y + r + 1}, {centre.x - r - 1, centre.y}, color);
        break;
    case Sign::state:
        list->AddCircle(centre, r - 0.5F, color, 0, 2);
        break;
    case Sign::hybrid:
        list->AddTriangleFilled(box.Min, {box.Max.x, box.Min.y}, {box.Min.x, box.Max.y}, color);
        list->AddCircle({centre.x + 2, centre.y + 2}, 3, color, 0, 1.5F);
        break;
    case Sign::none:
        fill({box.Min.x, centre.y - 1, box.Max.x, centre.y + 1}, color);
        break;
    }
}

void experts_mark(ImVec2 left, float width, Color color) {
    for (int i = 0; i < 3; ++i)
        ImGui::GetWindowDrawList()->AddCircleFilled(
            {left.x + width * (0.25F + 0.25F * static_cast<float>(i)), left.y}, 1.5F, color);
}

void paint_cell(Ui& ui, const LayerPicture& map, const LayerPicture::Cell& cell, const ImRect& box,
                const Item& it) {
    const LayerPicture::Kind& kind = map.kinds[cell.kind];
    const Color tone = ui.colors.tone(kind.tone);
    fill(box, it.hovered ? ui.colors.hovered : ui.colors.raised, radius::pill);
    // What is little still shows as a line.
    const float room = box.GetHeight() - 2;
    const float level =
        cell.level > 0 ? std::max(2.0F, std::round(room * static_cast<float>(cell.level))) : 0;
    const ImRect filling = snap(ui, ImRect(box.Min.x, box.Max.y - level, box.Max.x, box.Max.y));
    fill(filling, with_alpha(tone, ui.colors.dark ? 0.42F : 0.36F), radius::pill,
         cell.level > 0.9 ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersBottom);
    outline(ui, box, it.hovered ? ui.colors.edge : ui.colors.line, radius::pill);
    const ImVec2 centre(box.GetCenter().x, box.GetCenter().y + (cell.experts ? 3.0F : 0.0F));
    sign_of(ui, kind.sign, centre, blend(tone, ui.colors.text, 0.25F));
    if (cell.experts)
        experts_mark({box.Min.x, box.Min.y + 6}, box.GetWidth(), ui.colors.dim);
    focus_ring(ui, it, radius::pill, 0);
}

/// Columns that fit, in whole periods of the pattern: equal layers stand below each other.
int columns_for(float width, float cell, std::size_t period) {
    const int fit = std::max(1, static_cast<int>((width + cell_gap) / (cell + cell_gap)));
    const int step = static_cast<int>(period);
    return fit >= step ? fit - fit % step : fit;
}

float group(Ui& ui, const LayerPicture& map, const LayerPicture::Group& part, float x, float y,
            float width) {
    const float cell_width = ui.state.coarse_pointer ? 32.0F : 26.0F;
    const float cell_height = ui.state.coarse_pointer ? 44.0F : 36.0F;
    const float number = text_width(TextStyle::caption, "000") + 8;
    y += paragraph(ui, TextStyle::caption_strong, {x, y}, width, ui.colors.dim, part.label) + 6;
    const int columns = columns_for(width - number, cell_width, map.period);
    for (std::size_t i = 0; i < part.count; ++i) {
        const std::size_t layer = part.first + i;
        const int column = static_cast<int>(i) % columns;
        const float top =
            y + static_cast<float>(static_cast<int>(i) / columns) * (cell_height + cell_gap);
        const std::string name = std::to_string(layer);
        if (column == 0)
            text_in(ui, TextStyle::caption, {x, top, x + number - 8, top + cell_height},
                    ui.colors.dim, name, Align::right);
        const float left = x + number + static_cast<float>(column) * (cell_width + cell_gap);
        const ImRect box = snap(ui, ImRect(left, top, left + cell_width, top + cell_height));
        const IdScope scope(static_cast<int>(layer));
        const Item it = item(ui, "layer:" + name, box,
                             item_arrow_cursor | (i == 0 ? item_none : item_no_tab_stop));
        if (!it.visible)
            continue;
        paint_cell(ui, map, map.cells[layer], box, it);
        tooltip(ui, it, map.cells[layer].tooltip);
    }
    const int rows = (static_cast<int>(part.count) + columns - 1) / columns;
    return y + static_cast<float>(rows) * (cell_height + cell_gap) - cell_gap;
}

float legend(Ui& ui, const LayerPicture& map, float x, float y, float width) {
    float at = x;
    const auto place = [&](float wanted) {
        if (at > x && at + wanted > x + width) {
            at = x;
            y += 22;
        }
    };
    for (const LayerPicture::Kind& kind : map.kinds) {
        const float wanted = 20 + text_width(TextStyle::caption, kind.label);
        place(wanted);
        sign_of(ui, kind.sign, {at + 7, y + 8},
                blend(ui.colors.tone(kind.tone), ui.colors.text, 0.25F));
        text_between(ui, TextStyle::caption, at + 20, x + width, y, ui.colors.text, kind.label);
        at += wanted + 20;
    }
    if (!map.experts_label.empty()) {
        place(20 + text_width(TextStyle::caption, map.experts_label));
        experts_mark({at, y + 8}, 16, ui.colors.dim);
        text_between(ui, TextStyle::caption, at + 20, x + width, y, ui.colors.text,
                     map.experts_label);
    }
    return y + 16;
}

} // namespace

float layers(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const LayerPicture& map = view.layers;
    if (map.cells.empty())
        return y;
    const IdScope scope("layers");
    y += paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, map.title) + 2;
    y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, map.caption) + 12;
    y = legend(ui, map, x, y, width);
    for (const LayerPicture::Group& part : map.groups)
        y = group(ui, map, part, x, y + 16, width);
    return y;
}

} // namespace vramscope::app::panels
