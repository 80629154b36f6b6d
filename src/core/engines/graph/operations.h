// Single operations of a graph, made as ggml makes them: what shape the result has, whether it owns
// memory, and how many bytes a copy of a view takes.
// Source: ggml/src/ggml.c, b10256.
#pragma once

#include <initializer_list>

#include "core/engines/graph/tensor_graph.h"

namespace vramscope::graph {

class Operations {
protected:
    explicit Operations(Graph& graph) : graph_(graph) {}

    /// A copy: making tensors moves those that exist.
    Shape shape(Id id) const { return graph_[id].shape; }
    Id make(Op op, const Shape& result, std::initializer_list<Id> sources,
            Element element = Element::f32);
    Bytes span_of_view(Id of, const Tensor& tensor) const;
    Id view(Op op, Id of, const Shape& result, bool contiguous = true);
    Id reshape(Id of, const Shape& result) { return view(Op::reshape, of, result); }
    Id permute(Id of, int a, int b, int c, int d);
    Id transpose(Id of);
    Id like(Op op, Id first, Id second = none) { return make(op, shape(first), {first, second}); }
    Id input(Element element, const Shape& result);
    Id mul_mat(Id matrix, Id x);
    /// x as the operation's own result: it writes over x.
    Id in_place(Op op, Id x) { return view(op, x, shape(x)); }
    Id add(Id a, Id b) { return like(Op::add, a, b); }
    Id mul(Id a, Id b) { return like(Op::mul, a, b); }
    Id unary(Id x) { return like(Op::unary, x); }
    Id scale(Id x) { return like(Op::scale, x); }
    Id cont(Id x, const Shape& result) { return make(Op::other, result, {x}, graph_[x].element); }
    Id concat(Id a, Id b, int dimension);
    Id get_rows(Id table, Id rows);
    Id copy_to(Id x, Id destination);
    void expand(Id id) { graph_.expand(id); }

    Graph& graph_;
};

} // namespace vramscope::graph
