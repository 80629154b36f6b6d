// RWKV-7: every token is mixed with the one before it, then goes through a linear-attention state
// (time mix) and a feed-forward part of its own kind (channel mix).
// Source: llama.cpp src/models/rwkv7.cpp, rwkv7-base.cpp (2025-2026).
#include "core/engines/graph/builder.h"

namespace vramscope::graph {

/// x shifted by one token: the last of the previous batch in front, the last of this one dropped.
Id Builder::shifted(Id before, Id x) {
    const Shape& s = shape(x);
    return concat(before, view(Op::view, x, {s[0], s[1] - 1, s[2], 1}, s[2] == 1), 1);
}

/// Between x and the token before it, by a learned share; `parts` of them at once.
Id Builder::interpolate(TensorRole role, Id x, Id before, std::int64_t parts) {
    const Shape& s = shape(x);
    Id difference = like(Op::sub, before, x);
    if (parts > 1)
        difference = make(Op::other, {s[0], s[1], s[2], parts}, {difference});
    return add(mul(difference, weight(role, s[0], parts)), x);
}

/// Two thin matrices after each other; an activation between them.
Id Builder::low_rank(std::int64_t rank, Id x, bool activated) {
    const std::int64_t width = architecture_.n_embd;
    const Id inner = matmul(TensorRole::time_mix, rank, x);
    return matmul(TensorRole::time_mix, width, activated ? unary(inner) : inner);
}

Id Builder::time_mix(std::int32_t il, const Mixer& mixer, Id x, Id before) {
    const std::int64_t width = architecture_.n_embd;
    const std::int64_t head = mixer.d_state;
    const Shape flat{width, n_tokens_, 1, 1};
    const Shape by_head{head, width / head, n_tokens_, 1};
    constexpr TensorRole role = TensorRole::time_mix;
    const Id mixed = interpolate(role, x, before, 6);
    const auto part = [&] { return view(Op::view, mixed, flat); };
    const auto vector = [&] { return weight(role, width); };

    Id r = matmul(role, width, part());
    Id decay = add(low_rank(mixer.lora_decay, part(), true), vector());
    decay = unary(scale(unary(decay)));
    Id k = matmul(role, width, part());
    const Id for_values = part();
    Id v = matmul(role, width, for_values);
    if (first_values_ == none) {
        first_values_ = v;
    } else {
        const Id share = unary(add(low_rank(mixer.lora_value, for_values, false), vector()));
        v = add(v, mul(like(Op::sub, first_values_, v), share));
    }
    const Id gate = low_rank(mixer.lora_gate, part(), true);
    Id rate = unary(add(low_rank(mixer.lora_iclr, part(), false), vector()));
    const Id removed = like(Op::other, reshape(mul(k, vector()), by_head)); // of length one
    const Id damped = mul(k, vector());
    k = add(k, like(Op::sub, mul(rate, damped), damped));
    r = reshape(r, by_head);
    decay = reshape(decay, by_head);
    k = reshape(k, by_head);
    v = reshape(v, by_head);
    rate = reshape(rate, by_head);

    const Id s_state = state_cache(width * head);
    const Id state = state_rows(s_state, width * head);
    const Id out = make(Op::other, {width, n_tokens_ + head * n_seqs_, 1, 1},
                        {r, decay, k, v, unary(removed), mul(removed, rate), state});
    Id y = view(Op::view, out, {width * n_tokens_, 1, 1, 1});
    const Shape states{width * head * n_seqs_, 1, 1, 1};
    expand(copy_to(view(Op::view, out, states), view(Op::view, s_state, states)));

    y = like(Op::other, reshape(y, by_head)); // a norm per head
    y = add(mul(reshape(y, flat), vector()), vector());
    const Id weights = reshape(vector(), {head, width / head, 1, 1});
    const Id agreement =
        make(Op::sum_rows, {1, width / head, n_tokens_, 1}, {mul(mul(k, r), weights)});
    y = add(y, reshape(mul(v, agreement), flat));
    y = matmul(role, width, mul(y, gate));
    (void)il;
    return reshape(y, {width, tokens_per_seq(), n_seqs_, 1});
}

void Builder::rwkv_layer(std::int32_t il, Id& x) {
    const Layer& layer = architecture_.layers[static_cast<std::size_t>(il)];
    const std::int64_t width = architecture_.n_embd;
    const Shape rows{width, tokens_per_seq(), n_seqs_, 1};
    const Shape last{width, 1, n_seqs_, 1};
    const Shape flat{width, n_tokens_, 1, 1};
    x = reshape(x, rows);
    const Id r_state = state_cache(2 * width);
    const Id before = reshape(state_rows(r_state, 2 * width), {width, 2, n_seqs_, 1});
    const Id before_mix = view(Op::view, before, last, n_seqs_ == 1);
    const Id before_feed = view(Op::view, before, last, n_seqs_ == 1);

    const Id normed = layer_norm(x);
    const Id mixed = time_mix(il, architecture_.mixer(layer), normed, shifted(before_mix, normed));
    Id attended = add(mixed, x);
    Id fed = layer_norm(attended);
    Id previous = shifted(before_feed, fed);
    const auto tail = [&](Id y) { return view(Op::view, y, last, n_seqs_ == 1); };
    const Id shift = concat(tail(normed), tail(fed), 1);
    const Shape both{2 * width * n_seqs_, 1, 1, 1};
    expand(copy_to(view(Op::view, shift, both), view(Op::view, r_state, both)));

    attended = reshape(attended, flat);
    fed = reshape(fed, flat);
    previous = reshape(previous, flat);
    if (is_last(il)) {
        attended = pick_outputs(attended);
        fed = pick_outputs(fed);
        previous = pick_outputs(previous);
    }
    constexpr TensorRole role = TensorRole::channel_mix;
    const std::int64_t n_ff = architecture_.feed_forward(layer).n_ff;
    Id inner = matmul(role, n_ff, interpolate(role, fed, previous, 1));
    inner = like(Op::sqr, unary(inner));
    x = add(matmul(role, width, inner), attended);
}

} // namespace vramscope::graph
