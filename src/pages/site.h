// The static site: what its pages share.
//
// Numbers come once per model or device and are the same in all languages; pages are then made from
// them, and from the view model of the simulator (app/view_model.h), independently of each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/view_model.h"
#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "core/engines/engine.h"
#include "core/estimate.h"
#include "core/tensors.h"
#include "report/locale.h"
#include "report/sweep.h"

namespace vramscope::pages {

struct Language {
    std::string folder; ///< "" for the first one, which also serves readers of all others
    report::Locale locale;
};

/// catalog/pages.json: which pages there are beside those of the models.
struct PageLists {
    std::vector<std::string> hardware;    ///< "what runs on it"; those of tables come on top
    std::vector<std::string> badges;      ///< devices with a badge per model
    std::vector<double> sizes_billion;    ///< upper ends of the classes of model sizes
    std::vector<std::string> pair_models; ///< pages of one model on one device
    std::vector<std::string> pair_hardware;
};
catalog::Result<PageLists> read_page_lists(std::string_view json);

/// The application's texts of a language and the pages' own, as one; keys of the latter begin with
/// "pages.".
catalog::Result<report::Locale> merged_locale(std::string_view shared, std::string_view own);

struct SiteOptions {
    std::string base_url;      ///< with a slash at its end
    std::string repo_url;      ///< may be empty
    bool png_pictures = false; ///< pictures/*.png will lie beside pictures/*.svg
    unsigned jobs = 0;         ///< threads; 0: as many as the machine has cores
};

/// A model with the request that its page answers: weights of the default format, up to 32,768
/// tokens, on the smallest class of hardware with room to spare.
struct ModelEntry {
    const catalog::Model* model = nullptr;
    const catalog::HardwareEntry* hardware = nullptr;
    catalog::Query query;
    catalog::ResolvedRequest resolved;
    Estimate estimate;
    ParameterCount parameters;
    std::int64_t native_context = 0; ///< with the published extension
    std::int64_t context = 0;
    Bytes needed_bytes = 0; ///< on the accelerators together, what the host holds not counted
    std::string family;     ///< slug
    std::size_t size_class = 0;
    /// Weights that people try on a device, best first: damaged ones last, then the widest; with
    /// their size.
    struct Candidate {
        report::UsualWeights weights;
        Bytes bytes = 0;
    };
    std::vector<Candidate> candidates;
};

struct Family {
    std::string slug;
    std::string name;
    std::vector<const ModelEntry*> models; ///< largest last
};

/// A model on a device with the best weights that fit there.
struct HardwareRow {
    const ModelEntry* entry = nullptr;
    report::ModelRow row;
    Bytes needed_bytes = 0; ///< on the device
};
struct HardwarePage {
    const catalog::HardwareEntry* hardware = nullptr;
    std::vector<HardwareRow> rows; ///< best first; the largest context of the first ones only
};

struct Site {
    const catalog::Catalog& catalog;
    const std::vector<Language>& languages;
    const SiteOptions& options;
    const PageLists& lists;
    std::string style_name; ///< with its content's hash
    std::vector<ModelEntry> models;
    std::vector<Family> families;
    std::vector<std::size_t> sizes; ///< classes that have models
    std::vector<HardwarePage> hardware;

    const ModelEntry* find_model(std::string_view id) const;
    bool has_hardware_page(std::string_view id) const;
    bool has_pair(std::string_view model, std::string_view hardware) const;
};

/// Tokens for which "what runs on it" is asked.
inline constexpr std::int64_t sweep_context = 8192;
inline constexpr std::int64_t page_context = 32768;
/// The longest list of a device's page: all that fit on a large one would be most of the catalog.
inline constexpr std::size_t longest_list = 100;

/// Numbers of all models, and which hardware has a page (still without rows).
catalog::Result<bool> fill_models(Site& site, unsigned jobs);
/// What runs on a device: every model at most once, best first.
void fill_rows(const Site& site, HardwarePage& page);

/// The slug's class of sizes: "up-to-2b", "2b-to-5b", "over-400b".
std::string size_slug(const PageLists& lists, std::size_t size_class);

/// The simulator's view of a query; `memo` spares work between languages.
app::ViewModel view_of(const Site& site, const Language& language, const catalog::Query& query,
                       app::ViewMemo& memo);

/// Expected bytes of a plan on its accelerators together; on the host when there are none.
Bytes accelerator_bytes(const MemoryPlan& plan);

/// "2 × H100 80GB": a device or preset as people name it.
std::string hardware_name(const report::Locale& locale, const catalog::HardwareEntry& entry);
/// Names of the weights of an entry: "GGUF Q4_K_M (Unsloth)", "Q4_K_M".
std::string weights_name(const ModelEntry& entry);

} // namespace vramscope::pages
