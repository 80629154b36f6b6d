#include "core/model_facts.h"

#include "core/placement.h"
#include "core/recipe.h"

namespace vramscope {
namespace {

/// Bytes of one tensor: by mixture, else by the nominal width.
class TensorSizes {
public:
    TensorSizes(const Architecture& architecture, const Weights& weights,
                const StorageTypeTable& types)
        : weights_(weights),
          walker_(architecture, weights.mixture == Mixture::count_ ? Mixture::f16 : weights.mixture,
                  weights.importance_matrix, types) {}
    Bytes of(const Tensor& tensor) {
        if (weights_.mixture != Mixture::count_)
            return walker_.bytes_of(tensor);
        if (tensor.is_vector())
            return mul(tensor.elements(), 4);
        const double bits = weights_.nominal_bits_per_weight;
        return static_cast<Bytes>(static_cast<double>(tensor.elements()) * bits / 8.0 + 0.5);
    }

private:
    const Weights& weights_;
    RecipeWalker walker_;
};

bool is_expert(TensorRole role) {
    return role == TensorRole::ffn_gate_exps || role == TensorRole::ffn_up_exps ||
           role == TensorRole::ffn_down_exps || role == TensorRole::ffn_gate_up_exps ||
           role == TensorRole::ffn_exps_bias; // biases of experts are kept with their banks
}

bool is_mamba_scan(const Architecture& architecture, const Tensor& tensor) {
    const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
    return tensor.role == TensorRole::ssm_small && tensor.rows != 1 &&
           architecture.mixer(layer).kind == MixerKind::mamba;
}

void sum_weights(const Architecture& architecture, const Weights& weights,
                 const StorageTypeTable& types, WeightSums& sums) {
    sums.layers.assign(architecture.layers.size(), {});
    sums.on_host = sums.before_layers = sums.with_output = sums.token_embedding = 0;
    sums.has_output = sums.has_scan = false;
    TensorSizes sizes(architecture, weights, types);
    auto visit = [&](const Tensor& tensor) {
        const Bytes bytes = sizes.of(tensor);
        if (tensor.layer >= architecture.n_layer())
            return; // MTP layers are not loaded by default
        if (tensor.layer >= 0) {
            WeightSums::Of& layer = sums.layers[static_cast<std::size_t>(tensor.layer)];
            const bool is_scan = is_mamba_scan(architecture, tensor);
            sums.has_scan = sums.has_scan || is_scan;
            (is_expert(tensor.role) ? layer.experts : is_scan ? layer.scan : layer.plain) += bytes;
            return;
        }
        if (tensor.role == TensorRole::token_embd)
            sums.token_embedding = bytes;
        if (tensor.role == TensorRole::output)
            sums.has_output = true;
        const Home home = home_of(tensor.role, architecture);
        (home == Home::host          ? sums.on_host
         : home == Home::first_layer ? sums.before_layers
                                     : sums.with_output) += bytes;
    };
    for_each_tensor(architecture, Inventory::gguf, visit);
}

} // namespace

Bytes artifact_tensor_bytes(const Architecture& architecture, const Weights& weights,
                            const StorageTypeTable& types, std::int64_t parameters) {
    if (weights.tensor_bytes > 0)
        return weights.tensor_bytes;
    if (weights.mixture != Mixture::count_)
        return mixture_bytes(architecture, weights.mixture, weights.importance_matrix, types);
    return static_cast<Bytes>(
        static_cast<double>(parameters) * weights.nominal_bits_per_weight / 8.0 + 0.5);
}

bool ModelFacts::select(const EstimateRequest& request) {
    const bool same_model =
        known_ && architecture_ == *request.architecture && types_ == *request.storage_types;
    if (same_model && artifact_ == request.weights)
        return false;
    ++generation_;
    has_sums_ = has_tensor_bytes_ = false;
    artifact_ = request.weights;
    if (same_model)
        return false;
    architecture_ = *request.architecture;
    types_ = *request.storage_types;
    known_ = true;
    has_parameters_ = false;
    return true;
}

const ParameterCount& ModelFacts::parameters() {
    if (!has_parameters_)
        parameters_ = count_parameters(architecture_);
    has_parameters_ = true;
    return parameters_;
}

const WeightSums& ModelFacts::weights() {
    if (!has_sums_)
        sum_weights(architecture_, artifact_, types_, sums_);
    has_sums_ = true;
    return sums_;
}

Bytes ModelFacts::tensor_bytes() {
    if (!has_tensor_bytes_) {
        const bool needs_count =
            artifact_.tensor_bytes == 0 && artifact_.mixture == Mixture::count_;
        tensor_bytes_ = artifact_tensor_bytes(architecture_, artifact_, types_,
                                              needs_count ? parameters().total() : 0);
    }
    has_tensor_bytes_ = true;
    return tensor_bytes_;
}

} // namespace vramscope
