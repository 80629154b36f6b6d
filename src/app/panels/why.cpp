#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

float term(Ui& ui, const Explanation& explanation, float x, float y, float width) {
    const float left = x + 14;
    const float inner = width - 14;
    const float top = y;
    const float value = text_width(TextStyle::body_strong, explanation.value);
    text_line(ui, TextStyle::body_strong, {x + width - value, y}, ui.colors.text,
              explanation.value);
    y += std::max(line_height(TextStyle::body),
                  paragraph(ui, TextStyle::body, {left, y}, inner - value - 12, ui.colors.text,
                            explanation.title));
    if (!explanation.formula.empty())
        y += 1 + paragraph(ui, TextStyle::code, {left, y + 1}, inner, ui.colors.text,
                           explanation.formula);
    if (!explanation.range.empty())
        y += 1 + paragraph(ui, TextStyle::caption, {left, y + 1}, inner, ui.colors.text,
                           explanation.range);
    if (!explanation.text.empty())
        y += 1 + paragraph(ui, TextStyle::caption, {left, y + 1}, inner, ui.colors.dim,
                           explanation.text);
    if (!explanation.source.empty())
        y += 1 + paragraph(ui, TextStyle::caption, {left, y + 1}, inner, ui.colors.dim,
                           explanation.source);
    fill(snap(ui, ImRect(x, top + 1, x + 3, y)), ui.colors.tone(explanation.tone), 1.5F);
    return y;
}

} // namespace

float why(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.why.empty())
        return y;
    const IdScope scope("why");
    Card card(ui, x, y, width);
    const float top = y;
    y = card.top();
    const bool opened = !view.explained.empty();
    if (opened &&
        link(ui, "back", {card.left(), y}, card.width(), view.why_back.label, TextStyle::caption))
        ui.act(view.why_back.action);
    if (opened)
        y += 24;
    y +=
        paragraph(ui, opened ? TextStyle::body_strong : TextStyle::caption_strong, {card.left(), y},
                  card.width(), opened ? ui.colors.text : ui.colors.dim, view.why_title) +
        10;
    for (std::size_t i = 0; i < view.why.size(); ++i) {
        if (i > 0)
            y += 14;
        y = term(ui, view.why[i], card.left(), y, card.width());
    }
    if (!view.why_copy.empty()) {
        if (link(ui, "copy-markdown", {card.left(), y + 14}, card.width(), view.why_copy,
                 TextStyle::caption))
            ui.act({Action::Kind::copy_explanation, {}, {}});
        y += 30;
    }
    // What was opened further up may be shown far below.
    if (ui.state.memory.shown_explanation != view.explained) {
        ui.state.memory.shown_explanation = view.explained;
        const float most = ImGui::GetWindowHeight() * 0.8F;
        if (opened)
            ImGui::ScrollToRectEx(ImGui::GetCurrentWindow(),
                                  {{x, top - 8}, {x + width, std::min(y, top + most)}},
                                  ImGuiScrollFlags_KeepVisibleEdgeY);
        ui.animate(0.05F);
    }
    return card.end(y);
}

float assumptions(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.assumptions.empty())
        return y;
    Card card(ui, x, y, width);
    y = card.top();
    y += paragraph(ui, TextStyle::caption_strong, {card.left(), y}, card.width(), ui.colors.dim,
                   view.assumptions_title) +
         8;
    for (const std::string& text : view.assumptions) {
        ImGui::GetWindowDrawList()->AddCircleFilled({card.left() + 3, y + 8}, 2, ui.colors.dim);
        y += paragraph(ui, TextStyle::caption, {card.left() + 14, y}, card.width() - 14,
                       ui.colors.dim, text) +
             6;
    }
    return card.end(y - 6);
}

} // namespace vramscope::app::panels
