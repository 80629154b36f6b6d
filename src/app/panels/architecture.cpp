#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

float fact_row(Ui& ui, const Fact& fact, float x, float y, float width) {
    const float label_width = std::min(240.0F, width * 0.45F);
    const float value_x = x + label_width + 16;
    const float value_width = width - label_width - 16;
    const float top = y + 10;
    const float left =
        paragraph(ui, TextStyle::body, {x, top}, label_width, ui.colors.dim, fact.label);
    float right = line_height(TextStyle::body);
    if (fact.url.empty()) {
        right =
            paragraph(ui, TextStyle::body, {value_x, top}, value_width, ui.colors.text, fact.value);
    } else if (link(ui, fact.label, {value_x, top}, value_width, fact.value)) {
        ui.act({Action::Kind::open_link, {}, fact.url});
    }
    return 20 + std::max(left, right);
}

} // namespace

float architecture(Ui& ui, const ViewModel& view, float x, float y, float width) {
    const IdScope scope("architecture");
    if (!view.architecture_title.empty())
        y += paragraph(ui, TextStyle::body_strong, {x, y}, width, ui.colors.text,
                       view.architecture_title) +
             8;
    for (std::size_t i = 0; i < view.architecture.size(); ++i) {
        const IdScope row(static_cast<int>(i));
        horizontal_line(ui, x, x + width, y, ui.colors.line);
        y += fact_row(ui, view.architecture[i], x, y, width);
    }
    if (!view.notes_title.empty() && !view.notes.empty())
        y += 20 + paragraph(ui, TextStyle::body_strong, {x, y + 20}, width, ui.colors.text,
                            view.notes_title);
    for (const Message& note : view.notes) {
        const float text = std::min(width, 680.0F);
        y += 12 + paragraph(ui, TextStyle::body, {x, y + 12}, text,
                            note.tone == Tone::normal ? ui.colors.dim : ui.colors.tone(note.tone),
                            note.text);
    }
    return y;
}

} // namespace vramscope::app::panels
