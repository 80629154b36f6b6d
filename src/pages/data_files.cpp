#include "pages/data_files.h"

#include <algorithm>
#include <cstdlib>

#include "catalog/json_reader.h"
#include "core/solve.h"
#include "pages/address.h"
#include "pages/drawings.h"
#include "pages/html.h"
#include "pages/page.h"

namespace vramscope::pages {
namespace {

using catalog::Json;

constexpr const char* api_version = "1";

Json range(const ByteRange& bytes) {
    return {{"low", bytes.low}, {"expected", bytes.expected}, {"high", bytes.high}};
}

Json range(const RateRange& rate) {
    return {{"low", rate.low}, {"expected", rate.expected}, {"high", rate.high}};
}

/// "artifact=Q8_0&n_ctx=8192" -> 8192
std::int64_t context_of(std::string_view action) {
    const std::size_t at = action.find("n_ctx=");
    return at == std::string_view::npos ? 0
                                        : std::atoll(std::string(action.substr(at + 6)).c_str());
}

const char* verdict_of(const app::Cell& cell) {
    for (const auto& [sign, verdict] : {std::pair{"\u2713", Verdict::fits},
                                        {"~", Verdict::tight},
                                        {"\u21a7", Verdict::offload}}) {
        if (cell.sign == sign)
            return name(verdict);
    }
    return name(Verdict::does_not_fit);
}

Json headline(const ModelEntry& entry) {
    const Estimate& estimate = entry.estimate;
    Json json = {{"weights", weights_name(entry)},
                 {"hardware", entry.hardware->id},
                 {"verdict", name(estimate.verdict)},
                 {"context_tokens", entry.context},
                 {"total_bytes", range(estimate.total())},
                 {"accelerator_bytes", entry.needed_bytes},
                 {"download_bytes", estimate.download_bytes},
                 {"download_is_exact", estimate.download_is_exact},
                 {"decode_tokens_per_second", range(estimate.decode_tokens_per_second)},
                 {"prefill_tokens_per_second", range(estimate.prefill_tokens_per_second)},
                 {"kv_saving_fraction", estimate.kv_saving_fraction}};
    for (std::size_t i = 0; i < part_count; ++i) {
        const auto part = static_cast<Part>(i);
        json[std::string(name(part)) + "_bytes"] = range(estimate.parts[part]);
    }
    const bool bounded = estimate.max_context_tokens < context_search_limit;
    json["max_context_tokens"] = bounded ? Json(estimate.max_context_tokens) : Json(nullptr);
    return json;
}

Json matrix_of(const app::ViewModel& view) {
    Json rows = Json::array();
    for (const app::Row& row : view.matrix.rows) {
        Json contexts = Json::array();
        for (std::size_t i = 3; i + 1 < row.cells.size(); ++i) {
            const app::Cell& cell = row.cells[i];
            contexts.push_back({{"context_tokens", context_of(cell.action.value)},
                                {"accelerator_bytes", static_cast<std::int64_t>(cell.exact)},
                                {"verdict", verdict_of(cell)}});
        }
        const std::string& smallest = row.cells.back().action.value;
        rows.push_back({{"weights", row.cells[0].text},
                        {"artifact", row.action.value},
                        {"weights_bytes", static_cast<std::int64_t>(row.cells[2].exact)},
                        {"contexts", std::move(contexts)},
                        {"smallest_hardware", smallest.empty() ? Json(nullptr) : Json(smallest)}});
    }
    return rows;
}

Json hardware_of(const app::ViewModel& view) {
    Json rows = Json::array();
    for (const app::Row& row : view.hardware.rows) {
        const double rate = row.cells[5].exact;
        rows.push_back({{"hardware", row.action.value},
                        {"accelerator_bytes", static_cast<std::int64_t>(row.cells[2].exact)},
                        {"verdict", verdict_of(row.cells[4])},
                        {"decode_tokens_per_second", rate > 0 ? Json(rate) : Json(nullptr)}});
    }
    return rows;
}

Json identity(const Site& site, const ModelEntry& entry) {
    const catalog::Model& model = *entry.model;
    const std::string& base = site.options.base_url;
    return {{"id", model.id},
            {"name", model.name},
            {"provider", model.provider},
            {"license", model.license},
            {"hf_repo", model.hf_repo},
            {"parameters", entry.parameters.total()},
            {"active_parameters", entry.parameters.active},
            {"native_context", entry.native_context},
            {"request", catalog::query_to_url(entry.query)},
            {"page", absolute(base, model_path(model.id))}};
}

Json envelope(const Site& site) {
    return {{"api", api_version},
            {"catalog", {{"version", site.catalog.version}, {"date", site.catalog.date}}}};
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_alternate(Html& xml, std::string_view language, std::string_view address) {
    xml.open("xhtml:link", {{"rel", "alternate"}, {"hreflang", language}, {"href", address}});
    xml.close("xhtml:link");
}

std::string sitemap_of(const Site& site, const Language& own) {
    Html xml;
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.open("urlset", {{"xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"},
                        {"xmlns:xhtml", "http://www.w3.org/1999/xhtml"}});
    const std::string& base = site.options.base_url;
    for (const std::string& path : page_paths(site)) {
        xml.open("url").element("loc", absolute(base, in_language(own.folder, path)));
        xml.element("lastmod", site.catalog.date);
        for (const Language& language : site.languages)
            write_alternate(xml, language.locale.language(),
                            absolute(base, in_language(language.folder, path)));
        write_alternate(xml, "x-default",
                        absolute(base, in_language(site.languages.front().folder, path)));
        xml.close("url").raw("\n");
    }
    return xml.close("urlset").raw("\n").take();
}

} // namespace

std::string model_json(const Site& site, const ModelEntry& entry, app::ViewMemo& memo) {
    const app::ViewModel view = view_of(site, site.languages.front(), entry.query, memo);
    Json json = envelope(site);
    json["model"] = identity(site, entry);
    json["headline"] = headline(entry);
    json["matrix"] = matrix_of(view);
    json["hardware"] = hardware_of(view);
    return dumped(json);
}

std::string index_json(const Site& site) {
    Json json = envelope(site);
    Json models = Json::array();
    for (const ModelEntry& entry : site.models) {
        Json one = identity(site, entry);
        one["accelerator_bytes"] = entry.needed_bytes;
        one["hardware"] = entry.hardware->id;
        one["data"] = absolute(site.options.base_url, data_path(entry.model->id));
        models.push_back(std::move(one));
    }
    json["models"] = std::move(models);
    return dumped(json);
}

std::vector<NamedFile> sitemap_files(const Site& site) {
    std::vector<NamedFile> files;
    Html index;
    index.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    index.open("sitemapindex", {{"xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"}});
    for (const Language& language : site.languages) {
        const std::string path = "sitemap-" + std::string(language.locale.language()) + ".xml";
        index.open("sitemap").element("loc", absolute(site.options.base_url, path));
        index.element("lastmod", site.catalog.date).close("sitemap");
        files.push_back({path, sitemap_of(site, language)});
    }
    files.push_back({"sitemap.xml", index.close("sitemapindex").raw("\n").take()});
    files.push_back({"robots.txt", "User-agent: *\nAllow: /\nSitemap: " +
                                       absolute(site.options.base_url, "sitemap.xml") + '\n'});
    return files;
}

} // namespace vramscope::pages
