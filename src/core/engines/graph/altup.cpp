// Gemma 3n: four residual streams of which one goes through a layer (AltUp), a learned low-rank
// shortcut beside attention (LAuReL), and sparse gates in the first layers.
// Source: llama.cpp src/models/gemma3n.cpp (2025-2026).
#include "core/engines/graph/builder.h"

namespace vramscope::graph {
namespace {

constexpr std::int64_t streams = 4;
constexpr std::int64_t laurel_rank = 64;
constexpr std::int32_t sparse_layers = 10; ///< first layers keep only the strongest gates

} // namespace

Id Builder::stream_of(Id x, std::int64_t n) {
    const Shape& s = shape(x);
    return view(Op::view, x, {s[0], s[1], n, 1}, true);
}

Id Builder::magnitude(Id x) {
    const Shape& s = shape(x);
    const Id sum = make(Op::sum_rows, {1, s[1], s[2], s[3]}, {like(Op::sqr, x)});
    return like(Op::sqrt, sum);
}

/// Three further streams out of, or back from, their own projections, as long as `model`.
Id Builder::project_streams(Id x, Id model) {
    const std::int64_t width = architecture_.n_embd;
    const Id target = magnitude(model);
    const Id projected =
        mul_mat(weight(TensorRole::altup, width, width, streams - 1),
                shape(x)[2] == 1 ? make(Op::other, {width, n_tokens_, streams - 1, 1}, {x}) : x);
    const Id own = magnitude(projected);
    return like(Op::div, mul(projected, target), own);
}

Id Builder::split_streams(Id x) {
    return concat(x, project_streams(x, x), 2);
}

Id Builder::merge_streams(Id x) {
    const Id others = project_streams(stream_of(x, streams - 1), stream_of(x, 1));
    Id merged = stream_of(x, 1);
    for (std::int64_t i = 1; i < streams; ++i)
        merged = add(merged, stream_of(others, 1));
    return scale(merged);
}

Id Builder::stream_router(Id x, const Router& router) {
    const Id normed = mul(like(Op::rms_norm, x), router.norm);
    return unary(mul_mat(router.matrix, scale(normed)));
}

Id Builder::predict_streams(Id x, const Router& router) {
    const std::int64_t width = architecture_.n_embd;
    Id factors =
        matmul(TensorRole::altup, streams * streams, stream_router(stream_of(x, 1), router));
    factors = reshape(factors, {streams, streams, n_tokens_, 1});
    const Shape by_element{streams, width, n_tokens_, 1};
    const Id mixed = mul_mat(cont(permute(x, 1, 2, 0, 3), by_element), factors);
    return add(cont(permute(mixed, 0, 2, 1, 3), shape(x)), x);
}

Id Builder::correct_streams(Id predicted, Id activated, const Router& router) {
    Id factors = matmul(TensorRole::altup, streams, stream_router(activated, router));
    const Id innovation = like(Op::sub, activated, stream_of(predicted, 1));
    factors = cont(transpose(scale(factors)), {1, n_tokens_, streams, 1});
    const Id repeated = make(Op::other, shape(predicted), {innovation});
    return add(mul(repeated, factors), predicted);
}

/// Only gates well above the mean stay open.
Id Builder::strongest(Id x) {
    const Shape one{1, n_tokens_, 1, 1};
    const Id mean = make(Op::other, one, {x});
    const Id variance = make(Op::sum_rows, one, {like(Op::sqr, like(Op::sub, x, mean))});
    const Id cutoff = add(mean, scale(like(Op::sqrt, scale(variance))));
    return unary(like(Op::sub, x, cutoff));
}

void Builder::altup_layer(std::int32_t il, Id& x) {
    const Layer& layer = architecture_.layers[static_cast<std::size_t>(il)];
    const FeedForward& ff = architecture_.feed_forward(layer);
    const std::int64_t width = architecture_.n_embd;
    // One router serves before and behind the layer.
    const Router router{weight(TensorRole::norm, width), weight(TensorRole::altup, width, streams)};
    const Id predicted = predict_streams(x, router);
    const Id active = stream_of(predicted, 1);
    const Id normed = layer_norm(active);
    Id shortcut = matmul(TensorRole::altup, width, matmul(TensorRole::altup, laurel_rank, normed));
    shortcut = add(norm(shortcut), normed);
    Id y = layer_norm(mix(il, architecture_.mixer(layer), normed));
    y = add(y, active);
    const Id attended = scale(add(y, shortcut));

    y = layer_norm(attended);
    const Id up = matmul(TensorRole::ffn_up, ff.n_ff, y);
    Id gate = matmul(TensorRole::ffn_gate, ff.n_ff, y);
    if (il < sparse_layers)
        gate = strongest(gate);
    y = matmul(TensorRole::ffn_down, width, mul(up, unary(gate)));
    const Id fed = add(layer_norm(y), attended);
    const Id corrected = correct_streams(predicted, fed, router);

    // The layer's own embedding goes into the streams that did not pass through it.
    const std::int64_t own_width = architecture_.per_layer_embedding;
    Id first = mul(stream_of(corrected, 1), weight(TensorRole::altup, width));
    first = unary(matmul(TensorRole::per_layer_gate, own_width, first));
    first = mul(first, view(Op::view, per_layer_inputs(), {own_width, n_tokens_, 1, 1}));
    first = norm(matmul(TensorRole::per_layer_gate, width, first));
    const Id head = stream_of(corrected, 1);
    x = concat(head, add(stream_of(corrected, streams - 1), first), 2);
}

} // namespace vramscope::graph
