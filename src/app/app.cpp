#include "app/app.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/explain.h"
#include "app/hardware_items.h"
#include "app/view_context.h"
#include "core/decimal.h"

namespace vramscope::app {
namespace {

using catalog::Field;

std::int64_t whole(std::string_view text) {
    return static_cast<std::int64_t>(std::strtod(std::string(text).c_str(), nullptr));
}

/// Clears fields that do not resolve until the rest does; what was cleared goes to `faults`.
void drop_unresolvable(catalog::Query& query, const catalog::Catalog& catalog,
                       std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < catalog::field_count; ++i) {
        const auto resolved = catalog::resolve(query, catalog);
        if (resolved)
            return;
        const catalog::FieldInfo* field = catalog::find_field(resolved.error().where);
        if (field == nullptr || !query.is_set(field->field))
            return;
        faults.push_back({resolved.error(), query.text(field->field)});
        query.clear(field->field);
    }
}

} // namespace

std::string plain_number(std::string_view text, const report::Locale& locale) {
    const std::string_view group = locale.text("number.group");
    const std::string_view decimal = locale.text("number.decimal");
    std::string plain(text);
    // With "," for decimals a point may still be one: "0.5" stays, "32.768" and "1.024,5" do not.
    const bool has_decimal = plain.find(decimal) != std::string::npos;
    const std::size_t first = plain.find(group);
    bool grouped = first != std::string::npos && first > 0 && first <= 3 && plain[0] != '0';
    for (std::size_t i = first; grouped && i != std::string::npos; i = plain.find(group, i + 1)) {
        const std::size_t end = std::min(
            plain.find_first_of(std::string(group) + std::string(decimal), i + 1), plain.size());
        grouped = end - i - 1 == 3;
    }
    for (std::size_t i = 0; grouped && (i = plain.find(group, i)) != std::string::npos;) {
        plain.erase(i, group.size());
    }
    if (has_decimal && decimal != ".")
        plain.replace(plain.find(decimal), decimal.size(), ".");
    return plain;
}

catalog::Result<bool> App::load_catalog(std::string_view json) {
    auto loaded = catalog::read_snapshot(json);
    if (!loaded)
        return loaded.error();
    catalog_ = std::move(*loaded);
    has_catalog_ = true;
    memo_ = {};
    if (rows_.has_asked())
        rows_.forget();
    drop_unresolvable(state_.query, catalog_, faults_);
    changed();
    return true;
}

catalog::Result<bool> App::load_locale(std::string_view json) {
    auto loaded = report::Locale::read(json);
    if (!loaded)
        return loaded.error();
    const auto same =
        std::find_if(locales_.begin(), locales_.end(), [&](const report::Locale& known) {
            return known.language() == loaded->language();
        });
    if (same != locales_.end()) {
        *same = std::move(*loaded);
    } else {
        locales_.push_back(std::move(*loaded));
    }
    memo_ = {};
    changed();
    return true;
}

void App::open_url(std::string_view url) {
    faults_.clear();
    state_.query = {};
    state_.search.clear();
    state_.modes = {};
    if (url.find("://") != std::string_view::npos)
        address_ = url.substr(0, url.find_first_of("?#"));
    std::vector<catalog::UrlParameter> others;
    for (const catalog::UrlParameter& parameter : catalog::url_parameters(url)) {
        if (const catalog::FieldInfo* field = catalog::find_field(parameter.key)) {
            const auto set = state_.query.set(field->field, parameter.value);
            if (!set)
                faults_.push_back({set.error(), parameter.value});
        } else if (!take_mode_parameter(state_.modes, parameter.key, parameter.value)) {
            others.push_back(parameter);
        }
    }
    if (has_catalog_)
        drop_unresolvable(state_.query, catalog_, faults_);
    std::vector<Fault> faults = std::move(faults_);
    for (const catalog::UrlParameter& other : others) {
        if (other.key == "lang")
            apply({Action::Kind::set_language, {}, other.value});
        if (other.key == "theme")
            apply({Action::Kind::set_theme, {}, other.value});
        if (other.key == "unit")
            apply({Action::Kind::set_unit, {}, other.value});
        if (other.key == "line")
            set_line(other.value);
        if (other.key == "tab")
            apply({Action::Kind::select_tab, {}, other.value});
    }
    faults_ = std::move(faults);
    pin_.reset();
    for (const catalog::UrlParameter& other : others) {
        if (other.key == "asof")
            pin_ = read_pin(other.value);
    }
    pinned_query_ = state_.query;
    settle();
    changed();
}

std::string App::url() const {
    std::string url = catalog::query_to_url(state_.query);
    const auto add = [&url](std::string_view parameter) {
        if (!url.empty())
            url += '&';
        url += parameter;
    };
    const ModeState& modes = state_.modes;
    if (modes.mode != Mode::simulator || !modes.options.empty() || !modes.compared.empty())
        add(mode_parameters(modes));
    if (state_.unit == report::ByteUnit::gb)
        add("unit=gb");
    if (state_.line_mbit != UiState{}.line_mbit)
        add("line=" + decimal_text(state_.line_mbit, 6));
    if (state_.tab != UiState{}.tab)
        add("tab=" + state_.tab);
    if (const Pin* pin = shown_pin())
        add("asof=" + pin_text(*pin));
    return url;
}

void App::apply(const Action& action) {
    const UiState before = state_;
    const std::size_t faults_before = faults_.size();
    switch (action.kind) {
    case Action::Kind::none:
    case Action::Kind::open_link:
    case Action::Kind::open_files:
        return;
    case Action::Kind::set_field:
        faults_.clear();
        set_field(action.key, action.value);
        break;
    case Action::Kind::set_fields:
        faults_.clear();
        set_fields(action.value);
        break;
    case Action::Kind::set_language:
        // A language that is not loaded yet is shown as soon as it is.
        if (!action.value.empty() && action.value.size() <= 16)
            state_.language = action.value;
        break;
    case Action::Kind::set_theme:
        if (action.value == "auto")
            state_.theme = Theme::automatic;
        if (action.value == "dark")
            state_.theme = Theme::dark;
        if (action.value == "light")
            state_.theme = Theme::light;
        break;
    case Action::Kind::set_unit:
        if (action.value == "gib")
            state_.unit = report::ByteUnit::gib;
        if (action.value == "gb")
            state_.unit = report::ByteUnit::gb;
        break;
    case Action::Kind::select_tab:
        for (const char* tab :
             {"change", "context", "speed", "matrix", "layers", "hardware", "files", "model"}) {
            if (action.value == tab)
                state_.tab = tab;
        }
        break;
    case Action::Kind::search:
        state_.search = action.value.substr(0, 200);
        break;
    case Action::Kind::copy_text:
        clipboard_text_ = action.value;
        break;
    case Action::Kind::copy_link:
        clipboard_text_ = link();
        break;
    case Action::Kind::explain:
        state_.explained = action.value == state_.explained ? std::string() : action.value;
        break;
    case Action::Kind::copy_explanation:
        clipboard_text_ = explanation_markdown(view());
        break;
    case Action::Kind::show_advanced:
        state_.advanced_open = !action.value.empty();
        break;
    case Action::Kind::detected_gpu:
        state_.gpu_name = action.value.substr(0, 200);
        break;
    case Action::Kind::take_points:
        measured_ = MeasuredPoints(action.value);
        return changed();
    case Action::Kind::reset:
        faults_.clear();
        state_.query = {};
        state_.modes.options.clear();
        state_.search.clear();
        break;
    default:
        apply_mode_action(action);
    }
    if (before != state_ || faults_before != faults_.size() || !faults_.empty())
        changed();
}

void App::set_field(std::string_view key, std::string_view value) {
    if (key == "line_speed")
        return set_line(locales_.empty() ? std::string(value) : plain_number(value, locale()));
    if (key.starts_with("hardware_") || key.starts_with("custom_"))
        return set_hardware_part(key, value);
    if (set_mode_option(key, value))
        return;
    const catalog::FieldInfo* field = catalog::find_field(key);
    const bool number = field != nullptr && (field->kind == catalog::FieldKind::integer ||
                                             field->kind == catalog::FieldKind::real);
    const std::string plain =
        number && !locales_.empty() ? plain_number(value, locale()) : std::string(value);
    if (field != nullptr && field->field == Field::n_ctx)
        return set_context(plain);
    catalog::Query query = state_.query;
    const auto set = query.set(key, plain);
    if (!set) {
        faults_.push_back({set.error(), std::string(value)});
        return;
    }
    if (field->field == Field::model) {
        state_.search.clear();
        // A model that is looked for is not looked at in a list of all.
        if (state_.modes.mode == Mode::run || state_.modes.mode == Mode::compare)
            state_.modes.mode = Mode::simulator;
        // Files belong to the model they came with.
        for (const Field own : {Field::artifact, Field::mmproj})
            if (query.text(own) == "file")
                query.clear(own);
    }
    take(std::move(query), field->key, value);
}

/// The context goes last: what it means depends on the sequences and the engine.
void App::set_fields(std::string_view fields) {
    std::string context;
    for (const catalog::UrlParameter& parameter : catalog::url_parameters(fields)) {
        const catalog::FieldInfo* field = catalog::find_field(parameter.key);
        if (field != nullptr && field->field == Field::n_ctx) {
            context = parameter.value;
        } else {
            set_field(parameter.key, parameter.value);
        }
    }
    if (!context.empty())
        set_context(context);
}

void App::set_context(std::string_view tokens) {
    catalog::Query query = state_.query;
    auto set = query.set(Field::n_ctx, tokens);
    if (set) {
        const auto resolved = catalog::resolve(query, catalog_);
        if (resolved) {
            const std::int64_t each = whole(query.value(Field::n_ctx));
            set = query.set(Field::n_ctx, std::to_string(engine_context(resolved->request, each)));
        }
    }
    if (set) {
        state_.query = std::move(query);
    } else {
        faults_.push_back({set.error(), std::string(tokens)});
    }
}

/// The speed of the person's line in Mbit/s.
void App::set_line(std::string_view text) {
    const double mbit = std::strtod(std::string(text).c_str(), nullptr);
    if (text.empty())
        state_.line_mbit = UiState{}.line_mbit;
    else if (mbit >= 0.1 && mbit <= 1e6)
        state_.line_mbit = mbit;
    else
        faults_.push_back({{"invalid-value", "line_speed", ""}, std::string(text)});
}

/// "hardware_count", "hardware_count_1": how many of a device, 0 takes it away; "custom_memory",
/// "custom_bandwidth", and the same of further devices.
void App::set_hardware_part(std::string_view key, std::string_view value) {
    std::vector<HardwareItem> items = hardware_items(state_.query.value(Field::hardware));
    const std::size_t digit = key.find_first_of("0123456789");
    const std::size_t index =
        digit == key.npos ? 0 : static_cast<std::size_t>(whole(key.substr(digit)));
    const double number = std::strtod(
        (locales_.empty() ? std::string(value) : plain_number(value, locale())).c_str(), nullptr);
    const bool counts = key.starts_with("hardware_count");
    const bool possible =
        index < items.size() &&
        (counts ? number >= (items.size() > 1 ? 0 : 1) && number <= static_cast<double>(max_devices)
                : number > 0 && number <= 1e6);
    if (!possible) {
        faults_.push_back({{"invalid-value", std::string(key), ""}, std::string(value)});
        return;
    }
    HardwareItem& item = items[index];
    if (counts) {
        // A card that carries several devices already counts as that many.
        const catalog::HardwareEntry* entry = catalog_.find_hardware(item.id);
        const std::int64_t each = entry != nullptr ? std::max(1, entry->count) : 1;
        item.count = static_cast<std::int64_t>(number) / each;
        if (item.count == 0 && number > 0)
            item.count = 1;
        if (item.count == 0)
            items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
    } else {
        const bool memory = key.starts_with("custom_memory");
        item.set_custom(memory ? number : item.custom_memory_gib(),
                        memory ? item.custom_bandwidth() : number);
    }
    set_field("hardware", hardware_text(items));
}

void App::take(catalog::Query query, std::string_view key, std::string_view value) {
    if (!has_catalog_) {
        state_.query = std::move(query);
        return;
    }
    std::int64_t each = 0;
    if (const auto before = catalog::resolve(state_.query, catalog_)) {
        each = context_per_sequence(before->request);
    }
    if (const auto after = catalog::resolve(query, catalog_);
        !after && after.error().where == key) {
        faults_.push_back({after.error(), std::string(value)});
        return;
    }
    // A quantisation of the old model or engine may not exist here.
    drop_unresolvable(query, catalog_, faults_);
    state_.query = std::move(query);
    const auto resolved = catalog::resolve(state_.query, catalog_);
    if (each > 0 && resolved && context_per_sequence(resolved->request) != each) {
        set_context(std::to_string(each));
    }
}

const ViewModel& App::view() {
    if (view_is_stale_ && ready()) {
        if (state_.modes.mode != Mode::simulator)
            ask_rows();
        view_ = build_view({state_, catalog_, locale(), faults_, &memo_, &measured_, &rows_,
                            shown_pin(), address_, can_undo(), can_redo()});
        view_is_stale_ = false;
    }
    return view_;
}

std::string App::take_clipboard_text() {
    return std::exchange(clipboard_text_, {});
}

[[gnu::noinline]] void App::remember_own_model() {
    const std::string& model = state_.query.text(Field::model);
    for (const OwnModel& known : state_.own_models)
        if (known.model == model)
            return;
    const auto resolved = has_catalog_
                              ? catalog::resolve(state_.query, catalog_)
                              : catalog::Result<catalog::ResolvedRequest>(catalog::Error{});
    if (!resolved)
        return;
    catalog::Query own;
    for (const Field field : {Field::model, Field::artifact, Field::mmproj})
        (void)own.set(field, state_.query.text(field));
    constexpr std::size_t most = 20;
    if (state_.own_models.size() == most)
        state_.own_models.pop_back();
    state_.own_models.insert(state_.own_models.begin(),
                             {model, resolved->model->name, catalog::query_to_url(own),
                              resolved->model->rounded_parameters});
}

void App::changed() {
    if (catalog::is_inline_model(state_.query.text(Field::model)))
        remember_own_model();
    view_is_stale_ = true;
    ++revision_;
}

const report::Locale& App::locale() const {
    for (const report::Locale& known : locales_) {
        if (known.language() == state_.language)
            return known;
    }
    return locales_.front();
}

} // namespace vramscope::app
