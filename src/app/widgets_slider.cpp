#include "app/widgets_slider.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/log_scale.h"
#include "app/widgets_button.h"
#include "app/widgets_input.h"
#include "core/sort.h"

namespace vramscope::app {

namespace {

constexpr float thumb_radius = 9;
constexpr float track_height = 6;

double fine_step(const Control& control) {
    if (control.step > 0)
        return control.step;
    return control.logarithmic ? 256 : (control.maximum - control.minimum) / 100;
}

double to_multiple(const Control& control, double value) {
    const double step = fine_step(control);
    if (step > 0)
        value = std::round(value / step) * step;
    return std::clamp(value, control.minimum, control.maximum);
}

/// The value beside the label: a quiet button that becomes a field.
void value_entry(Ui& ui, const ImRect& line, const Control& control) {
    PaintMemory& memory = ui.state.memory;
    const ImGuiID id = id_of(control.id + ":entry");
    const float width = text_width(TextStyle::title, control.value_text);
    if (memory.typed_item == id) {
        const ImRect box(std::max(line.Min.x, line.Max.x - 148), line.Min.y - 4, line.Max.x,
                         line.Max.y + 4);
        fill(box, ui.colors.raised, radius::inner);
        outline(ui, box, ui.colors.accent, radius::inner);
        if (memory.typed_wants_focus)
            ImGui::SetKeyboardFocusHere();
        const Typed typed =
            value_field(ui, "typed", {box.Min + ImVec2(10, 0), box.Max - ImVec2(10, 0)}, control);
        if (!memory.typed_wants_focus && typed.finished) {
            memory.typed_item = 0;
            ui.animate(0.05F);
        }
        memory.typed_wants_focus = false;
        if (typed.changed)
            ui.set_field(control.id, typed.text);
        return;
    }
    const ImRect rect(line.Max.x - width - 8, line.Min.y - 2, line.Max.x + 4, line.Max.y + 2);
    const Item it = item(ui, control.id + ":entry", rect);
    if (it.hovered)
        ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (it.hovered || it.held)
        fill(rect, ui.colors.hovered, radius::inner);
    text_line(ui, TextStyle::title, {line.Max.x - width, line.Min.y}, ui.colors.text,
              control.value_text);
    focus_ring(ui, it, radius::inner, 0);
    if (it.pressed) {
        memory.typed_item = id;
        memory.typed_wants_focus = true;
        ui.animate(0.05F);
    }
}

struct MarkLabel {
    const Control::Mark* mark;
    float left;
    float right;
};

/// Labels that do not touch: the native limit first, then the ends, then the rest.
std::vector<MarkLabel> labels_that_fit(const Control& control, float left, float width) {
    std::vector<MarkLabel> wanted;
    for (const Control::Mark& mark : control.marks) {
        const float x = left + width * static_cast<float>(slider_position(control, mark.value));
        const float size = text_width(TextStyle::caption, mark.label);
        const float start = std::clamp(x - size / 2, left, std::max(left, left + width - size));
        wanted.push_back({&mark, start, start + size});
    }
    const auto weight = [&](const MarkLabel& label) {
        if (label.mark->tone != Tone::dim)
            return 0;
        const bool end =
            label.mark->value <= control.minimum || label.mark->value >= control.maximum;
        return end ? 1 : 2;
    };
    sort_short(wanted, [&](const MarkLabel& a, const MarkLabel& b) {
        return std::pair(weight(a), a.left) < std::pair(weight(b), b.left);
    });
    std::vector<MarkLabel> shown;
    for (const MarkLabel& label : wanted) {
        const bool free = std::all_of(shown.begin(), shown.end(), [&](const MarkLabel& other) {
            return label.right + 10 <= other.left || other.right + 10 <= label.left;
        });
        if (free)
            shown.push_back(label);
    }
    return shown;
}

} // namespace

double slider_position(const Control& control, double value) {
    value = std::clamp(value, control.minimum, std::max(control.minimum, control.maximum));
    if (control.maximum <= control.minimum)
        return 0;
    if (control.logarithmic && control.minimum > 0)
        return log2_of(value / control.minimum) / log2_of(control.maximum / control.minimum);
    return (value - control.minimum) / (control.maximum - control.minimum);
}

double slider_value(const Control& control, double position) {
    position = std::clamp(position, 0.0, 1.0);
    if (control.logarithmic && control.minimum > 0)
        return control.minimum * exp2_of(position * log2_of(control.maximum / control.minimum));
    return control.minimum + (control.maximum - control.minimum) * position;
}

std::vector<double> slider_stops(const Control& control) {
    std::vector<double> stops;
    if (!control.logarithmic || control.minimum <= 0)
        return stops;
    stops.push_back(control.minimum);
    stops.push_back(control.maximum);
    for (double power = 1; power < control.maximum; power *= 2)
        if (power > control.minimum)
            stops.push_back(power);
    for (const Control::Mark& mark : control.marks)
        if (mark.value > control.minimum && mark.value < control.maximum)
            stops.push_back(mark.value);
    sort_short(stops);
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

double snapped_value(const Control& control, double position, bool fine) {
    const std::vector<double> stops = slider_stops(control);
    if (fine || stops.empty())
        return to_multiple(control, slider_value(control, position));
    return *std::min_element(stops.begin(), stops.end(), [&](double a, double b) {
        return std::abs(slider_position(control, a) - position) <
               std::abs(slider_position(control, b) - position);
    });
}

double next_stop(const Control& control, double value, int direction, bool fine) {
    const std::vector<double> stops = slider_stops(control);
    if (fine || stops.empty())
        return to_multiple(control, value + fine_step(control) * direction);
    if (direction > 0) {
        const auto next = std::upper_bound(stops.begin(), stops.end(), value);
        return next == stops.end() ? control.maximum : *next;
    }
    const auto here = std::lower_bound(stops.begin(), stops.end(), value);
    return here == stops.begin() ? control.minimum : *std::prev(here);
}

double value_after_keys(const Control& control, double value, const ValueKeys& keys, bool fine) {
    if (keys.to_start)
        return control.minimum;
    if (keys.to_end)
        return control.maximum;
    return keys.steps == 0 ? value : next_stop(control, value, keys.steps, fine);
}

float slider_height(const Ui& ui, const Control& control) {
    return line_height(TextStyle::title) + ui.control_height - 4 +
           (control.marks.empty() ? 0 : line_height(TextStyle::caption));
}

float slider_control(Ui& ui, ImVec2 position, float width, const Control& control) {
    const IdScope scope(control.id);
    const float right = position.x + width;
    const ImRect line(position.x, position.y, right, position.y + line_height(TextStyle::title));
    const ImRect area(position.x, line.Max.y - 2, right, line.Max.y + ui.control_height - 6);
    const Item it = item(ui, control.id + ":track", area);
    if (ui.state.hooks.takes_drag != nullptr)
        ui.state.hooks.takes_drag(true, false);
    const ImGuiIO& io = ImGui::GetIO();
    const float left = area.Min.x + thumb_radius;
    const float length = std::max(1.0F, width - 2 * thumb_radius);
    double value = control.value;
    if (it.held && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        ui.state.memory.dragging = true;
        const double at =
            std::clamp(static_cast<double>((io.MousePos.x - left) / length), 0.0, 1.0);
        value = snapped_value(control, at, io.KeyShift);
    } else {
        value = value_after_keys(control, value, take_value_keys(it), io.KeyShift);
    }
    if (value != control.value)
        ui.set_field(control.id, value_text(value));

    if (it.visible) {
        const float middle = snap(ui, area.GetCenter().y);
        const auto target = static_cast<float>(slider_position(control, value));
        const float thumb = left + length * eased(ui, it.id, target);
        const ImRect track(area.Min.x, middle - track_height / 2, right, middle + track_height / 2);
        fill(track, ui.colors.dark ? ui.colors.line : blend(ui.colors.line, ui.colors.dim, 0.15F),
             track_height / 2);
        fill({track.Min, {thumb, track.Max.y}}, ui.colors.accent, track_height / 2);
        for (const Control::Mark& mark : control.marks) {
            const float x =
                left + length * static_cast<float>(slider_position(control, mark.value));
            if (mark.tone == Tone::dim) {
                const Color color = x < thumb ? ui.colors.on_accent : ui.colors.dim;
                ImGui::GetWindowDrawList()->AddCircleFilled({x, middle}, 1.25F,
                                                            with_alpha(color, 0.7F));
                continue;
            }
            // The native limit: a notch across the track.
            fill({x - 1, middle - 8, x + 1, middle + 8}, ui.colors.tone(mark.tone), 1);
        }
        ImDrawList* list = ImGui::GetWindowDrawList();
        const ImVec2 centre(thumb, middle);
        const Color thumb_color = ui.colors.dark ? ui.colors.text : ui.colors.panel;
        if (it.hovered || it.held)
            list->AddCircleFilled(centre, thumb_radius + 6, with_alpha(ui.colors.accent, 0.20F));
        list->AddCircleFilled(centre, thumb_radius, thumb_color);
        list->AddCircle(centre, thumb_radius - 0.5F, ui.colors.accent, 0, 2);
        if (it.focused)
            list->AddCircle(centre, thumb_radius + 3.5F, ui.colors.accent, 0, 2);
    }
    float y = area.Max.y - 2;
    if (!control.marks.empty()) {
        for (const MarkLabel& label : labels_that_fit(control, left, length)) {
            const Color color =
                label.mark->tone == Tone::dim ? ui.colors.dim : ui.colors.tone(label.mark->tone);
            text_line(ui, TextStyle::caption, {snap(ui, label.left), y}, color, label.mark->label);
        }
        y += line_height(TextStyle::caption);
    }
    // After the track, so that Tab goes from the slider to its value.
    value_entry(ui, line, control);
    return slider_height(ui, control);
}

} // namespace vramscope::app
