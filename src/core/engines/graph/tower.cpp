#include "core/engines/graph/tower.h"

namespace vramscope::graph {
namespace {

constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
    return vramscope::mul(a, b);
}

class TowerBuilder : Operations {
public:
    TowerBuilder(Graph& graph, const Tower& tower, const TowerImage& image)
        : Operations(graph), tower_(tower), image_(image), width_(tower.n_embd),
          n_(times(image.side, image.side)), rms_(tower.has_rms_norms()) {}

    bool build();

private:
    Id weight(std::int64_t row_length, std::int64_t rows = 1);
    Id matmul(std::int64_t rows, Id x) { return mul_mat(weight(shape(x)[0], rows), x); }
    Id bias(Id x) { return add(x, weight(shape(x)[0])); }
    Id norm(Id x, bool biased);
    Id convolve(Id pixels);
    Id patches();
    Id merged_patches();
    Id pair_rows(Id x);
    Id attend(Id q, Id k, Id v, Id mask);
    Id positioned(Id x);
    Id attention(Id x, std::int32_t il);
    Id feed_forward(Id x);
    Id two_matrices(Id x, std::int64_t inner, std::int64_t outer, bool biased);
    Id layers(Id x);
    Id pooled(Id x);
    void gemma3();
    void gemma4();
    void pixtral();
    void qwen2();
    void qwen3();

    const Tower& tower_;
    const TowerImage& image_;
    std::int64_t width_;
    std::int64_t n_; ///< patches
    bool rms_;
    Id first_positions_ = none;
    Id second_positions_ = none;
    Id window_mask_ = none;
    Id deep_features_ = none;
};

Id TowerBuilder::weight(std::int64_t row_length, std::int64_t rows) {
    Tensor tensor;
    tensor.shape = {row_length, rows, 1, 1};
    tensor.element = Element::stored;
    tensor.is_weight = true;
    tensor.lies_on = image_.device;
    return graph_.add(tensor);
}

Id TowerBuilder::norm(Id x, bool biased) {
    const Id y = mul(like(rms_ ? Op::rms_norm : Op::other, x), weight(shape(x)[0]));
    return biased ? bias(y) : y;
}

/// A convolution is a table of patches times the kernel.
Id TowerBuilder::convolve(Id pixels) {
    const std::int64_t area = 3 * times(tower_.patch_size, tower_.patch_size);
    const Element element = image_.f32_patches ? Element::f32 : Element::f16;
    const Id table = make(Op::other, {area, image_.side, image_.side, 1},
                          {weight(area, width_), pixels}, element);
    Id y = mul_mat(reshape(table, {area, n_, 1, 1}), weight(area, width_));
    y = permute(reshape(y, {image_.side, image_.side, 1, width_}), 0, 1, 3, 2);
    return cont(y, shape(y));
}

Id TowerBuilder::patches() {
    const std::int64_t pixels = times(image_.side, tower_.patch_size);
    Id image = input(Element::f32, {pixels, pixels, 3, 1});
    if (tower_.projector == Projector::gemma4v)
        image = scale(image);
    const Id rows = transpose(reshape(convolve(image), {n_, width_, 1, 1}));
    return cont(rows, shape(rows));
}

/// Rows of two by two neighbours behind each other.
Id TowerBuilder::pair_rows(Id x) {
    const std::int64_t side = image_.side;
    x = cont(x, {2 * width_, side / 2, side, 1});
    x = permute(reshape(x, {2 * width_, side / 2, 2, side / 2}), 0, 2, 1, 3);
    return cont(x, {width_, n_, 1, 1});
}

/// Qwen: two frames of which a still image fills both.
Id TowerBuilder::merged_patches() {
    const std::int64_t pixels = times(image_.side, tower_.patch_size);
    const Id image = input(Element::f32, {pixels, pixels, 3, 1});
    const Id first = convolve(image);
    const Id both = add(first, convolve(image));
    return pair_rows(permute(both, 1, 2, 0, 3));
}

Id TowerBuilder::attend(Id q, Id k, Id v, Id mask) {
    expand(q);
    expand(k);
    expand(v);
    q = permute(q, 0, 2, 1, 3);
    k = permute(k, 0, 2, 1, 3);
    const std::int64_t inner = times(shape(q)[0], shape(q)[2]);
    if (image_.flash_attn) {
        const auto halved = [&](Id x) { return make(Op::other, shape(x), {x}, Element::f16); };
        v = permute(v, 0, 2, 1, 3);
        const Shape heads = {shape(q)[0], shape(q)[2], n_, 1};
        const Id k_half = halved(k);
        const Id v_half = halved(v);
        return reshape(make(Op::flash_attn, heads, {q, k_half, v_half, mask}), {inner, n_, 1, 1});
    }
    v = permute(v, 1, 2, 0, 3);
    v = cont(v, shape(v));
    Id kq = mul_mat(k, q);
    kq = make(Op::soft_max, shape(kq), {kq, mask});
    return cont(permute(mul_mat(v, kq), 0, 2, 1, 3), {inner, n_, 1, 1});
}

Id TowerBuilder::positioned(Id x) {
    if (first_positions_ == none)
        return x;
    x = like(Op::rope, x, first_positions_);
    return second_positions_ == none ? x : like(Op::rope, x, second_positions_);
}

Id TowerBuilder::attention(Id x, std::int32_t il) {
    const bool biased = tower_.has_biases();
    const std::int64_t head = width_ / tower_.n_head;
    const Shape by_head{head, tower_.n_head, n_, 1};
    Id q;
    Id k;
    Id v;
    if (tower_.has_fused_qkv()) {
        const Id all = bias(matmul(3 * width_, x));
        q = view(Op::view, all, by_head, false);
        k = view(Op::view, all, by_head, false);
        v = view(Op::view, all, by_head, false);
    } else {
        const auto project = [&] {
            const Id y = matmul(width_, x);
            return biased ? bias(y) : y;
        };
        q = project();
        k = project();
        v = project();
        q = reshape(q, by_head);
        k = reshape(k, by_head);
        v = reshape(v, by_head);
    }
    if (tower_.projector == Projector::gemma4v) {
        q = norm(q, false);
        k = norm(k, false);
    }
    q = positioned(q);
    k = positioned(k);
    if (tower_.projector == Projector::gemma4v)
        v = like(Op::rms_norm, v);
    const bool windowed =
        tower_.full_attention_every > 0 && (il + 1) % tower_.full_attention_every != 0;
    const Id y = matmul(width_, attend(q, k, v, windowed ? window_mask_ : none));
    return biased ? bias(y) : y;
}

Id TowerBuilder::two_matrices(Id x, std::int64_t inner, std::int64_t outer, bool biased) {
    x = matmul(inner, x);
    x = unary(biased ? bias(x) : x);
    x = matmul(outer, x);
    return biased ? bias(x) : x;
}

Id TowerBuilder::feed_forward(Id x) {
    const bool biased = tower_.has_biases();
    if (!tower_.has_gates())
        return two_matrices(x, tower_.n_ff, width_, biased);
    Id up = matmul(tower_.n_ff, x);
    up = biased ? bias(up) : up;
    Id gate = matmul(tower_.n_ff, x);
    gate = biased ? bias(gate) : gate;
    const Id down = matmul(width_, make(Op::other, shape(up), {gate, up}));
    return biased ? bias(down) : down;
}

Id TowerBuilder::layers(Id x) {
    const bool biased = !rms_;
    const bool after = tower_.projector == Projector::gemma4v;
    for (std::int32_t il = 0; il < tower_.n_layer; ++il) {
        Id mixed = attention(norm(x, biased), il);
        if (after)
            mixed = norm(mixed, false);
        const Id attended = add(mixed, x);
        Id fed = feed_forward(norm(attended, biased));
        if (after)
            fed = norm(fed, false);
        x = add(attended, fed);
        // Features of a few layers go to the first layers of the model.
        const std::int32_t deep = tower_.deepstack_layers;
        if (deep > 0 && il > 0 && il % ((tower_.n_layer - 1) / deep) == 0) {
            const std::int64_t merged = 4 * width_;
            const Id rows = reshape(x, {merged, n_ / 4, 1, 1});
            const Id feature = two_matrices(norm(rows, true), merged, tower_.n_output, true);
            deep_features_ = deep_features_ == none ? feature : concat(deep_features_, feature, 0);
        }
    }
    return x;
}

/// Means of neighbours.
Id TowerBuilder::pooled(Id x) {
    const std::int64_t side = image_.side;
    const std::int64_t out = side / tower_.merge;
    x = cont(transpose(x), {side, side, width_, 1});
    x = make(Op::other, {out, out, width_, 1}, {x});
    x = transpose(reshape(x, {out * out, width_, 1, 1}));
    return cont(x, shape(x));
}

void TowerBuilder::gemma3() {
    Id x = add(bias(patches()), weight(width_, n_));
    x = pooled(norm(layers(reshape(x, {width_, n_, 1, 1})), true));
    x = mul(like(Op::rms_norm, x), weight(width_));
    const Id turned = transpose(weight(tower_.n_output, width_));
    expand(mul_mat(make(Op::other, {width_, tower_.n_output, 1, 1}, {turned}, Element::f16), x));
}

void TowerBuilder::gemma4() {
    Id x = patches();
    first_positions_ = input(Element::i32, {n_, 1, 1, 1});
    second_positions_ = input(Element::i32, {n_, 1, 1, 1});
    x = add(x, get_rows(weight(width_, tower_.n_positions), first_positions_));
    x = add(x, get_rows(weight(width_, tower_.n_positions), second_positions_));
    x = scale(pooled(layers(reshape(x, {width_, n_, 1, 1}))));
    expand(matmul(tower_.n_output, like(Op::rms_norm, x)));
}

void TowerBuilder::pixtral() {
    first_positions_ = input(Element::i32, {n_, 1, 1, 1});
    second_positions_ = input(Element::i32, {n_, 1, 1, 1});
    const Id rows = patches();
    Id x = layers(norm(reshape(rows, {width_, n_, 1, 1}), false));
    const std::int64_t merge = tower_.merge;
    const std::int64_t out = image_.side / merge;
    if (merge > 1) {
        x = mul(like(Op::rms_norm, x), weight(width_));
        x = permute(reshape(x, {width_, image_.side, image_.side, 1}), 2, 0, 1, 3);
        x = cont(x, shape(x));
        const Id kernel = view(Op::view, x, {merge, merge, width_, 1}, false);
        x = make(Op::other, {merge * merge * width_, out, out, 1}, {kernel, x});
        x = matmul(width_, reshape(x, {merge * merge * width_, out * out, 1, 1}));
    }
    x = two_matrices(x, tower_.n_output, tower_.n_output, false);
    // A break behind every row of patches.
    const Id broken = input(Element::f32, {tower_.n_output, 1, out, 1});
    graph_[broken].is_input = false;
    const Id breaks = add(scale(broken), weight(tower_.n_output));
    x = concat(reshape(x, {tower_.n_output, out, out, 1}), breaks, 1);
    expand(view(Op::view, x, {tower_.n_output, out * out + out - 1, 1, 1}));
}

void TowerBuilder::qwen2() {
    Id x = merged_patches();
    first_positions_ = input(Element::i32, {4 * n_, 1, 1, 1});
    const bool windows = tower_.full_attention_every > 0;
    if (windows) {
        const Id order = input(Element::i32, {n_ / 4, 1, 1, 1});
        window_mask_ = input(image_.flash_attn ? Element::f16 : Element::f32, {n_, n_, 1, 1});
        x = get_rows(reshape(x, {4 * width_, n_ / 4, 1, 1}), order);
        x = reshape(x, {width_, n_, 1, 1});
    }
    x = norm(layers(x), !rms_);
    x = two_matrices(reshape(x, {4 * width_, n_ / 4, 1, 1}), 4 * width_, tower_.n_output, true);
    if (windows)
        x = get_rows(x, input(Element::i32, {n_ / 4, 1, 1, 1}));
    expand(x);
}

void TowerBuilder::qwen3() {
    Id x = bias(merged_patches());
    // Learned positions, stretched to the image.
    const std::int64_t side = image_.side;
    Id places = weight(width_, tower_.n_positions);
    if (n_ != tower_.n_positions) {
        places = make(Op::other, {side, side, width_, 1},
                      {permute(reshape(places, {width_, side, side, 1}), 2, 0, 1, 3)});
        places = cont(permute(places, 1, 2, 0, 3), {width_, n_, 1, 1});
    }
    x = add(x, pair_rows(places));
    first_positions_ = input(Element::i32, {4 * n_, 1, 1, 1});
    x = norm(layers(x), true);
    x = two_matrices(reshape(x, {4 * width_, n_ / 4, 1, 1}), 4 * width_, tower_.n_output, true);
    if (deep_features_ != none)
        x = concat(x, deep_features_, 0);
    expand(x);
}

bool TowerBuilder::build() {
    switch (tower_.projector) {
    case Projector::gemma3:
        gemma3();
        return true;
    case Projector::gemma4v:
        gemma4();
        return true;
    case Projector::pixtral:
        pixtral();
        return true;
    case Projector::qwen2vl:
    case Projector::qwen2_5vl:
        qwen2();
        return true;
    case Projector::qwen3vl:
        qwen3();
        return true;
    default:
        return false;
    }
}

} // namespace

bool build_tower(Graph& graph, const Tower& tower, const TowerImage& image) {
    graph.clear();
    return TowerBuilder(graph, tower, image).build();
}

} // namespace vramscope::graph
