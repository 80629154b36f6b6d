#include "core/placement.h"

#include <algorithm>

namespace vramscope {

LayerSplit LayerSplit::of(std::int32_t n_layer, std::int32_t n_gpu_layers, const double* shares,
                          std::int32_t n_devices) {
    LayerSplit split;
    split.n_layer = n_layer;
    const std::int32_t units =
        n_devices == 0 ? 0 : std::clamp(n_gpu_layers, std::int32_t{0}, n_layer + 1);
    split.n_devices = units == 0 ? 0 : n_devices;
    const std::int32_t first = n_layer + 1 - units;
    split.first_unit.fill(n_layer + 1);
    if (units == 0)
        return split;

    double sum = 0;
    for (std::int32_t d = 0; d < n_devices; ++d)
        sum += std::max(shares[d], 0.0);
    // llama.cpp keeps cumulative shares and unit fractions in single precision; so do we, since a
    // boundary can fall on either side of a layer.
    std::array<float, max_devices> cumulative{};
    float running = 0;
    for (std::int32_t d = 0; d < n_devices; ++d) {
        const double share = sum > 0 ? std::max(shares[d], 0.0) : 1.0;
        running += static_cast<float>(share);
        cumulative[static_cast<std::size_t>(d)] = running;
    }
    for (std::int32_t d = 0; d < n_devices; ++d)
        cumulative[static_cast<std::size_t>(d)] /= running;

    std::int32_t unit = 0;
    for (std::int32_t d = 0; d < n_devices; ++d) {
        split.first_unit[static_cast<std::size_t>(d)] = first + unit;
        const float bound = cumulative[static_cast<std::size_t>(d)];
        while (unit < units && (d + 1 == n_devices ||
                                static_cast<float>(unit) / static_cast<float>(units) < bound)) {
            ++unit;
        }
    }
    return split;
}

bool ExpertPlacement::keeps_on_host(const Tensor& tensor) const {
    // Biases of experts are kept with their banks.
    const bool is_expert =
        tensor.role == TensorRole::ffn_gate_exps || tensor.role == TensorRole::ffn_up_exps ||
        tensor.role == TensorRole::ffn_down_exps || tensor.role == TensorRole::ffn_gate_up_exps ||
        tensor.role == TensorRole::ffn_exps_bias;
    return is_expert && (all_on_host || tensor.layer < layers_on_host);
}

Home home_of(TensorRole role, const Architecture& architecture) {
    switch (role) {
    case TensorRole::token_embd:
    case TensorRole::position_embd:
    case TensorRole::per_layer_token_embd:
        return Home::host;
    case TensorRole::per_layer_model_proj:
    case TensorRole::per_layer_proj_norm:
    case TensorRole::rope_factors:
        return Home::first_layer;
    case TensorRole::token_embd_norm:
        // A model without a final norm of its own applies this one at the end (LFM2).
        return architecture.final_norm ? Home::first_layer : Home::output_layer;
    default:
        return Home::output_layer;
    }
}

std::int32_t device_of(const Tensor& tensor, const Architecture& architecture,
                       const LayerSplit& split, const ExpertPlacement& experts) {
    if (tensor.layer >= 0)
        return experts.keeps_on_host(tensor) ? on_host : split.device_of(tensor.layer);
    switch (home_of(tensor.role, architecture)) {
    case Home::host:
        return on_host;
    case Home::first_layer:
        return split.device_of(0);
    default:
        return split.output_device();
    }
}

} // namespace vramscope
