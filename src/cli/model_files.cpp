#include "cli/model_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "catalog/inline_model.h"
#include "cli/catalog_files.h"
#include "cli/remote_files.h"
#include "core/ascii.h"
#include "formats/intake.h"
#include "formats/split_names.h"

namespace vramscope::cli {

namespace fs = std::filesystem;
using catalog::Error;
using catalog::Result;
using formats::ByteRequest;
using formats::ReadState;

namespace {

constexpr std::size_t chunk_bytes = 256 * 1024;

/// Feeds a reader with what it asks for.
void read_header(formats::Intake& reader, std::ifstream& stream) {
    std::vector<unsigned char> chunk;
    while (reader.state() == ReadState::wants_bytes) {
        const ByteRequest wanted = reader.wanted();
        chunk.resize(std::min(std::max(wanted.bytes, chunk_bytes), std::size_t{8} << 20U));
        stream.clear();
        stream.seekg(static_cast<std::streamoff>(wanted.offset));
        stream.read(reinterpret_cast<char*>(chunk.data()),
                    static_cast<std::streamsize>(chunk.size()));
        const std::streamsize got = stream.gcount();
        if (got <= 0) {
            reader.finish();
            return;
        }
        reader.feed({chunk.data(), static_cast<std::size_t>(got)});
    }
}

class Collector {
public:
    explicit Collector(const StorageTypeTable& types) : types_(types), inspector_(types) {}

    std::optional<Error> add(const fs::path& path) {
        std::error_code error;
        if (fs::is_directory(path, error))
            return add_folder(path);
        if (!fs::exists(path, error)) {
            return Error{"unreadable-file", path.string(), "there is no file " + path.string()};
        }
        // The same file by two names counts once.
        if (!seen_.insert(fs::weakly_canonical(path, error).string()).second)
            return std::nullopt;
        std::ifstream stream(path, std::ios::binary);
        const std::uintmax_t bytes = fs::file_size(path, error);
        if (!stream || error)
            return Error{"unreadable-file", path.string(), "cannot read " + path.string()};
        formats::Intake intake(types_, path.string(), bytes);
        read_header(intake, stream);
        if (intake.state() != ReadState::done)
            return intake.error();
        const Result<formats::FileKind> kind = intake.give_to(inspector_);
        if (!kind)
            return kind.error();
        return place(path, *kind);
    }

    /// A repository or a file behind a link, and what belongs to it.
    std::optional<Error> add_link(const std::string& text) {
        const Result<formats::Hubs> hubs = load_hubs();
        if (!hubs)
            return hubs.error();
        Result<formats::Link> link = formats::read_link(text, *hubs);
        if (!link)
            return link.error();
        std::vector<formats::RemoteFile> files = link->files;
        if (!link->list_url.empty()) {
            const Result<std::string> list = remote_text(link->list_url, link->accept);
            if (!list)
                return list.error();
            const auto choices = formats::read_choices(*list, *link, *hubs);
            if (!choices)
                return choices.error();
            const formats::RemoteChoice* choice = formats::picked(*choices, *link);
            if (choice == nullptr)
                return which_one(*choices, *link);
            files = choice->files;
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (auto fault = add_remote(files[i]))
                return fault;
            // An index names its shards, which lie beside it.
            const std::string& url = files[i].url;
            for (const std::string& file : inspector_.wanted_files()) {
                const bool known = std::any_of(files.begin(), files.end(), [&](const auto& other) {
                    return other.name == file;
                });
                if (!known)
                    files.push_back({file, url.substr(0, url.rfind('/') + 1) + file, -1, false});
            }
        }
        return std::nullopt;
    }

    /// Configs beside checkpoints, parts and shards that others name.
    std::optional<Error> complete() {
        for (int round = 0; round < 2; ++round) {
            for (const std::string& file : inspector_.wanted_files()) {
                std::error_code error;
                const fs::path path = folder_ / file;
                if (!fs::exists(path, error))
                    continue;
                if (auto fault = add(path))
                    return fault;
            }
        }
        if (!has_checkpoint_)
            return std::nullopt;
        for (const char* beside : {"config.json", "hf_quant_config.json"}) {
            std::error_code error;
            const fs::path path = folder_ / beside;
            const bool mine = has_config_ && std::string_view(beside) == "config.json";
            if (mine || !fs::exists(path, error))
                continue;
            if (auto fault = add(path))
                return fault;
        }
        return std::nullopt;
    }

    Result<formats::Inspection> result() { return inspector_.result(); }

private:
    static Error which_one(const std::vector<formats::RemoteChoice>& choices,
                           const formats::Link& link) {
        std::string message = link.repo + " holds several models; pick one:";
        for (const formats::RemoteChoice& choice : choices) {
            const bool own = choice.kind == "gguf" || choice.kind == "safetensors";
            if (own)
                message += "\n  " + link.repo + ":" + choice.label + "  (" +
                           std::to_string(choice.bytes / 1000000) + " MB)";
        }
        return {"several-models", "link", message};
    }

    std::optional<Error> add_remote(const formats::RemoteFile& file) {
        if (!seen_.insert(file.url).second)
            return std::nullopt;
        RemoteReader remote(file.url);
        Result<std::string> first = remote.read(0, chunk_bytes);
        if (!first) {
            const bool left_out = file.optional && first.error().code == "missing";
            return left_out ? std::optional<Error>() : first.error();
        }
        formats::Intake intake(types_, file.name, remote.size().value_or(formats::unknown_size));
        while (intake.state() == ReadState::wants_bytes) {
            const ByteRequest wanted = intake.wanted();
            std::string piece;
            if (wanted.offset < first->size()) {
                piece = first->substr(static_cast<std::size_t>(wanted.offset));
            } else {
                Result<std::string> read =
                    remote.read(wanted.offset, std::min(std::max(wanted.bytes, chunk_bytes * 8),
                                                        std::size_t{8} << 20U));
                if (!read)
                    return read.error();
                piece = std::move(*read);
            }
            if (piece.empty())
                intake.finish();
            else
                intake.feed({reinterpret_cast<const unsigned char*>(piece.data()), piece.size()});
        }
        if (intake.state() != ReadState::done)
            return intake.error();
        const Result<formats::FileKind> kind = intake.give_to(inspector_);
        return kind ? std::optional<Error>() : kind.error();
    }

    std::optional<Error> add_folder(const fs::path& folder) {
        std::error_code error;
        std::vector<fs::path> weights;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const fs::path& path = entry.path();
            if (path.extension() == ".safetensors" || path.extension() == ".gguf")
                weights.push_back(path);
        }
        std::sort(weights.begin(), weights.end());
        const fs::path config = folder / "config.json";
        if (weights.empty() && !fs::exists(config, error)) {
            return Error{"no-model", folder.string(),
                         folder.string() + " holds no .gguf, .safetensors or config.json"};
        }
        if (const fs::path index = folder / "model.safetensors.index.json";
            fs::exists(index, error)) {
            if (auto fault = add(index))
                return fault;
            weights.clear();
        }
        for (const fs::path& path : weights) {
            if (auto fault = add(path))
                return fault;
        }
        if (weights.empty() || weights.front().extension() != ".gguf") {
            if (fs::exists(config, error))
                return add(config);
        }
        return std::nullopt;
    }

    /// Remembers where the files lie, and takes the other shards of a checkpoint along.
    std::optional<Error> place(const fs::path& path, formats::FileKind kind) {
        using formats::FileKind;
        if (kind == FileKind::config) {
            has_config_ = has_config_ || path.filename() != "hf_quant_config.json";
            return std::nullopt;
        }
        folder_ = path.parent_path();
        has_checkpoint_ =
            has_checkpoint_ || kind == FileKind::safetensors_index || kind == FileKind::safetensors;
        if (kind != FileKind::safetensors)
            return std::nullopt;
        const std::string own_name = path.filename().string();
        const formats::SplitName split = formats::split_name(own_name);
        for (std::int32_t part = 1; part <= split.parts && split.parts <= 1000; ++part) {
            std::error_code error;
            const fs::path other = folder_ / formats::part_name(split, part);
            if (split.parts == 1 || part == split.part || !fs::exists(other, error))
                continue;
            if (auto fault = add(other))
                return fault;
        }
        return std::nullopt;
    }

    const StorageTypeTable& types_;
    formats::Inspector inspector_;
    std::set<std::string> seen_;
    fs::path folder_;
    bool has_config_ = false;
    bool has_checkpoint_ = false;
};

} // namespace

bool names_a_file(const std::string& text) {
    if (text.empty() || catalog::is_inline_model(text))
        return false;
    std::error_code error;
    if (fs::exists(text, error))
        return true;
    if (text.find("://") != std::string::npos)
        return false;
    return text.ends_with(".gguf") || text.ends_with(".safetensors") || text.ends_with(".json");
}

bool names_a_link(const std::string& text) {
    if (text.empty() || catalog::is_inline_model(text))
        return false;
    for (const char* start :
         {"https://", "http://", "hf:", "ollama:", "hf.co/", "huggingface.co/", "ollama.com/"}) {
        if (ascii::starts_with_ignoring_case(text, start))
            return true;
    }
    const std::size_t slash = text.find('/');
    return slash != std::string::npos && slash > 0 && slash + 1 < text.size() &&
           text.find('/', slash + 1) == std::string::npos && text.front() != '.' &&
           text.find_first_of(" \\") == std::string::npos;
}

Result<formats::Hubs> load_hubs() {
    std::vector<std::string> places;
    if (const char* given = std::getenv("VRAMSCOPE_HUBS"))
        places.emplace_back(given);
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    places.push_back((program.parent_path() / "hubs.json").string());
    if (const Result<std::string> sources = find_source_folder({}))
        places.push_back(*sources + "/hubs.json");
    for (const std::string& place : places) {
        if (const auto text = read_file(place))
            return formats::read_hubs(*text);
    }
    return Error{"missing-catalog", "hubs", "there is no hubs.json beside the program"};
}

Result<formats::Inspection> inspect_files(const std::vector<std::string>& paths,
                                          const StorageTypeTable& types) {
    Collector collector(types);
    for (const std::string& path : paths) {
        const bool link = !names_a_file(path) && names_a_link(path);
        if (auto fault = link ? collector.add_link(path) : collector.add(path))
            return *fault;
    }
    if (auto fault = collector.complete())
        return *fault;
    return collector.result();
}

} // namespace vramscope::cli
