#include "pages/site.h"

#include <algorithm>
#include <optional>

#include "catalog/json_reader.h"
#include "core/estimator.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/verdict.h"
#include "pages/address.h"
#include "pages/parallel.h"
#include "report/recommend.h"

namespace vramscope::pages {
namespace {

using catalog::Error;
using catalog::Field;
using catalog::HardwareEntry;
using catalog::Json;
using catalog::Query;
using catalog::Result;

bool contains(const std::vector<std::string>& list, std::string_view id) {
    return std::ranges::find(list, id) != list.end();
}

bool read_list(const Json& object, const char* key, std::vector<std::string>& out) {
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array())
        return false;
    for (const Json& value : *list) {
        if (!value.is_string())
            return false;
        out.push_back(value.get<std::string>());
    }
    return true;
}

/// "Qwen 2.5 Coder" -> "Qwen": generations and sizes of a family belong together.
std::string family_name(const catalog::Model& model) {
    const std::string& name = model.family.empty() ? model.name : model.family;
    std::size_t end = 0;
    while (end < name.size() && name[end] != ' ' && !(name[end] >= '0' && name[end] <= '9'))
        ++end;
    std::string word = name.substr(0, end);
    // What is left of "Falcon-H1" and "GPT-2".
    const std::size_t hyphen = word.rfind('-');
    if (hyphen != std::string::npos && word.size() - hyphen <= 2)
        word.resize(hyphen);
    return word.empty() ? name : word;
}

/// The model's own page: default weights, 32,768 tokens or what the model was trained for.
Result<ModelEntry> make_entry(const catalog::Model& model, const Site& site) {
    ModelEntry entry;
    entry.model = &model;
    const Architecture& architecture = model.architecture;
    entry.native_context = std::max(architecture.native_context, architecture.extended_context);
    entry.context =
        entry.native_context > 0 ? std::min(page_context, entry.native_context) : page_context;
    entry.parameters = count_parameters(architecture);
    entry.query.clear(Field::model);
    for (const auto& [field, value] :
         {std::pair{Field::model, model.id}, {Field::n_ctx, std::to_string(entry.context)}}) {
        if (const auto set = entry.query.set(field, value); !set)
            return set.error();
    }
    const auto any = catalog::resolve(entry.query, site.catalog);
    if (!any)
        return any.error();
    entry.hardware = report::recommended_hardware(any->request, site.catalog);
    if (entry.hardware == nullptr)
        entry.hardware = site.catalog.find_hardware(site.catalog.hardware_ladder.back());
    if (const auto set = entry.query.set(Field::hardware, entry.hardware->id); !set)
        return set.error();
    auto resolved = catalog::resolve(entry.query, site.catalog);
    if (!resolved)
        return resolved.error();
    entry.resolved = std::move(*resolved);
    entry.estimate = estimate(entry.resolved.request);
    entry.needed_bytes = accelerator_bytes(plan_memory(entry.resolved.request));
    for (report::UsualWeights& weights :
         report::usual_weights(model, entry.resolved.request.engine, site.catalog)) {
        EstimateRequest trial = entry.resolved.request;
        catalog::set_model_and_weights(model, weights.artifact, weights.format, true, trial);
        entry.candidates.push_back({std::move(weights), download_of(trial).bytes});
    }
    // Damaged weights come last, as ranked lists have them.
    std::ranges::stable_sort(entry.candidates, {}, [](const ModelEntry::Candidate& candidate) {
        constexpr int good = 2;
        return std::max(report::quality_rank(candidate.weights.format), int{good});
    });
    const double billions = static_cast<double>(entry.parameters.total()) / 1e9;
    const auto& sizes = site.lists.sizes_billion;
    entry.size_class = static_cast<std::size_t>(
        std::ranges::find_if(sizes, [&](double end) { return billions <= end; }) - sizes.begin());
    return entry;
}

void fill_families(Site& site) {
    for (ModelEntry& entry : site.models) {
        const std::string name = family_name(*entry.model);
        entry.family = slug(name);
        auto family = std::ranges::find(site.families, entry.family, &Family::slug);
        if (family == site.families.end()) {
            site.families.push_back({entry.family, name, {}});
            family = site.families.end() - 1;
        }
        family->models.push_back(&entry);
    }
    std::ranges::sort(site.families, {}, &Family::slug);
    for (Family& family : site.families) {
        std::ranges::stable_sort(family.models, {},
                                 [](const ModelEntry* entry) { return entry->parameters.total(); });
    }
}

Result<bool> fill_hardware(Site& site) {
    std::vector<std::string> ids = site.lists.hardware;
    for (const auto* more : {&site.catalog.hardware_table, &site.catalog.hardware_ladder,
                             &site.lists.pair_hardware, &site.lists.badges})
        ids.insert(ids.end(), more->begin(), more->end());
    for (const std::string& id : ids) {
        const HardwareEntry* entry = site.catalog.find_hardware(id);
        if (entry == nullptr)
            return Error{"unknown-hardware", "pages.json", "there is no hardware \"" + id + '"'};
        if (!site.has_hardware_page(entry->id))
            site.hardware.push_back({entry, {}});
    }
    std::ranges::stable_sort(site.hardware, {}, [](const HardwarePage& page) {
        return mul(page.hardware->device.memory_bytes, std::max(1, page.hardware->count));
    });
    return true;
}

/// The widest weights that fit, else the widest that fit tightly: what ModelSweep ranks first of a
/// model's rows, without planning all of them.
std::optional<HardwareRow> best_row(const ModelEntry& entry, EstimateRequest& request, Bytes room) {
    constexpr int fair = 3;
    // Token embeddings may stay in RAM, so a bit more than the room can fit.
    constexpr double least_resident = 0.7;
    std::optional<HardwareRow> best;
    for (const ModelEntry::Candidate& candidate : entry.candidates) {
        const report::UsualWeights& weights = candidate.weights;
        if (report::quality_rank(weights.format) > fair ||
            static_cast<double>(candidate.bytes) * least_resident > static_cast<double>(room))
            continue;
        catalog::set_model_and_weights(*entry.model, weights.artifact, weights.format, true,
                                       request);
        const MemoryPlan plan = plan_memory(request);
        const Verdict verdict = judge(request, plan).overall;
        if (verdict > (best ? Verdict::fits : Verdict::tight))
            continue;
        report::ModelRow row;
        row.model = entry.model;
        row.artifact = weights.artifact;
        row.format = weights.format;
        row.request = weights.request;
        row.parameters = entry.parameters.total();
        row.active_parameters = entry.parameters.active;
        row.figures.verdict = verdict;
        for (std::size_t i = 0; i < plan.n_devices; ++i)
            row.figures.total += plan.devices[i].total();
        row.figures.decode_tokens_per_second = decode_tokens_per_second(request, plan);
        best = {&entry, std::move(row), accelerator_bytes(plan)};
        if (verdict == Verdict::fits)
            break;
    }
    return best;
}

} // namespace

Result<PageLists> read_page_lists(std::string_view text) {
    const auto json = catalog::parse_json(text, "pages.json");
    if (!json)
        return json.error();
    PageLists lists;
    const auto pairs = json->is_object() ? json->find("pairs") : json->end();
    const auto sizes = json->is_object() ? json->find("sizes_billion") : json->end();
    bool sound = json->is_object() && pairs != json->end() && pairs->is_object() &&
                 sizes != json->end() && sizes->is_array();
    sound = sound && read_list(*json, "hardware", lists.hardware) &&
            read_list(*json, "badges", lists.badges) &&
            read_list(*pairs, "models", lists.pair_models) &&
            read_list(*pairs, "hardware", lists.pair_hardware);
    for (std::size_t i = 0; sound && i < sizes->size(); ++i) {
        sound = (*sizes)[i].is_number();
        if (sound)
            lists.sizes_billion.push_back((*sizes)[i].get<double>());
    }
    if (!sound) {
        return Error{"wrong-type", "pages.json",
                     "pages.json wants the lists hardware, badges, sizes_billion, pairs.models and "
                     "pairs.hardware"};
    }
    return lists;
}

Result<report::Locale> merged_locale(std::string_view shared, std::string_view own) {
    auto all = catalog::parse_json(shared, "locales");
    if (!all)
        return all.error();
    const auto more = catalog::parse_json(own, "locales/pages");
    if (!more)
        return more.error();
    if (!all->is_object() || !more->is_object())
        return Error{"wrong-type", "locales", "expected an object of texts"};
    all->update(*more);
    return report::Locale::read(all->dump());
}

const ModelEntry* Site::find_model(std::string_view id) const {
    const auto found = std::ranges::find_if(
        models, [id](const ModelEntry& entry) { return entry.model->id == id; });
    return found != models.end() ? &*found : nullptr;
}

bool Site::has_hardware_page(std::string_view id) const {
    return std::ranges::any_of(hardware,
                               [id](const HardwarePage& page) { return page.hardware->id == id; });
}

bool Site::has_pair(std::string_view model, std::string_view id) const {
    return contains(lists.pair_models, model) && contains(lists.pair_hardware, id);
}

Result<bool> fill_models(Site& site, unsigned jobs) {
    const std::size_t count = site.catalog.models.size();
    site.models.resize(count);
    std::vector<Error> errors(count);
    in_parallel(count, jobs, [&](std::size_t i) {
        auto entry = make_entry(site.catalog.models[i], site);
        if (entry)
            site.models[i] = std::move(*entry);
        else
            errors[i] = entry.error();
    });
    for (const Error& error : errors) {
        if (!error.code.empty())
            return error;
    }
    for (const std::string& id : site.lists.pair_models) {
        if (site.find_model(id) == nullptr)
            return Error{"unknown-model", "pages.json", "there is no model \"" + id + '"'};
    }
    fill_families(site);
    for (std::size_t size = 0; size <= site.lists.sizes_billion.size(); ++size) {
        if (std::ranges::any_of(
                site.models, [size](const ModelEntry& entry) { return entry.size_class == size; }))
            site.sizes.push_back(size);
    }
    return fill_hardware(site);
}

void fill_rows(const Site& site, HardwarePage& page) {
    Query query;
    if (!query.set(Field::hardware, page.hardware->id) ||
        !query.set(Field::n_ctx, std::to_string(sweep_context)))
        return;
    const auto resolved = catalog::resolve(query, site.catalog);
    if (!resolved)
        return;
    EstimateRequest request = resolved->request;
    const Bytes room = mul(page.hardware->device.usable_bytes, std::max(1, page.hardware->count));
    std::vector<HardwareRow> found;
    std::vector<report::ModelRow> rows;
    for (const ModelEntry& entry : site.models) {
        if (auto best = best_row(entry, request, room)) {
            rows.push_back(best->row);
            found.push_back(std::move(*best));
        }
    }
    report::sort_rows(rows, report::ModelColumn::rank, false);
    for (report::ModelRow& row : rows) {
        if (page.rows.size() < longest_list) {
            catalog::set_model_and_weights(*row.model, row.artifact, row.format, true, request);
            row.figures.max_context_tokens = max_context_tokens(request);
        }
        const auto own = std::ranges::find_if(
            found, [&row](const HardwareRow& one) { return one.row.model == row.model; });
        page.rows.push_back({own->entry, std::move(row), own->needed_bytes});
    }
}

std::string size_slug(const PageLists& lists, std::size_t size_class) {
    const auto number = [](double billions) {
        return std::to_string(static_cast<std::int64_t>(billions)) + 'b';
    };
    const auto& sizes = lists.sizes_billion;
    if (size_class == 0)
        return "up-to-" + number(sizes.front());
    if (size_class >= sizes.size())
        return "over-" + number(sizes.back());
    return number(sizes[size_class - 1]) + "-to-" + number(sizes[size_class]);
}

app::ViewModel view_of(const Site& site, const Language& language, const Query& query,
                       app::ViewMemo& memo) {
    app::UiState state;
    state.query = query;
    state.language = language.locale.language();
    const std::vector<app::Fault> faults;
    return app::build_view({state, site.catalog, language.locale, faults, &memo});
}

Bytes accelerator_bytes(const MemoryPlan& plan) {
    Bytes bytes = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        if (static_cast<std::int32_t>(i) != plan.host || plan.n_devices == 1)
            bytes = add(bytes, plan.devices[i].total().expected);
    }
    return bytes;
}

std::string hardware_name(const report::Locale& locale, const HardwareEntry& entry) {
    return entry.count <= 1 ? entry.device.name
                            : locale.format("hardware.several",
                                            {locale.integer(entry.count), entry.device.name});
}

std::string weights_name(const ModelEntry& entry) {
    if (entry.resolved.artifact != nullptr)
        return entry.resolved.artifact->name;
    return entry.resolved.quantization != nullptr ? entry.resolved.quantization->name
                                                  : std::string();
}

} // namespace vramscope::pages
