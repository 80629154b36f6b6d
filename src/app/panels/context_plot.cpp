// Memory against context, stacked. Dragging anywhere in the plot sets the context.
#include "app/panels/context_plot.h"

#include <algorithm>
#include <cmath>

#include "app/log_scale.h"
#include "app/panels/panels.h"
#include "app/panels/plot_parts.h"
#include "app/widgets_input.h"
#include "app/widgets_slider.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

constexpr double tokens_step = 1024;
constexpr float magnet = 6; ///< pixels within which a power of two attracts

Scale make_scale(const ContextPlot& plot, const ImRect& area) {
    Scale scale;
    scale.area = area;
    scale.x_min = plot.tokens.front();
    scale.x_max = plot.tokens.back();
    if (scale.x_max <= scale.x_min)
        scale.x_max = scale.x_min + 1;
    double most = plot.capacity_bytes * 1.08;
    for (std::size_t i = 0; i < plot.tokens.size(); ++i) {
        double sum = 0;
        for (const auto& series : plot.series)
            if (i < series.bytes.size())
                sum += series.bytes[i];
        most = std::max(most, sum * 1.04);
    }
    for (const auto& tick : plot.y_ticks)
        most = std::max(most, tick.value);
    scale.y_max = std::max(most, 1.0);
    return scale;
}

/// Plain quads side by side share their edges exactly; the smooth upper edge is a line on top.
void stacked_areas(Ui& ui, const ContextPlot& plot, const Scale& scale) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::size_t count = plot.tokens.size();
    std::vector<double> below(count, 0.0);
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    std::vector<ImVec2> edge(count);
    for (const auto& series : plot.series) {
        if (series.bytes.size() < count)
            continue;
        const Color color = ui.colors.tone(series.tone);
        bool any = false;
        for (std::size_t i = 0; i < count; ++i) {
            edge[i] = {scale.x(plot.tokens[i]), scale.y(below[i] + series.bytes[i])};
            any = any || series.bytes[i] > 0;
        }
        if (!any)
            continue;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const ImVec2 a(edge[i].x, scale.y(below[i]));
            const ImVec2 b(edge[i + 1].x, scale.y(below[i + 1]));
            list->PrimReserve(6, 4);
            list->PrimQuadUV(edge[i], edge[i + 1], b, a, white, white, white, white, color);
        }
        // A gap in the panel's colour separates the layers without relying on their colours.
        list->AddPolyline(edge.data(), static_cast<int>(count), color, 0, 1.5F);
        for (std::size_t i = 0; i < count; ++i)
            below[i] += series.bytes[i];
    }
}

void separators(Ui& ui, const ContextPlot& plot, const Scale& scale) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::size_t count = plot.tokens.size();
    std::vector<double> sum(count, 0.0);
    std::vector<ImVec2> edge(count);
    for (std::size_t s = 0; s + 1 < plot.series.size(); ++s) {
        const auto& series = plot.series[s];
        if (series.bytes.size() < count)
            continue;
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += series.bytes[i];
            edge[i] = {scale.x(plot.tokens[i]), scale.y(sum[i])};
        }
        list->AddPolyline(edge.data(), static_cast<int>(count), ui.colors.panel, 0, 1.2F);
    }
}

void capacity(Ui& ui, const ContextPlot& plot, const Scale& scale, Labels& labels) {
    if (plot.capacity_bytes <= 0)
        return;
    const float y = snap(ui, scale.y(plot.capacity_bytes));
    const float left = scale.area.Min.x;
    dashed_line({left, y}, {scale.area.Max.x, y}, ui.colors.ok, 2, 6, 4);
    // At the left end, where the areas are lowest.
    const float right = scale.area.Max.x - 6 - text_width(TextStyle::caption, plot.capacity_label);
    labels.put(ui, ui.colors.ok, plot.capacity_label,
               {{left + 6, y - 20}, {right, y - 20}, {left + 6, y + 5}, {right, y + 5}});
}

/// What one sees at the pointer, from the nearest sample.
void hover_reading(Ui& ui, const ContextPlot& plot, const Scale& scale, const Labels& labels,
                   float at) {
    if (plot.point_labels.size() != plot.tokens.size())
        return;
    const std::size_t nearest = nearest_sample(plot.tokens, scale.value(at));
    double sum = 0;
    for (const auto& series : plot.series)
        if (nearest < series.bytes.size())
            sum += series.bytes[nearest];
    reading_point(ui, plot.tokens[nearest], sum, plot.point_labels[nearest], scale, labels);
}

float legend(Ui& ui, const ContextPlot& plot, float x, float y, float width) {
    float at = x;
    float top = y;
    for (const auto& series : plot.series) {
        const bool any = std::any_of(series.bytes.begin(), series.bytes.end(),
                                     [](double bytes) { return bytes > 0; });
        if (!any)
            continue;
        const float size = 16 + text_width(TextStyle::caption, series.label);
        if (at > x && at + size > x + width) {
            at = x;
            top += 20;
        }
        fill(snap(ui, ImRect(at, top + 3, at + 10, top + 13)), ui.colors.tone(series.tone), 3);
        text_between(ui, TextStyle::caption, at + 16, x + width, top, ui.colors.dim, series.label);
        at += size + 16;
    }
    return top + 16 - y;
}

/// Dragging and arrow keys; answers with a new context.
void take_input(Ui& ui, const ViewModel& view, const Scale& scale, const Item& it) {
    const ContextPlot& plot = view.context_plot;
    const Control* control = control_of(view, "n_ctx");
    const double least = control != nullptr ? control->minimum : 1;
    const double most = control != nullptr ? control->maximum : scale.x_max;
    double tokens = plot.current_tokens;
    const ImGuiIO& io = ImGui::GetIO();
    if (it.held && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        ui.state.memory.dragging = true;
        const double pixel =
            (scale.x_max - scale.x_min) / static_cast<double>(scale.area.GetWidth());
        tokens = plot_tokens(scale.value(io.MousePos.x), pixel, least, most);
    } else if (control != nullptr) {
        tokens = value_after_keys(*control, tokens, take_value_keys(it), io.KeyShift);
    }
    if (tokens != plot.current_tokens)
        ui.set_field("n_ctx", value_text(tokens));
}

} // namespace

double plot_tokens(double pointed, double tokens_per_pixel, double least, double most) {
    double tokens = std::round(pointed / tokens_step) * tokens_step;
    if (pointed > 1) {
        const double power = exp2_of(std::round(log2_of(pointed)));
        if (std::abs(power - pointed) <= static_cast<double>(magnet) * tokens_per_pixel)
            tokens = power;
    }
    return std::clamp(tokens, least, std::max(least, most));
}

float context_plot(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const ContextPlot& plot = view.context_plot;
    if (plot.tokens.size() < 2)
        return y;
    const IdScope scope("context-plot");
    if (!plot.title.empty())
        y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, plot.title) + 12;
    const float height = std::clamp(width * 0.36F, 210.0F, 320.0F);
    const ImRect area = plot_area(ui, plot.y_ticks, x, y, width, height);
    const Scale scale = make_scale(plot, area);

    const Item it = item(ui, "plot", area);
    if (ui.state.hooks.takes_drag != nullptr)
        ui.state.hooks.takes_drag(true, false);
    take_input(ui, view, scale, it);
    grid_lines(ui, plot.x_ticks, plot.y_ticks, scale);
    if (it.visible) {
        stacked_areas(ui, plot, scale);
        separators(ui, plot, scale);
        Labels labels(area);
        marked_line(ui, plot.native_tokens, plot.native_label, ui.colors.warn, scale, labels);
        beyond(ui, plot.limit_tokens, snap(ui, scale.y(plot.capacity_bytes)), plot.limit_label,
               scale, labels);
        capacity(ui, plot, scale, labels);
        const float pointer = ImGui::GetIO().MousePos.x;
        const bool near_point =
            std::abs(pointer - scale.x(plot.current_tokens)) < 14 || plot.point_labels.empty();
        const bool reading = it.hovered && !it.held && !near_point;
        if (plot.current_tokens > 0)
            current_point(ui, plot.current_tokens, plot.current_bytes,
                          reading ? std::string_view() : plot.current_label, scale, labels, it);
        if (reading)
            hover_reading(ui, plot, scale, labels, pointer);
        if (it.hovered)
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        focus_ring(ui, it, radius::inner, 3);
    }
    y = area.Max.y + 8 + line_height(TextStyle::caption);
    return y + 12 + legend(ui, plot, area.Min.x, y + 12, x + width - area.Min.x);
}

} // namespace vramscope::app::panels
