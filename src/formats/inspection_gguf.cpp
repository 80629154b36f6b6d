// The parts of a GGUF together: shape, bytes by type and role, the recipe that gives them.
#include <algorithm>
#include <tuple>

#include "formats/ggml_types.h"
#include "formats/gguf_architecture.h"
#include "formats/gguf_tensor_names.h"
#include "formats/inspection_parts.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::Result;

namespace {

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

} // namespace

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
    TensorGroups types;
    TensorGroups roles;
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

} // namespace vramscope::formats
