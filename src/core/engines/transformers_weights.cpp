#include "core/engines/transformers_weights.h"

#include <algorithm>

#include "core/tensors.h"

namespace vramscope {
namespace {

/// Tensors that quantised checkpoints keep in 16 bits.
bool stays_wide(const Tensor& tensor, bool all_quantised) {
    switch (tensor.role) {
    case TensorRole::token_embd:
    case TensorRole::output:
    case TensorRole::nextn_embd:
    case TensorRole::per_layer_token_embd:
        return !all_quantised;
    case TensorRole::ffn_gate_inp:
    case TensorRole::ffn_gate_inp_shexp:
    case TensorRole::ssm_conv1d:
    case TensorRole::ssm_small:
    case TensorRole::ssm_beta_alpha:
    case TensorRole::indexer:
    case TensorRole::position_embd:
    case TensorRole::shortconv_conv:
        return true;
    default:
        return tensor.is_vector() || tensor.precision != Precision::quantisable;
    }
}

/// Elements as kernels keep them: vLLM's for MXFP4 experts round the inner width up to 128 and the
/// model's to 256 (vLLM quantization/mxfp4.py; 65.97 GiB of gpt-oss-120b on one card).
double elements_of(const Tensor& tensor, const EstimateRequest& request) {
    const bool expert =
        tensor.role == TensorRole::ffn_gate_exps || tensor.role == TensorRole::ffn_up_exps ||
        tensor.role == TensorRole::ffn_gate_up_exps || tensor.role == TensorRole::ffn_down_exps;
    if (!expert || !request.weights.padded_experts || request.engine != EngineId::vllm)
        return static_cast<double>(tensor.elements());
    const bool down = tensor.role == TensorRole::ffn_down_exps;
    return static_cast<double>(mul(round_up(tensor.row_length, down ? 128 : 256),
                                   round_up(tensor.rows, down ? 256 : 128), tensor.depth));
}

/// Tensors that every rank of a stage holds whole.
bool is_replicated(const Tensor& tensor) {
    switch (tensor.role) {
    case TensorRole::norm:
    case TensorRole::output_norm:
    case TensorRole::token_embd_norm:
    case TensorRole::ffn_gate_inp:
    case TensorRole::ffn_gate_inp_shexp:
    case TensorRole::attn_q_a:
    case TensorRole::attn_kv_a_mqa:
    case TensorRole::indexer:
    case TensorRole::indexer_k:
    case TensorRole::compressor:
    case TensorRole::position_embd:
    case TensorRole::hyper_connection:
        return true;
    default:
        return false;
    }
}

} // namespace

RankLayout RankLayout::of(const EstimateRequest& request) {
    RankLayout out;
    const auto devices =
        static_cast<std::int32_t>(std::clamp<std::size_t>(request.devices.size(), 1, max_devices));
    out.tensor_parallel = std::clamp(request.options.tensor_parallel, 1, devices);
    out.pipeline_parallel =
        std::clamp(request.options.pipeline_parallel, 1, devices / out.tensor_parallel);
    // Ranks that nobody asked to split by layers split every layer.
    if (out.tensor_parallel == 1)
        out.tensor_parallel = devices / out.pipeline_parallel;
    out.ranks = out.tensor_parallel * out.pipeline_parallel;
    return out;
}

CheckpointBytes CheckpointBytes::of(const EstimateRequest& request, const RankLayout& ranks) {
    const Architecture& architecture = *request.architecture;
    const Weights& weights = request.weights;
    const bool mlx = request.engine == EngineId::mlx; // quantises embedding and head too
    const bool draft = request.options.speculative_tokens > 0;
    const double nominal =
        weights.nominal_bits_per_weight > 0 ? weights.nominal_bits_per_weight : 16;
    const double bits = weights.matrix_bits > 0 ? weights.matrix_bits : nominal;
    double wide = 0;
    double quantised = 0;
    auto measure = [&](const Tensor& tensor) {
        const auto elements = static_cast<double>(tensor.elements());
        (stays_wide(tensor, mlx) ? wide : quantised) += elements;
    };
    for_each_tensor(architecture, Inventory::checkpoint, measure);
    double towers = 0;
    for (const Tower& tower : architecture.towers)
        towers += static_cast<double>(tower.parameters);
    // A recorded file says what the matrices really take.
    double width = bits / 8.0;
    double wide_width = std::min(2.0, std::max(width, 2.0));
    if (weights.file_bytes > 0 && quantised > 0) {
        const double rest =
            static_cast<double>(weights.file_bytes) - 2.0 * (wide + (mlx ? 0.0 : towers));
        if (rest > 0.25 * width * quantised) {
            width = rest / quantised;
        } else {
            width = wide_width =
                static_cast<double>(weights.file_bytes) / (wide + quantised + towers);
        }
    }

    CheckpointBytes out;
    const double tp = ranks.tensor_parallel;
    auto place = [&](const Tensor& tensor) {
        const bool is_draft = tensor.layer >= architecture.n_layer();
        if (is_draft && !draft)
            return;
        const double bytes =
            elements_of(tensor, request) * (stays_wide(tensor, mlx) ? wide_width : width);
        const bool at_end =
            tensor.role == TensorRole::output || tensor.role == TensorRole::output_norm;
        const std::int32_t layer = at_end ? architecture.n_layer() : tensor.layer;
        const auto stage = static_cast<std::size_t>(ranks.stage_of(layer, architecture.n_layer()));
        out.total += bytes;
        double share = 1.0 / tp;
        const bool kv = tensor.role == TensorRole::attn_k || tensor.role == TensorRole::attn_v;
        if (kv && tensor.layer >= 0 && !is_draft) {
            const Layer& of = architecture.layers[static_cast<std::size_t>(tensor.layer)];
            share = std::max(share, 1.0 / std::max(1, architecture.mixer(of).kv_heads));
        }
        if (is_replicated(tensor) || tensor.is_vector()) {
            out.replicated[stage] += bytes;
        } else {
            out.shared[stage] += bytes * share;
        }
    };
    for_each_tensor(architecture, Inventory::checkpoint, place);
    // A tied head on the last stage is a copy of the embedding on the first.
    if (architecture.tied_embeddings && ranks.pipeline_parallel > 1) {
        const double embedding =
            2.0 * static_cast<double>(mul(architecture.n_vocab, architecture.n_embd));
        out.shared[static_cast<std::size_t>(ranks.pipeline_parallel) - 1] += embedding / tp;
    }
    out.total += 2.0 * towers;
    out.replicated[0] += 2.0 * towers;
    return out;
}

} // namespace vramscope
