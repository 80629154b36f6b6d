// The pages beside the simulator: the question on the left, its answers in one table.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_bar.h"
#include "app/widgets_button.h"
#include "app/widgets_long_table.h"
#include "app/widgets_table.h"

namespace vramscope::app::panels {
namespace {

/// Title, what was asked, and how far the answer has come. Gives the y below.
float head(Ui& ui, const ModeView& mode, float x, float y, float width) {
    y += paragraph(ui, TextStyle::heading, {x, y}, width, ui.colors.text, mode.title) + 2;
    y += paragraph(ui, TextStyle::body, {x, y}, width, ui.colors.dim, mode.lead);
    if (!mode.progress.empty()) {
        y += 10;
        y += paragraph(ui, TextStyle::caption, {x, y}, width, ui.colors.dim, mode.progress) + 6;
        // The line stays when the work is done, so that nothing below it moves.
        if (mode.done < 1)
            thin_bar(ui, {x, y, x + width, y + 3}, static_cast<float>(mode.done), ui.colors.accent);
        y += 3;
    }
    return y;
}

float table_card(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const ModeView& mode = *view.mode;
    Card card(ui, x, y, width);
    y = head(ui, mode, card.left(), card.top(), card.width()) + 12;
    const float tall = long_table(ui, {card.left(), y}, card.width(), mode.table);
    y += tall;
    if (tall == 0 && mode.done >= 1)
        y += paragraph(ui, TextStyle::body, {card.left(), y}, card.width(), ui.colors.text,
                       mode.empty);
    if (!mode.table.note.empty())
        y += 12 + paragraph(ui, TextStyle::caption, {card.left(), y + 12}, card.width(),
                            ui.colors.dim, mode.table.note);
    return card.end(y);
}

float card_buttons(Ui& ui, const std::vector<Choice>& actions, float x, float y, float width) {
    float left = x;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (!actions[i].enabled)
            continue;
        const IdScope scope(static_cast<int>(i));
        const float wanted = std::min(button_width(actions[i].label, false), width);
        if (left > x && left + wanted > x + width) {
            left = x;
            y += ui.control_height + 8;
        }
        const ImRect rect(left, y, left + wanted, y + ui.control_height);
        if (button(ui, "compare:" + actions[i].label, snap(ui, rect), actions[i].label,
                   i == 0 ? ButtonLook::normal : ButtonLook::quiet))
            ui.act(actions[i].action);
        left += wanted + 8;
    }
    return y + ui.control_height;
}

float compared_card(Ui& ui, const ComparedCard& content, float x, float y, float width,
                    float least) {
    Card card(ui, x, y, width);
    y = card.top();
    text_line(ui, TextStyle::title, {card.left(), y}, ui.colors.accent, content.letter);
    y += paragraph(ui, TextStyle::title, {card.left() + 24, y}, card.width() - 24, ui.colors.text,
                   content.title);
    y += 2 + paragraph(ui, TextStyle::caption, {card.left(), y + 2}, card.width(), ui.colors.dim,
                       content.detail);
    y = card_buttons(ui, content.actions, card.left(), y + 12, card.width());
    return card.end(y, least);
}

float compare_page(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const ModeView& mode = *view.mode;
    {
        Card card(ui, x, y, width);
        float end = head(ui, mode, card.left(), card.top(), card.width());
        if (mode.cards.empty())
            end += 12 + paragraph(ui, TextStyle::body, {card.left(), end + 12}, card.width(),
                                  ui.colors.text, mode.empty);
        if (mode.add.enabled)
            end = card_buttons(ui, {mode.add}, card.left(), end + 16, card.width());
        y = card.end(end) + space::gap;
    }
    if (mode.cards.empty())
        return y;
    const Grid cells = grid(width, 240, space::gap, static_cast<int>(mode.cards.size()), 4);
    float row_top = y;
    float tallest = 0;
    for (std::size_t i = 0; i < mode.cards.size(); ++i) {
        const IdScope scope(static_cast<int>(i));
        const int index = static_cast<int>(i);
        if (i > 0 && index % cells.columns == 0) {
            row_top = tallest + space::gap;
            tallest = 0;
        }
        tallest = std::max(tallest, compared_card(ui, mode.cards[i], cells.x(x, index), row_top,
                                                  cells.cell_width, 0));
    }
    y = tallest + space::gap;
    Card card(ui, x, y, width);
    float end = card.top();
    end += paragraph(ui, TextStyle::caption, {card.left(), end}, card.width(), ui.colors.dim,
                     mode.comparison.caption) +
           12;
    end += table(ui, {card.left(), end}, card.width(), mode.comparison);
    return card.end(end) + space::gap;
}

/// Phones: opens the sheet that holds the question and the filters.
float question_button(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const std::string_view label = view.mode->filters_title;
    const ImRect rect(x, y, x + width, y + ui.control_height);
    if (button(ui, "filters", snap(ui, rect), label, ButtonLook::normal, Icon::sliders))
        ui.state.memory.sheet_wanted = true;
    return rect.Max.y + space::unit;
}

} // namespace

[[gnu::noinline]] float mode_page(Ui& ui, const ViewModel& view, const PageLayout& page, float x,
                                  float y, float stuck) {
    const float start = y;
    if (view.mode->id == "compare") {
        const float width = page.phone() ? page.main_width
                                         : page.main_x + page.main_width + page.side_width +
                                               (page.side_width > 0 ? space::gap : 0) - page.left;
        y = messages(ui, view, x + page.left, y, width);
        return compare_page(ui, view, x + page.left, y > start ? y + space::gap : y, width);
    }
    if (page.phone()) {
        const float message_end = messages(ui, view, x + page.main_x, y, page.main_width);
        if (message_end > y)
            y = message_end + space::gap;
        y = question_button(ui, view, x + page.main_x, y, page.main_width);
        return table_card(ui, view, x + page.main_x, y, page.main_width) + space::gap;
    }
    const float left_x = x + page.left;
    Card card(ui, left_x, y + stuck, page.setup_width);
    float left = card.top();
    if (view.mode->id == "need")
        left = model_head(ui, view, card.left(), left, card.width()) + space::field;
    left = controls(ui, view, card.left(), left, card.width());
    left = card.end(left);
    ui.state.memory.column_heights[0] = left - (y + stuck);

    const float width = page.main_width + (page.side_width > 0 ? page.side_width + space::gap : 0);
    float right = messages(ui, view, x + page.main_x, y, width);
    right = table_card(ui, view, x + page.main_x, right > y ? right + space::gap : y, width);
    ui.state.memory.page_height = std::max(left - stuck, right) - y;
    return std::max(left - stuck, right) + space::gap;
}

} // namespace vramscope::app::panels
