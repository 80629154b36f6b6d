// An inspection as a model that requests and links write out.
#include <nlohmann/json.hpp>

#include "catalog/architecture_json.h"
#include "catalog/inline_model.h"
#include "formats/inspection.h"

namespace vramscope::formats {

namespace {

/// The width that gives the file's bytes when every matrix has it.
double own_width(const Inspection& inspection) {
    std::int64_t matrices = 0;
    Bytes vectors = 0;
    auto visit = [&](const Tensor& tensor) {
        if (tensor.is_vector())
            vectors = add(vectors, mul(tensor.elements(), 4));
        else
            matrices = add(matrices, tensor.elements());
    };
    for_each_tensor(*inspection.architecture, Inventory::gguf, visit);
    const Bytes left = inspection.tensor_bytes > vectors ? inspection.tensor_bytes - vectors : 0;
    return matrices > 0 ? 8.0 * static_cast<double>(left) / static_cast<double>(matrices) : 0;
}

bool has_file(const Inspection& inspection) {
    return inspection.architecture && inspection.tensor_bytes > 0 && inspection.complete;
}

} // namespace

std::string inline_model(const Inspection& inspection) {
    if (!inspection.architecture)
        return {};
    nlohmann::ordered_json object;
    object["name"] = inspection.name;
    object["architecture"] = catalog::write_architecture(*inspection.architecture);
    if (has_file(inspection)) {
        nlohmann::ordered_json& weights = object["weights"];
        weights["format"] = inspection.format;
        if (!inspection.quantization_name.empty())
            weights["name"] = inspection.quantization_name;
        const bool plain = inspection.format != "gguf" &&
                           (inspection.quantization == "bf16" ||
                            inspection.quantization == "fp16" || inspection.quantization == "f32");
        if (inspection.recipe_exact || plain)
            weights["quantization"] = inspection.quantization;
        else
            weights["bits_per_weight"] = own_width(inspection);
        weights["bytes"] = inspection.tensor_bytes;
    }
    return catalog::link_text(object);
}

std::string request_fields(const Inspection& inspection) {
    std::string fields;
    // A config that tells its own format is taken at that format's nominal width.
    const bool usual = inspection.quantization.empty() || inspection.quantization == "bf16";
    if (has_file(inspection))
        fields = "artifact=file";
    else if (!usual)
        fields = "artifact=" + inspection.quantization;
    if (inspection.projector_bytes > 0 && inspection.architecture)
        fields += fields.empty() ? "mmproj=file" : "&mmproj=file";
    return fields;
}

} // namespace vramscope::formats
