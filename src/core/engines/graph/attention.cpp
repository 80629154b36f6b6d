#include "core/engines/graph/builder.h"

namespace vramscope::graph {
namespace {

Element cache_element(StorageType type) {
    if (type == StorageType::f32)
        return Element::f32;
    return type == StorageType::f16 || type == StorageType::bf16 ? Element::f16 : Element::stored;
}

bool is_quantised(StorageType type) {
    return cache_element(type) == Element::stored;
}

} // namespace

std::int64_t Builder::cells(const Mixer& mixer) const {
    return CacheLayout::of(context_.settings.cache).cells_of(mixer, context_.settings.cache);
}

Id Builder::mask(const Mixer& mixer) {
    return input(flash() && !masks_in_32_bits(context_.settings.version) ? Element::f16
                                                                         : Element::f32,
                 {cells(mixer), n_tokens_ / n_streams_, 1, n_streams_});
}

Builder::AttentionInputs& Builder::attention_inputs(const Mixer& mixer) {
    AttentionInputs& inputs = is_windowed(mixer.kind) ? window_inputs_ : full_inputs_;
    if (inputs.mask != none)
        return inputs;
    inputs.k_rows = input(Element::i64, {n_tokens_, 1, 1, 1});
    const std::int64_t v_elements = flash() ? 1 : widest_values_;
    inputs.v_rows = input(Element::i64, {n_tokens_ * v_elements, 1, 1, 1});
    inputs.mask = mask(mixer);
    // Before the mask was made in half precision, it was converted for flash attention.
    if (flash() && masks_in_32_bits(context_.settings.version))
        inputs.mask = make(Op::other, shape(inputs.mask), {inputs.mask}, Element::f16);
    // Keys and values of a quantised cache are rotated to spread outliers.
    const CacheSettings& settings = context_.settings.cache;
    const bool rotates = context_.settings.version == LlamaCppVersion::v0_7_0 ||
                         context_.settings.version == LlamaCppVersion::b10256;
    const auto rotatable = [](std::int32_t head_dim) { return head_dim > 0 && head_dim % 64 == 0; };
    const std::int32_t key = mixer.kind == MixerKind::latent && !mixer.absorbed
                                 ? mixer.qk_nope_head_dim + mixer.qk_rope_head_dim
                                 : mixer.head_dim_k;
    if (rotates && is_quantised(settings.type_k) && rotatable(key)) {
        std::int64_t n = 64;
        while (key % (2 * n) == 0)
            n *= 2;
        inputs.k_rotation = input(Element::f32, {n, n, 1, 1});
    }
    if (rotates && is_quantised(settings.type_v) && key > 0 && rotatable(mixer.head_dim_v)) {
        inputs.v_rotation = input(Element::f32, {64, 64, 1, 1});
    }
    return inputs;
}

Builder::Cache Builder::cache(std::int32_t il, const Mixer& mixer, bool with_values) {
    const LlamaCppSettings& settings = context_.settings;
    const Layer& layer = architecture_.layers[static_cast<std::size_t>(il)];
    // A layer without a cache of its own reads that of the last one of its kind, wherever it lies.
    own_caches_.resize(architecture_.mixers.size());
    Cache& own = own_caches_[layer.mixer];
    if (layer.shares_kv && own.k != none)
        return own;
    const CacheElements elements = cache_elements(mixer);
    const std::int8_t home =
        settings.offload_kqv ? backend_of(context_.split.device_of(il)) : context_.cpu;
    const auto make_cache = [&](std::int64_t width, StorageType type) {
        Tensor tensor;
        tensor.shape = {width, cells(mixer), n_streams_, 1};
        tensor.element = cache_element(type);
        tensor.bytes = vramscope::mul(context_.types.row_bytes(type, width),
                                      vramscope::mul(cells(mixer), n_streams_));
        tensor.lies_on = home;
        return graph_.add(tensor);
    };
    Cache made;
    made.k = make_cache(elements.k, settings.cache.type_k);
    if (with_values && elements.v > 0) {
        made.v = make_cache(flash() ? elements.v : widest_values_, settings.cache.type_v);
    }
    own = made;
    return made;
}

Id Builder::rotate(Id x, Id rotation) {
    if (rotation == none)
        return x;
    const Shape before = shape(x);
    const std::int64_t n = shape(rotation)[0];
    const Shape rows{n, elements_of(before) / n, 1, 1};
    const Id flat = graph_[x].contiguous ? reshape(x, rows) : cont(x, rows);
    return reshape(mul_mat(rotation, flat), before);
}

Id Builder::rope(Id x, bool factors) {
    Id table = none;
    if (factors && architecture_.rope_factors > 0) {
        // One table per place, shared by its layers.
        Id& shared =
            rope_tables_[static_cast<std::size_t>(backend_of(context_.split.device_of(il_)))];
        if (shared == none)
            shared = weight(TensorRole::rope_factors, architecture_.rope_factors);
        table = shared;
    }
    return make(Op::rope, shape(x), {x, positions(), table});
}

void Builder::store_keys(Id cache, Id k, Id rows) {
    const Shape& s = shape(k);
    const Id flat = view(Op::view, k, {s[0] * s[1], s[2], 1, 1});
    Id target = cache;
    if (n_streams_ > 1) {
        const Shape& c = shape(cache);
        target = reshape(cache, {c[0], c[1] * c[2], 1, 1});
    }
    const Id stored = view(Op::set_rows, target, shape(target));
    graph_[stored].sources = {flat, rows, target, none, none, none, none, none};
    expand(stored);
}

void Builder::store_values(Id cache, Id v, Id rows) {
    if (flash()) {
        store_keys(cache, v, rows);
        return;
    }
    // Without flash attention values are kept transposed: every element is a row of its own.
    const Shape s = shape(v);
    const Shape merged{s[0] * s[1], s[2], 1, 1};
    Id flat = graph_[v].contiguous ? reshape(v, merged) : cont(v, merged);
    if (merged[0] < shape(cache)[0]) {
        flat = make(Op::other, {shape(cache)[0], s[2], 1, 1}, {flat}); // padded
    }
    const Id target = reshape(cache, {1, elements_of(shape(cache)), 1, 1});
    const Id single = reshape(flat, {1, elements_of(shape(flat)), 1, 1});
    const Id stored = view(Op::set_rows, target, shape(target));
    graph_[stored].sources = {single, rows, target, none, none, none, none, none};
    expand(stored);
}

Id Builder::cached_keys(Id cache, std::int64_t head, std::int64_t heads, std::int64_t n_cells) {
    return view(Op::view, cache, {head, heads, n_cells, n_streams_});
}

Id Builder::cached_values(Id cache, std::int64_t head, std::int64_t heads, std::int64_t n_cells) {
    if (flash())
        return cached_keys(cache, head, heads, n_cells);
    const Id values = view(Op::view, cache, {n_cells, heads, head, n_streams_});
    // Every stream but the last spans its padding, too.
    const std::int64_t padding = shape(cache)[0] - heads * head;
    if (padding > 0) {
        graph_[values].contiguous = false;
        graph_[values].bytes += vramscope::mul((n_streams_ - 1) * padding * n_cells,
                                               element_bytes(graph_[cache].element));
    }
    return values;
}

Id Builder::attend_cached(const Mixer& mixer, Id q, Id k, Id v, Id kq_mask, Id sinks, Id decompress,
                          bool v_transposed) {
    (void)mixer;
    const Shape qs = shape(q);
    q = view(Op::view, q, {qs[0], qs[1], qs[2] / n_streams_, n_streams_}, graph_[q].contiguous);
    q = permute(q, 0, 2, 1, 3);
    k = permute(k, 0, 2, 1, 3);
    v = permute(v, 0, 2, 1, 3);
    if (flash()) {
        const auto half = [&](Id x) {
            return graph_[x].element == Element::f32 ? make(Op::other, shape(x), {x}, Element::f16)
                                                     : x;
        };
        k = half(k);
        v = half(v);
        const Shape heads = shape(q);
        const Id attended = make(Op::flash_attn, {shape(v)[0], heads[2], heads[1], heads[3]},
                                 {q, k, v, kq_mask, sinks});
        Id y = attended;
        if (decompress != none) {
            y = mul_mat(decompress, permute(y, 0, 2, 1, 3));
            y = permute(y, 0, 2, 1, 3);
            y = cont(y, shape(y));
        }
        const Shape s = shape(y);
        y = reshape(y, {s[0] * s[1], s[2] * s[3], 1, 1});
        expand(y);
        return y;
    }
    Id scores = mul_mat(k, q);
    if (traits_.attention_softcap)
        scores = scale(unary(scale(scores)));
    scores = make(Op::soft_max, shape(scores), {scores, kq_mask, sinks});
    if (!v_transposed) {
        v = transpose(v);
        v = cont(v, shape(v));
    }
    Id y = mul_mat(v, scores);
    if (decompress != none)
        y = mul_mat(decompress, y);
    y = permute(y, 0, 2, 1, 3);
    const Shape s = shape(y);
    y = cont(y, {s[0] * s[1], s[2] * s[3], 1, 1});
    if (!context_.settings.offload_kqv)
        graph_[y].pinned = context_.cpu;
    expand(y);
    return y;
}

Builder::Qkv Builder::project_qkv(const Mixer& mixer, Id x, bool shares_kv) {
    const std::int64_t q_width = std::int64_t{mixer.q_heads} * mixer.head_dim_k;
    const std::int64_t k_width = std::int64_t{mixer.kv_heads} * mixer.head_dim_k;
    const std::int64_t v_width = std::int64_t{mixer.kv_heads} * mixer.head_dim_v;
    const Shape q_shape{mixer.head_dim_k, mixer.q_heads, n_tokens_, 1};
    const Shape k_shape{mixer.head_dim_k, mixer.kv_heads, n_tokens_, 1};
    const Shape v_shape{mixer.head_dim_v, mixer.kv_heads, n_tokens_, 1};
    Qkv out;
    if (mixer.fused_qkv) {
        const Id all =
            add_bias(matmul(TensorRole::attn_qkv, q_width + k_width + v_width, x), mixer.qkv_bias);
        out.q = view(Op::view, all, q_shape, false);
        out.k = view(Op::view, all, k_shape, false);
        out.v = view(Op::view, all, v_shape, false);
        return out;
    }
    const auto project = [&](TensorRole role, std::int64_t width) {
        return add_bias(matmul(role, width, x), mixer.qkv_bias);
    };
    if (mixer.gate == AttentionGate::inside_q) {
        // Each head's query is followed by its gate.
        Id both = project(TensorRole::attn_q, 2 * q_width);
        if (traits_.interleaved_heads)
            both = reshape(both, {2 * mixer.head_dim_k, mixer.q_heads, n_tokens_, 1});
        out.q = view(Op::view, both, q_shape, false);
        out.gate = cont(view(Op::view, both, q_shape, false), {q_width, n_tokens_, 1, 1});
    } else {
        out.q = project(TensorRole::attn_q, q_width);
    }
    if (!shares_kv) {
        out.k = project(TensorRole::attn_k, k_width);
        out.v = mixer.values_from_keys ? out.k : project(TensorRole::attn_v, v_width);
    }
    if (mixer.qk_norm == QkNorm::full) {
        out.q = norm(out.q);
        if (!shares_kv)
            out.k = norm(out.k);
    }
    if (mixer.gate != AttentionGate::inside_q)
        out.q = reshape(out.q, q_shape);
    if (!shares_kv) {
        out.k = reshape(out.k, k_shape);
        out.v = reshape(out.v, v_shape);
    }
    return out;
}

Id Builder::softmax_attention(std::int32_t il, const Mixer& mixer, Id x) {
    const bool shares_kv = architecture_.layers[static_cast<std::size_t>(il)].shares_kv;
    Qkv qkv = project_qkv(mixer, x, shares_kv);
    const bool ropes = traits_.rope == RopeUse::always ||
                       (traits_.rope == RopeUse::windowed_layers && is_windowed(mixer.kind));
    const bool factors = !traits_.factors_on_full_layers || !is_windowed(mixer.kind);
    const auto position = [&](Id y) { return ropes ? rope(y, factors) : y; };
    const auto normalise = [&](Id y) { return mixer.qk_norm == QkNorm::per_head ? norm(y) : y; };
    const auto finish = [&](Id y) {
        return traits_.qk_order == QkOrder::norm_then_rope ? position(normalise(y))
                                                           : normalise(position(y));
    };
    qkv.q = finish(qkv.q);
    if (!shares_kv)
        qkv.k = finish(qkv.k);
    if (traits_.normalised_values && !shares_kv)
        qkv.v = like(Op::rms_norm, qkv.v);
    if (traits_.scaled_queries)
        qkv.q = scale(qkv.q);
    if (traits_.query_temperature) {
        if (q_temperature_ == none)
            q_temperature_ = input(Element::f32, {1, 1, n_tokens_, 1});
        qkv.q = mul(qkv.q, q_temperature_);
    }
    Id y = attends_sparsely(mixer) ? attend_sparsely(il, mixer, qkv, x)
                                   : attend(il, mixer, qkv, shares_kv);
    if (mixer.gate == AttentionGate::inside_q) {
        y = mul(y, unary(qkv.gate));
    } else if (mixer.gate != AttentionGate::none) {
        y = gate_heads(mixer, y, x);
    }
    y = matmul(TensorRole::attn_output, architecture_.n_embd, y);
    return add_bias(y, mixer.output_bias);
}

Id Builder::gate_heads(const Mixer& mixer, Id attended, Id x) {
    const Shape flat = shape(attended);
    if (mixer.gate == AttentionGate::full) {
        return mul(attended, unary(matmul(TensorRole::attn_gate, flat[0], x)));
    }
    const Id heads = reshape(attended, {mixer.head_dim_v, mixer.q_heads, n_tokens_, 1});
    const Id gate = unary(matmul(TensorRole::attn_gate, mixer.q_heads, x));
    return reshape(mul(heads, reshape(gate, {1, mixer.q_heads, n_tokens_, 1})), flat);
}

Id Builder::attend(std::int32_t il, const Mixer& mixer, const Qkv& qkv, bool shares_kv) {
    const AttentionInputs inputs = attention_inputs(mixer);
    const Id q = rotate(qkv.q, inputs.k_rotation);
    const Id k = qkv.k == none ? none : rotate(qkv.k, inputs.k_rotation);
    const Id v = qkv.v == none ? none : rotate(qkv.v, inputs.v_rotation);
    expand(q);
    if (traits_.windowed_order) {
        expand(k);
        expand(v);
    } else {
        expand(v);
        expand(k);
    }
    const Cache stored = cache(il, mixer);
    if (!shares_kv) {
        store_keys(stored.k, k, inputs.k_rows);
        store_values(stored.v, v, inputs.v_rows);
    }
    const Id keys = cached_keys(stored.k, mixer.head_dim_k, mixer.kv_heads, cells(mixer));
    const Id values = cached_values(stored.v, mixer.head_dim_v, mixer.kv_heads, cells(mixer));
    const Id sinks = mixer.sinks ? weight(TensorRole::attn_sinks, mixer.q_heads) : none;
    Id y = attend_cached(mixer, q, keys, values, inputs.mask, sinks, none, true);
    return rotate(y, inputs.v_rotation);
}

} // namespace vramscope::graph
