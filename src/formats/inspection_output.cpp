// An inspection as JSON, as text, as a model to estimate with, and as a draft for the catalog.
#include <algorithm>
#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "catalog/architecture_json.h"
#include "catalog/inline_model.h"
#include "formats/inspection_parts.h"
#include "formats/split_names.h"

namespace vramscope::formats {

using OrderedJson = nlohmann::ordered_json;

namespace {

OrderedJson groups_json(const std::vector<TensorGroup>& groups) {
    OrderedJson list = OrderedJson::array();
    for (const TensorGroup& group : groups) {
        list.push_back({{"name", group.name},
                        {"tensors", group.tensors},
                        {"parameters", group.parameters},
                        {"bytes", group.bytes}});
    }
    return list;
}

bool has_weights(const Inspection& inspection) {
    return inspection.tensor_bytes > 0;
}

/// The artifact as catalog/models/*.json has it.
OrderedJson artifact_json(const Inspection& inspection) {
    OrderedJson artifact;
    const bool files_known = inspection.file_bytes > 0;
    const std::string quantization =
        inspection.quantization.empty() ? "TODO" : inspection.quantization;
    artifact["id"] =
        inspection.format == "gguf" ? "gguf-" + catalog::id_of_name(quantization) : quantization;
    artifact["format"] = inspection.format;
    artifact["quantization"] = quantization;
    if (!inspection.quantization_name.empty())
        artifact["name"] = inspection.quantization_name;
    OrderedJson files = OrderedJson::array();
    for (const InspectedFile& file : inspection.files) {
        if (file.kind != FileKind::gguf_model && file.kind != FileKind::safetensors)
            continue;
        OrderedJson entry = without_folders(file.name);
        if (file.bytes > 0)
            entry = {{"name", without_folders(file.name)}, {"bytes", file.bytes}};
        files.push_back(std::move(entry));
    }
    if (!files.empty())
        artifact["files"] = std::move(files);
    artifact["bytes"] = files_known ? inspection.file_bytes : inspection.tensor_bytes;
    if (!files_known)
        artifact["bytes_are_tensors"] = true;
    artifact["evidence"] = files_known ? "file-metadata" : "tensor-metadata";
    return artifact;
}

std::string grouped(std::int64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string size_text(Bytes bytes) {
    const bool small = bytes < gib / 10;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), small ? "%.2f MiB" : "%.2f GiB",
                  small ? to_gib(bytes) * 1024 : to_gib(bytes));
    return text.data();
}

void add_line(std::string& out, std::string_view label, const std::string& value) {
    out += "  ";
    out += label;
    out.append(label.size() < 18 ? 18 - label.size() : 1, ' ');
    out += value + "\n";
}

void add_groups(std::string& out, const char* title, const std::vector<TensorGroup>& groups) {
    if (groups.empty())
        return;
    out += std::string("\n") + title + "\n";
    for (const TensorGroup& group : groups) {
        add_line(out, group.name,
                 size_text(group.bytes) + "  (" + grouped(group.tensors) + " tensors, " +
                     grouped(group.parameters) + " parameters)");
    }
}

/// "32 layers: 26 sliding_window, 6 full_attention"
std::string layers_text(const Architecture& a) {
    const OrderedJson json = catalog::write_architecture(a);
    std::string text = std::to_string(a.n_layer()) + ":";
    std::vector<std::int64_t> counts(a.mixers.size());
    for (const Layer& layer : a.layers)
        ++counts[layer.mixer];
    std::size_t index = 0;
    for (const auto& [name, mixer] : json["mixers"].items()) {
        if (index < counts.size() && counts[index] > 0)
            text += (index == 0 ? " " : ", ") + std::to_string(counts[index]) + " " + name;
        ++index;
    }
    if (!a.mtp_layers.empty())
        text += ", and " + std::to_string(a.mtp_layers.size()) + " for multi-token prediction";
    return text;
}

} // namespace

OrderedJson inspection_json(const Inspection& inspection) {
    OrderedJson json;
    json["name"] = inspection.name;
    json["format"] = inspection.format;
    json["architecture_name"] = inspection.architecture_name;
    json["parameters"] = inspection.parameters;
    json["tensor_bytes"] = inspection.tensor_bytes;
    json["file_bytes"] = inspection.file_bytes;
    json["quantization"] = inspection.quantization;
    json["quantization_name"] = inspection.quantization_name;
    if (inspection.format == "gguf")
        json["recipe_exact"] = inspection.recipe_exact;
    if (has_weights(inspection))
        json["shape_equals_tensors"] = inspection.shape_equals_table;
    if (inspection.projector_bytes > 0)
        json["projector_bytes"] = inspection.projector_bytes;
    if (inspection.adapter_bytes > 0) {
        json["adapter_bytes"] = inspection.adapter_bytes;
        json["adapter_parameters"] = inspection.adapter_parameters;
    }
    json["architecture"] = inspection.architecture
                               ? catalog::write_architecture(*inspection.architecture)
                               : OrderedJson(nullptr);
    json["artifact"] = has_weights(inspection) ? artifact_json(inspection) : OrderedJson(nullptr);
    json["files"] = OrderedJson::array();
    for (const InspectedFile& file : inspection.files) {
        json["files"].push_back({{"name", without_folders(file.name)},
                                 {"kind", name(file.kind)},
                                 {"detail", file.detail},
                                 {"bytes", file.bytes},
                                 {"tensor_bytes", file.tensor_bytes},
                                 {"parameters", file.parameters},
                                 {"tensors", file.tensors}});
    }
    json["types"] = groups_json(inspection.types);
    json["roles"] = groups_json(inspection.roles);
    json["notes"] = inspection.notes;
    return json;
}

std::string inspection_text(const Inspection& inspection) {
    std::string out = inspection.name + "\n";
    if (!inspection.architecture_name.empty())
        add_line(out, "architecture", inspection.architecture_name);
    if (inspection.parameters > 0)
        add_line(out, "parameters", grouped(inspection.parameters));
    if (has_weights(inspection)) {
        add_line(out, "tensor bytes",
                 grouped(inspection.tensor_bytes) + "  (" + size_text(inspection.tensor_bytes) +
                     ")");
    }
    if (inspection.file_bytes > 0) {
        add_line(out, "file bytes",
                 grouped(inspection.file_bytes) + "  (" + size_text(inspection.file_bytes) + ")");
    }
    if (!inspection.quantization_name.empty())
        add_line(out, "quantisation", inspection.quantization_name);
    if (inspection.projector_bytes > 0)
        add_line(out, "projector", size_text(inspection.projector_bytes));
    if (inspection.adapter_bytes > 0) {
        add_line(out, "adapter",
                 size_text(inspection.adapter_bytes) + "  (" +
                     grouped(inspection.adapter_parameters) + " parameters)");
    }
    if (inspection.architecture) {
        const Architecture& a = *inspection.architecture;
        add_line(out, "layers", layers_text(a));
        add_line(out, "width", grouped(a.n_embd));
        add_line(out, "vocabulary", grouped(a.n_vocab) + (a.tied_embeddings ? ", tied" : ""));
        if (a.native_context > 0)
            add_line(out, "context", grouped(a.native_context));
    }
    out += "\nfiles\n";
    for (const InspectedFile& file : inspection.files) {
        std::string value(name(file.kind));
        value += ", " + file.detail;
        if (file.tensors > 0)
            value += ", " + grouped(file.tensors) + " tensors";
        if (file.tensor_bytes > 0)
            value += ", " + size_text(file.tensor_bytes);
        add_line(out, shown(without_folders(file.name), 80), value);
    }
    add_groups(out, "by storage type", inspection.types);
    add_groups(out, "by role", inspection.roles);
    for (const std::string& note : inspection.notes)
        out += "\n! " + note + "\n";
    return out;
}

OrderedJson draft_entry(const Inspection& inspection, const std::vector<std::string>& sources) {
    OrderedJson entry;
    const std::string& title = inspection.hf_repo.empty() ? inspection.name : inspection.hf_repo;
    entry["id"] = catalog::id_of_name(title);
    entry["name"] = inspection.name.substr(inspection.name.rfind('/') + 1);
    const std::size_t slash = inspection.hf_repo.find('/');
    entry["provider"] = slash == std::string::npos ? "TODO" : inspection.hf_repo.substr(0, slash);
    entry["family"] = "TODO";
    if (slash != std::string::npos)
        entry["hf_repo"] = inspection.hf_repo;
    entry["license"] = inspection.license.empty() ? "TODO" : inspection.license;
    // What a checkpoint's headers count is published; what only follows from a config is not.
    const bool counted =
        has_weights(inspection) && inspection.format != "gguf" && inspection.parameters > 0;
    if (counted)
        entry["published_parameters"] = inspection.parameters;
    // A GGUF's own count is no published one, so its entry stays reported until somebody finds
    // that.
    entry["evidence"] = counted && inspection.shape_equals_table ? "derived" : "reported";
    std::string note = "drafted from ";
    note += inspection.format == "gguf"     ? "a GGUF header"
            : inspection.format == "config" ? "a config.json"
                                            : "a checkpoint's headers";
    if (!inspection.shape_equals_table && has_weights(inspection))
        note += "; the shape does not explain all tensors";
    entry["evidence_note"] = note;
    entry["architecture"] = inspection.architecture
                                ? catalog::write_architecture(*inspection.architecture)
                                : OrderedJson("TODO");
    entry["sources"] = sources;
    if (has_weights(inspection)) {
        OrderedJson artifact = artifact_json(inspection);
        if (!sources.empty())
            artifact["source"] = sources.front();
        entry["artifacts"] = OrderedJson::array({std::move(artifact)});
    }
    return entry;
}

} // namespace vramscope::formats
