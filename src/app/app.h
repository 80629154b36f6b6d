// The application behind the page, without a browser: state, what actions do to it, and when the
// view must be made anew. Native tests drive it; the WASM module adds a canvas and the HTML twin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/measured_points.h"
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

    void apply(const Action& action);
    const UiState& state() const { return state_; }
    /// Made on demand after a change.
    const ViewModel& view();
    /// Grows with every change of the view; painters compare it.
    unsigned revision() const { return revision_; }

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
    std::string clipboard_text_;
    std::string address_; // of the page, without query
};

} // namespace vramscope::app
