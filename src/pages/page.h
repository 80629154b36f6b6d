// One HTML page: the frame that all pages share, and pieces that several of them use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/json_reader.h"
#include "pages/html.h"
#include "pages/site.h"

namespace vramscope::pages {

struct PageHead {
    std::string path; ///< below the language's folder
    std::string title;
    std::string description;
    std::string picture;       ///< path without extension; empty: none
    std::string model;         ///< id for the link to the simulator; may be empty
    std::string simulator_url; ///< query string for that link; may be empty
    /// The way to this page, first the list it is in: {path, name}. The page itself is not in it.
    struct Crumb {
        std::string path;
        std::string name;
    };
    std::vector<Crumb> crumbs;
};

class Page {
public:
    Page(const Site& site, const Language& language, PageHead head);

    const Site& site() const { return site_; }
    const report::Locale& locale() const { return language_.locale; }
    std::string_view text(std::string_view key) const { return language_.locale.text(key); }
    std::string format(std::string_view key, std::initializer_list<std::string_view> values) const {
        return language_.locale.format(key, values);
    }
    std::string tokens(std::int64_t value) const {
        return format("number.tokens", {locale().integer(value)});
    }
    std::string gib(Bytes bytes) const { return locale().bytes(bytes, report::ByteUnit::gib); }
    std::string gib_number(Bytes bytes) const {
        return locale().bytes_number(bytes, report::ByteUnit::gib);
    }

    Html& html() { return html_; }
    /// Link to a page in the same language.
    std::string to(std::string_view page) const;
    /// Link to a file that all languages share.
    std::string to_file(std::string_view file) const;
    /// Link to the simulator with a query.
    std::string to_simulator(std::string_view query) const;
    std::string own_path() const;
    std::string own_url() const;

    void open_section(std::string_view id, std::string_view title);
    void close_section() { html_.close("section"); }
    void paragraph(std::string_view text, std::string_view css_class = no_value);
    /// A device's name, as a link when it has a page.
    void hardware_link(const catalog::HardwareEntry& entry);
    void model_link(const catalog::Model& model);
    /// "✓ Fits comfortably" in its colour.
    void verdict(std::string_view sign, std::string_view text, app::Tone tone);

    /// The whole document; the page is used up.
    std::string finish();

private:
    void write_head(Html& out) const;
    void write_header(Html& out) const;
    void write_footer(Html& out) const;
    std::string structured_data() const;

    const Site& site_;
    const Language& language_;
    PageHead head_;
    Html html_;
};

/// A table that scrolls sideways on its own where the screen is narrow.
void open_table(Page& page, std::string_view label, std::string_view caption);
void close_table(Page& page);

/// "ok", "warn", "kv" …: the style class of a tone.
std::string_view tone_class(app::Tone tone);

/// A device's memory, stacked by part, with its legend.
void write_bar(Page& page, const app::Bar& bar);

/// Every path of the site that is a page, below a language's folder: for sitemaps and tests.
std::vector<std::string> page_paths(const Site& site);

} // namespace vramscope::pages
