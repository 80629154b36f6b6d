// The strip of pages in the header.
#include "app/panels/panels.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {
namespace {
constexpr float padding = 12;
}

float mode_strip_width(const ViewModel& view) {
    float width = 0;
    for (const Tab& tab : view.modes)
        width += text_width(TextStyle::body_strong, tab.label) + 2 * padding;
    return width;
}

void mode_strip(Ui& ui, const ViewModel& view, const ImRect& rect) {
    float x = rect.Min.x;
    for (const Tab& tab : view.modes) {
        const float text = text_width(TextStyle::body_strong, tab.label);
        const ImRect place(x, rect.Min.y, x + text + 2 * padding, rect.Max.y);
        const Item it = item(ui, "mode:" + tab.id, place);
        const TextStyle style = tab.selected ? TextStyle::body_strong : TextStyle::body;
        text_in(ui, style, place, tab.selected || it.hovered ? ui.colors.text : ui.colors.dim,
                tab.label, Align::centre);
        if (tab.selected)
            fill({x + padding, rect.Max.y - 3, place.Max.x - padding, rect.Max.y - 1},
                 ui.colors.accent, 1);
        Item ring = it;
        ring.rect = ImRect(place.Min.x + 3, place.GetCenter().y - 15, place.Max.x - 3,
                           place.GetCenter().y + 15);
        focus_ring(ui, ring, radius::inner, 0);
        if (it.pressed)
            ui.act({Action::Kind::select_mode, {}, tab.id});
        x = place.Max.x;
    }
}

} // namespace vramscope::app::panels
