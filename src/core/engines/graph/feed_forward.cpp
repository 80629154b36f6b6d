#include "core/engines/graph/builder.h"

namespace vramscope::graph {

Id Builder::dense(std::int64_t n_ff, bool gated, bool fused, bool bias, Id x, bool shared) {
    const TensorRole up_role = shared ? TensorRole::ffn_up_shexp : TensorRole::ffn_up;
    const TensorRole gate_role = shared ? TensorRole::ffn_gate_shexp : TensorRole::ffn_gate;
    const TensorRole down_role = shared ? TensorRole::ffn_down_shexp : TensorRole::ffn_down;
    const std::int64_t width = shape(x)[0];
    Id inner = none;
    if (gated && !fused) {
        const Id up = add_bias(matmul(up_role, n_ff, x), bias);
        const Id gate = add_bias(matmul(gate_role, n_ff, x), bias);
        inner = make(Op::other, shape(gate), {gate, up});
    } else if (gated) {
        const Id both = add_bias(matmul(up_role, 2 * n_ff, x), bias);
        inner = make(Op::other, {n_ff, shape(both)[1], shape(both)[2], shape(both)[3]}, {both});
    } else {
        inner = unary(add_bias(matmul(up_role, n_ff, x), bias));
        if (traits_.plain_activation == Activation::squared_relu)
            inner = like(Op::sqr, inner);
    }
    return add_bias(matmul(down_role, width, inner), bias);
}

Id Builder::route(const FeedForward& ff, Id scores, Id& chosen) {
    const std::int64_t tokens = shape(scores)[1];
    const std::int64_t used = ff.n_experts_used;
    Id probs = scores;
    if (traits_.routing == Routing::softmax)
        probs = like(Op::soft_max, scores);
    if (traits_.routing == Routing::sigmoid)
        probs = unary(scores);
    Id selection = probs;
    if (ff.router_bias)
        selection = add(probs, weight(TensorRole::bias, ff.n_experts));
    if (traits_.expert_groups) {
        // The best groups stay, the others are masked out.
        constexpr std::int64_t groups = 8;
        constexpr std::int64_t groups_used = 4;
        const std::int64_t size = ff.n_experts / groups;
        const Id by_group = reshape(selection, {size, groups, tokens, 1});
        const Id best = view(Op::view, make(Op::argsort, shape(by_group), {by_group}, Element::i32),
                             {2, groups, tokens, 1}, false);
        const Id each = reshape(by_group, {1, size, groups, tokens});
        Id group_scores = make(Op::get_rows, {1, 2, groups, tokens}, {each, best});
        group_scores = reshape(group_scores, {2, groups, tokens, 1});
        group_scores = make(Op::sum_rows, {1, groups, tokens, 1}, {group_scores});
        group_scores = reshape(group_scores, {groups, tokens, 1, 1});
        const Id order = make(Op::argsort, shape(group_scores), {group_scores}, Element::i32);
        const Id kept = view(Op::view, order, {groups_used, tokens, 1, 1}, false);
        const Id kept_scores = make(Op::get_rows, {size, groups_used, tokens, 1}, {by_group, kept});
        const Id masked = like(Op::fill, by_group);
        const Id merged = view(Op::set_rows, masked, shape(masked));
        graph_[merged].sources = {kept_scores, kept, masked, none, none, none, none, none};
        selection = reshape(merged, {ff.n_experts, tokens, 1, 1});
    }
    const Id sorted = make(Op::argsort, shape(selection), {selection}, Element::i32);
    chosen = view(Op::view, sorted, {used, tokens, 1, 1}, false);
    Id weights = get_rows(reshape(probs, {1, ff.n_experts, tokens, 1}), chosen);
    graph_[weights].shape = {1, used, tokens, 1};
    if (traits_.routing == Routing::softmax_of_chosen) {
        weights = reshape(weights, {used, tokens, 1, 1});
        weights = reshape(like(Op::soft_max, weights), {1, used, tokens, 1});
    }
    if (traits_.normalised_weights) {
        weights = reshape(weights, {used, tokens, 1, 1});
        const Id sum =
            make(Op::clamp, {1, tokens, 1, 1}, {make(Op::sum_rows, {1, tokens, 1, 1}, {weights})});
        weights = reshape(like(Op::div, weights, sum), {1, used, tokens, 1});
    }
    if (traits_.scaled_weights)
        weights = scale(weights);
    expand(weights);
    return weights;
}

Id Builder::experts(const FeedForward& ff, Id x, Id router_input, Id router_logits) {
    const std::int64_t tokens = shape(x)[1];
    const std::int64_t width = shape(x)[0];
    const std::int64_t used = ff.n_experts_used;
    Id scores = router_logits != none
                    ? router_logits
                    : matmul(TensorRole::ffn_gate_inp, ff.n_experts, router_input);
    scores = add_bias(scores, ff.expert_bias);
    Id chosen = none;
    const Id weights = route(ff, scores, chosen);

    const auto bank = [&](TensorRole role, std::int64_t rows, Id y) {
        const Id matrix = weight(role, shape(y)[0], rows, ff.n_experts);
        Id made = make(Op::mul_mat_id, {rows, used, tokens, 1}, {matrix, y, chosen});
        if (ff.expert_bias) {
            const Id bias = weight(TensorRole::ffn_exps_bias, rows, ff.n_experts);
            made = make(Op::add_id, shape(made), {made, bias, chosen});
        }
        return made;
    };
    const Id rows = reshape(x, {width, 1, tokens, 1});
    const std::int64_t n_ff = ff.n_ff_expert;
    Id inner = none;
    if (!ff.gated) {
        inner = unary(bank(TensorRole::ffn_up_exps, n_ff, rows));
        if (traits_.plain_activation == Activation::squared_relu)
            inner = like(Op::sqr, inner);
    } else if (ff.fused_expert_gate_up) {
        const Id both = bank(TensorRole::ffn_gate_up_exps, 2 * n_ff, rows);
        const Shape half{n_ff, used, tokens, 1};
        inner = make(Op::other, half,
                     {view(Op::view, both, half, false), view(Op::view, both, half, false)});
    } else {
        const Id up = bank(TensorRole::ffn_up_exps, n_ff, rows);
        const Id gate = bank(TensorRole::ffn_gate_exps, n_ff, rows);
        inner = make(Op::other, shape(gate), {gate, up});
    }
    const Id down = bank(TensorRole::ffn_down_exps, width, inner);
    graph_[down].full_precision = traits_.precise_experts;
    Id out = mul(down, weights);
    expand(out);
    // Views of each expert's rows, then the sum.
    std::vector<Id> each(static_cast<std::size_t>(used));
    for (Id& one : each) {
        one = view(Op::view, out, {width, tokens, 1, 1}, false);
        expand(one);
    }
    Id sum = each[0];
    for (std::size_t i = 1; i < each.size(); ++i) {
        sum = add(sum, each[i]);
        expand(sum);
    }
    return used == 1 ? cont(sum, shape(sum)) : sum;
}

Id Builder::shared_expert(const FeedForward& ff, Id x) {
    if (ff.shared_gate) {
        const Id fed = dense(ff.n_ff_shared, ff.gated, false, false, x, true);
        const Id score = matmul(TensorRole::ffn_gate_inp_shexp, 1, x);
        const Id gate = unary(score);
        return mul(fed, traits_.gate_divided_by_score ? like(Op::div, gate, score) : gate);
    }
    return dense(ff.n_ff_shared, ff.gated, false, false, x, true);
}

Id Builder::feed_forward(const FeedForward& ff, Id x) {
    if (ff.kind == FeedForwardKind::dense) {
        return dense(ff.n_ff, ff.gated, ff.fused_gate_up, ff.bias, x);
    }
    if (ff.latent_size > 0) {
        // Experts work on a narrower width.
        const Id scores = matmul(TensorRole::ffn_gate_inp, ff.n_experts, x);
        const Id narrow = matmul(TensorRole::ffn_latent, ff.latent_size, x);
        const Id routed =
            matmul(TensorRole::ffn_latent, shape(x)[0], experts(ff, narrow, x, scores));
        return ff.n_ff_shared == 0 ? routed : add(routed, shared_expert(ff, x));
    }
    const Id routed = experts(ff, x, x);
    if (ff.n_ff_shared == 0)
        return routed;
    return add(routed, shared_expert(ff, x));
}

} // namespace vramscope::graph
