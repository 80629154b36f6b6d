// The "Speed" tab: where a token's time goes, decoding against context, and many users.
#include <algorithm>
#include <cmath>

#include "app/panels/context_plot.h"
#include "app/panels/panels.h"
#include "app/panels/plot_parts.h"
#include "app/widgets_input.h"
#include "app/widgets_slider.h"

namespace vramscope::app::panels {

namespace {

Scale make_scale(const RatePlot& plot, const ImRect& area) {
    Scale scale;
    scale.area = area;
    scale.logarithmic = plot.logarithmic;
    scale.x_min = plot.x.front();
    scale.x_max = std::max(plot.x.back(), scale.x_min + 1);
    double most = plot.current_y * 1.05;
    for (const double value : plot.high)
        most = std::max(most, value * 1.04);
    for (const RatePlot::Dot& dot : plot.dots)
        most = std::max(most, dot.y * 1.04);
    scale.y_max = std::max(most, 1e-6);
    return scale;
}

/// The range as a surface, the expected rate as a line.
void band(Ui& ui, const RatePlot& plot, const Scale& scale) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const Color surface = with_alpha(ui.colors.accent, ui.colors.dark ? 0.24F : 0.18F);
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < plot.x.size(); ++i)
        line.emplace_back(scale.x(plot.x[i]), scale.y(plot.expected[i]));
    for (std::size_t i = 0; i + 1 < plot.x.size(); ++i) {
        list->PrimReserve(6, 4);
        list->PrimQuadUV({line[i].x, scale.y(plot.high[i])},
                         {line[i + 1].x, scale.y(plot.high[i + 1])},
                         {line[i + 1].x, scale.y(plot.low[i + 1])},
                         {line[i].x, scale.y(plot.low[i])}, white, white, white, white, surface);
    }
    list->AddPolyline(line.data(), static_cast<int>(line.size()), ui.colors.accent, 0, 2);
}

/// A measured point is a diamond, so that it is no sample of the line.
void dots(Ui& ui, const RatePlot& plot, const Scale& scale) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < plot.dots.size(); ++i) {
        const RatePlot::Dot& dot = plot.dots[i];
        if (dot.x < scale.x_min || dot.x > scale.x_max)
            continue;
        const ImVec2 at(scale.x(dot.x), scale.y(dot.y));
        const float r = 5;
        list->AddQuadFilled({at.x, at.y - r - 1}, {at.x + r + 1, at.y}, {at.x, at.y + r + 1},
                            {at.x - r - 1, at.y}, ui.colors.panel);
        list->AddQuadFilled({at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y},
                            ui.colors.kv);
        const IdScope scope(static_cast<int>(i));
        tooltip(ui, "measured", {at.x - 8, at.y - 8, at.x + 8, at.y + 8}, dot.tooltip);
    }
}

/// Dragging and arrow keys set the plot's field.
void take_input(Ui& ui, const ViewModel& view, const RatePlot& plot, const Scale& scale,
                const Item& it) {
    const Control* control = control_of(view, plot.field);
    if (control == nullptr)
        return;
    double value = plot.current_x;
    const ImGuiIO& io = ImGui::GetIO();
    if (it.held && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        ui.state.memory.dragging = true;
        const double pointed = scale.value(io.MousePos.x);
        if (plot.logarithmic) {
            value = std::clamp(std::round(pointed), control->minimum, control->maximum);
        } else {
            const double pixel =
                (scale.x_max - scale.x_min) / static_cast<double>(scale.area.GetWidth());
            value = plot_tokens(pointed, pixel, control->minimum, control->maximum);
        }
    } else if (plot.logarithmic) {
        const ValueKeys keys = take_value_keys(it);
        value = std::clamp(value + keys.steps, control->minimum, control->maximum);
    } else {
        value = value_after_keys(*control, value, take_value_keys(it), io.KeyShift);
    }
    if (value != plot.current_x)
        ui.set_field(plot.field, value_text(value));
}

float rate_plot(Ui& ui, const ViewModel& view, const RatePlot& plot, std::string_view name, float x,
                float y, float width, float height) {
    const IdScope scope(name);
    y += paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, plot.title) + 2;
    if (!plot.caption.empty())
        y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, plot.caption) + 2;
    y += 8;
    const ImRect area = plot_area(ui, plot.y_ticks, x, y, width, height);
    const Scale scale = make_scale(plot, area);
    const Item it = item(ui, name, area);
    if (ui.state.hooks.takes_drag != nullptr)
        ui.state.hooks.takes_drag(true, false);
    take_input(ui, view, plot, scale, it);
    grid_lines(ui, plot.x_ticks, plot.y_ticks, scale);
    if (it.visible) {
        Labels labels(area);
        ImGui::PushClipRect({area.Min.x - 9, area.Min.y - 9}, {area.Max.x + 9, area.Max.y + 1},
                            true);
        band(ui, plot, scale);
        const std::size_t at_limit = nearest_sample(plot.x, plot.limit);
        beyond(ui, plot.limit, scale.y(plot.expected[at_limit]), plot.limit_label, scale, labels);
        for (const Control::Mark& line : plot.lines)
            marked_line(ui, line.value, line.label, ui.colors.tone(line.tone), scale, labels);
        dots(ui, plot, scale);
        ImGui::PopClipRect();
        const float pointer = ImGui::GetIO().MousePos.x;
        const bool reading =
            it.hovered && !it.held && std::abs(pointer - scale.x(plot.current_x)) >= 14;
        current_point(ui, plot.current_x, plot.current_y,
                      reading ? std::string_view() : plot.current_label, scale, labels, it);
        if (reading) {
            const std::size_t nearest = nearest_sample(plot.x, scale.value(pointer));
            reading_point(ui, plot.x[nearest], plot.expected[nearest], plot.point_labels[nearest],
                          scale, labels);
        }
        if (it.hovered)
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        focus_ring(ui, it, radius::inner, 3);
    }
    return area.Max.y + 8 + line_height(TextStyle::caption);
}

/// Where a token's time goes: one bar, each part with its name and share below.
float shares(Ui& ui, const SpeedPanel& speed, float x, float y, float width) {
    y +=
        paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text, speed.limit_title) + 2;
    y += paragraph(ui, TextStyle::body, {x, y}, width, ui.colors.dim, speed.limit_text) + 8;
    float at = x;
    for (std::size_t i = 0; i < speed.shares.size(); ++i) {
        const Bar::Segment& part = speed.shares[i];
        const float end = i + 1 == speed.shares.size()
                              ? x + width
                              : std::min(x + width, at + width * static_cast<float>(part.bytes));
        const ImRect box = snap(ui, ImRect(at, y, std::max(at + 1, end - 2), y + 12));
        fill(box, ui.colors.tone(part.tone), 3);
        tooltip(ui, part.label, box, part.tooltip);
        at = end;
    }
    y += 20;
    at = x;
    for (const Bar::Segment& part : speed.shares) {
        const std::string text = part.label + " " + part.percent_text + ", " + part.value_text;
        const float wanted = 16 + text_width(TextStyle::caption, text);
        if (at > x && at + wanted > x + width) {
            at = x;
            y += 20;
        }
        fill(snap(ui, ImRect(at, y + 3, at + 10, y + 13)), ui.colors.tone(part.tone), 3);
        text_between(ui, TextStyle::caption, at + 16, x + width, y, ui.colors.dim, text);
        at += wanted + 16;
    }
    return y + 16;
}

} // namespace

float speed(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const SpeedPanel& speed = view.speed;
    if (speed.decode.x.size() < 2) {
        return speed.limit_text.empty() ? y
                                        : y + paragraph(ui, TextStyle::body, {x, y}, width,
                                                        ui.colors.dim, speed.limit_text);
    }
    if (!speed.shares.empty())
        y = shares(ui, speed, x, y, width) + 24;
    const float tall = std::clamp(width * 0.34F, 180.0F, 280.0F);
    y = rate_plot(ui, view, speed.decode, "decode-plot", x, y, width, tall);
    if (!speed.dots_label.empty()) {
        const bool any = !speed.decode.dots.empty() || !speed.together.dots.empty();
        if (any)
            ImGui::GetWindowDrawList()->AddQuadFilled(
                {x + 6, y + 11}, {x + 11, y + 16}, {x + 6, y + 21}, {x + 1, y + 16}, ui.colors.kv);
        y += 8 + paragraph(ui, TextStyle::caption, {x + (any ? 20.0F : 0.0F), y + 8},
                           width - (any ? 20.0F : 0.0F), ui.colors.dim, speed.dots_label);
    }
    if (speed.together.x.size() < 2)
        return y;
    y += 24;
    // Side by side where there is room.
    const bool beside = width >= 560;
    const float each = beside ? (width - 24) / 2 : width;
    const float low = beside ? std::clamp(each * 0.55F, 160.0F, 240.0F) : tall;
    const float end = rate_plot(ui, view, speed.together, "together-plot", x, y, each, low);
    y = rate_plot(ui, view, speed.each, "each-plot", beside ? x + each + 24 : x,
                  beside ? y : end + 24, each, low);
    if (!speed.users_text.empty())
        y += 12 +
             paragraph(ui, TextStyle::body, {x, y + 12}, width, ui.colors.text, speed.users_text);
    return y;
}

} // namespace vramscope::app::panels
