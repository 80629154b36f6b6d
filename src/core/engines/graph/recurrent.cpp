// Recurrent mixers: how states are fetched, advanced over a micro-batch, and stored.
// Sources: llama.cpp src/llama-graph.cpp build_rs(), src/models/mamba-base.cpp, delta-net-base.cpp,
// qwen35.cpp, lfm2.cpp (b10256) as changed in 0.7.0.
#include "core/engines/graph/builder.h"

namespace vramscope::graph {

Id Builder::state_ids() {
    if (state_ids_ == none) {
        state_ids_ = input(Element::i32, {n_seqs_, 1, 1, 1});
        batch_state_ids_ = view(Op::view, state_ids_, {n_seqs_, 1, 1, 1});
        other_state_ids_ = view(Op::view, state_ids_, {n_seqs_ - 1, 1, 1, 1});
    }
    return state_ids_;
}

Id Builder::state_cache(std::int64_t width) {
    Tensor tensor;
    tensor.shape = {width, n_seqs_, 1, 1};
    tensor.bytes = vramscope::mul(4, vramscope::mul(width, n_seqs_));
    tensor.lies_on =
        context_.settings.offload_kqv ? backend_of(context_.split.device_of(il_)) : context_.cpu;
    return graph_.add(tensor);
}

/// New sequences start from a cleared state.
Id Builder::clear_state(Id state, std::int64_t width) {
    const Id states = reshape(state, {width, n_seqs_, 1, 1});
    expand(in_place(Op::scale, view(Op::view, states, {width, 1, 1, 1})));
    return states;
}

/// States of sequences that are not in the batch move along unchanged; in a full batch there are
/// none.
void Builder::keep_other_states(Id rows, Id state, std::int64_t width) {
    const Shape nothing{width, 0, 1, 1};
    expand(copy_to(view(Op::view, rows, nothing), view(Op::view, state, nothing)));
}

Id Builder::state_rows(Id state, std::int64_t width) {
    const Id rows = get_rows(clear_state(state, width), state_ids());
    const Id main = view(Op::view, rows, {width, n_seqs_, 1, 1});
    expand(main);
    keep_other_states(rows, state, width);
    return main;
}

/// The last inputs of the convolution, with the new ones behind them; the new tail is stored.
Id Builder::extended_input(Id state, Id x, std::int64_t width, std::int64_t channels) {
    const Id tail = reshape(state_rows(state, width * channels), {width, channels, n_seqs_, 1});
    const Id all = concat(tail, transpose(x), 0);
    const Id kept = view(Op::view, all, {width, channels, n_seqs_, 1}, false);
    expand(copy_to(kept, view(Op::view, state, {width * channels, n_seqs_, 1, 1})));
    return all;
}

/// Selective scan over the micro-batch; outputs and final states come in one tensor.
Id Builder::scan(Id state, const Mixer& mixer, std::int64_t head, Id x, Id dt, Id b, Id c) {
    const std::int64_t width = std::int64_t{mixer.d_state} * mixer.d_inner;
    const Id states = clear_state(state, width);
    const Id shaped = reshape(states, {mixer.d_state, head, mixer.d_inner / head, n_seqs_});
    const Id decay = head == 1 ? weight(TensorRole::ssm_small, mixer.d_state, mixer.d_inner)
                               : weight(TensorRole::ssm_small, 1, mixer.d_inner / head);
    if (head == 1 && context_.lacks_mamba_scan)
        graph_[decay].lies_on = context_.cpu;
    state_ids();
    const Id all = make(Op::ssm_scan, {elements_of(shape(x)) + width * n_seqs_, 1, 1, 1},
                        {shaped, x, dt, decay, b, c, batch_state_ids_});
    expand(all);
    const Id rows = make(Op::get_rows, {width, n_seqs_ - 1, 1, 1}, {states, other_state_ids_});
    keep_other_states(rows, state, width);
    const Shape flat{width * n_seqs_, 1, 1, 1};
    expand(copy_to(view(Op::view, all, flat), view(Op::view, state, flat)));
    return all;
}

Id Builder::mamba(std::int32_t, const Mixer& mixer, Id x) {
    const std::int64_t inner = mixer.d_inner;
    const std::int64_t rank = mixer.dt_rank;
    const std::int64_t d_state = mixer.d_state;
    const std::int64_t steps = tokens_per_seq();
    const Id r_state = state_cache((mixer.d_conv - 1) * inner);
    const Id s_state = state_cache(d_state * inner);

    const Id in = matmul(TensorRole::ssm_in, 2 * inner,
                         reshape(x, {architecture_.n_embd, steps, n_seqs_, 1}));
    const Shape half{inner, steps, n_seqs_, 1};
    const Id all =
        extended_input(r_state, view(Op::view, in, half, false), mixer.d_conv - 1, inner);
    const Id gate = view(Op::view, in, half, false);
    Id y = make(Op::ssm_conv, half, {all, weight(TensorRole::ssm_conv1d, mixer.d_conv, inner)});
    y = unary(add(y, weight(TensorRole::bias, inner)));

    const Id low = matmul(TensorRole::ssm_x, rank + 2 * d_state, y);
    Id dt = view(Op::view, low, {rank, steps, n_seqs_, 1}, false);
    Id b = view(Op::view, low, {d_state, 1, steps, n_seqs_}, false);
    Id c = view(Op::view, low, {d_state, 1, steps, n_seqs_}, false);
    const bool bare_norms =
        architecture_.gguf_arch == "mamba" && !mixer.dt_norms && mixer.dt_rank >= 256;
    if (mixer.dt_norms || bare_norms) {
        dt = norm(dt, mixer.dt_norms);
        b = norm(b, mixer.dt_norms);
        c = norm(c, mixer.dt_norms);
    } else {
        dt = cont(dt, shape(dt));
    }
    dt = add(matmul(TensorRole::ssm_dt, inner, dt), weight(TensorRole::bias, inner));
    const Id scanned = scan(s_state, mixer, 1, reshape(y, {1, inner, steps, n_seqs_}), dt, b, c);
    Id out = view(Op::view, scanned, half);
    out = add(out, mul(y, weight(TensorRole::ssm_small, inner)));
    out = make(Op::other, half, {cont(gate, half), out});
    out = matmul(TensorRole::ssm_out, architecture_.n_embd, out);
    return reshape(out, {architecture_.n_embd, n_tokens_, 1, 1});
}

Id Builder::mamba2(std::int32_t, const Mixer& mixer, Id x) {
    const std::int64_t inner = mixer.d_inner;
    const std::int64_t heads = mixer.dt_rank;
    const std::int64_t head = inner / heads;
    const std::int64_t d_state = mixer.d_state;
    const std::int64_t groups = mixer.n_groups;
    const std::int64_t channels = inner + 2 * groups * d_state;
    const std::int64_t steps = tokens_per_seq();
    const Id r_state = state_cache((mixer.d_conv - 1) * channels);
    const Id s_state = state_cache(d_state * inner);

    Id in = matmul(TensorRole::ssm_in, inner + channels + heads, x);
    in = reshape(in, {shape(in)[0], steps, n_seqs_, 1});
    const Shape by_head{head, heads, steps, n_seqs_};
    const Id gate = view(Op::view, in, by_head, false);
    const Id fed = view(Op::view, in, {channels, steps, n_seqs_, 1}, false);
    Id dt = view(Op::view, in, {heads, steps, n_seqs_, 1}, false);
    const Id all = extended_input(r_state, fed, mixer.d_conv - 1, channels);
    Id y = make(Op::ssm_conv, {channels, steps, n_seqs_, 1},
                {all, weight(TensorRole::ssm_conv1d, mixer.d_conv, channels)});
    y = unary(add(y, weight(TensorRole::bias, channels)));
    const Id values = view(Op::view, y, by_head, false);
    const Id b = view(Op::view, y, {d_state, groups, steps, n_seqs_}, false);
    const Id c = view(Op::view, y, {d_state, groups, steps, n_seqs_}, false);
    dt = add(cont(dt, shape(dt)), weight(TensorRole::bias, heads));
    const Id scanned = scan(s_state, mixer, head, values, dt, b, c);
    Id out = view(Op::view, scanned, by_head);
    out = add(out, mul(values, weight(TensorRole::ssm_small, 1, heads)));
    out = make(Op::other, by_head, {cont(gate, by_head), out});
    if (mixer.inner_norm) {
        out = norm(reshape(out, {inner / groups, groups, steps, n_seqs_}));
    }
    out = reshape(out, {inner, n_tokens_, 1, 1});
    return matmul(TensorRole::ssm_out, architecture_.n_embd, out);
}

Id Builder::gated_delta_net(std::int32_t, const Mixer& mixer, Id x) {
    const std::int64_t key = mixer.d_state;
    const std::int64_t k_heads = mixer.n_groups;
    const std::int64_t v_heads = mixer.dt_rank;
    const std::int64_t value = mixer.d_inner / v_heads;
    const std::int64_t channels = mixer.d_inner + 2 * k_heads * key;
    const std::int64_t steps = tokens_per_seq();
    const std::int64_t state_width = value * value * v_heads;
    expand(x);
    const Id r_state = state_cache((mixer.d_conv - 1) * channels);
    const Id s_state = state_cache(state_width);

    Id mixed = matmul(TensorRole::attn_qkv, channels, x);
    mixed = reshape(mixed, {channels, steps, n_seqs_, 1});
    const Id z = matmul(TensorRole::attn_gate, mixer.d_inner, x);
    const Shape by_value_head{v_heads, steps, n_seqs_, 1};
    const Shape single{1, v_heads, steps, n_seqs_};
    Id beta = none;
    Id alpha = none;
    if (traits_.interleaved_heads) {
        // One projection, by key head.
        const std::int64_t ratio = v_heads / k_heads;
        const Id both = reshape(matmul(TensorRole::ssm_beta_alpha, 2 * v_heads, x),
                                {2 * ratio, k_heads, steps, n_seqs_});
        const Shape half{ratio, k_heads, steps, n_seqs_};
        beta = reshape(unary(cont(view(Op::view, both, half, false), half)), single);
        alpha = cont(view(Op::view, both, half, false), by_value_head);
    } else {
        beta = unary(reshape(matmul(TensorRole::ssm_beta_alpha, v_heads, x), single));
        alpha = reshape(matmul(TensorRole::ssm_beta_alpha, v_heads, x), by_value_head);
    }
    alpha = add(alpha, weight(TensorRole::bias, v_heads));
    const Id decay = reshape(mul(unary(alpha), weight(TensorRole::ssm_small, v_heads)), single);

    const Id all = extended_input(r_state, mixed, mixer.d_conv - 1, channels);
    Id state = state_rows(s_state, state_width);
    state = reshape(state, {value, value, v_heads, n_seqs_});
    Id y = make(Op::ssm_conv, {channels, steps, n_seqs_, 1},
                {all, weight(TensorRole::ssm_conv1d, mixer.d_conv, channels)});
    y = unary(y);
    // Queries and keys are normalised to length one.
    const auto unit = [&](Id part) { return scale(like(Op::rms_norm, part)); };
    const auto spread = [&](Id part) {
        if (!traits_.interleaved_heads || k_heads == v_heads)
            return part;
        const Id apart = reshape(part, {key, 1, k_heads, n_tokens_});
        const Id repeated = make(Op::other, {key, v_heads / k_heads, k_heads, n_tokens_}, {apart});
        return reshape(repeated, {key, v_heads, steps, n_seqs_});
    };
    const Shape keys{key, k_heads, steps, n_seqs_};
    const Id q = spread(unit(view(Op::view, y, keys, false)));
    const Id k = spread(unit(view(Op::view, y, keys, false)));
    const Id v = view(Op::view, y, {value, v_heads, steps, n_seqs_}, false);
    const Id net = make(Op::other, {value * v_heads, n_tokens_ + value * n_seqs_, 1, 1},
                        {q, k, v, decay, beta, state});
    const Shape by_head{value, v_heads, steps, n_seqs_};
    const Id output = view(Op::view, net, by_head);
    const Id new_state = view(Op::view, net, {value, value, v_heads, n_seqs_});
    expand(copy_to(new_state, view(Op::view, s_state, {state_width, n_seqs_, 1, 1})));
    const Id gate = reshape(z, by_head);
    Id out = mul(norm(output), unary(gate));
    out = reshape(out, {mixer.d_inner, steps, n_seqs_, 1});
    out = matmul(TensorRole::ssm_out, architecture_.n_embd, out);
    return reshape(out, {architecture_.n_embd, n_tokens_, 1, 1});
}

/// One of the three convolved projections of Kimi's delta attention; they share a state.
Id Builder::convolved(const Mixer& mixer, Id projected, Id tails, Id r_state) {
    const std::int64_t width = mixer.d_conv - 1;
    const std::int64_t inner = mixer.d_inner;
    const std::int64_t steps = tokens_per_seq();
    const Shape state{width, inner, n_seqs_, 1};
    const Id tail = view(Op::view, tails, state, false);
    const Id rows = reshape(projected, {inner, steps, n_seqs_, 1});
    const Id all = concat(tail, transpose(rows), 0);
    const Id kept = view(Op::view, all, state, false);
    expand(copy_to(kept, view(Op::view, r_state, state, false)));
    const Id kernel =
        reshape(weight(TensorRole::ssm_conv1d, mixer.d_conv, inner), {mixer.d_conv, inner, 1, 1});
    Id y = make(Op::ssm_conv, {inner, steps, n_seqs_, 1}, {all, kernel});
    y = unary(reshape(y, {inner, n_tokens_, 1, 1}));
    return reshape(y, {mixer.d_state, mixer.dt_rank, steps, n_seqs_});
}

Id Builder::kimi_delta(std::int32_t, const Mixer& mixer, Id x) {
    const std::int64_t head = mixer.d_state;
    const std::int64_t heads = mixer.dt_rank;
    const std::int64_t inner = mixer.d_inner;
    const std::int64_t steps = tokens_per_seq();
    const std::int64_t state_width = head * head * heads;
    const Shape by_token{head, heads, n_tokens_, 1};
    const Shape by_head{head, heads, steps, n_seqs_};
    expand(x);
    const Id r_state = state_cache(3 * (mixer.d_conv - 1) * inner);
    const Id s_state = state_cache(state_width);
    const Id tails = state_rows(r_state, 3 * (mixer.d_conv - 1) * inner);
    Id q = convolved(mixer, matmul(TensorRole::attn_q, inner, x), tails, r_state);
    Id k = convolved(mixer, matmul(TensorRole::attn_k, inner, x), tails, r_state);
    const Id v = convolved(mixer, matmul(TensorRole::attn_v, inner, x), tails, r_state);
    const auto low_rank = [&](Id y) {
        return matmul(TensorRole::ssm_low_rank, inner, matmul(TensorRole::ssm_low_rank, head, y));
    };
    Id decay = unary(add(low_rank(x), weight(TensorRole::bias, inner)));
    const Id rate = reshape(weight(TensorRole::ssm_small, 1, heads), {1, heads, 1, 1});
    decay = reshape(mul(reshape(decay, by_token), rate), by_head);
    const Id beta =
        unary(reshape(matmul(TensorRole::ssm_beta_alpha, heads, x), {1, heads, steps, n_seqs_}));
    const Id rows = reshape(x, {shape(x)[0], steps, n_seqs_, 1});
    Id state = state_rows(s_state, state_width);
    state = reshape(state, {head, head, heads, n_seqs_});
    q = scale(like(Op::rms_norm, q));
    k = scale(like(Op::rms_norm, k));
    const Id net =
        make(Op::other, {inner, n_tokens_ + head * n_seqs_, 1, 1}, {q, k, v, decay, beta, state});
    const Id output = cont(view(Op::view, net, by_head), by_head);
    const Id new_state = view(Op::view, net, {head, head, heads, n_seqs_});
    expand(copy_to(new_state, view(Op::view, s_state, {state_width * n_seqs_, 1, 1, 1})));
    const Id gate =
        unary(reshape(low_rank(reshape(rows, {shape(x)[0], n_tokens_, 1, 1})), by_token));
    const Id gated = mul(norm(reshape(output, by_token)), gate);
    return matmul(TensorRole::attn_output, architecture_.n_embd,
                  cont(gated, {inner, n_tokens_, 1, 1}));
}

Id Builder::short_convolution(std::int32_t, const Mixer& mixer, Id x) {
    const std::int64_t width = architecture_.n_embd;
    const std::int64_t steps = tokens_per_seq();
    const Shape rows{width, steps, n_seqs_, 1};
    const Id r_state = state_cache((mixer.d_conv - 1) * width);
    const Id in = matmul(TensorRole::shortconv_in, 3 * width, reshape(x, rows));
    const Id b = view(Op::view, in, rows, false);
    const Id c = view(Op::view, in, rows, false);
    const Id fed = mul(b, view(Op::view, in, rows, false));
    const Id all = extended_input(r_state, fed, mixer.d_conv - 1, width);
    const Id convolved =
        make(Op::ssm_conv, rows, {all, weight(TensorRole::shortconv_conv, mixer.d_conv, width)});
    const Id out = matmul(TensorRole::shortconv_out, width, mul(c, convolved));
    return reshape(out, {width, n_tokens_, 1, 1});
}

} // namespace vramscope::graph
