#include "cli/model_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "catalog/inline_model.h"
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
    return text.ends_with(".gguf") || text.ends_with(".safetensors") || text.ends_with(".json");
}

Result<formats::Inspection> inspect_files(const std::vector<std::string>& paths,
                                          const StorageTypeTable& types) {
    Collector collector(types);
    for (const std::string& path : paths) {
        if (auto fault = collector.add(path))
            return *fault;
    }
    if (auto fault = collector.complete())
        return *fault;
    return collector.result();
}

} // namespace vramscope::cli
