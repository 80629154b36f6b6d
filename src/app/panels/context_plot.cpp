// Memory against context, stacked. Dragging anywhere in the plot sets the context.
#include "app/panels/context_plot.h"

#include <algorithm>
#include <cmath>

#include "app/log_scale.h"
#include "app/panels/panels.h"
#include "app/widgets_icons.h"
#include "app/widgets_input.h"
#include "app/widgets_slider.h"
#include "app/widgets_text.h"

namespace vramscope::app::panels {

namespace {

constexpr double tokens_step = 1024;
constexpr float magnet = 6; ///< pixels within which a power of two attracts

/// From data to pixels.
struct Scale {
    ImRect area;
    double x_min = 0;
    double x_max = 1;
    double y_max = 1;

    float x(double tokens) const {
        return area.Min.x +
               area.GetWidth() * static_cast<float>((tokens - x_min) / (x_max - x_min));
    }
    float y(double bytes) const {
        return area.Max.y - area.GetHeight() * static_cast<float>(std::min(bytes / y_max, 1.05));
    }
    double tokens(float at) const {
        const float part = std::clamp((at - area.Min.x) / area.GetWidth(), 0.0F, 1.0F);
        return x_min + (x_max - x_min) * static_cast<double>(part);
    }
};

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

void grid_lines(Ui& ui, const ContextPlot& plot, const Scale& scale) {
    for (const auto& tick : plot.y_ticks) {
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
    for (const auto& tick : plot.x_ticks) {
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

/// Places labels so that none covers another; callouts keep clear of them too.
class Labels {
public:
    explicit Labels(const ImRect& area) : area_(area) {}

    /// The first of the places that is free and inside the plot, else the first inside.
    ImVec2 free_place(ImVec2 size, std::initializer_list<ImVec2> places) const {
        for (const ImVec2& place : places)
            if (inside(place, size) && is_free(place, size))
                return place;
        for (const ImVec2& place : places)
            if (inside(place, size))
                return place;
        const ImVec2 most = ImMax(area_.Min, area_.Max - size);
        return ImClamp(*places.begin(), area_.Min, most);
    }
    void take(const ImRect& rect) { taken_.push_back(rect); }

    /// A line of text on a quiet surface, so that what lies below does not disturb it.
    void put(Ui& ui, Color color, std::string_view label, std::initializer_list<ImVec2> places) {
        if (label.empty())
            return;
        const ImVec2 size(text_width(TextStyle::caption, label), line_height(TextStyle::caption));
        const ImVec2 place = free_place(size, places);
        const ImRect back(place - ImVec2(4, 0), place + size + ImVec2(4, 0));
        take(back);
        fill(back, with_alpha(ui.colors.panel, 0.85F), 3);
        text_line(ui, TextStyle::caption, {snap(ui, place.x), place.y}, color, label);
    }

private:
    bool inside(ImVec2 place, ImVec2 size) const {
        return place.x >= area_.Min.x && place.x + size.x <= area_.Max.x &&
               place.y >= area_.Min.y - 2 && place.y + size.y <= area_.Max.y;
    }
    bool is_free(ImVec2 place, ImVec2 size) const {
        const ImRect wanted(place - ImVec2(6, 1), place + size + ImVec2(6, 1));
        return std::none_of(taken_.begin(), taken_.end(),
                            [&](const ImRect& rect) { return rect.Overlaps(wanted); });
    }

    ImRect area_;
    std::vector<ImRect> taken_;
};

void native_limit(Ui& ui, const ContextPlot& plot, const Scale& scale, Labels& labels) {
    if (plot.native_tokens <= scale.x_min || plot.native_tokens > scale.x_max)
        return;
    const float x = snap(ui, scale.x(plot.native_tokens));
    const float top = scale.area.Min.y;
    dashed_line({x, top}, {x, scale.area.Max.y}, ui.colors.warn, 1, 3, 3);
    const float width = text_width(TextStyle::caption, plot.native_label);
    labels.put(ui, ui.colors.warn, plot.native_label,
               {{x + 7, top}, {x - 8 - width, top}, {x + 7, top + 18}});
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

void out_of_memory(Ui& ui, const ContextPlot& plot, const Scale& scale, Labels& labels) {
    if (plot.limit_tokens <= 0 || plot.limit_tokens > scale.x_max)
        return;
    const float x = snap(ui, scale.x(std::max(plot.limit_tokens, scale.x_min)));
    const float y = snap(ui, scale.y(plot.capacity_bytes));
    hatch({{x, scale.area.Min.y}, scale.area.Max}, with_alpha(ui.colors.bad, 0.30F), 8);
    fill({x - 0.5F, y, x + 0.5F, scale.area.Max.y}, ui.colors.bad);
    ImGui::GetWindowDrawList()->AddCircleFilled({x, y}, 8, ui.colors.panel);
    ImGui::GetWindowDrawList()->AddCircle({x, y}, 7, ui.colors.bad, 0, 2);
    icon(ui, Icon::cross, {x, y}, ui.colors.bad, 9);
    labels.take({x - 9, y - 9, x + 9, y + 9});
    const float width = text_width(TextStyle::caption, plot.limit_label);
    const float top = scale.area.Min.y;
    labels.put(ui, ui.colors.bad, plot.limit_label,
               {{x + 8, top},
                {x - 8 - width, top},
                {x - 8 - width, top + 18},
                {x - 14 - width, y - 22},
                {x - 14 - width, y + 8},
                {x + 14, y + 8}});
}

/// A small box with lines of text near a point, inside the plot.
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

/// What one sees at the pointer, from the nearest sample.
void hover_reading(Ui& ui, const ContextPlot& plot, const Scale& scale, const Labels& labels,
                   float at) {
    if (plot.point_labels.size() != plot.tokens.size())
        return;
    const double tokens = scale.tokens(at);
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < plot.tokens.size(); ++i)
        if (std::abs(plot.tokens[i] - tokens) < std::abs(plot.tokens[nearest] - tokens))
            nearest = i;
    double sum = 0;
    for (const auto& series : plot.series)
        if (nearest < series.bytes.size())
            sum += series.bytes[nearest];
    const float x = snap(ui, scale.x(plot.tokens[nearest]));
    const ImVec2 point(x, scale.y(sum));
    fill({x, scale.area.Min.y, x + ui.device_pixel, scale.area.Max.y},
         with_alpha(ui.colors.text, 0.35F));
    ImGui::GetWindowDrawList()->AddCircleFilled(point, 3.5F, ui.colors.text);
    callout(ui, labels, point, plot.point_labels[nearest]);
}

void current_point(Ui& ui, const ContextPlot& plot, const Scale& scale, const Labels& labels,
                   const Item& it, bool with_text) {
    if (plot.current_tokens <= 0)
        return;
    const double shown = std::clamp(plot.current_tokens, scale.x_min, scale.x_max);
    const float x = scale.area.Min.x + eased(ui, id_of("x"), scale.x(shown) - scale.area.Min.x);
    const float y =
        scale.area.Max.y + eased(ui, id_of("y"), scale.y(plot.current_bytes) - scale.area.Max.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    fill({x - 0.75F, y, x + 0.75F, scale.area.Max.y}, with_alpha(ui.colors.text, 0.75F));
    if (it.hovered || it.held)
        list->AddCircleFilled({x, y}, 13, with_alpha(ui.colors.accent, 0.25F));
    list->AddCircleFilled({x, y}, 7, ui.colors.dark ? ui.colors.text : ui.colors.panel);
    list->AddCircle({x, y}, 6.5F, ui.colors.accent, 0, 2.5F);
    if (with_text)
        callout(ui, labels, {x, y}, plot.current_label);
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

const Control* context_control(const ViewModel& view) {
    const auto found = std::find_if(view.controls.begin(), view.controls.end(),
                                    [](const Control& control) { return control.id == "n_ctx"; });
    return found == view.controls.end() ? nullptr : &*found;
}

/// Dragging and arrow keys; answers with a new context.
void take_input(Ui& ui, const ViewModel& view, const Scale& scale, const Item& it) {
    const ContextPlot& plot = view.context_plot;
    const Control* control = context_control(view);
    const double least = control != nullptr ? control->minimum : 1;
    const double most = control != nullptr ? control->maximum : scale.x_max;
    double tokens = plot.current_tokens;
    const ImGuiIO& io = ImGui::GetIO();
    if (it.held && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        ui.state.memory.dragging = true;
        const double pixel =
            (scale.x_max - scale.x_min) / static_cast<double>(scale.area.GetWidth());
        tokens = plot_tokens(scale.tokens(io.MousePos.x), pixel, least, most);
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
    float axis = 0;
    for (const auto& tick : plot.y_ticks)
        axis = std::max(axis, text_width(TextStyle::caption, tick.label));
    const float height = std::clamp(width * 0.36F, 210.0F, 320.0F);
    const ImRect area = snap(ui, ImRect(x + axis + 12, y + 4, x + width - 2, y + 4 + height));
    const Scale scale = make_scale(plot, area);

    const Item it = item(ui, "plot", area);
    if (ui.state.hooks.takes_drag != nullptr)
        ui.state.hooks.takes_drag(true, false);
    take_input(ui, view, scale, it);
    grid_lines(ui, plot, scale);
    if (it.visible) {
        stacked_areas(ui, plot, scale);
        separators(ui, plot, scale);
        Labels labels(area);
        native_limit(ui, plot, scale, labels);
        out_of_memory(ui, plot, scale, labels);
        capacity(ui, plot, scale, labels);
        const float pointer = ImGui::GetIO().MousePos.x;
        const bool near_point =
            std::abs(pointer - scale.x(plot.current_tokens)) < 14 || plot.point_labels.empty();
        const bool reading = it.hovered && !it.held && !near_point;
        current_point(ui, plot, scale, labels, it, !reading);
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
