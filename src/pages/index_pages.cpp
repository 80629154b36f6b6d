// Lists of models by family, by size and by the hardware that runs them.
#include <algorithm>

#include "core/solve.h"
#include "pages/address.h"
#include "pages/documents.h"
#include "pages/page.h"
#include "pages/pieces.h"
#include "report/architecture_text.h"

namespace vramscope::pages {
namespace {

const char* sign_of(Verdict verdict) {
    return verdict == Verdict::fits ? "\u2713" : "~";
}

PageHead::Crumb models_crumb(const report::Locale& locale) {
    return {std::string(models_path), std::string(locale.text("pages.nav.models"))};
}

Page start_page(const Site& site, const Language& language, PageHead head, std::string_view lead) {
    const std::string title = head.title;
    head.title = language.locale.format("pages.title", {title});
    Page page(site, language, std::move(head));
    page.html().open("div", {{"class", "hero"}}).element("h1", title);
    page.html().element("p", {{"class", "lead"}}, lead).close("div");
    return page;
}

void write_size_links(Page& page) {
    Html& html = page.html();
    page.open_section("sizes", page.text("pages.sizes"));
    html.open("ul", {{"class", "cards"}});
    for (const std::size_t size : page.site().sizes) {
        html.open("li").link(page.to(size_path(size_slug(page.site().lists, size))),
                             size_name(page.site(), page.locale(), size));
        html.close("li");
    }
    html.close("ul");
    page.close_section();
}

void write_hardware_links(Page& page) {
    Html& html = page.html();
    html.open("ul", {{"class", "cards"}});
    for (const HardwarePage& one : page.site().hardware) {
        const catalog::HardwareEntry& entry = *one.hardware;
        html.open("li");
        page.hardware_link(entry);
        html.element("small",
                     page.format("hardware.detail",
                                 {page.locale().number(to_gib(
                                      mul(entry.device.memory_bytes, std::max(1, entry.count)))),
                                  page.locale().number(entry.device.bandwidth_gb_per_s)}));
        html.close("li");
    }
    html.close("ul");
}

} // namespace

std::string size_name(const Site& site, const report::Locale& locale, std::size_t size_class) {
    const auto& sizes = site.lists.sizes_billion;
    const auto billions = [&](double value) {
        return locale.format("number.billion", {locale.number(value)});
    };
    if (size_class == 0)
        return locale.format("pages.size.up_to", {billions(sizes.front())});
    if (size_class >= sizes.size())
        return locale.format("pages.size.over", {billions(sizes.back())});
    return locale.format("pages.size.between",
                         {locale.number(sizes[size_class - 1]), billions(sizes[size_class])});
}

std::string family_page(const Site& site, const Language& language, const Family& family) {
    const report::Locale& locale = language.locale;
    PageHead head;
    head.path = family_path(family.slug);
    head.title = locale.format("pages.family.title", {family.name});
    head.crumbs = {models_crumb(locale)};
    const ModelEntry& smallest = *family.models.front();
    const ModelEntry& largest = *family.models.back();
    head.description = locale.format(
        "pages.family.lead",
        {family.name, locale.integer(static_cast<std::int64_t>(family.models.size())),
         locale.bytes(smallest.needed_bytes, report::ByteUnit::gib), smallest.model->name,
         locale.bytes(largest.needed_bytes, report::ByteUnit::gib), largest.model->name});
    const std::string lead = head.description;
    Page page = start_page(site, language, head, lead);
    write_models(page, family.models, head.title);
    return page.finish();
}

std::string size_page(const Site& site, const Language& language, std::size_t size_class) {
    const report::Locale& locale = language.locale;
    std::vector<const ModelEntry*> models;
    for (const ModelEntry& entry : site.models) {
        if (entry.size_class == size_class)
            models.push_back(&entry);
    }
    std::ranges::stable_sort(models, {},
                             [](const ModelEntry* entry) { return entry->parameters.total(); });
    PageHead head;
    head.path = size_path(size_slug(site.lists, size_class));
    head.title = size_name(site, locale, size_class);
    head.crumbs = {models_crumb(locale)};
    const auto need = [](const ModelEntry* entry) { return entry->needed_bytes; };
    const auto [least, most] = std::ranges::minmax(models, {}, need);
    head.description =
        locale.format("pages.size.lead", {locale.integer(static_cast<std::int64_t>(models.size())),
                                          locale.bytes(need(least), report::ByteUnit::gib),
                                          locale.bytes(need(most), report::ByteUnit::gib)});
    const std::string lead = head.description;
    Page page = start_page(site, language, head, lead);
    write_models(page, models, head.title);
    return page.finish();
}

std::string hardware_page(const Site& site, const Language& language,
                          const HardwarePage& hardware) {
    const report::Locale& locale = language.locale;
    const std::string name = hardware_name(locale, *hardware.hardware);
    const auto whole = [&](std::size_t count) {
        return locale.integer(static_cast<std::int64_t>(count));
    };
    PageHead head;
    head.path = hardware_path(hardware.hardware->id);
    head.title = locale.format("pages.hardware.title", {name});
    head.simulator_url = "hardware=" + hardware.hardware->id;
    head.crumbs = {
        {std::string(hardware_index_path), std::string(locale.text("pages.nav.hardware"))}};
    head.description =
        hardware.rows.empty()
            ? locale.format("pages.hardware.nothing", {name})
            : locale.format("pages.hardware.lead",
                            {name, whole(hardware.rows.size()), whole(site.models.size()),
                             locale.integer(sweep_context),
                             hardware.rows.front().entry->model->name});
    const std::string lead = head.description;
    Page page = start_page(site, language, head, lead);
    Html& html = page.html();
    const std::size_t shown = std::min(hardware.rows.size(), longest_list);
    if (shown > 0) {
        open_table(page, head.title, page.text("pages.hardware.caption"));
        html.open("thead").open("tr");
        const auto column = [&](std::string_view key, std::string_view css) {
            html.element("th", {{"scope", "col"}, {"class", css}}, page.text(key));
        };
        column("field.model", no_value);
        column("fact.parameters", "n opt");
        column("pages.hardware.weights", no_value);
        column("pages.list.needed", "n");
        column("figure.max_context", "n");
        column("hardware.decode", "n");
        column("hardware.verdict", no_value);
        html.close("tr").close("thead").open("tbody");
        for (std::size_t i = 0; i < shown; ++i) {
            const auto& [entry, row, needed] = hardware.rows[i];
            html.open("tr").open("th", {{"scope", "row"}});
            if (site.has_pair(row.model->id, hardware.hardware->id))
                html.link(page.to(pair_path(row.model->id, hardware.hardware->id)),
                          row.model->name);
            else
                page.model_link(*row.model);
            html.close("th");
            const auto cell = [&](std::string_view css, std::string_view text) {
                html.element("td", {{"class", css}}, text);
            };
            cell("n opt", report::parameters_text(static_cast<double>(row.parameters), locale));
            cell(no_value, row.format != nullptr ? row.format->name : row.artifact->name);
            cell("n", page.gib_number(needed));
            cell("n", row.figures.max_context_tokens >= context_search_limit
                          ? std::string(page.text("figure.max_context.unbounded"))
                          : locale.integer(row.figures.max_context_tokens));
            const double rate = row.figures.decode_tokens_per_second.expected;
            cell("n",
                 rate > 0 ? locale.decimal(rate, 1) : std::string(page.text("hardware.no_rate")));
            html.open("td");
            page.verdict(sign_of(row.figures.verdict),
                         page.text(std::string("verdict.") + vramscope::name(row.figures.verdict)),
                         row.figures.verdict == Verdict::fits ? app::Tone::ok : app::Tone::warn);
            html.close("td").close("tr");
        }
        html.close("tbody");
        close_table(page);
        if (hardware.rows.size() > shown)
            page.paragraph(
                page.format("pages.hardware.rest", {whole(hardware.rows.size() - shown)}), "dim");
    }
    html.open("p").element("a",
                           {{"class", "button"}, {"href", page.to_simulator(head.simulator_url)}},
                           page.text("pages.simulator.open"));
    html.close("p");
    return page.finish();
}

std::string models_index(const Site& site, const Language& language) {
    const report::Locale& locale = language.locale;
    PageHead head;
    head.path = models_path;
    head.title = locale.text("pages.models.title");
    head.description = locale.format(
        "pages.models.lead", {locale.integer(static_cast<std::int64_t>(site.models.size()))});
    const std::string lead = head.description;
    Page page = start_page(site, language, head, lead);
    Html& html = page.html();
    write_size_links(page);
    page.open_section("families", page.text("pages.families"));
    html.open("dl", {{"class", "families"}});
    for (const Family& family : site.families) {
        html.open("div").open("dt").link(page.to(family_path(family.slug)), family.name);
        html.close("dt").open("dd");
        for (const ModelEntry* entry : family.models) {
            page.model_link(*entry->model);
            html.text(" ");
        }
        html.close("dd").close("div");
    }
    html.close("dl");
    page.close_section();
    return page.finish();
}

std::string hardware_index(const Site& site, const Language& language) {
    const report::Locale& locale = language.locale;
    PageHead head;
    head.path = hardware_index_path;
    head.title = locale.text("pages.hardware_index.title");
    head.description = locale.text("pages.hardware_index.lead");
    const std::string lead = head.description;
    Page page = start_page(site, language, head, lead);
    write_hardware_links(page);
    return page.finish();
}

} // namespace vramscope::pages
