#include "app/widgets_button.h"

#include <algorithm>
#include <cmath>

#include "app/widgets_list.h"

namespace vramscope::app {

namespace {

constexpr float icon_room = 24;
constexpr float segment_padding = 11;

struct ButtonColors {
    Color surface;
    Color line;
    Color text;
};

ButtonColors button_colors(const Palette& colors, const Item& item, ButtonLook look) {
    switch (look) {
    case ButtonLook::primary: {
        const float lift = item.held ? 0.2F : item.hovered ? 0.1F : 0.0F;
        const Color surface = blend(colors.accent, colors.dark ? colors.text : 0xFF000000U, lift);
        return {surface, surface, colors.on_accent};
    }
    case ButtonLook::quiet:
        if (item.hovered || item.held)
            return {colors.hovered, colors.hovered, colors.text};
        return {0, 0, colors.dim};
    case ButtonLook::normal:
        break;
    }
    const Color surface = item.hovered ? colors.hovered : colors.raised;
    return {surface, item.hovered ? colors.edge : colors.line, colors.text};
}

bool paint_button(Ui& ui, std::string_view name, const ImRect& rect, std::string_view label,
                  ButtonLook look, const Icon* picture) {
    const Item it = item(ui, name, rect);
    if (!it.visible)
        return false;
    const ButtonColors colors = button_colors(ui.colors, it, look);
    if (colors.surface != 0)
        fill(rect, colors.surface, radius::control);
    if (look == ButtonLook::normal)
        outline(ui, rect, colors.line, radius::control);
    ImRect inner = rect;
    inner.Min.x += 12;
    inner.Max.x -= 12;
    if (picture != nullptr) {
        const float room = label.empty() ? 16 : icon_room;
        const float content = room + text_width(TextStyle::body, label);
        const float start = std::max(rect.GetCenter().x - content / 2, rect.Min.x + 10);
        icon(ui, *picture, {start + 8, rect.GetCenter().y}, colors.text);
        inner.Min.x = start + room;
        text_in(ui, TextStyle::body, inner, colors.text, label);
    } else {
        text_in(ui, TextStyle::body, inner, colors.text, label, Align::centre);
    }
    focus_ring(ui, it, radius::control);
    return it.pressed;
}

/// How many segments are shown; one more place holds the list of all when some are left out.
std::size_t segments_that_fit(const std::vector<Choice>& choices, float width) {
    if (segmented_width(choices) <= width + 0.5F)
        return choices.size();
    const float more = 40;
    float used = more;
    std::size_t count = 0;
    for (const Choice& choice : choices) {
        used += text_width(TextStyle::body_strong, choice.label) + 2 * segment_padding;
        if (used > width)
            break;
        ++count;
    }
    return count;
}

} // namespace

float button_width(std::string_view label, bool has_icon) {
    return text_width(TextStyle::body, label) + 24 + (has_icon ? icon_room : 0);
}

bool button(Ui& ui, std::string_view name, const ImRect& rect, std::string_view label,
            ButtonLook look) {
    return paint_button(ui, name, rect, label, look, nullptr);
}

bool button(Ui& ui, std::string_view name, const ImRect& rect, std::string_view label,
            ButtonLook look, Icon picture) {
    return paint_button(ui, name, rect, label, look, &picture);
}

bool icon_button(Ui& ui, std::string_view name, const ImRect& rect, Icon picture,
                 std::string_view hint, ButtonLook look) {
    const Item it = item(ui, name, rect);
    if (!it.visible)
        return false;
    const ButtonColors colors = button_colors(ui.colors, it, look);
    if (colors.surface != 0)
        fill(rect, colors.surface, radius::control);
    if (look == ButtonLook::normal)
        outline(ui, rect, colors.line, radius::control);
    icon(ui, picture, rect.GetCenter(), colors.text);
    focus_ring(ui, it, radius::control);
    tooltip(ui, it, hint);
    return it.pressed;
}

float segmented_width(const std::vector<Choice>& choices) {
    float width = 0;
    for (const Choice& choice : choices)
        width += text_width(TextStyle::body_strong, choice.label) + 2 * segment_padding;
    return width;
}

int segmented(Ui& ui, std::string_view name, const ImRect& rect,
              const std::vector<Choice>& choices) {
    if (choices.empty())
        return -1;
    const IdScope scope(name);
    fill(rect, ui.colors.raised, radius::control);
    outline(ui, rect, ui.colors.line, radius::control);

    // The chosen one is always among the shown.
    std::vector<int> shown;
    const std::size_t fit = segments_that_fit(choices, rect.GetWidth());
    const bool all = fit == choices.size();
    int chosen = 0;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i].selected)
            chosen = static_cast<int>(i);
    for (std::size_t i = 0; i < fit; ++i)
        shown.push_back(static_cast<int>(i));
    if (!all && chosen >= static_cast<int>(fit)) {
        // Wide labels push narrower ones out until the chosen one fits.
        float room = rect.GetWidth() - 40;
        const auto width_of = [&](int index) {
            return text_width(TextStyle::body_strong,
                              choices[static_cast<std::size_t>(index)].label) +
                   2 * segment_padding;
        };
        room -= width_of(chosen);
        float used = 0;
        std::size_t keep = 0;
        while (keep < shown.size() && used + width_of(shown[keep]) <= room)
            used += width_of(shown[keep++]);
        shown.resize(keep);
        shown.push_back(chosen);
    }
    const float more_width = all ? 0 : 40;
    float natural = 0;
    for (const int index : shown)
        natural +=
            text_width(TextStyle::body_strong, choices[static_cast<std::size_t>(index)].label) +
            2 * segment_padding;
    const float extra =
        std::max(0.0F, rect.GetWidth() - more_width - natural) / static_cast<float>(shown.size());

    int picked = -1;
    float x = rect.Min.x;
    const bool any_selected = std::any_of(choices.begin(), choices.end(),
                                          [](const Choice& choice) { return choice.selected; });
    for (std::size_t place = 0; place < shown.size(); ++place) {
        const int index = shown[place];
        const Choice& choice = choices[static_cast<std::size_t>(index)];
        const float width =
            std::min(text_width(TextStyle::body_strong, choice.label) + 2 * segment_padding + extra,
                     rect.Max.x - more_width - x);
        const ImRect segment = snap(ui, ImRect(x, rect.Min.y, x + width, rect.Max.y));
        x += width;
        // One stop for Tab, the arrow keys go between the segments.
        const bool stop = choice.selected || (!any_selected && place == 0);
        const int flags =
            (stop ? item_none : item_no_tab_stop) | (choice.enabled ? item_none : item_disabled);
        const IdScope segment_scope(index);
        const Item it = item(ui, std::string(name) + ":" + choice.label, segment, flags);
        if (!it.visible)
            continue;
        ImRect surface = segment;
        surface.Expand(-3 * std::max(1.0F, ui.device_pixel));
        if (choice.selected)
            fill(surface, ui.colors.selected, radius::inner);
        else if (it.hovered && choice.enabled)
            fill(surface, ui.colors.hovered, radius::inner);
        const Color color = !choice.enabled   ? blend(ui.colors.dim, ui.colors.raised, 0.45F)
                            : choice.selected ? ui.colors.text
                                              : ui.colors.dim;
        ImRect label = segment;
        label.Expand({-6, 0});
        text_in(ui, choice.selected ? TextStyle::body_strong : TextStyle::body, label, color,
                choice.label, Align::centre);
        Item ring = it;
        ring.rect = surface;
        focus_ring(ui, ring, radius::inner, 1);
        tooltip(ui, it, choice.tooltip.empty() ? choice.detail : choice.tooltip);
        if (it.pressed && choice.enabled)
            picked = index;
    }
    if (!all) {
        const ImRect more =
            snap(ui, ImRect(rect.Max.x - more_width, rect.Min.y, rect.Max.x, rect.Max.y));
        const Item it = item(ui, std::string(name) + ":more", more);
        if (it.visible) {
            for (const float offset : {-5.0F, 0.0F, 5.0F})
                ImGui::GetWindowDrawList()->AddCircleFilled(
                    more.GetCenter() + ImVec2(offset, 0), 1.5F,
                    it.hovered ? ui.colors.text : ui.colors.dim);
            Item ring = it;
            ring.rect.Expand(-3);
            focus_ring(ui, ring, radius::inner, 1);
            if (it.pressed)
                open_list(ui, "segments");
        }
        const int from_list = choice_list(ui, "segments", rect, choices);
        if (from_list >= 0)
            picked = from_list;
    }
    return picked;
}

float chip_width(std::string_view label) {
    return text_width(TextStyle::caption, label) + 16;
}

float chip(Ui& ui, ImVec2 position, std::string_view label) {
    const float width = chip_width(label);
    const ImRect rect = snap(ui, ImRect(position, position + ImVec2(width, chip_height)));
    fill(rect, ui.colors.raised, radius::inner);
    text_in(ui, TextStyle::caption, {rect.Min.x + 8, rect.Min.y, rect.Max.x, rect.Max.y},
            ui.colors.dim, label);
    return width;
}

float chips(Ui& ui, ImVec2 position, float width, const std::vector<std::string>& labels) {
    float x = position.x;
    float y = position.y;
    for (const std::string& label : labels) {
        const float wanted = chip_width(label);
        if (x > position.x && x + wanted > position.x + width) {
            x = position.x;
            y += chip_height + 6;
        }
        if (wanted > width) {
            const ImRect rect(x, y, x + width, y + chip_height);
            fill(rect, ui.colors.raised, radius::inner);
            text_in(ui, TextStyle::caption,
                    {rect.Min.x + 8, rect.Min.y, rect.Max.x - 8, rect.Max.y}, ui.colors.dim, label);
            x += width + 6;
            continue;
        }
        x += chip(ui, {x, y}, label) + 6;
    }
    return labels.empty() ? 0 : y + chip_height - position.y;
}

float pill_width(TextStyle style, std::string_view label) {
    return text_width(style, label) + 8 + 20;
}

void sign(Ui& ui, Tone tone, std::string_view sign, ImVec2 centre) {
    icon(ui, sign_icon(tone, sign), centre, ui.colors.tone(tone), 10);
}

void pill(Ui& ui, TextStyle style, float right, float centre_y, std::string_view label, Tone tone,
          std::string_view sign) {
    const float width = pill_width(style, label);
    const float height = line_height(style) + 4;
    const ImRect rect =
        snap(ui, ImRect(right - width, centre_y - height / 2, right, centre_y + height / 2));
    fill(rect, ui.colors.tint(tone), radius::pill);
    icon(ui, sign_icon(tone, sign), {rect.Min.x + 11, rect.GetCenter().y}, ui.colors.tone(tone),
         10);
    text_in(ui, style, {rect.Min.x + 20, rect.Min.y, rect.Max.x, rect.Max.y}, ui.colors.text,
            label);
}

bool link(Ui& ui, std::string_view name, ImVec2 position, float width, std::string_view label,
          TextStyle style) {
    const float wanted = std::min(width, text_width(style, label));
    const ImRect rect(position, position + ImVec2(wanted, line_height(style)));
    const Item it = item(ui, name, rect);
    text_between(ui, style, rect.Min.x, position.x + width, rect.Min.y, ui.colors.accent, label);
    if (it.hovered)
        horizontal_line(ui, rect.Min.x, rect.Max.x, rect.Max.y - 2, ui.colors.accent);
    focus_ring(ui, it, 2);
    return it.pressed;
}

void control_box(Ui& ui, const Item& item, bool open) {
    const bool lit = item.hovered || item.held || open;
    fill(item.rect, lit ? ui.colors.hovered : ui.colors.raised, radius::control);
    outline(ui, item.rect,
            open  ? ui.colors.accent
            : lit ? ui.colors.edge
                  : ui.colors.line,
            radius::control);
}

} // namespace vramscope::app
