#include "formats/inspection.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"
#include "formats/ggml_types.h"
#include "formats/gguf_architecture.h"
#include "formats/gguf_tensor_names.h"
#include "formats/hf_config.h"
#include "formats/split_names.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::Json;
using catalog::JsonFaults;
using catalog::JsonReader;
using catalog::Result;

namespace {

Bytes known_bytes(std::uint64_t bytes) {
    return bytes == unknown_size ? 0 : static_cast<Bytes>(bytes);
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

/// Sums by name, largest first.
class Groups {
public:
    void add(std::string_view name, const FileTensor& tensor) {
        TensorGroup& group = groups_[std::string(name)];
        ++group.tensors;
        group.parameters = vramscope::add(group.parameters, tensor.elements());
        group.bytes = vramscope::add(group.bytes, tensor.bytes);
    }
    std::vector<TensorGroup> sorted() {
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

private:
    std::map<std::string, TensorGroup> groups_;
};

/// Groups that a person can read, out of roles.
std::string_view group_name(TensorRole role) {
    switch (role) {
    case TensorRole::token_embd:
    case TensorRole::position_embd:
        return "embeddings";
    case TensorRole::per_layer_token_embd:
    case TensorRole::per_layer_model_proj:
    case TensorRole::per_layer_proj_norm:
    case TensorRole::per_layer_gate:
        return "per-layer embeddings";
    case TensorRole::output:
        return "output head";
    case TensorRole::norm:
    case TensorRole::output_norm:
    case TensorRole::token_embd_norm:
    case TensorRole::bias:
    case TensorRole::rope_factors:
        return "norms and biases";
    case TensorRole::ffn_gate:
    case TensorRole::ffn_up:
    case TensorRole::ffn_down:
    case TensorRole::channel_mix:
        return "feed-forward";
    case TensorRole::ffn_gate_exps:
    case TensorRole::ffn_up_exps:
    case TensorRole::ffn_down_exps:
    case TensorRole::ffn_gate_up_exps:
    case TensorRole::ffn_exps_bias:
        return "experts";
    case TensorRole::ffn_gate_shexp:
    case TensorRole::ffn_up_shexp:
    case TensorRole::ffn_down_shexp:
    case TensorRole::ffn_gate_inp_shexp:
        return "shared experts";
    case TensorRole::ffn_gate_inp:
    case TensorRole::ffn_gate_tid2eid:
    case TensorRole::ffn_latent:
        return "routers";
    case TensorRole::nextn:
    case TensorRole::nextn_embd:
        return "multi-token prediction";
    case TensorRole::ssm_in:
    case TensorRole::ssm_out:
    case TensorRole::ssm_conv1d:
    case TensorRole::ssm_small:
    case TensorRole::ssm_x:
    case TensorRole::ssm_dt:
    case TensorRole::ssm_beta_alpha:
    case TensorRole::ssm_low_rank:
    case TensorRole::shortconv_in:
    case TensorRole::shortconv_out:
    case TensorRole::shortconv_conv:
    case TensorRole::time_mix:
        return "state space and convolution";
    case TensorRole::altup:
    case TensorRole::hyper_connection:
        return "residual streams";
    case TensorRole::count_:
        return "not known";
    default:
        return "attention";
    }
}

std::string lower(std::string_view text) {
    std::string made(text);
    for (char& c : made)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return made;
}

std::string without_folders(const std::string& path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

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

constexpr bool near(std::int64_t a, std::int64_t b) {
    return a > b - b / 200 && a < b + b / 200;
}

} // namespace

std::string_view name(FileKind kind) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"model", "projector", "adapter", "other", "safetensors", "safetensors index", "config"});
    return names[static_cast<std::size_t>(kind)];
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

void Inspector::find_recipe(Inspection& out, std::int64_t file_type, bool importance_matrix) const {
    if (!out.architecture)
        return;
    const auto gives = [&](Mixture mixture, bool matrix) {
        return mixture_bytes(*out.architecture, mixture, matrix, types_) == out.tensor_bytes;
    };
    const Mixture stated = mixture_from_file_type(file_type & ~std::int64_t{1024});
    out.mixture = stated;
    if (stated != Mixture::count_ &&
        (gives(stated, importance_matrix) || gives(stated, true) || gives(stated, false))) {
        out.recipe_exact = true;
        return;
    }
    for (int i = 0; i < static_cast<int>(Mixture::count_); ++i) {
        const auto mixture = static_cast<Mixture>(i);
        if (gives(mixture, false) || gives(mixture, true)) {
            out.mixture = mixture;
            out.recipe_exact = true;
            return;
        }
    }
    if (stated != Mixture::count_)
        return;
    // A mix of its own: the usual one of the closest size stands for how layers compare.
    Bytes closest = bytes_limit;
    for (int i = 0; i < static_cast<int>(Mixture::count_); ++i) {
        const Bytes bytes =
            mixture_bytes(*out.architecture, static_cast<Mixture>(i), false, types_);
        const Bytes distance =
            bytes > out.tensor_bytes ? bytes - out.tensor_bytes : out.tensor_bytes - bytes;
        if (bytes > 0 && distance < closest) {
            closest = distance;
            out.mixture = static_cast<Mixture>(i);
        }
    }
}

Result<bool> Inspector::inspect_gguf(Inspection& out) {
    std::sort(models_.begin(), models_.end(), [](const Gguf& a, const Gguf& b) {
        const std::int64_t first = a.header.integer("split.no");
        const std::int64_t second = b.header.integer("split.no");
        return std::tie(first, a.name) < std::tie(second, b.name);
    });
    const std::int64_t parts = models_.front().header.integer("split.count", 1);
    if (parts <= 1 && models_.size() > 1) {
        return Error{"two-models", models_[1].name,
                     models_[0].name + " and " + models_[1].name +
                         " are two models; inspect one at a time"};
    }
    out.format = "gguf";
    for (const Gguf& model : models_) {
        out.files.push_back(describe(model.header, model.name, FileKind::gguf_model, model.bytes));
        note_short_file(model.bytes, model.header.data_end, model.name, out.notes);
        if (model.header.integer("split.count", 1) != parts) {
            return Error{"mixed-parts", model.name,
                         model.name + " is not a part of the same file as " + models_[0].name};
        }
    }
    for (std::size_t i = 1; i < models_.size(); ++i) {
        if (models_[i].header.integer("split.no") == models_[i - 1].header.integer("split.no")) {
            return Error{"twice-the-same-part", models_[i].name,
                         models_[i].name + " is a part that was given already"};
        }
    }
    GgufHeader whole = std::move(models_.front().header);
    for (std::size_t i = 1; i < models_.size(); ++i) {
        auto& more = models_[i].header.tensors;
        whole.tensors.insert(whole.tensors.end(), std::make_move_iterator(more.begin()),
                             std::make_move_iterator(more.end()));
    }
    out.complete = parts <= 1 || static_cast<std::int64_t>(models_.size()) == parts;
    if (!out.complete) {
        out.notes.push_back("This is " + std::to_string(models_.size()) + " of " +
                            std::to_string(parts) +
                            " parts; bytes and parameters are those of the given parts only.");
    }
    const std::int64_t claimed = whole.integer("split.tensors.count");
    if (out.complete && claimed > 0 && claimed != static_cast<std::int64_t>(whole.tensors.size())) {
        out.notes.push_back("The first part claims " + std::to_string(claimed) +
                            " tensors, the parts have " + std::to_string(whole.tensors.size()) +
                            ".");
    }
    Groups types;
    Groups roles;
    for (const FileTensor& tensor : whole.tensors) {
        types.add(tensor.type_name, tensor);
        roles.add(group_name(role_of(place_of(tensor.name))), tensor);
    }
    out.types = types.sorted();
    out.roles = roles.sorted();
    out.name = whole.text("general.name");
    out.hf_repo = whole.text("general.source.huggingface.repository");
    out.license = whole.text("general.license");
    out.architecture_name = whole.architecture();
    out.parameters = tensor_elements(whole.tensors);
    out.tensor_bytes = tensor_bytes(whole.tensors);
    ShapeReading shape = read_gguf_architecture(whole);
    out.architecture = std::move(shape.architecture);
    out.shape_equals_table = out.architecture && shape.missing.empty();
    out.notes.insert(out.notes.end(), shape.missing.begin(), shape.missing.end());
    const bool matrix = whole.find("quantize.imatrix.file") != nullptr;
    find_recipe(out, whole.integer("general.file_type", -1), matrix);
    if (out.mixture != Mixture::count_) {
        out.quantization = lower(vramscope::name(out.mixture));
        if (out.quantization == "f16")
            out.quantization = "fp16";
        out.quantization_name = vramscope::name(out.mixture);
        if (!out.recipe_exact)
            out.quantization_name += ", a mix of its own";
    }
    return true;
}

void Inspector::inspect_safetensors(Inspection& out) {
    out.format = "safetensors";
    std::sort(shards_.begin(), shards_.end(),
              [](const Shard& a, const Shard& b) { return a.name < b.name; });
    std::vector<FileTensor> tensors;
    for (Shard& shard : shards_) {
        out.files.push_back(
            {shard.name, FileKind::safetensors, known_bytes(shard.bytes),
             tensor_bytes(shard.header.tensors), tensor_elements(shard.header.tensors),
             static_cast<std::int64_t>(shard.header.tensors.size()), "safetensors"});
        note_short_file(shard.bytes, shard.header.data_end, shard.name, out.notes);
        if (shard.header.made_by == "mlx")
            out.format = "mlx";
        auto& more = shard.header.tensors;
        tensors.insert(tensors.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    }
    Groups types;
    for (const FileTensor& tensor : tensors)
        types.add(tensor.type_name, tensor);
    out.types = types.sorted();
    out.tensor_bytes = tensor_bytes(tensors);

    StoredQuantization quantization;
    JsonFaults faults;
    if (!config_.empty()) {
        if (const auto json = catalog::parse_json(config_, config_name_))
            quantization = read_quantization_config(JsonReader(*json, config_name_, faults));
    }
    if (!quant_config_.empty()) {
        if (const auto json = catalog::parse_json(quant_config_, "hf_quant_config.json"))
            read_modelopt_config(JsonReader(*json, "hf_quant_config.json", faults), quantization);
    }
    detect_packing(tensors, quantization);
    if (quantization.packing == Packing::mlx)
        out.format = "mlx";
    if (quantization.packing == Packing::exl2 || quantization.packing == Packing::exl3)
        out.format = quantization.packing == Packing::exl2 ? "exl2" : "exl3";
    out.quantization = quantization.catalog_id();
    out.quantization_name = quantization.name();
    out.parameters = count_unpacked(tensors, quantization);
    if (quantization.packing == Packing::hqq || quantization.packing == Packing::unknown ||
        quantization.packing == Packing::exl2) {
        out.notes.push_back("How " + out.quantization_name +
                            " packs its weights is not known exactly; the parameter count is an "
                            "estimate, the bytes are exact.");
    }
    std::vector<std::string> missing = wanted_files();
    const SplitName split =
        split_name(shards_.empty() ? std::string_view() : std::string_view(shards_.front().name));
    const auto given = static_cast<std::int64_t>(shards_.size());
    if (missing.empty() && split.parts > given)
        missing.resize(static_cast<std::size_t>(split.parts - given));
    if (!shards_.empty() && !missing.empty()) {
        out.complete = false;
        out.notes.push_back("Missing are " + std::to_string(missing.size()) + " of " +
                            std::to_string(given + static_cast<std::int64_t>(missing.size())) +
                            " shards; bytes and parameters are those of the given ones only.");
    }
    if (index_) {
        out.files.push_back({index_name_, FileKind::safetensors_index, 0, index_->total_bytes,
                             index_->total_parameters,
                             static_cast<std::int64_t>(index_->tensors.size()),
                             std::to_string(index_->files.size()) + " shards"});
        if (shards_.empty()) {
            out.tensor_bytes = index_->total_bytes;
            out.parameters = index_->total_parameters;
            std::vector<FileTensor> names(index_->tensors.size());
            for (std::size_t i = 0; i < names.size(); ++i)
                names[i].name = index_->tensors[i].first;
            detect_packing(names, quantization);
            out.quantization = quantization.catalog_id();
            out.quantization_name = quantization.name();
        } else if (missing.empty() && index_->total_bytes > 0 &&
                   index_->total_bytes != out.tensor_bytes) {
            out.notes.push_back("The index states " + std::to_string(index_->total_bytes) +
                                " bytes, the shards have " + std::to_string(out.tensor_bytes) +
                                ".");
        }
    }
    if (config_.empty()) {
        out.notes.push_back("A safetensors file does not say what its tensors make; give its "
                            "config.json too. Only the weights are known.");
    }
}

void Inspector::inspect_config(Inspection& out) {
    const auto json = catalog::parse_json(config_, config_name_);
    if (!json)
        return;
    JsonFaults faults;
    const JsonReader reader(*json, config_name_, faults);
    ConfigReading reading = read_hf_config(reader);
    out.architecture_name = reading.model_type;
    if (out.name.empty())
        out.name = reading.name;
    if (out.hf_repo.empty() && reading.name.find('/') != std::string::npos)
        out.hf_repo = reading.name;
    out.files.push_back(
        {config_name_, FileKind::config, 0, 0, 0, 0, "model_type " + reading.model_type});
    for (const Error& fault : faults.errors) { // a key is read once per layer
        std::string note = fault.where + " " + fault.message + ".";
        if (std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end())
            out.notes.push_back(std::move(note));
    }
    out.notes.insert(out.notes.end(), reading.missing.begin(), reading.missing.end());
    out.architecture = std::move(reading.architecture);
    if (out.format.empty()) {
        out.format = "config";
        JsonFaults ignored;
        const StoredQuantization quantization =
            read_quantization_config(JsonReader(*json, config_name_, ignored));
        out.quantization = quantization.catalog_id();
        out.quantization_name = quantization.name();
    }
    if (!out.architecture)
        return;
    const ParameterCount count = count_parameters(*out.architecture);
    if (out.parameters == 0) {
        out.parameters = count.total();
        return;
    }
    if (out.parameters == count.total()) {
        out.shape_equals_table = true;
        return;
    }
    // The tensors have it right; what they have beyond the shape is mostly a tower.
    const std::int64_t rest = out.parameters - count.total();
    const JsonReader root(*json, config_name_, faults);
    const bool sees = root.has("vision_config") || root.has("visual") || root.has("vision_tower");
    if (rest > 0 && sees && out.architecture->towers.empty()) {
        out.architecture->towers.push_back({"vision", rest});
        out.notes.push_back("The vision tower is taken to be the " + std::to_string(rest) +
                            " parameters that the language model does not explain.");
        return;
    }
    out.notes.push_back("The tensors have " + std::to_string(std::abs(rest)) +
                        (rest > 0 ? " parameters more" : " parameters fewer") +
                        " than the config's shape explains" +
                        (near(out.parameters, count.total()) ? "." : "; the shape is doubtful."));
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
