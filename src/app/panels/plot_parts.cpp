#include "app/panels/plot_parts.h"

#include <algorithm>
#include <cmath>

#include "app/log_scale.h"
#include "app/widgets_icons.h"

namespace vramscope::app::panels {

float Scale::x(double value) const {
    double part = (value - x_min) / (x_max - x_min);
    if (logarithmic)
        part = log2_of(std::max(value, x_min) / x_min) / log2_of(x_max / x_min);
    return area.Min.x + area.GetWidth() * static_cast<float>(part);
}

float Scale::y(double value) const {
    return area.Max.y - area.GetHeight() * static_cast<float>(std::min(value / y_max, 1.05));
}

double Scale::value(float at) const {
    const auto part =
        static_cast<double>(std::clamp((at - area.Min.x) / area.GetWidth(), 0.0F, 1.0F));
    return logarithmic ? x_min * exp2_of(part * log2_of(x_max / x_min))
                       : x_min + (x_max - x_min) * part;
}

ImRect plot_area(const Ui& ui, const std::vector<ContextPlot::Tick>& y_ticks, float x, float y,
                 float width, float height) {
    float axis = 0;
    for (const auto& tick : y_ticks)
        axis = std::max(axis, text_width(TextStyle::caption, tick.label));
    return snap(ui, ImRect(x + axis + 12, y + 4, x + width - 2, y + 4 + height));
}

void grid_lines(Ui& ui, const std::vector<ContextPlot::Tick>& x_ticks,
                const std::vector<ContextPlot::Tick>& y_ticks, const Scale& scale) {
    for (const auto& tick : y_ticks) {
        const float y = scale.y(tick.value);
        if (y < scale.area.Min.y - 1)
            continue;
        horizontal_line(ui, scale.area.Min.x, scale.area.Max.x, y,
                        blend(ui.colors.panel, ui.colors.line, 0.8F));
        const float width = text_width(TextStyle::caption, tick.label);
        text_line(ui, TextStyle::caption, {scale.area.Min.x - 10 - width, y - 8}, ui.colors.dim,
                  tick.label);
    }
    float previous = -1000;
    for (const auto& tick : x_ticks) {
        // A tick a little before the first sample stands at the edge: "0" for a plot from 256 on.
        if (tick.value < scale.x_min - (scale.x_max - scale.x_min) * 0.02)
            continue;
        const float width = text_width(TextStyle::caption, tick.label);
        float x = scale.x(tick.value) - width / 2;
        x = std::clamp(x, scale.area.Min.x - 4, scale.area.Max.x - width);
        if (x < previous + 12)
            continue;
        text_line(ui, TextStyle::caption, {snap(ui, x), scale.area.Max.y + 8}, ui.colors.dim,
                  tick.label);
        previous = x + width;
    }
}

ImVec2 Labels::free_place(ImVec2 size, std::initializer_list<ImVec2> places) const {
    for (const ImVec2& place : places)
        if (inside(place, size) && is_free(place, size))
            return place;
    for (const ImVec2& place : places)
        if (inside(place, size))
            return place;
    const ImVec2 most = ImMax(area_.Min, area_.Max - size);
    return ImClamp(*places.begin(), area_.Min, most);
}

void Labels::put(Ui& ui, Color color, std::string_view label,
                 std::initializer_list<ImVec2> places) {
    if (label.empty())
        return;
    const ImVec2 size(text_width(TextStyle::caption, label), line_height(TextStyle::caption));
    const ImVec2 place = free_place(size, places);
    const ImRect back(place - ImVec2(4, 0), place + size + ImVec2(4, 0));
    take(back);
    fill(back, with_alpha(ui.colors.panel, 0.85F), 3);
    text_line(ui, TextStyle::caption, {snap(ui, place.x), place.y}, color, label);
}

bool Labels::inside(ImVec2 place, ImVec2 size) const {
    return place.x >= area_.Min.x && place.x + size.x <= area_.Max.x &&
           place.y >= area_.Min.y - 2 && place.y + size.y <= area_.Max.y;
}

bool Labels::is_free(ImVec2 place, ImVec2 size) const {
    const ImRect wanted(place - ImVec2(6, 1), place + size + ImVec2(6, 1));
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const ImRect& rect) { return rect.Overlaps(wanted); });
}

void marked_line(Ui& ui, double value, std::string_view label, Color color, const Scale& scale,
                 Labels& labels) {
    if (value <= scale.x_min || value > scale.x_max)
        return;
    const float x = snap(ui, scale.x(value));
    const float top = scale.area.Min.y;
    dashed_line({x, top}, {x, scale.area.Max.y}, color, 1, 3, 3);
    const float width = text_width(TextStyle::caption, label);
    const float left = x - 8 - width;
    labels.put(ui, color, label,
               {{x + 7, top},
                {left, top},
                {x + 7, top + 18},
                {left, top + 18},
                {left, top + 38},
                {left, top + 58},
                {left, top + 78},
                {left, top + 98}});
}

void beyond(Ui& ui, double value, float y, std::string_view label, const Scale& scale,
            Labels& labels) {
    if (value <= 0 || value > scale.x_max)
        return;
    const float x = snap(ui, scale.x(std::max(value, scale.x_min)));
    hatch({{x, scale.area.Min.y}, scale.area.Max}, with_alpha(ui.colors.bad, 0.30F), 8);
    fill({x - 0.5F, y, x + 0.5F, scale.area.Max.y}, ui.colors.bad);
    ImGui::GetWindowDrawList()->AddCircleFilled({x, y}, 8, ui.colors.panel);
    ImGui::GetWindowDrawList()->AddCircle({x, y}, 7, ui.colors.bad, 0, 2);
    icon(ui, Icon::cross, {x, y}, ui.colors.bad, 9);
    labels.take({x - 9, y - 9, x + 9, y + 9});
    const float width = text_width(TextStyle::caption, label);
    const float top = scale.area.Min.y;
    labels.put(ui, ui.colors.bad, label,
               {{x + 8, top},
                {x - 8 - width, top},
                {x - 8 - width, top + 18},
                {x - 14 - width, y - 22},
                {x - 14 - width, y + 8},
                {x + 14, y + 8}});
}

void callout(Ui& ui, const Labels& labels, ImVec2 point, std::string_view text) {
    const auto lines = wrap(TextStyle::caption, 220, text);
    if (lines.empty())
        return;
    float width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        width = std::max(
            width, text_width(i == 0 ? TextStyle::caption_strong : TextStyle::caption, lines[i]));
    const ImVec2 size(width + 20, static_cast<float>(lines.size()) * 16 + 12);
    const float right = point.x + 14;
    const float left = point.x - 14 - size.x;
    const float above = point.y - size.y - 12;
    const float below = point.y + 14;
    const ImVec2 place =
        labels.free_place(size, {{right, above}, {left, above}, {right, below}, {left, below}});
    const float x = place.x;
    const float y = place.y;
    const ImRect box = snap(ui, ImRect(x, y, x + size.x, y + size.y));
    fill(box, blend(ui.colors.raised, ui.colors.text, 0.03F), radius::control);
    outline(ui, box, ui.colors.edge, radius::control);
    float line_y = box.Min.y + 6;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text_line(ui, i == 0 ? TextStyle::caption_strong : TextStyle::caption,
                  {box.Min.x + 10, line_y}, i == 0 ? ui.colors.text : ui.colors.dim, lines[i]);
        line_y += 16;
    }
}

void current_point(Ui& ui, double x_value, double y_value, std::string_view text,
                   const Scale& scale, const Labels& labels, const Item& it) {
    const double shown = std::clamp(x_value, scale.x_min, scale.x_max);
    const float x = scale.area.Min.x + eased(ui, id_of("x"), scale.x(shown) - scale.area.Min.x);
    const float y = scale.area.Max.y + eased(ui, id_of("y"), scale.y(y_value) - scale.area.Max.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill({x - 0.75F, y, x + 0.75F, scale.area.Max.y}, with_alpha(ui.colors.text, 0.75F));
    if (it.hovered || it.held)
        list->AddCircleFilled({x, y}, 13, with_alpha(ui.colors.accent, 0.25F));
    list->AddCircleFilled({x, y}, 7, ui.colors.dark ? ui.colors.text : ui.colors.panel);
    list->AddCircle({x, y}, 6.5F, ui.colors.accent, 0, 2.5F);
    if (!text.empty())
        callout(ui, labels, {x, y}, text);
}

void reading_point(Ui& ui, double x_value, double y_value, std::string_view text,
                   const Scale& scale, const Labels& labels) {
    const float x = snap(ui, scale.x(x_value));
    const ImVec2 point(x, scale.y(y_value));
    fill({x, scale.area.Min.y, x + ui.device_pixel, scale.area.Max.y},
         with_alpha(ui.colors.text, 0.35F));
    ImGui::GetWindowDrawList()->AddCircleFilled(point, 3.5F, ui.colors.text);
    callout(ui, labels, point, text);
}

std::size_t nearest_sample(const std::vector<double>& samples, double value) {
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (std::abs(samples[i] - value) < std::abs(samples[nearest] - value))
            nearest = i;
    return nearest;
}

const Control* control_of(const ViewModel& view, std::string_view field) {
    const auto found = std::find_if(view.controls.begin(), view.controls.end(),
                                    [&](const Control& control) { return control.id == field; });
    return found == view.controls.end() ? nullptr : &*found;
}

} // namespace vramscope::app::panels
