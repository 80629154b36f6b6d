#include "core/tensors.h"

#include "core/tensor_walk.h"

namespace vramscope {
namespace {

/// Gemma 3n: router and mixing coefficients of the four streams, and the rank-64 LAuReL branch.
void walk_altup_layer(const Walk& walk) {
    const std::int64_t width = walk.width();
    constexpr std::int64_t streams = 4;
    constexpr std::int64_t laurel_rank = 64;
    walk.full(TensorRole::altup, streams, streams);
    walk.full(TensorRole::altup, width);
    walk.full(TensorRole::altup, streams, streams * streams);
    walk.matrix(TensorRole::altup, width, streams, Precision::source);
    walk.norm(width);
    walk.matrix(TensorRole::altup, width, laurel_rank, Precision::source);
    walk.matrix(TensorRole::altup, laurel_rank, width, Precision::source);
    walk.norm(width);
}

/// Mixing of the residual streams around one part of a layer.
void walk_hyper_connection(const Walk& walk) {
    const std::int64_t streams = walk.architecture.hyper_connections;
    if (streams == 0)
        return;
    const std::int64_t mix = (2 + streams) * streams;
    walk.matrix(TensorRole::hyper_connection, streams * walk.width(), mix);
    walk.full(TensorRole::hyper_connection, mix);
    walk.full(TensorRole::hyper_connection, 3);
}

/// Brings the streams together in front of a head.
void walk_hyper_connection_head(const Walk& walk) {
    const std::int64_t streams = walk.architecture.hyper_connections;
    if (streams == 0)
        return;
    walk.matrix(TensorRole::hyper_connection, streams * walk.width(), streams);
    walk.full(TensorRole::hyper_connection, streams);
    walk.full(TensorRole::hyper_connection, 1);
}

void walk_layer(const Walk& walk, const Layer& layer) {
    const Architecture& a = walk.architecture;
    const Mixer& mixer = a.mixer(layer);
    const FeedForward& feed_forward = a.feed_forward(layer);
    const bool mixes = mixer.kind != MixerKind::none;
    const bool feeds = feed_forward.kind != FeedForwardKind::none;

    walk.layer_norm(mixes && a.norms.before_mixer);
    walk_mixer(walk, mixer, layer.shares_kv && !a.shared_kv_stored);
    walk.layer_norm(mixes && a.norms.after_mixer);
    walk.layer_norm(feeds && a.norms.before_feed_forward);
    walk_feed_forward(walk, feed_forward, mixer.kind);
    walk.layer_norm(feeds && a.norms.after_feed_forward);
    if (mixes)
        walk_hyper_connection(walk);
    if (feeds)
        walk_hyper_connection(walk);
    if (a.layer_scale)
        walk.norm(1);
    if (a.altup)
        walk_altup_layer(walk);
    if (a.per_layer_embedding > 0) {
        walk.matrix(TensorRole::per_layer_gate, walk.width(), a.per_layer_embedding);
        walk.matrix(TensorRole::per_layer_gate, a.per_layer_embedding, walk.width());
        walk.norm(walk.width());
    }
}

void walk_embeddings(const Walk& walk) {
    const Architecture& a = walk.architecture;
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    walk.matrix(TensorRole::token_embd, width, rows);
    if (a.n_positions > 0)
        walk.full(TensorRole::position_embd, width, a.n_positions);
    if (a.embedding_norm) {
        walk.full(TensorRole::token_embd_norm, width);
        if (a.norms.biased)
            walk.full(TensorRole::token_embd_norm, width);
    }
    if (walk.gguf && a.rope_factors > 0) {
        for (int i = 0; i < a.rope_factor_vectors; ++i) {
            walk.full(TensorRole::rope_factors, a.rope_factors);
        }
    }
    if (a.per_layer_embedding > 0) {
        const std::int64_t all = mul(a.per_layer_embedding, a.n_layer());
        const std::int64_t own_rows = a.n_vocab_per_layer > 0 ? a.n_vocab_per_layer : rows;
        walk.matrix(TensorRole::per_layer_token_embd, all, own_rows);
        walk.matrix(TensorRole::per_layer_model_proj, width, all, Precision::source);
        walk.full(TensorRole::per_layer_proj_norm, a.per_layer_embedding);
    }
    if (a.altup) { // to and from the three extra streams
        walk.visit(Tensor{TensorRole::altup, Precision::source, -1, width, width, 3});
        walk.visit(Tensor{TensorRole::altup, Precision::source, -1, width, width, 3});
    }
}

void walk_mtp_layer(const Walk& walk, const Layer& layer) {
    const Architecture& a = walk.architecture;
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    walk_layer(walk, layer);
    walk.matrix(TensorRole::nextn, 2 * width, width);
    walk.full(TensorRole::nextn, width); // enorm
    walk.full(TensorRole::nextn, width); // hnorm
    if (a.mtp_head_norm)
        walk.full(TensorRole::nextn, width);
    walk_hyper_connection_head(walk);
    if (a.mtp_own_embeddings)
        walk.matrix(TensorRole::nextn_embd, width, rows);
    if (a.mtp_own_embeddings || a.mtp_own_head)
        walk.matrix(TensorRole::nextn_embd, width, rows);
}

void walk_head(const Walk& walk) {
    const Architecture& a = walk.architecture;
    walk_hyper_connection_head(walk);
    const std::int64_t width = walk.width();
    const std::int64_t rows = walk.gguf ? a.vocab_rows_in_gguf() : a.n_vocab;
    if (a.final_norm && !a.norms.weightless) {
        walk.full(TensorRole::output_norm, width);
        if (a.norms.biased || a.final_norm_bias)
            walk.full(TensorRole::output_norm, width);
    }
    if (!a.tied_embeddings)
        walk.matrix(TensorRole::output, width, rows);
    if (a.output_bias)
        walk.full(TensorRole::output, rows);
}

} // namespace

void for_each_tensor(const Architecture& architecture, Inventory inventory, TensorVisitor visit) {
    Walk walk{architecture, visit, inventory != Inventory::checkpoint};
    walk_embeddings(walk);
    for (const Layer& layer : architecture.layers) {
        ++walk.layer;
        walk_layer(walk, layer);
    }
    if (inventory != Inventory::gguf_without_mtp) {
        for (const Layer& layer : architecture.mtp_layers) {
            ++walk.layer;
            walk_mtp_layer(walk, layer);
        }
    }
    walk.layer = -1;
    walk_head(walk);
}

namespace {

/// Elements of a tensor that one token uses: its share of the routed experts, one row of a table.
std::int64_t used_by_a_token(const Architecture& architecture, const Tensor& tensor) {
    switch (tensor.role) {
    case TensorRole::per_layer_token_embd:
        return tensor.row_length;
    case TensorRole::ffn_gate_exps:
    case TensorRole::ffn_up_exps:
    case TensorRole::ffn_down_exps:
    case TensorRole::ffn_gate_up_exps: {
        const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
        return mul(tensor.row_length, tensor.rows, architecture.feed_forward(layer).n_experts_used);
    }
    case TensorRole::ffn_exps_bias: {
        const Layer& layer = architecture.layers[static_cast<std::size_t>(tensor.layer)];
        return mul(tensor.row_length, architecture.feed_forward(layer).n_experts_used);
    }
    case TensorRole::ffn_gate_tid2eid:
        return tensor.row_length;
    default:
        return tensor.elements();
    }
}

} // namespace

ParameterCount count_parameters(const Architecture& architecture, Inventory inventory) {
    ParameterCount count;
    const std::int32_t n_layer = architecture.n_layer();
    auto visit = [&](const Tensor& tensor) {
        if (tensor.layer >= n_layer) {
            count.mtp = add(count.mtp, tensor.elements());
            return;
        }
        count.text = add(count.text, tensor.elements());
        count.active = add(count.active, used_by_a_token(architecture, tensor));
        if (tensor.role == TensorRole::token_embd)
            count.embedding = tensor.elements();
    };
    for_each_tensor(architecture, inventory, visit);
    for (const Tower& tower : architecture.towers) {
        count.towers = add(count.towers, tower.parameters);
    }
    return count;
}

} // namespace vramscope
