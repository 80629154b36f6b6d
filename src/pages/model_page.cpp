// The page of a model, and that of a model on one device.
#include <algorithm>

#include "pages/address.h"
#include "pages/documents.h"
#include "pages/page.h"
#include "pages/pieces.h"

namespace vramscope::pages {
namespace {

using catalog::Field;

void write_title(Page& page, const app::ViewModel& view, std::string_view title,
                 std::string_view summary) {
    Html& html = page.html();
    html.open("div", {{"class", "hero"}}).element("h1", title);
    html.element("p", {{"class", "dim"}}, view.model_subtitle);
    html.element("p", {{"class", "lead"}}, summary);
    html.open("ul", {{"class", "chips"}});
    for (const std::string& chip : view.chips)
        html.element("li", chip);
    html.close("ul").close("div");
}

void write_contents(Page& page, const app::ViewModel& view) {
    Html& html = page.html();
    html.open("nav", {{"class", "contents"}, {"aria-label", page.text("pages.contents")}});
    html.link("#matrix", page.text("tab.matrix")).link("#hardware", page.text("tab.hardware"));
    html.link("#architecture", page.text("tab.model")).link("#files", page.text("tab.files"));
    html.link("#kv", page.text("part.kv")).link("#run", view.run_title);
    html.link("#why", view.why_title).link("#simulator", page.text("pages.nav.simulator"));
    html.close("nav");
}

void write_related(Page& page, const app::ViewModel& view, const ModelEntry& entry) {
    Html& html = page.html();
    page.open_section("related", view.related_title);
    html.open("ul", {{"class", "related"}});
    for (const app::Choice& choice : view.related) {
        html.open("li").link(page.to(model_path(choice.action.value)), choice.label);
        html.element("small", choice.detail).close("li");
    }
    html.close("ul");
    html.open("p", {{"class", "row"}});
    for (const Family& family : page.site().families) {
        if (family.slug == entry.family)
            html.link(page.to(family_path(family.slug)),
                      page.format("pages.family.all", {family.name}));
    }
    html.link(page.to(size_path(size_slug(page.site().lists, entry.size_class))),
              size_name(page.site(), page.locale(), entry.size_class));
    for (const std::string& id : page.site().lists.pair_hardware) {
        const auto* hardware = page.site().catalog.find_hardware(id);
        if (hardware != nullptr && page.site().has_pair(entry.model->id, hardware->id))
            html.link(page.to(pair_path(entry.model->id, hardware->id)),
                      page.format("pages.pair.name",
                                  {entry.model->name, hardware_name(page.locale(), *hardware)}));
    }
    html.close("p");
    page.close_section();
}

/// What people paste into their own pages: a badge and a link.
void write_sharing(Page& page, const ModelEntry& entry) {
    Html& html = page.html();
    const std::string& base = page.site().options.base_url;
    const auto* hardware = page.site().catalog.find_hardware(page.site().lists.badges.front());
    const std::string badge = badge_path(entry.model->id, hardware->id);
    page.open_section("share", page.text("pages.share.title"));
    page.paragraph(page.format("pages.share.about", {hardware_name(page.locale(), *hardware)}));
    html.open("p").open("img", {{"src", page.to_file(badge)},
                                {"alt", page.format("pages.share.alt", {entry.model->name})},
                                {"height", "20"},
                                {"loading", "lazy"}});
    html.close("p");
    html.open("pre", {{"tabindex", "0"}, {"translate", "no"}, {"aria-label", "Markdown"}});
    html.element("code", "[![" + entry.model->name + "](" + absolute(base, badge) + ")](" +
                             page.own_url() + ")");
    html.close("pre");
    page.close_section();
}

} // namespace

std::string model_page(const Site& site, const Language& language, const ModelEntry& entry,
                       app::ViewMemo& memo) {
    const catalog::Model& model = *entry.model;
    const app::ViewModel view = view_of(site, language, entry.query, memo);
    const auto family = std::ranges::find(site.families, entry.family, &Family::slug);
    const report::Locale& locale = language.locale;
    PageHead head;
    head.path = model_path(model.id);
    head.title = locale.format("pages.model.title", {model.name});
    head.picture = picture_path(model.id, "");
    head.model = model.id;
    head.simulator_url = catalog::query_to_url(entry.query);
    head.crumbs = {{std::string(models_path), std::string(locale.text("pages.nav.models"))},
                   {family_path(entry.family), family->name}};
    // The summary needs a page's formats, and the page needs its description.
    const std::string summary = summary_of(Page(site, language, head), entry, weights_name(entry));
    head.description = summary;

    Page page(site, language, head);
    write_title(page, view, page.format("pages.model.heading", {model.name}), summary);
    write_answer(page, view);
    write_contents(page, view);
    write_matrix(page, view);
    write_hardware(page, view, model.id);
    write_facts(page, view);
    write_files(page, view, model);
    write_notes(page, view);
    write_commands(page, view);
    write_why(page, view);
    write_assumptions(page, view);
    write_simulator(page, entry.query, model.name);
    write_sharing(page, entry);
    write_related(page, view, entry);
    return page.finish();
}

std::string pair_page(const Site& site, const Language& language, const ModelEntry& entry,
                      const catalog::HardwareEntry& hardware, app::ViewMemo& memo) {
    const catalog::Model& model = *entry.model;
    const report::Locale& locale = language.locale;
    catalog::Query query = entry.query;
    (void)query.set(Field::hardware, hardware.id); // a known id
    const app::ViewModel view = view_of(site, language, query, memo);
    const std::string machine = hardware_name(locale, hardware);
    PageHead head;
    head.path = pair_path(model.id, hardware.id);
    head.title = locale.format("pages.pair.title", {model.name, machine});
    head.description = view.announcement;
    head.picture = picture_path(model.id, "");
    head.model = model.id;
    head.simulator_url = catalog::query_to_url(query);
    head.crumbs = {{std::string(models_path), std::string(locale.text("pages.nav.models"))},
                   {model_path(model.id), model.name},
                   {hardware_path(hardware.id), machine}};
    Page page(site, language, head);
    write_title(page, view, page.format("pages.pair.heading", {model.name, machine}),
                view.announcement);
    write_answer(page, view);
    write_matrix(page, view);
    write_commands(page, view);
    write_why(page, view);
    write_simulator(page, query, model.name);
    page.open_section("more", page.text("pages.pair.more"));
    page.html().open("ul").open("li");
    page.model_link(model);
    page.html().close("li").open("li");
    page.hardware_link(hardware);
    page.html().close("li").close("ul");
    page.close_section();
    return page.finish();
}

} // namespace vramscope::pages
