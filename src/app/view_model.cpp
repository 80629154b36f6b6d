// build_view(): the frame of the page, and the order in which its parts are made.
#include "app/view_model.h"

#include <algorithm>
#include <utility>

#include "app/evidence.h"
#include "app/view_context.h"
#include "app/view_modes.h"
#include "catalog/search.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

using catalog::Field;

Choice frame_choice(std::string label, Action::Kind kind, std::string value, bool selected) {
    Choice choice;
    choice.label = std::move(label);
    choice.action = {kind, {}, std::move(value)};
    choice.selected = selected;
    return choice;
}

/// "en English|de Deutsch|…": every language there is, loaded or not.
void build_languages(const ViewInput& input, ViewModel& view) {
    std::string_view list = input.locale.text("language.list");
    while (!list.empty()) {
        const std::size_t end = std::min(list.find('|'), list.size());
        const std::string_view entry = list.substr(0, end);
        const std::size_t space = std::min(entry.find(' '), entry.size() - 1);
        const std::string id(entry.substr(0, space));
        view.languages.push_back(frame_choice(std::string(entry.substr(space + 1)),
                                              Action::Kind::set_language, id,
                                              id == input.state.language));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

void build_frame(const ViewInput& input, ViewModel& view) {
    const report::Locale& locale = input.locale;
    const auto text = [&](std::string_view key) { return locale.text(key); };
    view.page_title = text("page.title");
    view.search_label = text("search.label");
    view.search_empty = text("search.empty");
    view.search_hint = locale.format(
        "search.hint", {locale.integer(static_cast<std::int64_t>(input.catalog.models.size()))});
    view.share_label = text("share.label");
    view.language_label = text("language.label");
    view.theme_label = text("theme.label");
    view.unit_label = text("unit.label");
    view.setup_title = text("title.setup");
    view.advanced_label = text("title.advanced");
    view.twin_title = text("title.twin");
    view.views_title = text("title.views");
    view.reset_label = text("reset.label");
    view.open_label = text("own.open");
    build_languages(input, view);
    constexpr const char* themes[] = {"auto", "dark", "light"};
    for (std::size_t i = 0; i < std::size(themes); ++i) {
        view.themes.push_back(frame_choice(std::string(text(std::string("theme.") + themes[i])),
                                           Action::Kind::set_theme, themes[i],
                                           input.state.theme == static_cast<Theme>(i)));
    }
    constexpr const char* units[] = {"gib", "gb"};
    for (std::size_t i = 0; i < std::size(units); ++i) {
        Choice choice = frame_choice(
            std::string(locale.unit_name(static_cast<report::ByteUnit>(i))), Action::Kind::set_unit,
            units[i], input.state.unit == static_cast<report::ByteUnit>(i));
        choice.tooltip = text(std::string("unit.") + units[i] + ".about");
        view.units.push_back(std::move(choice));
    }
    for (const char* tab : {"context", "speed", "matrix", "layers", "hardware", "files", "model"}) {
        view.tabs.push_back(
            {tab, std::string(text(std::string("tab.") + tab)), input.state.tab == tab});
    }
    build_mode_strip(input, view);
    view.footer = locale.format("footer", {input.catalog.version, input.catalog.date});
}

void build_search(const ViewInput& input, ViewModel& view) {
    constexpr std::size_t shown = 8;
    if (input.state.search.empty())
        return;
    if (!input.state.own_models.empty())
        search_own_models(input, view);
    const catalog::ModelSearch search(input.catalog);
    for (const catalog::SearchHit& hit : search.find(input.state.search, shown)) {
        const catalog::Model& model = *hit.model;
        Choice choice;
        choice.label = model.name;
        choice.detail = model.provider + std::string(input.locale.text("separator.dot")) +
                        report::parameters_text(model.rounded_parameters, input.locale);
        choice.action = set_field(Field::model, model.id);
        view.search_results.push_back(std::move(choice));
    }
}

} // namespace

std::string fault_text(const report::Locale& locale, const Fault& fault) {
    const std::string key = "error." + fault.error.code;
    const std::string label_key = "field." + fault.error.where;
    const std::string label(locale.has(label_key) ? locale.text(label_key)
                                                  : std::string_view(fault.error.where));
    if (!locale.has(key))
        return fault.error.message;
    const catalog::FieldInfo* field = catalog::find_field(fault.error.where);
    const bool bounded =
        field != nullptr && fault.error.code == "invalid-value" && field->maximum > field->minimum;
    if (!bounded)
        return locale.format(key, {label, fault.given});
    return locale.format("error.out_of_range", {label, fault.given, locale.number(field->minimum),
                                                locale.number(field->maximum)});
}

/// What is read further down the page.
[[gnu::noinline]] static void build_more(const ViewContext& context, ViewModel& view) {
    build_hardware(context, view);
    build_files(context, view);
    build_facts(context, view);
    build_notes(context, view);
    build_commands(context, view);
    build_related(context, view);
}

ViewModel build_view(const ViewInput& input) {
    ViewModel view;
    build_frame(input, view);
    build_search(input, view);
    for (const Fault& fault : input.faults) {
        view.messages.push_back({Tone::bad, fault_text(input.locale, fault)});
    }
    const auto resolved = catalog::resolve(input.state.query, input.catalog);
    if (!resolved) {
        // App keeps its state resolvable; what is left is a catalog without the default model.
        const Fault fault{resolved.error(), std::string(input.state.query.value(Field::model))};
        view.messages.push_back({Tone::bad, fault_text(input.locale, fault)});
        return view;
    }
    const EstimateRequest& request = resolved->request;
    const Engine& engine = *find_engine(request.engine);
    ViewMemo own_memo;
    ViewMemo& memo = input.memo != nullptr ? *input.memo : own_memo;
    std::string key = catalog::query_to_url(input.state.query);
    if (memo.estimate_key != key || memo.estimate.devices.empty()) {
        vramscope::estimate(request, memo.workspace, memo.estimate);
        memo.estimate_key = key;
    }
    const Estimate& estimate = memo.estimate;
    catalog::Query any_context = input.state.query;
    any_context.clear(Field::n_ctx);
    const Architecture& architecture = *request.architecture;
    const ViewContext context{input.state,
                              input.catalog,
                              input.locale,
                              *resolved,
                              request,
                              *resolved->model,
                              engine,
                              estimate,
                              std::max<std::int64_t>(1, engine.sequences(request)),
                              context_per_sequence(request),
                              std::max(architecture.native_context, architecture.extended_context),
                              memo,
                              std::move(key),
                              catalog::query_to_url(any_context),
                              std::string(input.locale.language()) +
                                  std::string(input.locale.unit_name(input.state.unit))};
    build_model_head(context, view);
    build_setup(context, input.faults, view);
    if (input.state.modes.mode != Mode::simulator) {
        build_mode(context, input, view);
        return view;
    }
    // What has no texts yet comes after the first answer.
    if (context.state.advanced_open && input.locale.has("effect.none"))
        build_effects(context, view);
    if (!context.state.gpu_name.empty())
        build_gpu_hint(context, view);
    build_answer(context, view);
    build_plot(context, view);
    build_matrix(context, view);
    const std::string_view tab = context.state.tab;
    build_advice(context, view);
    if (tab == "matrix" && input.locale.has("heat.title"))
        build_heat(context, view);
    if (tab == "speed" && input.locale.has("speed.decode.title"))
        build_speed(context, input.measured, view);
    if (tab == "layers" && input.locale.has("layers.title"))
        build_layers(context, view);
    build_devices(context, view);
    build_why(context, view);
    build_assumptions(context, view);
    if (input.locale.has("hardware.title"))
        build_more(context, view);
    if (input.pin != nullptr)
        build_pin(context, *input.pin, view);
    if (!repository_url().empty() && input.locale.has("report.label")) {
        view.report.label = context.text("report.label");
        view.report.action = {Action::Kind::open_link,
                              {},
                              report_url(repository_url(),
                                         std::string(input.address) + '?' + context.request_key,
                                         view)};
    }
    if (std::none_of(view.tabs.begin(), view.tabs.end(),
                     [](const Tab& one) { return one.selected; }))
        view.tabs.front().selected = true;
    view.page_title = context.text("page.title_with_model", {context.model.name});
    return view;
}

} // namespace vramscope::app
