// The shards of a safetensors checkpoint together, and its config.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"
#include "formats/hf_config.h"
#include "formats/inspection_parts.h"
#include "formats/split_names.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::JsonFaults;
using catalog::JsonReader;

namespace {

constexpr bool near(std::int64_t a, std::int64_t b) {
    return a > b - b / 200 && a < b + b / 200;
}

} // namespace

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
    TensorGroups types;
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

} // namespace vramscope::formats
