#include "core/engines/graph/builder.h"

namespace vramscope::graph {

Id Operations::make(Op op, const Shape& result, std::initializer_list<Id> sources,
                    Element element) {
    Tensor tensor;
    tensor.op = op;
    tensor.shape = result;
    tensor.element = element;
    tensor.bytes = vramscope::mul(elements_of(result), element_bytes(element));
    std::size_t i = 0;
    for (const Id source : sources) {
        if (source != none)
            tensor.sources[i++] = source;
    }
    return graph_.add(tensor);
}

/// Bytes from the first to the last element of a view, which is what a copy of it takes.
Bytes Operations::span_of_view(Id of, const Tensor& tensor) const {
    const Tensor& source = graph_[of];
    // A quantised cache is only ever viewed as a whole.
    if (source.element == Element::stored)
        return graph_[tensor.view_of].bytes;
    const Bytes size = element_bytes(source.element);
    const std::int64_t elements = elements_of(tensor.shape);
    const std::int64_t in_source = elements_of(source.shape);
    if (elements == in_source && !source.contiguous)
        return source.bytes;
    if (tensor.contiguous || elements == in_source || elements == 0) {
        return vramscope::mul(elements, size);
    }
    // A slice of every row.
    const std::int64_t rows = in_source / source.shape[0];
    return vramscope::mul((rows - 1) * source.shape[0] + elements / rows, size);
}

Id Operations::view(Op op, Id of, const Shape& result, bool contiguous) {
    const Tensor& source = graph_[of];
    Tensor tensor;
    tensor.op = op;
    tensor.shape = result;
    tensor.element = source.element;
    tensor.view_of = source.view_of != none ? source.view_of : of;
    tensor.sources[0] = of;
    tensor.contiguous = contiguous;
    tensor.bytes = span_of_view(of, tensor);
    return graph_.add(tensor);
}

Id Operations::permute(Id of, int a, int b, int c, int d) {
    const Shape from = shape(of);
    Shape to{};
    const int axes[] = {a, b, c, d};
    for (std::size_t i = 0; i < 4; ++i)
        to[static_cast<std::size_t>(axes[i])] = from[i];
    // Moving axes of length one changes nothing in memory.
    int last = -1;
    bool in_order = true;
    for (std::size_t i = 0; i < 4; ++i) {
        if (from[i] == 1)
            continue;
        in_order = in_order && axes[i] > last;
        last = axes[i];
    }
    return view(Op::permute, of, to, in_order && graph_[of].contiguous);
}

Id Operations::transpose(Id of) {
    const Shape from = shape(of);
    return view(Op::transpose, of, {from[1], from[0], from[2], from[3]}, false);
}

Id Operations::input(Element element, const Shape& result) {
    const Id id = make(Op::leaf, result, {}, element);
    graph_[id].is_input = true;
    return id;
}

Id Builder::weight(TensorRole role, std::int64_t row_length, std::int64_t rows,
                   std::int64_t depth) {
    Tensor tensor;
    tensor.shape = {row_length, rows, depth, 1};
    tensor.element = Element::stored;
    tensor.is_weight = true;
    vramscope::Tensor stored{};
    stored.role = role;
    stored.layer = il_;
    const std::int32_t device =
        device_of(stored, architecture_, context_.split, context_.settings.experts);
    tensor.lies_on = backend_of(device);
    if (context_.weight_bytes != nullptr) {
        tensor.bytes =
            context_.weight_bytes(context_.weight_context, role, il_, row_length, rows, depth);
    }
    return graph_.add(tensor);
}

Id Operations::mul_mat(Id matrix, Id x) {
    const Shape& in = shape(x);
    return make(Op::mul_mat, {shape(matrix)[1], in[1], in[2], in[3]}, {matrix, x});
}

Id Operations::concat(Id a, Id b, int dimension) {
    Shape result = shape(a);
    const auto d = static_cast<std::size_t>(dimension);
    result[d] += shape(b)[d];
    return make(Op::other, result, {a, b});
}

Id Operations::get_rows(Id table, Id rows) {
    const Shape& picked = shape(rows);
    return make(Op::get_rows, {shape(table)[0], picked[0], picked[1], picked[2]}, {table, rows});
}

Id Operations::copy_to(Id x, Id destination) {
    // The result is a view of the destination.
    const Id id = view(Op::other, destination, shape(destination));
    graph_[id].sources = {x, destination, none, none, none, none, none, none};
    return id;
}

} // namespace vramscope::graph
