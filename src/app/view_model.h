// What the page shows, as plain data: the one place where labels, numbers and rules about what is
// visible are made.
//
// build_view() turns (state, catalog, estimate, locale) into this struct. Two painters read it:
// panels/ draws it with Dear ImGui, and the HTML twin (web/twin.mjs) builds real inputs, headings
// and tables from view_json(). Neither formats a number or knows a rule. Everything a person can do
// is an Action, so both painters and the tests drive the application the same way.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/mode_state.h"
#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "core/estimate.h"
#include "core/workspace.h"
#include "report/locale.h"

namespace vramscope::app {

/// Colour by meaning; themes map a tone to a colour, and text or a sign always says it as well.
enum class Tone : std::uint8_t {
    normal,
    dim,
    accent,
    weights,
    kv,
    state,
    compute,
    overhead,
    output,
    ok,
    warn,
    bad
};

enum class Theme : std::uint8_t { automatic, dark, light };

/// What a person did. Applied by App::apply(); unknown ids are ignored with a message.
///
/// Fields are set as the controls mean them: `n_ctx` is the context of one sequence (App multiplies
/// by the sequences for engines whose n_ctx counts all together), `hardware_count` is the number of
/// equal devices. Everything else is the request field of that key.
struct Action {
    enum class Kind : std::uint8_t {
        none,
        set_field,    ///< `key` is a control's id, `value` its text ("" = default)
        set_fields,   ///< several at once; value: "artifact=q8_0&n_ctx=8192"
        set_language, ///< value: "de"
        set_theme,    ///< value: "auto", "dark", "light"
        set_unit,     ///< value: "gib", "gb"
        select_tab,   ///< value: tab id
        search,       ///< value: what was typed into the model search
        copy_text,    ///< value: text for the clipboard
        copy_link,
        open_link, ///< value: address; the host opens it, App::apply() does nothing
        reset,
        explain,          ///< value: id of a figure, "" = the total again
        copy_explanation, ///< what the column "Why" shows, as Markdown
        show_advanced,    ///< value: "1" while the drawer is open, else ""
        detected_gpu,     ///< value: what the browser calls the GPU, "" = forget it
        take_points,      ///< value: measured speeds, as tests/reference/speed_points.txt has them
        open_files,       ///< the host asks for files or a link, App::apply() does nothing
        select_mode,      ///< value: "", "run", "need", "compare"
        open_simulator,   ///< value: fields to set, as in set_fields; then the simulator is shown
        select_page,      ///< value: page of the long table in the HTML twin, from 0
        compare_add,      ///< the current configuration
        compare_remove,   ///< value: index
        compare_move,     ///< key: index, value: index to change places with
        compare_open,     ///< value: index
        undo,
        redo,
        export_as ///< value: "markdown", "csv", "json", "picture"
    };
    Kind kind = Kind::none;
    std::string key;
    std::string value;
    friend bool operator==(const Action&, const Action&) = default;
};

/// The kinds as JSON spells them, in the order of the enum.
inline constexpr std::array<std::string_view, 28> action_kind_names = {
    "none",         "set_field",   "set_fields",     "set_language",     "set_theme",
    "set_unit",     "select_tab",  "search",         "copy_text",        "copy_link",
    "open_link",    "reset",       "explain",        "copy_explanation", "show_advanced",
    "detected_gpu", "take_points", "open_files",     "select_mode",      "open_simulator",
    "select_page",  "compare_add", "compare_remove", "compare_move",     "compare_open",
    "undo",         "redo",        "export_as"};

/// A model that is no catalog's: from the person's files or out of a link.
struct OwnModel {
    std::string model; ///< written out (catalog/inline_model.h)
    std::string name;
    std::string fields; ///< what a request for it asks for, as a link's query
    double parameters = 0;
    friend bool operator==(const OwnModel&, const OwnModel&) = default;
};

/// State beside the request itself.
struct UiState {
    catalog::Query query;
    std::string language = "en";
    Theme theme = Theme::automatic;
    report::ByteUnit unit = report::ByteUnit::gib;
    std::string tab = "context";
    std::string search;
    bool advanced_open = false;       ///< effects of the advanced options are worked out
    std::string gpu_name;             ///< what the browser calls the GPU; stays on this machine
    double line_mbit = 100;           ///< speed of the person's line, Mbit/s
    std::string explained;            ///< figure whose terms are shown; "" = those of the total
    std::vector<OwnModel> own_models; ///< of this visit, the newest first
    ModeState modes;
    friend bool operator==(const UiState&, const UiState&) = default;
};

/// A labelled figure: "Largest context", "157,184", "native limit 32,768".
struct Figure {
    std::string id;
    std::string label;
    std::string value;
    std::string unit;    ///< shown dim behind the value
    std::string detail;  ///< second line
    std::string tooltip; ///< exact value and how it came about
    Tone tone = Tone::normal;
    double exact = -1; ///< the value itself: bytes, tokens, tokens/s, a fraction; -1 = none
    Action action;     ///< opens its terms
};

struct Choice {
    std::string label;
    std::string detail; ///< dim, right-aligned: "5.74 GiB · exact file"
    std::string tooltip;
    Action action;
    bool selected = false;
    bool enabled = true;
};

/// One control of the set-up column.
struct Control {
    enum class Kind : std::uint8_t { select, segmented, slider, stepper, number };
    Kind kind = Kind::select;
    std::string id;        ///< key of the Actions it sends: a request field, or "hardware_count"
    bool advanced = false; ///< belongs behind the "Advanced" disclosure
    std::string label;
    std::string help;       ///< one line
    std::string value_text; ///< what is shown: "32,768 tokens"
    std::string edit_text;  ///< what an input field starts with: "32768"
    std::string unit;
    std::vector<Choice> choices; ///< select, segmented
    double value = 0;            ///< slider, stepper, number
    double minimum = 0;
    double maximum = 0;
    double step = 0;          ///< stepper, number; 0 = free
    bool logarithmic = false; ///< slider: log2 scale, snapping to powers of two when dragged
    struct Mark {
        double value = 0;
        std::string label;
        Tone tone = Tone::dim; ///< accent: the native limit
    };
    std::vector<Mark> marks;
    std::string error;  ///< what is wrong with the last input, and what to do
    std::string flag;   ///< the engine's own name of the option: "--ubatch-size"
    std::string effect; ///< what another value does to the memory: "1024: +0.07 GiB"
};

struct Cell {
    std::string text;
    std::string sign; ///< of a verdict behind the tone: ✓ ~ ↧ ✕
    std::string tooltip;
    Tone tone = Tone::normal; ///< ok/warn/bad cells are drawn as pills with a sign
    double bar = -1;          ///< 0..1: a small bar behind the text, -1 = none
    double exact = -1;        ///< bytes or tokens/s behind the text, -1 = none
    Action action;            ///< clickable when its kind is not none
    bool selected = false;    ///< what is calculated now
};
struct Column {
    std::string label;
    bool numeric = false; ///< right-aligned
};
struct Row {
    std::vector<Cell> cells;
    bool selected = false;
    Action action;
    bool marked = false; ///< stands out: what differs in a comparison
};
struct Table {
    std::string id;
    std::string title;
    std::string caption; ///< one sentence for screen readers and below the title
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::string note; ///< below the table
};

/// Makes the rows of a table that is too long to be made whole. The tooltip of a row's first cell
/// stands below it.
struct RowSource {
    virtual ~RowSource() = default;
    virtual Row row(std::size_t index) const = 0;
};
struct LongColumn {
    std::string label;
    bool numeric = false;
    std::string sample; ///< as wide as a cell gets
    int rank = 0;       ///< where there is no room the highest goes first
    int order = 0;      ///< rows run by this column: 1 upwards, -1 downwards
    Action action;      ///< sorts by it
};
struct LongTable {
    std::string id;
    std::string caption;
    std::string note;
    std::vector<LongColumn> columns;
    std::size_t count = 0;
    std::shared_ptr<const RowSource> source; ///< valid until the next view
    // What the HTML twin shows of it
    std::size_t page = 0;
    std::size_t page_rows = 25;
    std::string page_text; ///< "Page 1 of 12"
    Choice previous;
    Choice next;
};

/// What was put aside to compare.
struct ComparedCard {
    std::string letter; ///< "A"
    std::string title;
    std::string detail;
    std::vector<Choice> actions; ///< open, move, remove
};

/// A page beside the simulator; the other parts of the view are empty then, save frame and
/// controls.
struct ModeView {
    std::string id; ///< "run", "need", "compare"
    std::string title;
    std::string lead;
    std::string filters_title;
    std::vector<Control> filters;
    std::string progress; ///< "412 of 3,010"
    double done = 1;      ///< 0..1
    std::string empty;    ///< what to say without rows
    LongTable table;
    std::vector<ComparedCard> cards;
    Table comparison;
    Choice add; ///< puts the current configuration aside
};

/// One stacked bar: a device with its parts against its capacity.
struct Bar {
    std::string label;      ///< "RTX 3060 12GB"
    std::string value_text; ///< "7.12 of 12.00 GiB"
    double capacity = 0;    ///< bytes; 0 = unknown
    double free_limit = 0;  ///< bytes that may be filled
    struct Segment {
        double bytes = 0;
        double high_bytes = 0; ///< with the uncertainty on top
        Tone tone = Tone::normal;
        std::string label;        ///< "Weights"
        std::string value_text;   ///< "5.41 GiB"
        std::string percent_text; ///< "76 %" of the device's total
        std::string tooltip;
    };
    std::vector<Segment> segments;
    std::vector<std::string> axis; ///< labels at equal distances from 0 to capacity
    Tone verdict_tone = Tone::ok;
    std::string verdict_text;
    double total_bytes = 0; ///< expected, all segments
};

/// Memory against context, stacked by part; x in tokens, y in bytes.
struct ContextPlot {
    std::string title;
    std::vector<double> tokens;
    struct Series {
        Tone tone = Tone::normal;
        std::string label;
        std::vector<double> bytes;
    };
    std::vector<Series> series;
    double capacity_bytes = 0; ///< free memory of the fullest device
    std::string capacity_label;
    double native_tokens = 0;
    std::string native_label;
    double limit_tokens = 0; ///< where memory runs out, 0 = outside the plot
    std::string limit_label;
    double current_tokens = 0;
    double current_bytes = 0;
    std::string current_label; ///< two lines: "32,768 tokens\n7.12 GiB"
    /// What pointing at tokens[i] says, as current_label; empty or one for each of `tokens`.
    std::vector<std::string> point_labels;
    struct Tick {
        double value = 0;
        std::string label;
    };
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
};

/// A rate as a band around a line, against context or sequences; dragging sets `field`.
struct RatePlot {
    std::string title;
    std::string caption;
    bool logarithmic = false; ///< x
    std::vector<double> x;
    std::vector<double> low, expected, high; ///< tokens per second, one for each of `x`
    std::vector<std::string> point_labels;   ///< what pointing at x[i] says
    struct Dot {
        double x = 0;
        double y = 0;
        std::string tooltip;
    };
    std::vector<Dot> dots;            ///< measured
    std::vector<Control::Mark> lines; ///< dashed: the native limit, where computing takes over
    double limit = 0;                 ///< x beyond which memory ends, 0 = outside
    std::string limit_label;
    double current_x = 0;
    double current_y = 0;
    std::string current_label;
    std::string field; ///< of the control that x stands for
    std::vector<ContextPlot::Tick> x_ticks;
    std::vector<ContextPlot::Tick> y_ticks;
};

/// How fast, what holds it back, and how many users.
struct SpeedPanel {
    std::string limit_title; ///< "What holds it back"
    std::string limit_text;
    std::vector<Bar::Segment> shares; ///< of a token's time; `bytes` holds the share, 0..1
    RatePlot decode;
    RatePlot together; ///< all sequences, against their number
    RatePlot each;
    std::string users_text;
    std::string dots_label; ///< what the dots are, or that there are none
    Table decode_table;     ///< the same for the HTML twin
    Table capacity_table;
    Table measured;
};

/// The model layer by layer: what each remembers, where it lies, what it holds.
struct LayerPicture {
    /// How a cell is marked, beside its tone.
    enum class Sign : std::uint8_t { full, window, latent, state, hybrid, none };
    struct Kind {
        Sign sign = Sign::full;
        Tone tone = Tone::kv;
        std::string label; ///< "8 × full attention (GQA) · 1.00 GiB"
    };
    struct Cell {
        std::uint8_t kind = 0; ///< index into kinds
        bool experts = false;
        double level = 0; ///< its cache or state as a share of the largest layer's, 0..1
        std::string tooltip;
    };
    struct Group {
        std::string label; ///< "RTX 3060 12GB · layers 0–39"
        std::size_t first = 0;
        std::size_t count = 0;
    };
    std::string title;
    std::string caption;
    std::vector<Kind> kinds;
    std::vector<Cell> cells;
    std::vector<Group> groups; ///< by device, in order
    std::size_t period = 1;    ///< after so many layers the kinds repeat; painters align to it
    std::string experts_label; ///< of the mark on layers with experts; "" = the model has none
    Table runs;                ///< the same as a table: equal neighbours are one row
};

/// One term of the estimate, opened: "why this number".
struct Explanation {
    std::string title;   ///< "KV cache"
    std::string value;   ///< "1.25"
    std::string formula; ///< "2 × 40 × 2 × 128 × 32,768 × 2 B"
    std::string text;    ///< what the numbers mean
    std::string source;
    Tone tone = Tone::normal;
    std::string range = {}; ///< how sure: "0.27–0.73 GiB", "exactly … bytes"
};

struct Command {
    std::string id; ///< "llama.cpp", "ollama", "vllm"
    std::string title;
    std::string text; ///< as it goes to the clipboard
    std::string note;
};

struct Fact {
    std::string label;
    std::string value;
    std::string url; ///< "" = plain text
};

struct Message {
    Tone tone = Tone::warn;
    std::string text;
};

struct Tab {
    std::string id;
    std::string label;
    bool selected = false;
};

struct ViewModel {
    // Page frame
    std::string page_title; ///< of the browser's window
    std::string search_hint;
    std::vector<Choice> search_results; ///< filled while something is typed
    std::vector<Choice> languages;
    std::vector<Choice> themes;
    std::vector<Choice> units;
    std::string share_label;
    std::string language_label;
    std::string theme_label;
    std::string unit_label;
    std::string search_label;
    std::string search_empty; ///< shown when something is typed and nothing matches
    std::string announcement; ///< for the polite live region: the verdict in one sentence

    // Pages
    std::vector<Tab> modes; ///< simulator, what can I run? …
    std::string modes_label;
    std::shared_ptr<ModeView> mode; ///< nullptr while the simulator is shown

    // Model head
    std::string model_name;
    std::string model_subtitle;     ///< "Zhipu AI · MIT · 2025-Q2"
    std::vector<std::string> chips; ///< "9.40 B dense", "40 layers", "GQA 32Q / 2KV" …
    std::string summary;            ///< the two sentences of the page's head

    // Set-up
    std::string setup_title;
    std::vector<Control> controls; ///< the first ("model") lists all models; a painter with
                                   ///< a search field may leave it out
    std::string advanced_label;    ///< of the disclosure around advanced controls
    Choice gpu_hint;      ///< "Your GPU looks like …: use it"; without a label when there is none
    Choice gpu_forget;    ///< beside it
    std::string gpu_name; ///< what it was told by, for the host to remember

    // Answer
    std::string answer_title;
    std::string verdict_sign;   ///< ✓ ~ ↧ ✕
    std::string verdict_text;   ///< "Fits comfortably"
    std::string verdict_detail; ///< "7.12 of 12.00 GiB on the RTX 3060 · …"
    Tone verdict_tone = Tone::ok;
    Choice change; ///< opens the tab of what to change; without a label while everything fits
    std::vector<Bar> bars;
    Figure total;                  ///< everything, on all devices and the host
    std::vector<Figure> parts;     ///< weights, KV … on the accelerators with their share,
                                   ///< then what the host holds (id "host")
    std::vector<Figure> figures;   ///< largest context, decode, first token, KV saving …
    std::vector<Message> messages; ///< errors and warnings, worst first

    // Tabs
    std::vector<Tab> tabs; ///< "change" (see `change`), "context", "matrix", "hardware", …
    ContextPlot context_plot;
    Table matrix; ///< precision x context with recommended class
    Table hardware;
    Table advice;        ///< what to change, ranked; filled while its tab is chosen
    Table heat;          ///< precision x context, finer; filled while the matrix' tab is chosen
    SpeedPanel speed;    ///< filled while its tab is chosen
    LayerPicture layers; ///< filled while its tab is chosen
    Table files;         ///< weight files with bytes and evidence
    Table devices;       ///< parts per device, for the HTML twin (the bars say it)
    std::vector<Fact> architecture;
    std::string architecture_title;
    std::string notes_title;
    std::vector<Message> notes; ///< the explanations below the architecture table

    // Why, run, related
    std::string why_title;
    std::vector<Explanation> why;
    std::string explained; ///< id of the figure that `why` opens, "" = the fullest device's total
    Choice why_back;       ///< leads back to that; without a label while it is shown
    std::string why_copy;  ///< label of "copy as Markdown"
    std::string assumptions_title;
    std::vector<std::string> assumptions;
    std::string run_title;
    std::string copy_label;
    std::string copied_label;
    std::vector<Command> commands;
    std::string related_title;
    std::vector<Choice> related;
    std::string twin_title;  ///< heading of the page's text version
    std::string views_title; ///< heading of its list of tabs
    std::string footer;      ///< "Estimate, not a trace" and data version
    std::string reset_label;
    Choice undo;
    Choice redo;
    Choice add_to_compare; ///< of the configuration that is shown
    std::string shortcuts_title;
    std::vector<Fact> shortcuts; ///< label: what happens; value: the keys
    Choice report; ///< of a wrong number; without a label when there is nowhere to report to
    std::string export_label;
    std::vector<Choice> exports;
    std::string open_label; ///< of the button for files and links: Action::Kind::open_files
};

/// An input that was refused, with what was given.
struct Fault {
    catalog::Error error;
    std::string given;
};

/// What the last views computed, for the next one: dragging the context leaves the matrix and the
/// plot as they are, searching and switching tabs leave everything. Each part holds the key of the
/// state that it belongs to. Belongs to one catalog and its texts.
struct ViewMemo {
    Workspace workspace;
    std::string estimate_key;
    Estimate estimate;
    std::string matrix_key;
    Table matrix;
    std::string hardware_key;
    Table hardware;
    std::string advice_key;
    Table advice;
    std::string effects_key;
    std::vector<std::string> effects; ///< of the advanced controls, in order
    std::string heat_key;
    Table heat;
    std::string decode_key;
    RatePlot decode;
    std::string capacity_key;
    RatePlot together;
    RatePlot each;
    std::string layers_key;
    LayerPicture layers;
    std::vector<std::pair<std::string, Estimate>> compared; ///< by query string
    std::string plot_key;
    std::vector<double> plot_tokens;
    std::vector<ContextPlot::Series> plot_series;
};

class MeasuredPoints;
class ModeRows;
struct Pin;

/// Everything build_view() needs; nothing else is kept.
struct ViewInput {
    const UiState& state;
    const catalog::Catalog& catalog;
    const report::Locale& locale;
    const std::vector<Fault>& faults;         ///< of the last inputs
    ViewMemo* memo = nullptr;                 ///< the view is the same with and without
    const MeasuredPoints* measured = nullptr; ///< nullptr: not loaded
    const ModeRows* rows = nullptr;           ///< of "run" and "need", asked for this state
    const Pin* pin = nullptr;                 ///< of the link that is shown
    std::string_view address = {};            ///< of the page, for links
    bool can_undo = false;
    bool can_redo = false;
};

/// Pure: computes the estimates it needs through the core and formats them.
ViewModel build_view(const ViewInput& input);

/// The view as JSON for the HTML twin; keys are the field names above.
std::string view_json(const ViewModel& view);
/// {"code": …, "where": …, "message": …}
std::string error_json(const catalog::Error& error);

} // namespace vramscope::app
