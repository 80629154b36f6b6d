#include "pages/page.h"

#include "pages/address.h"

namespace vramscope::pages {

using catalog::Json;

Page::Page(const Site& site, const Language& language, PageHead head)
    : site_(site), language_(language), head_(std::move(head)) {}

std::string Page::own_path() const {
    return in_language(language_.folder, head_.path);
}

std::string Page::own_url() const {
    return absolute(site_.options.base_url, own_path());
}

std::string Page::to(std::string_view page) const {
    return relative(own_path(), in_language(language_.folder, page));
}

std::string Page::to_file(std::string_view file) const {
    return relative(own_path(), file);
}

std::string Page::to_simulator(std::string_view query) const {
    std::string address = relative(own_path(), "index.html") + '?' + std::string(query);
    if (!query.empty())
        address += '&';
    return address + "lang=" + std::string(locale().language());
}

void Page::open_section(std::string_view id, std::string_view title) {
    html_.open("section", {{"id", id}}).element("h2", title);
}

void Page::paragraph(std::string_view content, std::string_view css_class) {
    html_.element("p", {{"class", css_class}}, content);
}

void Page::hardware_link(const catalog::HardwareEntry& entry) {
    const std::string name = hardware_name(locale(), entry);
    if (site_.has_hardware_page(entry.id))
        html_.link(to(hardware_path(entry.id)), name);
    else
        html_.text(name);
}

void Page::model_link(const catalog::Model& model) {
    html_.link(to(model_path(model.id)), model.name);
}

void Page::verdict(std::string_view sign, std::string_view content, app::Tone tone) {
    html_.open("span", {{"class", "pill " + std::string(tone_class(tone))}});
    html_.text(sign).text(" ").text(content).close("span");
}

std::string_view tone_class(app::Tone tone) {
    constexpr std::string_view names[] = {"normal", "dim",   "accent",  "weights",
                                          "kv",     "state", "compute", "overhead",
                                          "output", "ok",    "warn",    "bad"};
    return names[static_cast<std::size_t>(tone)];
}

std::string Page::structured_data() const {
    const std::string site_url = site_.options.base_url;
    Json page = {{"@type", "WebPage"},
                 {"@id", own_url()},
                 {"url", own_url()},
                 {"name", head_.title},
                 {"description", head_.description},
                 {"inLanguage", locale().language()},
                 {"dateModified", site_.catalog.date},
                 {"isPartOf", {{"@type", "WebSite"}, {"name", "Vramscope"}, {"url", site_url}}}};
    Json crumbs = Json::array();
    const auto add = [&](std::string_view name, std::string_view url) {
        crumbs.push_back({{"@type", "ListItem"},
                          {"position", crumbs.size() + 1},
                          {"name", name},
                          {"item", url}});
    };
    add("Vramscope", site_url);
    for (const PageHead::Crumb& crumb : head_.crumbs)
        add(crumb.name, absolute(site_url, in_language(language_.folder, crumb.path)));
    add(head_.title, own_url());
    if (const ModelEntry* entry = site_.find_model(head_.model)) {
        page["about"] = {{"@type", "SoftwareApplication"},
                         {"name", entry->model->name},
                         {"applicationCategory", "Large language model"},
                         {"author", {{"@type", "Organization"}, {"name", entry->model->provider}}}};
    }
    const Json graph = {
        {"@context", "https://schema.org"},
        {"@graph", {page, {{"@type", "BreadcrumbList"}, {"itemListElement", std::move(crumbs)}}}}};
    // "<" would end the element.
    std::string out;
    for (const char c : graph.dump(-1, ' ', false, Json::error_handler_t::replace))
        out += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return out;
}

void Page::write_head(Html& out) const {
    const auto meta = [&](std::string_view name, std::string_view content) {
        out.open("meta", {{"name", name}, {"content", content}});
    };
    const auto property = [&](std::string_view name, std::string_view content) {
        out.open("meta", {{"property", name}, {"content", content}});
    };
    out.open("head").open("meta", {{"charset", "utf-8"}});
    out.element("title", head_.title);
    meta("viewport", "width=device-width, initial-scale=1");
    out.open(
        "meta",
        {{"http-equiv", "Content-Security-Policy"},
         {"content", "default-src 'none'; style-src 'self'; img-src 'self' data:; "
                     "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"}});
    meta("description", head_.description);
    meta("color-scheme", "light dark");
    out.open("link", {{"rel", "stylesheet"}, {"href", to_file(site_.style_name)}});
    out.open("link", {{"rel", "icon"}, {"type", "image/svg+xml"}, {"href", to_file("icon.svg")}});
    out.open("link", {{"rel", "canonical"}, {"href", own_url()}});
    for (const Language& language : site_.languages) {
        out.open("link", {{"rel", "alternate"},
                          {"hreflang", language.locale.language()},
                          {"href", absolute(site_.options.base_url,
                                            in_language(language.folder, head_.path))}});
    }
    out.open("link", {{"rel", "alternate"},
                      {"hreflang", "x-default"},
                      {"href", absolute(site_.options.base_url,
                                        in_language(site_.languages.front().folder, head_.path))}});
    property("og:type", "website");
    property("og:site_name", "Vramscope");
    property("og:title", head_.title);
    property("og:description", head_.description);
    property("og:url", own_url());
    property("og:locale", text("pages.og_locale"));
    if (!head_.picture.empty()) {
        const bool png = site_.options.png_pictures;
        property("og:image",
                 absolute(site_.options.base_url, head_.picture + (png ? ".png" : ".svg")));
        property("og:image:type", png ? "image/png" : "image/svg+xml");
        property("og:image:width", "1200");
        property("og:image:height", "630");
        property("og:image:alt", head_.description);
        meta("twitter:card", "summary_large_image");
    } else {
        meta("twitter:card", "summary");
    }
    out.open("script", {{"type", "application/ld+json"}}).raw(structured_data()).close("script");
    out.close("head");
}

void Page::write_header(Html& out) const {
    out.element("a", {{"class", "skip"}, {"href", "#main"}}, text("pages.skip"));
    out.open("header", {{"class", "top"}});
    out.open("a", {{"class", "brand"}, {"href", to_simulator({})}});
    out.open("img", {{"src", to_file("icon.svg")}, {"alt", ""}, {"width", "24"}, {"height", "24"}});
    out.text("Vramscope").close("a");
    out.open("nav", {{"aria-label", text("pages.nav")}});
    out.link(to(models_path), text("pages.nav.models"));
    out.link(to(hardware_index_path), text("pages.nav.hardware"));
    out.element("a", {{"href", to_simulator(head_.simulator_url)}}, text("pages.nav.simulator"));
    out.close("nav");
    out.open("nav", {{"class", "languages"}, {"aria-label", text("language.label")}});
    for (const Language& language : site_.languages) {
        const std::string id(language.locale.language());
        const std::string_view name = language.locale.text("pages.language");
        const std::string address = relative(own_path(), in_language(language.folder, head_.path));
        out.element("a",
                    {{"href", address},
                     {"lang", id},
                     {"hreflang", id},
                     {"aria-current", &language == &language_ ? "true" : no_value}},
                    name);
    }
    out.close("nav").close("header");
    if (head_.crumbs.empty())
        return;
    out.open("nav", {{"class", "crumbs"}, {"aria-label", text("pages.crumbs")}}).open("ol");
    for (const PageHead::Crumb& crumb : head_.crumbs) {
        out.open("li").link(to(crumb.path), crumb.name).close("li");
    }
    out.close("ol").close("nav");
}

void Page::write_footer(Html& out) const {
    out.open("footer");
    out.element("p", format("footer", {site_.catalog.version, site_.catalog.date}));
    out.open("p");
    if (const ModelEntry* entry = site_.find_model(head_.model)) {
        out.link(to_file(data_path(entry->model->id)), text("pages.footer.data")).text(" · ");
    }
    if (!site_.options.repo_url.empty())
        out.link(site_.options.repo_url, text("pages.footer.source")).text(" · ");
    out.link(to_simulator({}), text("pages.nav.simulator"));
    out.close("p").close("footer");
}

std::string Page::finish() {
    Html out;
    out.raw("<!DOCTYPE html>\n");
    out.open("html", {{"lang", locale().language()}, {"dir", text("pages.direction")}});
    write_head(out);
    out.open("body");
    write_header(out);
    out.open("main", {{"id", "main"}}).raw(html_.str()).close("main");
    write_footer(out);
    out.close("body").close("html").raw("\n");
    return out.take();
}

void open_table(Page& page, std::string_view label, std::string_view caption) {
    Html& html = page.html();
    html.open("section", {{"class", "scroll"}, {"tabindex", "0"}, {"aria-label", label}});
    html.open("table");
    if (!caption.empty())
        html.element("caption", caption);
}

void close_table(Page& page) {
    page.html().close("table").close("section");
}

void write_bar(Page& page, const app::Bar& bar) {
    Html& html = page.html();
    constexpr double width = 1000;
    const double whole = std::max(bar.capacity, bar.total_bytes);
    if (whole <= 0)
        return;
    const auto number = [](double value) {
        return std::to_string(static_cast<std::int64_t>(value + 0.5));
    };
    html.open("div", {{"class", "bar"}});
    html.open("div", {{"class", "bar-head"}});
    html.element("b", bar.label).element("span", bar.value_text).close("div");
    html.open("svg", {{"viewBox", "0 0 1000 16"},
                      {"preserveAspectRatio", "none"},
                      {"aria-hidden", "true"},
                      {"focusable", "false"}});
    html.raw("<rect class=\"rest\" width=\"1000\" height=\"16\"/>");
    double start = 0;
    for (const app::Bar::Segment& segment : bar.segments) {
        const double x = start / whole * width;
        start += segment.bytes;
        const double w = start / whole * width - x;
        html.open("rect", {{"class", tone_class(segment.tone)},
                           {"x", number(x)},
                           {"width", number(std::max(w, 1.0))},
                           {"height", "16"}});
        html.close("rect");
    }
    html.close("svg");
    html.open("ul", {{"class", "legend"}});
    for (const app::Bar::Segment& segment : bar.segments) {
        html.open("li", {{"class", tone_class(segment.tone)}});
        html.element("span", segment.label).element("b", segment.value_text);
        html.element("small", segment.percent_text).close("li");
    }
    html.close("ul").close("div");
}

std::vector<std::string> page_paths(const Site& site) {
    std::vector<std::string> paths = {std::string(models_path), std::string(hardware_index_path)};
    for (const Family& family : site.families)
        paths.push_back(family_path(family.slug));
    for (const std::size_t size : site.sizes)
        paths.push_back(size_path(size_slug(site.lists, size)));
    for (const HardwarePage& page : site.hardware)
        paths.push_back(hardware_path(page.hardware->id));
    for (const ModelEntry& entry : site.models)
        paths.push_back(model_path(entry.model->id));
    for (const std::string& model : site.lists.pair_models) {
        for (const std::string& hardware : site.lists.pair_hardware)
            paths.push_back(pair_path(model, hardware));
    }
    return paths;
}

} // namespace vramscope::pages
