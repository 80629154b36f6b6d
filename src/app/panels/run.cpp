#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets_button.h"

namespace vramscope::app::panels {

namespace {

/// Monospaced text as it is copied: a wrapped line is indented, so that one sees where lines end.
float code_block(Ui& ui, float x, float y, float width, std::string_view text, bool paint) {
    const float inner = width - 24;
    const float indent = 16;
    float at = y + 10;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view source = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        auto lines = wrap(TextStyle::code, inner, source);
        if (lines.size() > 1) {
            const std::string_view rest =
                source.substr(static_cast<std::size_t>(lines[1].data() - source.data()));
            lines.resize(1);
            for (const std::string_view line : wrap(TextStyle::code, inner - indent, rest))
                lines.push_back(line);
        }
        if (lines.empty())
            lines.emplace_back();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (paint)
                text_line(ui, TextStyle::code, {x + 12 + (i > 0 ? indent : 0), at}, ui.colors.text,
                          lines[i]);
            at += line_height(TextStyle::code);
        }
    }
    return at + 10 - y;
}

} // namespace

float run(Ui& ui, const ViewModel& view, float x, float y, float width) {
    if (view.commands.empty())
        return y;
    const IdScope scope("run");
    PaintMemory& memory = ui.state.memory;
    memory.command = std::clamp(memory.command, 0, static_cast<int>(view.commands.size()) - 1);
    Card card(ui, x, y, width);
    y = card.top();
    y += paragraph(ui, TextStyle::caption_strong, {card.left(), y}, card.width(), ui.colors.dim,
                   view.run_title) +
         10;
    if (view.commands.size() > 1) {
        std::vector<Choice> choices;
        for (std::size_t i = 0; i < view.commands.size(); ++i) {
            Choice choice;
            choice.label = view.commands[i].title;
            choice.selected = static_cast<int>(i) == memory.command;
            choices.push_back(std::move(choice));
        }
        const int taken = segmented(
            ui, "commands", snap(ui, ImRect(card.left(), y, card.right(), y + ui.control_height)),
            choices);
        if (taken >= 0) {
            memory.command = taken;
            ui.animate(0.05F);
        }
        y += ui.control_height + 12;
    }
    const Command& command = view.commands[static_cast<std::size_t>(memory.command)];
    if (view.commands.size() == 1 && !command.title.empty())
        y += paragraph(ui, TextStyle::body, {card.left(), y}, card.width(), ui.colors.text,
                       command.title) +
             8;
    const float height = code_block(ui, card.left(), y, card.width(), command.text, false);
    const ImRect block = snap(ui, ImRect(card.left(), y, card.right(), y + height));
    fill(block, ui.colors.dark ? ui.colors.background : ui.colors.raised, radius::control);
    outline(ui, block, ui.colors.line, radius::control);
    code_block(ui, card.left(), y, card.width(), command.text, true);
    y = block.Max.y + 12;
    if (!command.note.empty())
        y += paragraph(ui, TextStyle::caption, {card.left(), y}, card.width(), ui.colors.dim,
                       command.note) +
             12;
    const ImGuiID id = id_of("copy");
    const bool copied = memory.copied_item == id && memory.copied_for > 0;
    const float wanted =
        std::max(button_width(view.copy_label, true), button_width(view.copied_label, true));
    const ImRect rect(card.left(), y, std::min(card.left() + wanted, card.right()),
                      y + ui.control_height);
    if (button(ui, "copy", snap(ui, rect), copied ? view.copied_label : view.copy_label,
               ButtonLook::normal, copied ? Icon::check : Icon::copy)) {
        ui.act({Action::Kind::copy_text, {}, command.text});
        memory.copied_item = id;
        memory.copied_for = 1.6F;
    }
    return card.end(rect.Max.y);
}

} // namespace vramscope::app::panels
