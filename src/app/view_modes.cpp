// "What can I run?" and "what do I need?": columns, filters, and the rows that are looked at.
#include "app/view_modes.h"

#include <algorithm>
#include <utility>

#include "core/ascii.h"
#include "core/engines/engine.h"
#include "report/architecture_text.h"

namespace vramscope::app {

using catalog::Field;
using report::Locale;

Cell figure_cell(std::string text, double exact) {
    Cell cell;
    cell.text = std::move(text);
    cell.exact = exact;
    return cell;
}

Cell verdict_cell(const Locale& locale, Verdict verdict) {
    Cell cell = figure_cell(verdict_label(locale, verdict));
    cell.tone = tone_of(verdict);
    cell.sign = sign_of(verdict);
    return cell;
}

namespace {

/// What rows are written with. The catalog's own texts stay where they are until the next view.
struct RowsOnPaper final : RowSource {
    const ModeRows* rows = nullptr;
    const Locale* locale = nullptr;
    report::ByteUnit unit = report::ByteUnit::gib;
    std::int64_t sequences = 1; ///< that n_ctx counts together

    Row row(std::size_t index) const override {
        if (index >= rows->shown().size())
            return {};
        const std::uint32_t at = rows->shown()[index];
        return rows->needs_devices() ? of(rows->devices()[at])
                                     : of(rows->models()[at], rows->context_known(at));
    }

private:
    void add_figures(const report::SweepFigures& figures, bool context_known, Row& row) const {
        row.cells.push_back(verdict_cell(*locale, figures.verdict));
        row.cells.push_back(figure_cell(locale->bytes(figures.total.expected, unit),
                                        static_cast<double>(figures.total.expected)));
        const std::int64_t tokens = figures.max_context_tokens / sequences;
        row.cells.push_back(
            !context_known
                ? figure_cell("\u2026")
                : figure_cell(tokens >= (std::int64_t{1} << 30)
                                  ? std::string(locale->text("figure.max_context.unbounded"))
                                  : locale->integer(tokens),
                              static_cast<double>(tokens)));
        const RateRange& rate = figures.decode_tokens_per_second;
        Cell speed = figure_cell(rate.expected > 0
                                     ? locale->decimal(rate.expected, rate.expected < 10 ? 1 : 0)
                                     : std::string(locale->text("hardware.no_rate")),
                                 rate.expected);
        if (rate.expected > 0)
            speed.tooltip =
                locale->range(locale->decimal(rate.low, 1), locale->decimal(rate.high, 1));
        row.cells.push_back(std::move(speed));
    }

    Row of(const report::ModelRow& from, bool context_known) const {
        Row row;
        row.action = {Action::Kind::open_simulator,
                      {},
                      "model=" + from.model->id + "&artifact=" + from.request};
        Cell name = figure_cell(from.model->name);
        name.tooltip = from.model->provider;
        if (!from.model->license.empty()) {
            name.tooltip += locale->text("separator.dot");
            name.tooltip += from.model->license;
        }
        row.cells.push_back(std::move(name));
        row.cells.push_back(
            figure_cell(report::parameters_text(static_cast<double>(from.parameters), *locale),
                        static_cast<double>(from.parameters)));
        row.cells.push_back(figure_cell(from.format != nullptr ? from.format->name : from.request));
        const std::string key = from.format != nullptr ? "quality." + from.format->quality : "";
        row.cells.push_back(
            figure_cell(locale->has(key) ? std::string(locale->text(key)) : std::string("\u2014")));
        add_figures(from.figures, context_known, row);
        row.cells.push_back(figure_cell(locale->bytes(from.download_bytes, unit),
                                        static_cast<double>(from.download_bytes)));
        return row;
    }

    Row of(const report::DeviceRow& from) const {
        Row row;
        row.action = {Action::Kind::open_simulator, {}, "hardware=" + from.request};
        std::string name = from.entry->device.name;
        if (from.count > 1)
            name = locale->format("hardware.several", {locale->integer(from.count), name});
        Cell cell = figure_cell(std::move(name));
        cell.tooltip = from.entry->vendor;
        row.cells.push_back(std::move(cell));
        row.cells.push_back(figure_cell(locale->bytes(from.memory_bytes, unit, 0),
                                        static_cast<double>(from.memory_bytes)));
        row.cells.push_back(figure_cell(
            locale->format("modes.bandwidth", {locale->decimal(from.bandwidth_gb_per_s, 0)}),
            from.bandwidth_gb_per_s));
        add_figures(from.figures, true, row);
        return row;
    }
};

/// A column that sorts: pressing it again turns the order round.
LongColumn column(const ViewContext& context, std::string_view label, std::string_view sort,
                  bool best_is_high, std::string sample, bool numeric, int rank) {
    LongColumn made;
    made.label = context.text(label);
    made.numeric = numeric;
    made.sample = std::move(sample);
    made.rank = rank;
    std::string_view now = context.state.modes.option("sort");
    const bool descending = now.starts_with('-');
    now.remove_prefix(descending ? 1 : 0);
    const bool here = now == sort;
    made.order = !here ? 0 : descending ? -1 : 1;
    const bool next_descends = here ? !descending : best_is_high;
    made.action = {Action::Kind::set_field, "sort", (next_descends ? "-" : "") + std::string(sort)};
    return made;
}

void add_figure_columns(const ViewContext& context, std::vector<LongColumn>& columns) {
    std::string widest;
    // The rows that are shown say no more than these.
    const bool all = context.state.modes.option("show") == "all";
    for (const Verdict verdict :
         {Verdict::fits, Verdict::tight, all ? Verdict::offload : Verdict::fits,
          all ? Verdict::does_not_fit : Verdict::fits}) {
        const std::string label = verdict_label(context.locale, verdict);
        if (label.size() > widest.size())
            widest = label;
    }
    columns.push_back(column(context, "verdict.label", "verdict", false, widest, false, 1));
    columns.push_back(column(context, "modes.memory", "total", false, "888.88\u00a0GiB", true, 2));
    columns.push_back(
        column(context, "figure.max_context.short", "max_context", true, "8,888,888", true, 4));
    columns.push_back(column(context, "hardware.decode", "decode", true, "8,888", true, 3));
}

Choice choice(std::string label, std::string_view key, std::string value,
              std::string_view current) {
    Choice made;
    made.label = std::move(label);
    made.selected = current == value;
    made.action = {Action::Kind::set_field, std::string(key), std::move(value)};
    return made;
}

/// A control of an option; "any" is its first choice.
Control option_control(const ViewContext& context, std::string_view key, Control::Kind kind,
                       std::string_view any = "filter.any") {
    Control control;
    control.kind = kind;
    control.id = key;
    control.label = context.text("filter." + std::string(key));
    if (kind != Control::Kind::number)
        control.choices.push_back(
            choice(context.owned_text(any), key, {}, context.state.modes.option(key)));
    return control;
}

void add_choice(const ViewContext& context, Control& control, std::string label,
                std::string value) {
    control.choices.push_back(choice(std::move(label), control.id, std::move(value),
                                     context.state.modes.option(control.id)));
}

Control finished(Control control) {
    for (const Choice& choice : control.choices) {
        if (choice.selected)
            control.value_text = control.edit_text = choice.label;
    }
    return control;
}

Control number_option(const ViewContext& context, std::string_view key, double step) {
    Control control = option_control(context, key, Control::Kind::number);
    control.minimum = 0;
    control.maximum = 1e6;
    control.step = step;
    const std::string_view text = context.state.modes.option(key);
    control.value = context.state.modes.number(key);
    if (!text.empty())
        control.value_text = control.edit_text = context.locale.number(control.value);
    return control;
}

/// Every different text once, in order.
Control list_option(const ViewContext& context, std::string_view key,
                    std::vector<std::string_view> values) {
    std::sort(values.begin(), values.end(), [](std::string_view a, std::string_view b) {
        return std::lexicographical_compare(
            a.begin(), a.end(), b.begin(), b.end(),
            [](char x, char y) { return ascii::lower(x) < ascii::lower(y); });
    });
    values.erase(std::unique(values.begin(), values.end()), values.end());
    Control control = option_control(context, key, Control::Kind::select);
    for (const std::string_view value : values) {
        if (!value.empty())
            add_choice(context, control, std::string(value), std::string(value));
    }
    return finished(std::move(control));
}

Control show_option(const ViewContext& context, bool with_all) {
    Control control =
        option_control(context, "show", Control::Kind::segmented, "filter.show.tight");
    control.choices.insert(control.choices.begin(),
                           choice(context.owned_text("filter.show.fits"), "show", "fits",
                                  context.state.modes.option("show")));
    if (with_all)
        add_choice(context, control, context.owned_text("filter.show.all"), "all");
    return finished(std::move(control));
}

/// Sorting where there are no column heads to press.
Control sort_option(const ViewContext& context, const std::vector<LongColumn>& columns) {
    Control control = option_control(context, "sort", Control::Kind::select, "filter.sort.rank");
    const std::string_view now = context.state.modes.option("sort");
    for (const LongColumn& column : columns) {
        std::string value = column.action.value;
        if (column.order != 0)
            value = now;
        add_choice(context, control, column.label, std::move(value));
    }
    return finished(std::move(control));
}

void build_run(const ViewContext& context, ModeView& mode) {
    std::vector<LongColumn>& columns = mode.table.columns;
    columns.push_back(column(context, "field.model", "name", false, "", false, 0));
    columns.push_back(column(context, "modes.size", "parameters", true, "888.88\u00a0B", true, 7));
    columns.push_back(
        column(context, "field.artifact", "quality", false, "compressed-8", false, 5));
    columns.push_back(column(context, "filter.min_quality.short", "quality", false,
                             context.owned_text("quality.near-lossless"), false, 6));
    add_figure_columns(context, columns);
    columns.push_back(
        column(context, "modes.download", "download", false, "888.88\u00a0GiB", true, 8));

    std::vector<std::string_view> families;
    std::vector<std::string_view> licenses;
    for (const catalog::Model& model : context.catalog.models) {
        families.push_back(model.family);
        licenses.push_back(model.license);
    }
    std::vector<Control>& filters = mode.filters;
    filters.push_back(show_option(context, true));
    filters.push_back(sort_option(context, columns));
    filters.push_back(list_option(context, "family", std::move(families)));
    filters.push_back(list_option(context, "license", std::move(licenses)));
    Control quality = option_control(context, "min_quality", Control::Kind::select);
    for (const char* level : {"lossless", "near-lossless", "good", "fair"}) {
        const std::size_t rank = quality.choices.size() - 1;
        add_choice(context, quality, context.owned_text(std::string("quality.") + level),
                   std::to_string(rank));
    }
    filters.push_back(finished(std::move(quality)));
    Control contexts = option_control(context, "min_context", Control::Kind::select);
    for (const std::int64_t tokens : {8192, 32768, 65536, 131072, 262144, 1048576})
        add_choice(context, contexts, context.locale.tokens_short(tokens), std::to_string(tokens));
    filters.push_back(finished(std::move(contexts)));
    for (const char* key : {"vision", "moe"}) {
        Control flag = option_control(context, key, Control::Kind::segmented);
        add_choice(context, flag, context.owned_text("filter.yes"), "yes");
        add_choice(context, flag, context.owned_text("filter.no"), "no");
        filters.push_back(finished(std::move(flag)));
    }
    filters.push_back(number_option(context, "min_speed", 5));
    filters.push_back(number_option(context, "min_size", 1));
    filters.push_back(number_option(context, "max_size", 1));
}

void build_need(const ViewContext& context, ModeView& mode) {
    std::vector<LongColumn>& columns = mode.table.columns;
    columns.push_back(column(context, "field.hardware", "name", false, "", false, 0));
    columns.push_back(column(context, "modes.installed", "rank", false, "8,888\u00a0GiB", true, 5));
    columns.push_back(
        column(context, "modes.bandwidth.label", "download", true, "88,888\u00a0GB/s", true, 6));
    add_figure_columns(context, columns);

    std::vector<std::string_view> vendors;
    for (const catalog::HardwareEntry& entry : context.catalog.hardware)
        vendors.push_back(entry.vendor);
    std::vector<Control>& filters = mode.filters;
    filters.push_back(show_option(context, false));
    filters.push_back(sort_option(context, columns));
    filters.push_back(list_option(context, "vendor", std::move(vendors)));
    Control most = option_control(context, "max_devices", Control::Kind::segmented, "filter.8");
    most.choices.clear();
    for (const char* count : {"1", "2", "4"})
        add_choice(context, most, context.text("filter.devices", {count}), count);
    add_choice(context, most, context.text("filter.devices", {"8"}), {});
    filters.push_back(finished(std::move(most)));
    filters.push_back(number_option(context, "min_speed", 5));
}

/// The controls that ask the question: the machine, or the model, and how it is used.
void keep_controls(ViewModel& view, bool run) {
    std::erase_if(view.controls, [&](const Control& control) {
        const std::string_view id = control.id;
        if (id == "engine" || id == "n_ctx" || id == "n_seq" || id == "type_k")
            return false;
        const bool of_machine = id.starts_with("hardware") || id.starts_with("custom_");
        const bool shared = id == "host_memory_gib" || id == "reserved_gib";
        const bool of_model = id == "model" || id == "artifact";
        return run ? !(of_machine || shared) : !(of_model || shared);
    });
}

void build_pages(const ViewContext& context, LongTable& table) {
    const std::size_t pages =
        std::max<std::size_t>(1, (table.count + table.page_rows - 1) / table.page_rows);
    table.page = std::min(static_cast<std::size_t>(context.state.modes.page), pages - 1);
    table.page_text = context.text(
        "modes.page", {context.locale.integer(static_cast<std::int64_t>(table.page + 1)),
                       context.locale.integer(static_cast<std::int64_t>(pages))});
    const auto turn = [&](std::string_view label, bool enabled, std::size_t to) {
        Choice made;
        made.label = context.text(label);
        made.enabled = enabled;
        made.action = {Action::Kind::select_page, {}, std::to_string(to)};
        return made;
    };
    table.previous = turn("modes.previous", table.page > 0, table.page - (table.page > 0 ? 1 : 0));
    table.next = turn("modes.next", table.page + 1 < pages, table.page + 1);
}

void build_table(const ViewContext& context, const ViewInput& input, ViewModel& view) {
    ModeView& mode = *view.mode;
    const bool run = context.state.modes.mode == Mode::run;
    run ? build_run(context, mode) : build_need(context, mode);
    keep_controls(view, run);
    mode.filters_title = context.text("modes.filters");
    mode.empty = context.text("modes.empty");
    LongTable& table = mode.table;
    table.id = mode.id;
    table.caption = mode.lead;
    table.note = context.text(run ? "runs.note" : "need.note");
    if (input.rows == nullptr)
        return;
    auto rows = std::make_shared<RowsOnPaper>();
    rows->rows = input.rows;
    rows->locale = &context.locale;
    rows->unit = context.state.unit;
    rows->sequences = context.engine.context_is_shared ? context.sequences : 1;
    table.count = input.rows->shown().size();
    table.source = std::move(rows);
    build_pages(context, table);
    const auto whole = [&](std::size_t n) {
        return context.locale.integer(static_cast<std::int64_t>(n));
    };
    mode.done = input.rows->progress();
    const std::size_t all = run ? input.rows->models().size() : input.rows->devices().size();
    mode.progress = mode.done < 1
                        ? context.text("modes.calculating", {context.locale.percent(mode.done)})
                    : run ? context.text("runs.count", {whole(table.count), whole(all)})
                          : context.text("need.count", {whole(table.count)});
    view.announcement = mode.progress;
}

} // namespace

[[gnu::noinline]] void build_mode(const ViewContext& context, const ViewInput& input,
                                  ViewModel& view) {
    view.mode = std::make_shared<ModeView>();
    ModeView& mode = *view.mode;
    mode.id = mode_name(context.state.modes.mode);
    mode.title = context.text("mode." + mode.id);
    const std::string dot = context.owned_text("separator.dot");
    if (context.state.modes.mode == Mode::compare) {
        mode.lead = context.text("compare.lead");
        build_compare(context, view);
        view.controls.clear();
    } else {
        const std::string subject = context.state.modes.mode == Mode::run
                                        ? context.hardware_name()
                                        : context.model.name + dot + context.artifact_name();
        mode.lead = subject + dot + context.tokens(context.context) + dot +
                    context.sequences_text(context.sequences);
        build_table(context, input, view);
    }
    view.page_title = mode.title + dot + "Vramscope";
}

namespace {

Choice frame_action(const Locale& locale, std::string_view label, Action action, bool enabled) {
    Choice choice;
    choice.label = locale.text(label);
    choice.action = std::move(action);
    choice.enabled = enabled;
    return choice;
}

/// Undo, what can be exported, keys.
[[gnu::noinline]] void build_tools(const ViewInput& input, ViewModel& view) {
    using Kind = Action::Kind;
    const Locale& locale = input.locale;
    const ModeState& modes = input.state.modes;
    view.undo = frame_action(locale, "undo.label", {Kind::undo, {}, {}}, input.can_undo);
    view.redo = frame_action(locale, "redo.label", {Kind::redo, {}, {}}, input.can_redo);
    const std::string query = catalog::query_to_url(input.state.query);
    const bool there =
        std::find(modes.compared.begin(), modes.compared.end(), query) != modes.compared.end();
    view.add_to_compare =
        frame_action(locale, there ? "compare.added" : "compare.add", {Kind::compare_add, {}, {}},
                     !there && modes.compared.size() < most_compared);
    view.export_label = locale.text("export.label");
    for (const char* what : {"markdown", "csv", "json", "picture"})
        view.exports.push_back(
            frame_action(locale, std::string("export.") + what, {Kind::export_as, {}, what}, true));
    view.shortcuts_title = locale.text("keys.title");
    const auto key = [&](std::string_view label, const char* keys) {
        view.shortcuts.push_back({std::string(locale.text(label)), keys, {}});
    };
    key("search.label", "/");
    key("keys.pages", "1 \u2026 4");
    key("compare.add", "c");
    key("undo.label", "Ctrl+Z");
    key("redo.label", "Ctrl+Shift+Z");
    key("keys.value", "\u2190 \u2192");
    key("keys.fine", "Shift+\u2190 \u2192");
    key("keys.next", "Tab");
    key("keys.leave", "Esc");
    key("keys.title", "?");
}

} // namespace

void build_mode_strip(const ViewInput& input, ViewModel& view) {
    const Locale& locale = input.locale;
    const ModeState& modes = input.state.modes;
    view.modes_label = locale.text("mode.label");
    for (const char* mode : {"simulator", "run", "need", "compare"}) {
        const std::string_view id = mode == std::string_view("simulator") ? "" : mode;
        std::string label(locale.text(std::string("mode.") + mode));
        if (id == "compare" && !modes.compared.empty())
            label += " (" + std::to_string(modes.compared.size()) + ')';
        view.modes.push_back({std::string(id), std::move(label), mode_name(modes.mode) == id});
    }
    // The first answer does without the rest.
    if (locale.has("undo.label"))
        build_tools(input, view);
}

} // namespace vramscope::app
