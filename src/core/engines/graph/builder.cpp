#include "core/engines/graph/builder.h"

#include <algorithm>

namespace vramscope::graph {

Builder::Builder(Graph& graph, const BuildContext& context)
    : Operations(graph), context_(context), architecture_(context.architecture),
      traits_(context.traits != nullptr ? *context.traits : traits_of(context.architecture)),
      n_tokens_(std::min<std::int64_t>(context.settings.n_ubatch, context.settings.cache.n_ctx)),
      n_seqs_(context.settings.cache.n_seq),
      n_outputs_(std::min<std::int64_t>(n_tokens_, context.settings.n_outputs_max)) {
    rope_tables_.fill(none);
    n_streams_ = CacheLayout::of(context.settings.cache).streams;
    if (n_tokens_ % n_seqs_ != 0) {
        n_tokens_ = round_up(n_tokens_, n_seqs_);
        n_outputs_ = std::max(n_outputs_, n_tokens_);
    }
    for (const Layer& layer : architecture_.layers) {
        const Mixer& mixer = architecture_.mixer(layer);
        if (attends(mixer.kind)) {
            widest_values_ = std::max(widest_values_, cache_elements(mixer).v);
        }
    }
}

void Builder::build() {
    graph_.clear();
    const Id x = embed_tokens();
    layers(x);
}

Id Builder::positions() {
    if (positions_ == none) {
        positions_ = input(Element::i32, {n_tokens_ * traits_.position_parts, 1, 1, 1});
    }
    return positions_;
}

Id Builder::output_ids() {
    if (output_ids_ == none)
        output_ids_ = input(Element::i32, {n_outputs_, 1, 1, 1});
    return output_ids_;
}

Id Builder::embed_tokens() {
    const std::int64_t width = architecture_.n_embd;
    // Models with deepstack get further widths from an image encoder; token rows are padded.
    const std::int64_t wide = width * (1 + architecture_.deepstack_layers);
    const LlamaCppVersion version = context_.settings.version;
    const Shape rows{wide, n_tokens_, 1, 1};
    const Id table = weight(TensorRole::token_embd, width, architecture_.vocab_rows_in_gguf());
    const auto look_up = [&] {
        const Id x = get_rows(table, input(Element::i32, {n_tokens_, 1, 1, 1}));
        expand(x);
        return x;
    };
    const auto widen = [&](Id x) { return wide == width ? x : make(Op::other, rows, {x}); };
    const auto look_up_per_layer = [&] {
        const std::int64_t all =
            std::int64_t{architecture_.per_layer_embedding} * architecture_.n_layer();
        per_layer_rows_ = get_rows(weight(TensorRole::per_layer_token_embd, all, 1),
                                   input(Element::i32, {n_tokens_, 1, 1, 1}));
    };
    if (architecture_.per_layer_embedding > 0 && !architecture_.altup) {
        look_up_per_layer();
        expand(per_layer_rows_);
    }
    Id x = look_up();
    if (version == LlamaCppVersion::v0_7_0) {
        // Token rows and given embeddings may be mixed in one batch: a second look-up is scattered
        // into the given ones.
        Id mixed = look_up();
        x = widen(x);
        expand(x);
        expand(input(Element::f32, rows));
        mixed = widen(mixed);
        const Id slots = input(Element::i64, {n_tokens_, 1, 1, 1});
        const Id given = like(Op::other, input(Element::f32, rows));
        const Id stored = view(Op::set_rows, given, rows);
        graph_[stored].sources = {mixed, slots, given, none, none, none, none, none};
        expand(stored);
    } else {
        x = widen(x);
        if (version != LlamaCppVersion::b7324)
            expand(input(Element::f32, rows));
    }
    if (wide != width) {
        wide_embeddings_ = x;
        x = view(Op::view, x, {width, n_tokens_, 1, 1}, false);
    }
    if (traits_.scaled_embeddings) {
        x = traits_.scaled_by_input && version == LlamaCppVersion::v0_7_0
                ? mul(x, input(Element::f32, {1, n_tokens_, 1, 1}))
                : scale(x);
    }
    if (architecture_.altup) {
        expand(x);
        look_up_per_layer();
        expand(scaled_per_layer_rows());
    } else {
        expand(x);
    }
    if (architecture_.n_positions > 0) {
        const Id places = weight(TensorRole::position_embd, width, architecture_.n_positions);
        x = add(x, get_rows(places, positions()));
    }
    if (architecture_.embedding_norm && architecture_.final_norm) {
        const bool biased = architecture_.norms.biased;
        x = mul(like(biased ? Op::other : Op::rms_norm, x),
                weight(TensorRole::token_embd_norm, width));
        x = add_bias(x, biased, TensorRole::token_embd_norm);
    }
    embeddings_ = x;
    return architecture_.altup ? split_streams(x) : x;
}

/// The looked-up rows, a slice per layer.
Id Builder::scaled_per_layer_rows() {
    const Shape by_layer{architecture_.per_layer_embedding, architecture_.n_layer(), n_tokens_, 1};
    if (!architecture_.altup)
        return reshape(scale(per_layer_rows_), by_layer);
    if (!per_layer_rows_scaled_) {
        per_layer_rows_ = scale(reshape(per_layer_rows_, by_layer));
        per_layer_rows_scaled_ = true;
    }
    return per_layer_rows_;
}

/// Embeddings of every layer (Gemma 4 E models): a table row and a projection of the token's own.
Id Builder::per_layer_inputs() {
    if (per_layer_inputs_ != none)
        return per_layer_inputs_;
    const std::int64_t width = architecture_.per_layer_embedding;
    const std::int64_t layers = architecture_.n_layer();
    const std::int32_t layer = il_;
    il_ = -1;
    const Shape by_layer{width, layers, n_tokens_, 1};
    Id projected = scale(matmul(TensorRole::per_layer_model_proj, width * layers, embeddings_));
    projected = like(Op::rms_norm, reshape(projected, by_layer));
    projected = mul(projected, weight(TensorRole::per_layer_proj_norm, width));
    const Id rows = scaled_per_layer_rows();
    const Id both = permute(scale(add(projected, rows)), 0, 2, 1, 3);
    per_layer_inputs_ = cont(both, shape(both));
    il_ = layer;
    return per_layer_inputs_;
}

Id Builder::per_layer_embedding(std::int32_t il, Id x) {
    const std::int64_t width = architecture_.per_layer_embedding;
    const Id gate = unary(matmul(TensorRole::per_layer_gate, width, x));
    Id own = view(Op::view, per_layer_inputs(), {width, n_tokens_, 1, 1});
    if (is_last(il) && !picks_outputs_late())
        own = pick_outputs(own);
    const Id fed = matmul(TensorRole::per_layer_gate, architecture_.n_embd, mul(gate, own));
    return add(x, norm(fed));
}

Id Builder::norm(Id x, bool weighted) {
    const bool rms = traits_.norms == NormStyle::rms;
    Id y = like(rms ? Op::rms_norm : Op::other, x);
    if (weighted)
        y = mul(y, weight(TensorRole::norm, shape(x)[0]));
    return y;
}

Id Builder::layer_norm(Id x) {
    const LayerNorms& norms = architecture_.norms;
    return add_bias(norm(x, !norms.weightless), norms.biased && !norms.weightless);
}

void Builder::layers(Id x) {
    if (context_.layers != nullptr) {
        for (const std::int32_t il : *context_.layers) {
            il_ = il;
            layer(il, x);
        }
    } else {
        for (std::int32_t il = 0; il < architecture_.n_layer(); ++il) {
            il_ = il;
            layer(il, x);
        }
    }
    il_ = -1;
    head(x);
}

Id Builder::mix(std::int32_t il, const Mixer& mixer, Id x) {
    switch (mixer.kind) {
    case MixerKind::none:
        return x;
    case MixerKind::compressed:
        // DeepSeek V4 is not modelled: its compressed cache holds no values to attend to here, so
        // only the feed-forward part counts and the buffer is a lower bound.
        return x;
    case MixerKind::latent:
        return latent_attention(il, mixer, x);
    case MixerKind::mamba:
        return mamba(il, mixer, x);
    case MixerKind::mamba2:
        return mamba2(il, mixer, x);
    case MixerKind::gated_delta_net:
        return gated_delta_net(il, mixer, x);
    case MixerKind::kimi_delta:
        return kimi_delta(il, mixer, x);
    case MixerKind::short_convolution:
        return short_convolution(il, mixer, x);
    default:
        return attends(mixer.kind) ? softmax_attention(il, mixer, x) : x;
    }
}

void Builder::layer(std::int32_t il, Id& x) {
    if (architecture_.altup) {
        altup_layer(il, x);
        return;
    }
    if (architecture_.mixer(architecture_.layers[static_cast<std::size_t>(il)]).kind ==
        MixerKind::rwkv7) {
        rwkv_layer(il, x);
        return;
    }
    const Layer& shape_of_layer = architecture_.layers[static_cast<std::size_t>(il)];
    const Mixer& mixer = architecture_.mixer(shape_of_layer);
    const FeedForward& ff = architecture_.feed_forward(shape_of_layer);
    const LayerNorms& norms = architecture_.norms;
    const bool picks = is_last(il) && !picks_outputs_late();

    Id residual = x;
    Id normed = norms.before_mixer ? layer_norm(x) : x;
    Id mixed = mixer.kind == MixerKind::none ? feed_forward(ff, normed) : mix(il, mixer, normed);
    if (traits_.parallel == Parallel::falcon && norms.before_feed_forward)
        normed = layer_norm(x);
    if (picks) {
        mixed = pick_outputs(mixed);
        residual = pick_outputs(residual);
        if (traits_.parallel == Parallel::cohere || traits_.parallel == Parallel::falcon) {
            normed = pick_outputs(normed);
        }
    }
    if (traits_.parallel != Parallel::none) {
        if (traits_.parallel == Parallel::neox)
            normed = layer_norm(residual);
        const Id fed = feed_forward(ff, normed);
        const bool mixed_last =
            traits_.parallel == Parallel::cohere || traits_.parallel == Parallel::neox;
        x = mixed_last ? add(add(fed, residual), mixed) : add(add(fed, mixed), residual);
        return;
    }
    if (norms.after_mixer)
        mixed = layer_norm(mixed);
    if (traits_.scaled_residuals)
        mixed = scale(mixed);
    const Id attended = sum(mixed, residual);
    if (ff.kind == FeedForwardKind::none || mixer.kind == MixerKind::none) {
        x = attended;
        return;
    }
    Id fed = feed_forward(ff, norms.before_feed_forward ? layer_norm(attended) : attended);
    if (norms.after_feed_forward)
        fed = layer_norm(fed);
    if (traits_.scaled_residuals)
        fed = scale(fed);
    x = traits_.residual_first_at_end ? add(attended, fed) : sum(fed, attended);
    if (architecture_.per_layer_embedding > 0)
        x = per_layer_embedding(il, x);
    if (architecture_.layer_scale)
        x = mul(x, weight(TensorRole::norm, 1));
    if (il < architecture_.deepstack_layers) {
        x = add(x,
                view(Op::view, wide_embeddings_, {architecture_.n_embd, n_tokens_, 1, 1}, false));
    }
}

bool Builder::picks_outputs_late() const {
    const LlamaCppVersion version = context_.settings.version;
    return traits_.late_outputs && version > LlamaCppVersion::b7324 &&
           version < LlamaCppVersion::v0_7_0;
}

void Builder::head(Id x) {
    if (architecture_.altup)
        x = merge_streams(x);
    if (picks_outputs_late() || architecture_.altup)
        x = pick_outputs(x);
    const LayerNorms& norms = architecture_.norms;
    x = add_bias(norm(x, !norms.weightless),
                 architecture_.final_norm_bias || (norms.biased && !norms.weightless));
    graph_[x].is_output = context_.settings.version != LlamaCppVersion::b7324;
    const Id scores = logits(x);
    graph_[scores].is_output = true;
    expand(scores);
}

Id Builder::logits(Id x) {
    const bool before = traits_.scaled_before_head;
    if (before)
        x = scale(x);
    Id scores = matmul(TensorRole::output, architecture_.vocab_rows_in_gguf(), x);
    scores = add_bias(scores, architecture_.output_bias);
    if (traits_.logit_ops == LogitOps::scale && !before)
        scores = scale(scores);
    if (traits_.logit_ops == LogitOps::softcap)
        scores = scale(unary(scale(scores)));
    return scores;
}

} // namespace vramscope::graph
