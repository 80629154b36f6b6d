// What actions do to the pages beside the simulator, and undo.
#include "app/app.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/export_text.h"
#include "app/view_context.h"

namespace vramscope::app {
namespace {

constexpr std::size_t most_steps = 200;

/// The index that an action names, or `count`.
std::size_t index_of(std::string_view text, std::size_t count) {
    if (text.size() != 1 || text[0] < '0' || text[0] > '9')
        return count;
    return std::min(count, static_cast<std::size_t>(text[0] - '0'));
}

} // namespace

[[gnu::noinline]] bool App::set_mode_option(std::string_view key, std::string_view value) {
    if (!is_mode_option(key))
        return false;
    std::string given(value);
    if (is_mode_number(key) && !locales_.empty())
        given = plain_number(value, locale());
    if (!state_.modes.set(key, given))
        faults_.push_back({{"invalid-value", std::string(key), ""}, std::string(value)});
    return true;
}

[[gnu::noinline]] void App::apply_mode_action(const Action& action) {
    using Kind = Action::Kind;
    ModeState& modes = state_.modes;
    std::vector<std::string>& compared = modes.compared;
    const std::size_t index = index_of(action.value, compared.size());
    switch (action.kind) {
    case Kind::select_mode:
        if (const Mode mode = mode_of(action.value); mode != modes.mode) {
            // What one page sorts by is no column of the other.
            modes.set("sort", {});
            modes.mode = mode;
        }
        break;
    case Kind::open_simulator:
        faults_.clear();
        set_fields(action.value);
        modes.mode = Mode::simulator;
        break;
    case Kind::select_page:
        modes.page = std::clamp(std::atoi(action.value.c_str()), 0, 100000);
        break;
    case Kind::compare_add:
        modes.add(catalog::query_to_url(state_.query));
        break;
    case Kind::compare_remove:
        if (index < compared.size())
            compared.erase(compared.begin() + static_cast<std::ptrdiff_t>(index));
        break;
    case Kind::compare_move:
        if (const std::size_t from = index_of(action.key, compared.size());
            from < compared.size() && index < compared.size())
            std::swap(compared[from], compared[index]);
        break;
    case Kind::compare_open:
        if (index < compared.size()) {
            if (auto query = catalog::query_from_url(compared[index])) {
                state_.query = std::move(*query);
                modes.mode = Mode::simulator;
            }
        }
        break;
    case Kind::export_as:
        // What needs more than a text is the host's business.
        clipboard_text_ = export_text(view(), action.value, link());
        break;
    case Kind::undo:
        settle();
        if (can_undo())
            go_back_to(at_step_ - 1);
        break;
    case Kind::redo:
        if (can_redo())
            go_back_to(at_step_ + 1);
        break;
    default:
        break;
    }
}

[[gnu::noinline]] std::string App::link() {
    // The copied link says what is known now, whatever the opened one said.
    const std::optional<Pin> opened = std::exchange(pin_, std::nullopt);
    std::string text = address_;
    const std::string query = url();
    pin_ = opened;
    if (!query.empty())
        text += '?' + query;
    view();
    const auto resolved = catalog::resolve(state_.query, catalog_);
    if (resolved && memo_.estimate_key == catalog::query_to_url(state_.query))
        text += (query.empty() ? "?asof=" : "&asof=") +
                pin_text(pin_of(catalog_, resolved->request, memo_.estimate));
    return text;
}

[[gnu::noinline]] void App::ask_rows() {
    if (state_.modes.mode == Mode::run || state_.modes.mode == Mode::need)
        rows_.ask(state_.query, state_.modes, catalog_);
}

[[gnu::noinline]] bool App::has_work() {
    // What to work on is asked for when the view is made.
    return ready() && (state_.modes.mode == Mode::run || state_.modes.mode == Mode::need) &&
           (view_is_stale_ || rows_.has_work());
}

[[gnu::noinline]] void App::work(double (*clock)(), double milliseconds) {
    if (!has_work())
        return;
    ask_rows();
    if (rows_.work(clock, milliseconds))
        changed();
}

void App::settle() {
    Step now = step();
    if (!steps_.empty() && steps_[at_step_] == now)
        return;
    if (!steps_.empty())
        steps_.resize(at_step_ + 1);
    if (steps_.size() >= most_steps)
        steps_.erase(steps_.begin());
    steps_.push_back(std::move(now));
    at_step_ = steps_.size() - 1;
}

bool App::can_undo() const {
    return !steps_.empty() && (at_step_ > 0 || steps_[at_step_] != step());
}

bool App::can_redo() const {
    return at_step_ + 1 < steps_.size() && steps_[at_step_] == step();
}

void App::go_back_to(std::size_t step) {
    faults_.clear();
    at_step_ = step;
    state_.query = steps_[step].query;
    state_.modes.options = steps_[step].options;
}

} // namespace vramscope::app
