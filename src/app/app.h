// The application behind the page, without a browser: state, what actions do to it, and when the
// view must be made anew. Native tests drive it; the WASM module adds a canvas and the HTML twin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/evidence.h"
#include "app/measured_points.h"
#include "app/mode_rows.h"
#include "app/view_model.h"
#include "catalog/catalog.h"
#include "report/locale.h"

namespace vramscope::app {

class App {
public:
    /// Takes a snapshot's JSON; on an error the last good catalog stays.
    catalog::Result<bool> load_catalog(std::string_view json);
    /// Adds or replaces a language.
    catalog::Result<bool> load_locale(std::string_view json);
    bool ready() const { return has_catalog_ && !locales_.empty(); }

    /// State from a link's query string; faults become messages, the rest is applied. Besides the
    /// request fields it knows lang, theme, unit and tab. A whole address is also what copy_link
    /// makes links of.
    void open_url(std::string_view url);
    /// The query string that reproduces the state ("" for the default request). Without language
    /// and theme, which belong to the reader and not to the estimate.
    std::string url() const;

    /// The whole address of the state, as it is copied: with what it says now (app/evidence.h).
    std::string link();

    void apply(const Action& action);
    const UiState& state() const { return state_; }
    /// Made on demand after a change.
    const ViewModel& view();
    /// Grows with every change of the view; painters compare it.
    unsigned revision() const { return revision_; }

    /// Rows of "what can I run?" and "what do I need?" that are still to be computed; the host
    /// calls work() between two inputs until there are none. work() takes about so many
    /// milliseconds of the host's clock.
    bool has_work();
    void work(double (*clock)(), double milliseconds);

    /// Nothing is being dragged or typed any more: from here undo comes back.
    void settle();
    bool can_undo() const;
    bool can_redo() const;

    const catalog::Catalog& catalog() const { return catalog_; }

    /// Text that an action wants on the clipboard; empty when there is none. Cleared by the call.
    std::string take_clipboard_text();

private:
    const report::Locale& locale() const;
    void changed();
    void set_field(std::string_view key, std::string_view value);
    void set_fields(std::string_view fields);
    void set_context(std::string_view tokens);
    void set_hardware_part(std::string_view key, std::string_view value);
    void set_line(std::string_view text);
    /// Keeps a written-out model, so that one can come back to it.
    void remember_own_model();
    /// Takes the new query, keeping the context of one sequence unless it was what changed; fields
    /// that stop making sense go back to their default, with a message.
    void take(catalog::Query query, std::string_view key, std::string_view value);
    /// Whether the key was one of a mode's options.
    bool set_mode_option(std::string_view key, std::string_view value);
    void apply_mode_action(const Action& action);
    void ask_rows();
    void go_back_to(std::size_t step);

    /// What undo goes back to.
    struct Step {
        catalog::Query query;
        std::vector<std::pair<std::string, std::string>> options;
        friend bool operator==(const Step&, const Step&) = default;
    };
    Step step() const { return {state_.query, state_.modes.options}; }

    catalog::Catalog catalog_;
    bool has_catalog_ = false;
    std::vector<report::Locale> locales_;
    UiState state_;
    std::vector<Fault> faults_;
    ViewModel view_;
    ViewMemo memo_;
    MeasuredPoints measured_;
    bool view_is_stale_ = true;
    unsigned revision_ = 0;
    /// What the opened link said, while its request is shown.
    const Pin* shown_pin() const {
        return pin_ && state_.query == pinned_query_ ? &*pin_ : nullptr;
    }

    std::optional<Pin> pin_;
    catalog::Query pinned_query_;
    ModeRows rows_;
    std::vector<Step> steps_; ///< the last one is where undo starts from
    std::size_t at_step_ = 0;
    std::string clipboard_text_;
    std::string address_; // of the page, without query
};

} // namespace vramscope::app
