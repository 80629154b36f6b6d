// What all plots are made of: scale, grid, labels that keep clear of each other, limits, the
// current point, and dragging along the x axis.
#pragma once

#include <string_view>
#include <vector>

#include "app/widgets_text.h"

namespace vramscope::app::panels {

/// From data to pixels.
struct Scale {
    ImRect area;
    double x_min = 0;
    double x_max = 1;
    double y_max = 1;
    bool logarithmic = false; ///< x; y starts at 0 and is linear

    float x(double value) const;
    float y(double value) const;
    /// The value under a pixel.
    double value(float at) const;
};

/// The plot's surface at (x, y): room for the labels of the y axis is left.
ImRect plot_area(const Ui& ui, const std::vector<ContextPlot::Tick>& y_ticks, float x, float y,
                 float width, float height);
/// Lines and labels of both axes; labels of x stand below the area.
void grid_lines(Ui& ui, const std::vector<ContextPlot::Tick>& x_ticks,
                const std::vector<ContextPlot::Tick>& y_ticks, const Scale& scale);

/// Places labels so that none covers another; callouts keep clear of them too.
class Labels {
public:
    explicit Labels(const ImRect& area) : area_(area) {}
    /// The first of the places that is free and inside the plot, else the first inside.
    ImVec2 free_place(ImVec2 size, std::initializer_list<ImVec2> places) const;
    void take(const ImRect& rect) { taken_.push_back(rect); }
    /// A line of text on a quiet surface, so that what lies below does not disturb it.
    void put(Ui& ui, Color color, std::string_view label, std::initializer_list<ImVec2> places);

private:
    bool inside(ImVec2 place, ImVec2 size) const;
    bool is_free(ImVec2 place, ImVec2 size) const;

    ImRect area_;
    std::vector<ImRect> taken_;
};

/// A dashed line at a value of x: the native limit and the like.
void marked_line(Ui& ui, double value, std::string_view label, Color color, const Scale& scale,
                 Labels& labels);
/// Hatches what lies beyond a value of x, with a cross at height y.
void beyond(Ui& ui, double value, float y, std::string_view label, const Scale& scale,
            Labels& labels);
/// A small box with lines of text near a point, inside the plot.
void callout(Ui& ui, const Labels& labels, ImVec2 point, std::string_view text);
/// The dot that can be dragged, with what it says.
void current_point(Ui& ui, double x, double y, std::string_view text, const Scale& scale,
                   const Labels& labels, const Item& item);
/// A thin line and a dot where the pointer reads, with what stands there.
void reading_point(Ui& ui, double x, double y, std::string_view text, const Scale& scale,
                   const Labels& labels);
/// The index of the sample nearest to a value.
std::size_t nearest_sample(const std::vector<double>& samples, double value);
/// The control that an axis sets, or nullptr.
const Control* control_of(const ViewModel& view, std::string_view field);

} // namespace vramscope::app::panels
