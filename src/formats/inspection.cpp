#include "formats/inspection.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"
#include "formats/gguf_architecture.h"
#include "formats/inspection_parts.h"
#include "formats/split_names.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::Json;
using catalog::Result;

namespace {

/// Python writes Infinity and NaN into configs, which are no JSON; none of them is a value we read.
std::string without_infinities(std::string_view text) {
    std::string clean(text);
    bool in_text = false;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        if (in_text) {
            in_text = clean[i] != '"';
            if (clean[i] == '\\')
                ++i;
            continue;
        }
        in_text = clean[i] == '"';
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
            if (std::string_view(clean).substr(i).starts_with(word)) {
                clean.replace(
                    i, word.size(),
                    "null" + std::string(word.size() - std::min<std::size_t>(word.size(), 4), ' '));
                break;
            }
        }
    }
    return clean;
}

} // namespace

std::string_view name(FileKind kind) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"model", "projector", "adapter", "other", "safetensors", "safetensors index", "config"});
    return names[static_cast<std::size_t>(kind)];
}

std::string without_folders(const std::string& path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

InspectedFile describe(const GgufHeader& header, const std::string& name, FileKind kind,
                       std::uint64_t bytes) {
    std::string detail = "GGUF v" + std::to_string(header.version);
    if (header.big_endian)
        detail += ", big endian";
    return {name,
            kind,
            known_bytes(bytes),
            tensor_bytes(header.tensors),
            tensor_elements(header.tensors),
            static_cast<std::int64_t>(header.tensors.size()),
            detail};
}

void note_short_file(std::uint64_t bytes, std::uint64_t needed, const std::string& name,
                     std::vector<std::string>& notes) {
    if (bytes != unknown_size && bytes < needed) {
        notes.push_back(name + " is " + std::to_string(needed - bytes) +
                        " bytes shorter than its tensors: the download is incomplete.");
    }
}

void TensorGroups::add(std::string_view name, const FileTensor& tensor) {
    TensorGroup& group = groups_[std::string(name)];
    ++group.tensors;
    group.parameters = vramscope::add(group.parameters, tensor.elements());
    group.bytes = vramscope::add(group.bytes, tensor.bytes);
}

std::vector<TensorGroup> TensorGroups::sorted() {
    std::vector<TensorGroup> list;
    for (auto& [name, group] : groups_) {
        group.name = name;
        list.push_back(std::move(group));
    }
    std::sort(list.begin(), list.end(), [](const TensorGroup& a, const TensorGroup& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    return list;
}

void Inspector::add(GgufHeader header, std::string name, std::uint64_t file_bytes) {
    const GgufKind kind = kind_of(header);
    // The first part of a split file may have metadata only.
    auto& target = kind == GgufKind::projector                                    ? projectors_
                   : kind == GgufKind::adapter                                    ? adapters_
                   : kind == GgufKind::model || header.integer("split.count") > 1 ? models_
                                                                                  : others_;
    target.push_back({std::move(header), std::move(name), file_bytes});
}

void Inspector::add(SafetensorsHeader header, std::string name, std::uint64_t file_bytes) {
    shards_.push_back({std::move(header), std::move(name), file_bytes});
}

Result<FileKind> Inspector::add_json(std::string_view original, std::string name) {
    const std::string text = without_infinities(original);
    const Result<Json> json = catalog::parse_json(text, name);
    if (!json) {
        Error error = json.error();
        error.message = name + " " + error.message;
        return error;
    }
    if (!json->is_object()) {
        return Error{"invalid-config", name,
                     name + ": expected an object, got " + catalog::describe(*json)};
    }
    if (json->contains("weight_map")) {
        Result<SafetensorsIndex> index = read_safetensors_index(text, name);
        if (!index)
            return index.error();
        index_ = std::move(*index);
        index_name_ = std::move(name);
        return FileKind::safetensors_index;
    }
    if (json->contains("quantization") && (*json)["quantization"].is_object() &&
        (*json)["quantization"].contains("quant_algo")) {
        quant_config_ = text;
        return FileKind::config;
    }
    const bool config = json->contains("model_type") || json->contains("text_config") ||
                        json->contains("architectures") || json->contains("hidden_size") ||
                        json->contains("n_embd") || json->contains("d_model") ||
                        json->contains("llm_config");
    if (!config) {
        return Error{"unknown-json", name,
                     name + " is neither a config.json (no model_type) nor a safetensors index "
                            "(no weight_map)"};
    }
    if (!config_.empty()) {
        return Error{"two-configs", name,
                     name + " is a second config beside " + config_name_ + "; give one model"};
    }
    config_ = text;
    config_name_ = std::move(name);
    return FileKind::config;
}

std::vector<std::string> Inspector::wanted_files() const {
    std::vector<std::string> wanted;
    const auto has = [&](const auto& list, std::string_view file) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& given) { return without_folders(given.name) == file; });
    };
    if (index_) {
        for (const std::string& file : index_->files) {
            if (!has(shards_, without_folders(file)))
                wanted.push_back(file);
        }
    }
    for (const Gguf& model : models_) {
        const std::string own = without_folders(model.name);
        const SplitName split = split_name(own);
        for (std::int32_t part = 1; part <= split.parts && split.parts <= 1000; ++part) {
            std::string other = part_name(split, part);
            if (split.parts > 1 && !has(models_, other) &&
                std::find(wanted.begin(), wanted.end(), other) == wanted.end()) {
                wanted.push_back(std::move(other));
            }
        }
    }
    return wanted;
}

void Inspector::add_projectors(Inspection& out) {
    for (const Gguf& file : projectors_) {
        out.files.push_back(describe(file.header, file.name, FileKind::gguf_projector, file.bytes));
        note_short_file(file.bytes, file.header.data_end, file.name, out.notes);
        out.projector_bytes =
            vramscope::add(out.projector_bytes, tensor_bytes(file.header.tensors));
        if (out.architecture) {
            for (Tower& tower : read_projector(file.header))
                out.architecture->towers.push_back(std::move(tower));
        }
    }
    for (const Gguf& file : adapters_) {
        out.files.push_back(describe(file.header, file.name, FileKind::gguf_adapter, file.bytes));
        note_short_file(file.bytes, file.header.data_end, file.name, out.notes);
        out.adapter_bytes = vramscope::add(out.adapter_bytes, tensor_bytes(file.header.tensors));
        out.adapter_parameters =
            vramscope::add(out.adapter_parameters, tensor_elements(file.header.tensors));
        const std::string_view base = file.header.architecture();
        if (!models_.empty() && base != out.architecture_name) {
            out.notes.push_back(file.name + " adapts the architecture \"" + shown(base) +
                                "\", the model is \"" + shown(out.architecture_name) + "\".");
        }
    }
    for (const Gguf& file : others_) {
        out.files.push_back(describe(file.header, file.name, FileKind::gguf_other, file.bytes));
        std::string_view type = file.header.text("general.type");
        if (type.empty())
            type = file.header.architecture();
        out.notes.push_back(file.name + " holds no model but " +
                            (file.header.tensors.empty() ? "a vocabulary" : shown(type)) + ".");
    }
}

Result<Inspection> Inspector::result() {
    Inspection out;
    if (!models_.empty() && (!shards_.empty() || index_)) {
        return Error{"two-models", models_.front().name,
                     "a GGUF and safetensors files are two models; inspect one at a time"};
    }
    if (!models_.empty()) {
        const Result<bool> sound = inspect_gguf(out);
        if (!sound)
            return sound.error();
    } else if (!shards_.empty() || index_) {
        inspect_safetensors(out);
        if (!config_.empty())
            inspect_config(out);
    } else if (!config_.empty()) {
        inspect_config(out);
    } else if (projectors_.empty() && adapters_.empty() && others_.empty()) {
        return Error{"no-files", "files", "there is no file to inspect"};
    }
    add_projectors(out);
    for (const InspectedFile& file : out.files) {
        if (file.kind == FileKind::gguf_model || file.kind == FileKind::safetensors)
            out.file_bytes = vramscope::add(out.file_bytes, file.bytes);
    }
    if (out.format.empty())
        out.format = "gguf";
    if (out.name.empty() && !out.files.empty()) {
        const std::string file = without_folders(out.files.front().name);
        out.name = std::string(split_name(file).stem);
        const std::size_t dot = out.name.rfind('.');
        if (dot != std::string::npos && out.name.size() - dot <= 12)
            out.name.resize(dot);
    }
    out.name = shown(out.name, 80);
    out.hf_repo = shown(out.hf_repo, 120);
    out.license = shown(out.license, 60);
    out.architecture_name = shown(out.architecture_name);
    return out;
}

} // namespace vramscope::formats
