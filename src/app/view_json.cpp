// The view as JSON for the HTML twin. Keys are the field names of view_model.h; what is empty,
// false or "none" is left out. A control's choice that sets the control's own field has `value`
// instead of an action.
#include <algorithm>
#include <cmath>

#include "app/view_model.h"
#include "core/decimal.h"

namespace vramscope::app {
namespace {

constexpr const char* tone_names[] = {"normal",  "dim",      "accent", "weights", "kv",   "state",
                                      "compute", "overhead", "output", "ok",      "warn", "bad"};
constexpr const char* control_names[] = {"select", "segmented", "slider", "stepper", "number"};

class Writer;
void write(Writer& out, const Action& action);
void write(Writer& out, const Figure& figure);
void write(Writer& out, const Choice& choice);
void write(Writer& out, const Control& control);
void write(Writer& out, const Control::Mark& mark);
void write(Writer& out, const Cell& cell);
void write(Writer& out, const Column& column);
void write(Writer& out, const Row& row);
void write(Writer& out, const Table& table);
void write(Writer& out, const Bar& bar);
void write(Writer& out, const Bar::Segment& segment);
void write(Writer& out, const Explanation& explanation);
void write(Writer& out, const Command& command);
void write(Writer& out, const Fact& fact);
void write(Writer& out, const Message& message);
void write(Writer& out, const Tab& tab);
void write(Writer& out, const ComparedCard& card);
void write(Writer& out, const LongColumn& column);
void write(Writer& out, const LongTable& table);
void write(Writer& out, const ModeView& mode);

class Writer {
public:
    std::string text;

    void string(std::string_view value) {
        text += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\') {
                text += '\\';
                text += c;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                constexpr const char* hex = "0123456789abcdef";
                const auto code = static_cast<unsigned char>(c);
                text += "\\u00";
                text += hex[code >> 4U];
                text += hex[code & 0xFU];
            } else {
                text += c;
            }
        }
        text += '"';
    }
    void number(double value) {
        constexpr double exact_integers = 9007199254740992.0; // 2^53
        const bool whole = std::fabs(value) <= exact_integers && value == std::floor(value);
        text += whole ? std::to_string(static_cast<std::int64_t>(value)) : decimal_text(value, 12);
    }

    void field(const char* key, std::string_view value) {
        if (value.empty())
            return;
        this->key(key);
        string(value);
    }
    void field(const char* key, const char* value) { field(key, std::string_view(value)); }
    void field(const char* key, const std::string& value) { field(key, std::string_view(value)); }
    void field(const char* key, bool value) {
        if (!value)
            return;
        this->key(key);
        text += "true";
    }
    void field(const char* key, double value) {
        this->key(key);
        number(value);
    }
    /// A number whose negative values mean "none".
    void known(const char* key, double value) {
        if (value >= 0)
            field(key, value);
    }
    void field(const char* key, Tone tone) {
        if (tone != Tone::normal)
            field(key, tone_names[static_cast<std::size_t>(tone)]);
    }
    void field(const char* key, const Action& action) {
        if (action.kind != Action::Kind::none)
            object(key, action);
    }
    /// The choices of a control; one that just sets the control's own field is its value alone.
    void choices(const char* key, const std::vector<Choice>& values, const std::string& control) {
        if (values.empty())
            return;
        this->key(key);
        text += '[';
        for (const Choice& choice : values) {
            if (&choice != &values.front())
                text += ',';
            begin();
            field("label", choice.label);
            field("detail", choice.detail);
            field("tooltip", choice.tooltip);
            if (choice.action.kind == Action::Kind::set_field && choice.action.key == control) {
                field("value", choice.action.value);
            } else {
                field("action", choice.action);
            }
            field("selected", choice.selected);
            field("disabled", !choice.enabled);
            end();
        }
        text += ']';
    }
    template <typename Value>
    void object(const char* key, const Value& value) {
        this->key(key);
        element(value);
    }
    template <typename Value>
    void field(const char* key, const std::vector<Value>& values) {
        if (values.empty())
            return;
        this->key(key);
        text += '[';
        bool first = true;
        for (const Value& value : values) {
            if (!first)
                text += ',';
            first = false;
            element(value);
        }
        text += ']';
    }

    void begin() {
        text += '{';
        fresh_ = true;
    }
    void end() {
        text += '}';
        fresh_ = false;
    }

private:
    void key(const char* name) {
        if (!fresh_)
            text += ',';
        fresh_ = false;
        text += '"';
        text += name;
        text += "\":";
    }
    void element(const std::string& value) { string(value); }
    template <typename Value>
    void element(const Value& value) {
        begin();
        write(*this, value);
        end();
    }

    bool fresh_ = true;
};

void write(Writer& out, const Action& action) {
    out.field("kind", action_kind_names[static_cast<std::size_t>(action.kind)]);
    out.field("key", action.key);
    out.field("value", action.value);
}

void write(Writer& out, const Figure& figure) {
    out.field("id", figure.id);
    out.field("label", figure.label);
    out.field("value", figure.value);
    out.field("unit", figure.unit);
    out.field("detail", figure.detail);
    out.field("tooltip", figure.tooltip);
    out.field("tone", figure.tone);
    out.known("exact", figure.exact);
    out.field("action", figure.action);
}

void write(Writer& out, const Choice& choice) {
    out.field("label", choice.label);
    out.field("detail", choice.detail);
    out.field("tooltip", choice.tooltip);
    out.field("action", choice.action);
    out.field("selected", choice.selected);
    out.field("disabled", !choice.enabled);
}

void write(Writer& out, const Control::Mark& mark) {
    out.field("value", mark.value);
    out.field("label", mark.label);
    out.field("tone", mark.tone);
}

void write(Writer& out, const Control& control) {
    out.field("kind", control_names[static_cast<std::size_t>(control.kind)]);
    out.field("id", control.id);
    out.field("advanced", control.advanced);
    out.field("label", control.label);
    out.field("help", control.help);
    out.field("value_text", control.value_text);
    out.field("edit_text", control.edit_text);
    out.field("unit", control.unit);
    out.choices("choices", control.choices, control.id);
    out.field("value", control.value);
    out.field("minimum", control.minimum);
    out.field("maximum", control.maximum);
    out.field("step", control.step);
    out.field("logarithmic", control.logarithmic);
    out.field("marks", control.marks);
    out.field("error", control.error);
    out.field("flag", control.flag);
    out.field("effect", control.effect);
}

void write(Writer& out, const Cell& cell) {
    out.field("text", cell.text);
    out.field("sign", cell.sign);
    out.field("tooltip", cell.tooltip);
    out.field("tone", cell.tone);
    out.field("selected", cell.selected);
    out.known("bar", cell.bar);
    out.known("exact", cell.exact);
    out.field("action", cell.action);
}

void write(Writer& out, const Column& column) {
    out.field("label", column.label);
    out.field("numeric", column.numeric);
}

void write(Writer& out, const Row& row) {
    out.field("cells", row.cells);
    out.field("selected", row.selected);
    out.field("marked", row.marked);
    out.field("action", row.action);
}

void write(Writer& out, const Table& table) {
    out.field("id", table.id);
    out.field("title", table.title);
    out.field("caption", table.caption);
    out.field("columns", table.columns);
    out.field("rows", table.rows);
    out.field("note", table.note);
}

void write(Writer& out, const Bar::Segment& segment) {
    out.field("bytes", segment.bytes);
    out.field("high_bytes", segment.high_bytes);
    out.field("tone", segment.tone);
    out.field("label", segment.label);
    out.field("value_text", segment.value_text);
    out.field("percent_text", segment.percent_text);
    out.field("tooltip", segment.tooltip);
}

void write(Writer& out, const Bar& bar) {
    out.field("label", bar.label);
    out.field("value_text", bar.value_text);
    out.field("capacity", bar.capacity);
    out.field("free_limit", bar.free_limit);
    out.field("total_bytes", bar.total_bytes);
    out.field("segments", bar.segments);
    out.field("verdict_tone", bar.verdict_tone);
    out.field("verdict_text", bar.verdict_text);
}

void write(Writer& out, const Explanation& explanation) {
    out.field("title", explanation.title);
    out.field("value", explanation.value);
    out.field("formula", explanation.formula);
    out.field("text", explanation.text);
    out.field("source", explanation.source);
    out.field("tone", explanation.tone);
    out.field("range", explanation.range);
}

void write(Writer& out, const Command& command) {
    out.field("id", command.id);
    out.field("title", command.title);
    out.field("text", command.text);
    out.field("note", command.note);
}

void write(Writer& out, const Fact& fact) {
    out.field("label", fact.label);
    out.field("value", fact.value);
    out.field("url", fact.url);
}

void write(Writer& out, const Message& message) {
    out.field("tone", message.tone);
    out.field("text", message.text);
}

void write(Writer& out, const Tab& tab) {
    out.field("id", tab.id);
    out.field("label", tab.label);
    out.field("selected", tab.selected);
}

/// The twin shows the map as a table, with its legend as a list.
[[gnu::noinline]] void write_layers(Writer& out, const LayerPicture& map) {
    std::vector<std::string> kinds;
    for (const LayerPicture::Kind& kind : map.kinds)
        kinds.push_back(kind.label);
    out.field("layer_kinds", kinds);
    out.object("layers", map.runs);
}

/// The plots are tables to the twin.
void write(Writer& out, const SpeedPanel& speed) {
    out.field("limit_title", speed.limit_title);
    out.field("limit_text", speed.limit_text);
    out.field("shares", speed.shares);
    out.field("users_text", speed.users_text);
    out.field("dots_label", speed.dots_label);
    if (!speed.decode_table.rows.empty())
        out.object("decode", speed.decode_table);
    if (!speed.capacity_table.rows.empty())
        out.object("capacity", speed.capacity_table);
    if (!speed.measured.rows.empty())
        out.object("measured", speed.measured);
}

void write(Writer& out, const ComparedCard& card) {
    out.field("letter", card.letter);
    out.field("title", card.title);
    out.field("detail", card.detail);
    out.field("actions", card.actions);
}

void write(Writer& out, const LongColumn& column) {
    out.field("label", column.label);
    out.field("numeric", column.numeric);
    if (column.order != 0)
        out.field("order", static_cast<double>(column.order));
    out.field("action", column.action);
}

/// Of a long table the page that the twin shows.
void write(Writer& out, const LongTable& table) {
    std::vector<Row> rows;
    if (table.source != nullptr) {
        const std::size_t first = table.page * table.page_rows;
        for (std::size_t i = first; i < std::min(first + table.page_rows, table.count); ++i)
            rows.push_back(table.source->row(i));
    }
    out.field("id", table.id);
    out.field("caption", table.caption);
    out.field("columns", table.columns);
    out.field("rows", rows);
    out.field("note", table.note);
    out.field("count", static_cast<double>(table.count));
    out.field("page_text", table.page_text);
    out.object("previous", table.previous);
    out.object("next", table.next);
}

[[gnu::noinline]] void write(Writer& out, const ModeView& mode) {
    out.field("id", mode.id);
    out.field("title", mode.title);
    out.field("lead", mode.lead);
    out.field("filters_title", mode.filters_title);
    out.field("filters", mode.filters);
    out.field("progress", mode.progress);
    out.field("done", mode.done);
    out.field("empty", mode.empty);
    if (!mode.table.columns.empty())
        out.object("table", mode.table);
    out.field("cards", mode.cards);
    if (!mode.comparison.rows.empty())
        out.object("comparison", mode.comparison);
    if (!mode.add.label.empty())
        out.object("add", mode.add);
}

void write_frame(Writer& out, const ViewModel& view) {
    out.field("page_title", view.page_title);
    out.field("search_hint", view.search_hint);
    out.field("search_label", view.search_label);
    out.field("search_empty", view.search_empty);
    out.field("search_results", view.search_results);
    out.field("languages", view.languages);
    out.field("language_label", view.language_label);
    out.field("themes", view.themes);
    out.field("theme_label", view.theme_label);
    out.field("units", view.units);
    out.field("unit_label", view.unit_label);
    out.field("share_label", view.share_label);
    out.field("reset_label", view.reset_label);
    out.field("modes", view.modes);
    out.field("modes_label", view.modes_label);
    if (view.mode != nullptr)
        out.object("mode", *view.mode);
    out.object("undo", view.undo);
    out.object("redo", view.redo);
    out.object("add_to_compare", view.add_to_compare);
    out.field("shortcuts_title", view.shortcuts_title);
    out.field("shortcuts", view.shortcuts);
    if (!view.report.label.empty())
        out.object("report", view.report);
    out.field("export_label", view.export_label);
    out.field("exports", view.exports);
    out.field("open_label", view.open_label);
    out.field("announcement", view.announcement);
    out.field("twin_title", view.twin_title);
    out.field("views_title", view.views_title);
    out.field("footer", view.footer);
}

} // namespace

std::string error_json(const catalog::Error& error) {
    Writer out;
    out.begin();
    out.field("code", error.code);
    out.field("where", error.where);
    out.field("message", error.message);
    out.end();
    return std::move(out.text);
}

std::string view_json(const ViewModel& view) {
    Writer out;
    out.begin();
    write_frame(out, view);
    out.field("model_name", view.model_name);
    out.field("model_subtitle", view.model_subtitle);
    out.field("chips", view.chips);
    out.field("summary", view.summary);
    out.field("setup_title", view.setup_title);
    out.field("controls", view.controls);
    out.field("advanced_label", view.advanced_label);
    out.field("gpu_name", view.gpu_name);
    if (!view.gpu_hint.label.empty()) {
        out.object("gpu_hint", view.gpu_hint);
        out.object("gpu_forget", view.gpu_forget);
    }
    out.field("answer_title", view.answer_title);
    out.field("verdict_sign", view.verdict_sign);
    out.field("verdict_text", view.verdict_text);
    out.field("verdict_detail", view.verdict_detail);
    out.field("verdict_tone", view.verdict_tone);
    if (!view.change.label.empty())
        out.object("change", view.change);
    out.field("bars", view.bars);
    if (!view.total.label.empty())
        out.object("total", view.total);
    out.field("parts", view.parts);
    out.field("figures", view.figures);
    out.field("messages", view.messages);
    out.field("tabs", view.tabs);
    if (!view.heat.rows.empty())
        out.object("heat", view.heat);
    if (!view.matrix.columns.empty())
        out.object("matrix", view.matrix);
    if (!view.hardware.columns.empty())
        out.object("hardware", view.hardware);
    if (!view.advice.columns.empty())
        out.object("advice", view.advice);
    if (!view.speed.limit_text.empty())
        out.object("speed", view.speed);
    if (!view.layers.cells.empty())
        write_layers(out, view.layers);
    if (!view.files.columns.empty())
        out.object("files", view.files);
    if (!view.devices.columns.empty())
        out.object("devices", view.devices);
    out.field("architecture_title", view.architecture_title);
    out.field("architecture", view.architecture);
    out.field("notes_title", view.notes_title);
    out.field("notes", view.notes);
    out.field("why_title", view.why_title);
    out.field("why", view.why);
    out.field("why_copy", view.why_copy);
    out.field("explained", view.explained);
    if (!view.why_back.label.empty())
        out.object("why_back", view.why_back);
    out.field("assumptions_title", view.assumptions_title);
    out.field("assumptions", view.assumptions);
    out.field("run_title", view.run_title);
    out.field("copy_label", view.copy_label);
    out.field("copied_label", view.copied_label);
    out.field("commands", view.commands);
    out.field("related_title", view.related_title);
    out.field("related", view.related);
    out.end();
    return std::move(out.text);
}

} // namespace vramscope::app
