#include "app/widgets_icons.h"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace vramscope::app {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

/// Strokes in a square of 16 × 16 with the origin in its middle.
class Pen {
public:
    Pen(ImVec2 centre, float size, Color color)
        : list_(ImGui::GetWindowDrawList()), centre_(centre), scale_(size / 16), color_(color),
          thickness_(1.6F * scale_) {}

    void line(std::initializer_list<ImVec2> points, bool closed = false) {
        for (const ImVec2& point : points)
            list_->PathLineTo(at(point));
        list_->PathStroke(color_, closed ? ImDrawFlags_Closed : 0, thickness_);
    }
    void circle(ImVec2 middle, float r) {
        list_->AddCircle(at(middle), r * scale_, color_, 0, thickness_);
    }
    void dot(ImVec2 middle, float r) { list_->AddCircleFilled(at(middle), r * scale_, color_); }
    void arc(ImVec2 middle, float r, float from, float to) {
        list_->PathArcTo(at(middle), r * scale_, from, to);
        list_->PathStroke(color_, 0, thickness_);
    }
    void box(ImVec2 min, ImVec2 max, float rounding) {
        list_->AddRect(at(min), at(max), color_, rounding * scale_, 0, thickness_);
    }
    void half_disc(float r) {
        list_->PathArcTo(centre_, r * scale_, -pi / 2, pi / 2);
        list_->PathFillConvex(color_);
    }

private:
    ImVec2 at(ImVec2 point) const { return centre_ + point * scale_; }

    ImDrawList* list_;
    ImVec2 centre_;
    float scale_;
    Color color_;
    float thickness_;
};

} // namespace

void icon(const Ui& ui, Icon which, ImVec2 centre, Color color, float size) {
    centre = {snap(ui, centre.x), snap(ui, centre.y)};
    Pen pen(centre, size, color);
    switch (which) {
    case Icon::search:
        pen.circle({-1.5F, -1.5F}, 4.5F);
        pen.line({{2, 2}, {6, 6}});
        break;
    case Icon::chevron_down:
        pen.line({{-4, -2}, {0, 2}, {4, -2}});
        break;
    case Icon::chevron_right:
        pen.line({{-2, -4}, {2, 0}, {-2, 4}});
        break;
    case Icon::close:
    case Icon::cross:
        pen.line({{-4, -4}, {4, 4}});
        pen.line({{4, -4}, {-4, 4}});
        break;
    case Icon::check:
        pen.line({{-5, 0.5F}, {-1.5F, 4}, {5, -3.5F}});
        break;
    case Icon::approximately:
        pen.arc({-2.5F, 1}, 2.5F, -pi, 0);
        pen.arc({2.5F, 1}, 2.5F, 0, pi);
        break;
    case Icon::spill:
        pen.line({{0, -6}, {0, 3}});
        pen.line({{-4, -0.5F}, {0, 3.5F}, {4, -0.5F}});
        pen.line({{-5, 6}, {5, 6}});
        break;
    case Icon::copy:
        pen.box({-2.5F, -2.5F}, {6, 6}, 2);
        pen.line({{-4, 2.5F}, {-6, 2.5F}, {-6, -6}, {2.5F, -6}, {2.5F, -4}});
        break;
    case Icon::share:
        pen.line({{0, 2}, {0, -6}});
        pen.line({{-3.5F, -2.5F}, {0, -6}, {3.5F, -2.5F}});
        pen.line({{-6, 1}, {-6, 6}, {6, 6}, {6, 1}});
        break;
    case Icon::sliders:
        pen.line({{-7, -3.5F}, {-1, -3.5F}});
        pen.line({{4, -3.5F}, {7, -3.5F}});
        pen.circle({1.5F, -3.5F}, 2.2F);
        pen.line({{-7, 3.5F}, {-4, 3.5F}});
        pen.line({{1, 3.5F}, {7, 3.5F}});
        pen.circle({-1.5F, 3.5F}, 2.2F);
        break;
    case Icon::moon:
        pen.arc({0, 0}, 6, pi * 0.13F, pi * 1.37F);
        pen.arc({3.9F, -3.4F}, 5.9F, pi * 0.40F, pi * 1.10F);
        break;
    case Icon::sun:
        pen.circle({0, 0}, 3.2F);
        for (int ray = 0; ray < 8; ++ray) {
            const float angle = static_cast<float>(ray) * pi / 4;
            const ImVec2 direction(std::cos(angle), std::sin(angle));
            pen.line({direction * 5.4F, direction * 7.4F});
        }
        break;
    case Icon::half:
        pen.circle({0, 0}, 6);
        pen.half_disc(6);
        break;
    case Icon::plus:
        pen.line({{-5, 0}, {5, 0}});
        pen.line({{0, -5}, {0, 5}});
        break;
    case Icon::minus:
        pen.line({{-5, 0}, {5, 0}});
        break;
    case Icon::menu:
        pen.line({{-6.5F, -5}, {6.5F, -5}});
        pen.line({{-6.5F, 0}, {6.5F, 0}});
        pen.line({{-6.5F, 5}, {6.5F, 5}});
        break;
    case Icon::external:
        pen.line({{-4, 4}, {4, -4}});
        pen.line({{-2, -4}, {4, -4}, {4, 2}});
        break;
    case Icon::warning:
        pen.line({{0, -6}, {6.5F, 5.5F}, {-6.5F, 5.5F}}, true);
        pen.line({{0, -2}, {0, 1.6F}});
        pen.dot({0, 3.6F}, 0.9F);
        break;
    case Icon::info:
        pen.circle({0, 0}, 6.5F);
        pen.line({{0, -0.5F}, {0, 3.5F}});
        pen.dot({0, -3}, 1);
        break;
    case Icon::reset:
        pen.arc({0, 0.5F}, 5.5F, -pi * 0.75F, pi);
        pen.line({{-6.2F, -6}, {-3.9F, -3.4F}, {-0.8F, -4.6F}});
        break;
    case Icon::undo:
        pen.line({{-2, -6}, {-6, -2.5F}, {-2, 1}});
        pen.line({{-6, -2.5F}, {2, -2.5F}});
        pen.arc({2, 1.5F}, 4, -pi * 0.5F, pi * 0.5F);
        pen.line({{2, 5.5F}, {-2, 5.5F}});
        break;
    case Icon::redo:
        pen.line({{2, -6}, {6, -2.5F}, {2, 1}});
        pen.line({{6, -2.5F}, {-2, -2.5F}});
        pen.arc({-2, 1.5F}, 4, pi * 0.5F, pi * 1.5F);
        pen.line({{-2, 5.5F}, {2, 5.5F}});
        break;
    }
}

Icon sign_icon(Tone tone, std::string_view sign) {
    if (sign == "\xE2\x86\xA7")
        return Icon::spill; // ↧
    if (tone == Tone::ok)
        return Icon::check;
    if (tone == Tone::warn)
        return Icon::approximately;
    return Icon::cross;
}

void logo(const Ui& ui, const ImRect& rect) {
    const float unit = rect.GetWidth() / 22;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRect(rect.Min, rect.Max, ui.colors.text, 3.5F * unit, 0, 1.6F * unit);
    const float top = rect.Min.y + 3.5F * unit;
    const float bottom = rect.Max.y - 3.5F * unit;
    const float left = rect.Min.x + 3.5F * unit;
    fill({left, top, left + 8 * unit, bottom}, ui.colors.weights, unit);
    fill({left + 9 * unit, top, left + 12 * unit, bottom}, ui.colors.kv, unit);
}

} // namespace vramscope::app
