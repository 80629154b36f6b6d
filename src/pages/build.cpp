#include "pages/build.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "catalog/sha256.h"
#include "pages/address.h"
#include "pages/data_files.h"
#include "pages/documents.h"
#include "pages/drawings.h"
#include "pages/parallel.h"

namespace vramscope::pages {
namespace {

namespace fs = std::filesystem;
using catalog::Error;
using catalog::Result;

constexpr const char* record_name = ".pages";

std::optional<std::string> read(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return std::nullopt;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// Takes the files of a run from all threads.
class Folder {
public:
    explicit Folder(std::string path) : root_(std::move(path)) {}

    void add(const std::string& path, std::string_view content) {
        const fs::path file = root_ / path;
        bool written = false;
        if (!is_same(file, content)) {
            std::error_code error;
            fs::create_directories(file.parent_path(), error);
            std::ofstream stream(file, std::ios::binary | std::ios::trunc);
            stream.write(content.data(), static_cast<std::streamsize>(content.size()));
            stream.flush();
            written = true;
            if (!stream) {
                const std::scoped_lock lock(mutex_);
                failed_ = file.string();
            }
        }
        const std::scoped_lock lock(mutex_);
        files_.push_back({path, content.size()});
        report_.bytes += content.size();
        report_.written += written ? 1U : 0U;
        report_.pages += path.ends_with(".html") ? 1U : 0U;
    }

    /// Is everything still there that the last run left under this fingerprint?
    bool is_up_to_date(std::string_view fingerprint) {
        read_record();
        if (last_fingerprint_ != fingerprint || last_.empty())
            return false;
        return std::ranges::all_of(last_, [&](const Entry& entry) {
            std::error_code error;
            return fs::file_size(root_ / entry.path, error) == entry.bytes && !error;
        });
    }

    BuildReport unchanged() {
        report_.unchanged = true;
        report_.files = last_.size();
        for (const Entry& entry : last_) {
            report_.bytes += entry.bytes;
            report_.pages += entry.path.ends_with(".html") ? 1U : 0U;
        }
        return report_;
    }

    Result<BuildReport> finish(std::string_view fingerprint) {
        std::ranges::sort(files_, {}, &Entry::path);
        for (const Entry& old : last_) {
            if (std::ranges::binary_search(files_, old.path, {}, &Entry::path))
                continue;
            std::error_code error;
            report_.removed += fs::remove(root_ / old.path, error) ? 1U : 0U;
        }
        std::string record = std::string(fingerprint) + '\n';
        for (const Entry& entry : files_)
            record += std::to_string(entry.bytes) + ' ' + entry.path + '\n';
        std::ofstream stream(root_ / record_name, std::ios::binary | std::ios::trunc);
        stream << record;
        stream.flush();
        if (!stream)
            failed_ = (root_ / record_name).string();
        if (!failed_.empty())
            return Error{"unwritable-file", failed_, "cannot write " + failed_};
        report_.files = files_.size();
        return report_;
    }

private:
    struct Entry {
        std::string path;
        std::uint64_t bytes = 0;
    };

    static bool is_same(const fs::path& file, std::string_view content) {
        std::error_code error;
        if (fs::file_size(file, error) != content.size() || error)
            return false;
        return read(file) == content;
    }

    void read_record() {
        const auto record = read(root_ / record_name);
        if (!record)
            return;
        std::istringstream lines(*record);
        std::getline(lines, last_fingerprint_);
        Entry entry;
        while (lines >> entry.bytes && lines.get() == ' ' && std::getline(lines, entry.path)) {
            // A record that somebody changed must not lead out of the folder.
            if (entry.path.find("..") == std::string::npos && !entry.path.starts_with('/'))
                last_.push_back(entry);
        }
    }

    fs::path root_;
    std::mutex mutex_;
    std::vector<Entry> files_;
    std::vector<Entry> last_;
    std::string last_fingerprint_;
    std::string failed_;
    BuildReport report_;
};

/// Everything of one model: the pages of all languages share its numbers.
void build_model(const Site& site, const ModelEntry& entry, Folder& folder) {
    const catalog::Model& model = *entry.model;
    app::ViewMemo memo;
    memo.estimate = entry.estimate;
    memo.estimate_key = catalog::query_to_url(entry.query);
    folder.add(data_path(model.id), model_json(site, entry, memo));
    folder.add(picture_path(model.id, ".svg"), picture_svg(site, entry));
    for (const Language& language : site.languages) {
        folder.add(in_language(language.folder, model_path(model.id)),
                   model_page(site, language, entry, memo));
    }
    std::vector<std::string> sizes;
    const report::Locale& english = site.languages.front().locale;
    for (const std::string& id : site.lists.badges) {
        const catalog::HardwareEntry& hardware = *site.catalog.find_hardware(id);
        const std::string svg = badge_svg(badge_figures(site, entry, hardware), entry,
                                          hardware_name(english, hardware));
        folder.add(badge_path(model.id, hardware.id), svg);
        // The first device of a size stands for it: "12gb".
        const Bytes memory = mul(hardware.device.memory_bytes, std::max(1, hardware.count));
        std::string size = std::to_string(static_cast<std::int64_t>(to_gib(memory))) + "gb";
        if (std::ranges::find(sizes, size) == sizes.end()) {
            folder.add(badge_path(model.id, size), svg);
            sizes.push_back(std::move(size));
        }
    }
    for (const std::string& id : site.lists.pair_hardware) {
        const catalog::HardwareEntry& hardware = *site.catalog.find_hardware(id);
        if (!site.has_pair(model.id, hardware.id))
            continue;
        app::ViewMemo pair_memo;
        for (const Language& language : site.languages) {
            folder.add(in_language(language.folder, pair_path(model.id, hardware.id)),
                       pair_page(site, language, entry, hardware, pair_memo));
        }
    }
}

void build_lists(const Site& site, Folder& folder) {
    for (const Language& language : site.languages) {
        const auto add = [&](std::string_view path, const std::string& html) {
            folder.add(in_language(language.folder, path), html);
        };
        add(models_path, models_index(site, language));
        add(hardware_index_path, hardware_index(site, language));
        for (const Family& family : site.families)
            add(family_path(family.slug), family_page(site, language, family));
        for (const std::size_t size : site.sizes)
            add(size_path(size_slug(site.lists, size)), size_page(site, language, size));
    }
    folder.add("api/v1/models/index.json", index_json(site));
    for (const NamedFile& file : sitemap_files(site))
        folder.add(file.path, file.content);
    folder.add(site.style_name, style_sheet());
}

} // namespace

Result<BuildReport> build_pages(const BuildInput& input) {
    Folder folder(input.folder);
    if (folder.is_up_to_date(input.fingerprint))
        return folder.unchanged();
    const std::string hash = catalog::sha256(style_sheet()).substr(0, 10);
    Site site{input.catalog,
              input.languages,
              input.options,
              input.lists,
              "pages-" + hash + ".css",
              {},
              {},
              {},
              {}};
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned jobs = input.options.jobs > 0 ? input.options.jobs : cores;
    if (const auto filled = fill_models(site, jobs); !filled)
        return filled.error();
    // Devices first: each takes long, and the models fill the threads evenly to the end.
    const std::size_t n_hardware = site.hardware.size();
    in_parallel(n_hardware + site.models.size() + 1, jobs, [&](std::size_t i) {
        if (i < n_hardware) {
            HardwarePage& page = site.hardware[i];
            fill_rows(site, page);
            for (const Language& language : site.languages) {
                folder.add(in_language(language.folder, hardware_path(page.hardware->id)),
                           hardware_page(site, language, page));
            }
        } else if (i == n_hardware) {
            build_lists(site, folder);
        } else {
            build_model(site, site.models[i - n_hardware - 1], folder);
        }
    });
    return folder.finish(input.fingerprint);
}

} // namespace vramscope::pages
