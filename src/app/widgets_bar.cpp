#include "app/widgets_bar.h"

#include <algorithm>
#include <cmath>

#include "app/widgets_text.h"

namespace vramscope::app {

namespace {

constexpr float segment_gap = 2;

/// The scale's end: the capacity, or what is needed when that is more or the capacity unknown.
double scale_end(const Bar& bar) {
    double needed = 0;
    double uncertain = 0;
    for (const Bar::Segment& segment : bar.segments) {
        needed += segment.bytes;
        uncertain += std::max(0.0, segment.high_bytes - segment.bytes);
    }
    // What is too much is shown beyond the capacity.
    const double most = needed > bar.capacity ? (needed + uncertain) * 1.02 : 0;
    return std::max({bar.capacity, most, 1.0});
}

float axis(Ui& ui, ImVec2 position, float width, const Bar& bar, double end) {
    if (bar.axis.size() < 2)
        return 0;
    const float length = width * static_cast<float>(bar.capacity > 0 ? bar.capacity / end : 1);
    const auto last = static_cast<float>(bar.axis.size() - 1);
    float previous_right = position.x - 100;
    const float last_width = text_width(TextStyle::caption, bar.axis.back());
    const float last_left = position.x + length - last_width;
    for (std::size_t i = 0; i < bar.axis.size(); ++i) {
        const std::string& label = bar.axis[i];
        const float size = text_width(TextStyle::caption, label);
        const float at = position.x + length * static_cast<float>(i) / last;
        float x = at - size / 2;
        if (i == 0)
            x = position.x;
        if (i + 1 == bar.axis.size())
            x = last_left;
        else if (x + size + 12 > last_left)
            continue;
        if (x < previous_right + 12)
            continue;
        text_line(ui, TextStyle::caption, {snap(ui, x), position.y}, ui.colors.dim, label);
        previous_right = x + size;
    }
    return line_height(TextStyle::caption);
}

} // namespace

float memory_bar(Ui& ui, ImVec2 position, float width, const Bar& bar, float height) {
    const IdScope scope(bar.label);
    const double end = scale_end(bar);
    const auto x_of = [&](double bytes) {
        return position.x + width * static_cast<float>(std::min(bytes / end, 1.0));
    };
    const ImRect whole = snap(ui, ImRect(position, position + ImVec2(width, height)));
    const float capacity_x = bar.capacity > 0 ? snap(ui, x_of(bar.capacity)) : whole.Max.x;
    const bool overflows = capacity_x < whole.Max.x - 1;
    const Color track =
        ui.colors.dark ? ui.colors.raised : blend(ui.colors.raised, ui.colors.line, 0.35F);
    fill({whole.Min, {capacity_x, whole.Max.y}}, track, radius::control,
         overflows ? ImDrawFlags_RoundCornersLeft : ImDrawFlags_RoundCornersAll);
    if (overflows)
        fill({{capacity_x, whole.Min.y}, whole.Max}, ui.colors.tint(Tone::bad), radius::control,
             ImDrawFlags_RoundCornersRight);
    // Memory that others hold, or that the driver keeps.
    if (bar.free_limit > 0 && bar.free_limit < bar.capacity) {
        const ImRect taken(snap(ui, x_of(bar.free_limit)), whole.Min.y, capacity_x - 2,
                           whole.Max.y);
        hatch(taken, with_alpha(ui.colors.dim, 0.35F));
    }

    double from = 0;
    double uncertain = 0;
    for (std::size_t i = 0; i < bar.segments.size(); ++i) {
        const Bar::Segment& segment = bar.segments[i];
        const IdScope segment_scope(static_cast<int>(i));
        const double to = from + segment.bytes;
        uncertain += std::max(0.0, segment.high_bytes - segment.bytes);
        float left = eased(ui, id_of("from"), x_of(from) - position.x) + position.x;
        float right = eased(ui, id_of("to"), x_of(to) - position.x) + position.x;
        from = to;
        if (segment.bytes <= 0)
            continue;
        left = snap(ui, left);
        right = snap(ui, right);
        // A thin part stays visible; the gap separates neighbours without relying on colour.
        if (i > 0)
            left += segment_gap;
        right = std::max(right, left + 1);
        const ImRect part(left, whole.Min.y, std::min(right, whole.Max.x), whole.Max.y);
        ImDrawFlags corners = ImDrawFlags_RoundCornersNone;
        if (left <= whole.Min.x + 1)
            corners = ImDrawFlags_RoundCornersLeft;
        if (right >= whole.Max.x - 1)
            corners = corners == ImDrawFlags_RoundCornersLeft ? ImDrawFlags_RoundCornersAll
                                                              : ImDrawFlags_RoundCornersRight;
        fill(part, ui.colors.tone(segment.tone), radius::control, corners);
        ImRect target = part;
        if (target.GetWidth() < 8)
            target.Expand({(8 - target.GetWidth()) / 2, 0});
        const Item it =
            item(ui, segment.label, target, item_arrow_cursor | (i > 0 ? item_no_tab_stop : 0));
        if (it.hovered)
            fill(part, with_alpha(ui.colors.text, 0.18F), radius::control, corners);
        focus_ring(ui, it, 2);
        tooltip(ui, it, segment.tooltip);
    }
    if (uncertain > 0) {
        const ImRect range(x_of(from) + segment_gap, whole.Min.y, x_of(from + uncertain),
                           whole.Max.y);
        hatch(range, with_alpha(ui.colors.dim, 0.9F), 5);
    }
    if (bar.free_limit > 0 && bar.free_limit < bar.capacity) {
        const float x = snap(ui, x_of(bar.free_limit));
        fill({x - 1, whole.Min.y - 3, x + 1, whole.Max.y + 3}, ui.colors.dim, 1);
    }
    if (overflows)
        fill({capacity_x - 1, whole.Min.y - 4, capacity_x + 1, whole.Max.y + 4}, ui.colors.bad, 1);

    const float below = axis(ui, {position.x, whole.Max.y + 8}, width, bar, end);
    return height + (below > 0 ? 8 + below : 0);
}

void thin_bar(const Ui& ui, const ImRect& rect, float value, Color color) {
    fill(rect, ui.colors.line, rect.GetHeight() / 2);
    const float width = std::max(rect.GetHeight(), rect.GetWidth() * std::clamp(value, 0.0F, 1.0F));
    fill({rect.Min, {rect.Min.x + width, rect.Max.y}}, color, rect.GetHeight() / 2);
}

} // namespace vramscope::app
