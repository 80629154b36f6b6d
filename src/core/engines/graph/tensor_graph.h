// A computation graph as ggml sees it, reduced to what decides memory: shapes, who reads whom, what
// is a view of what, and where weights and caches already lie.
//
// Builders make tensors freely; expand() puts a tensor and everything it needs into the order of
// execution, depth first, as ggml_build_forward_expand does. Tensors are named by index.
// Source: ggml/src/ggml.c (ggml_visit_parents_graph), b10256.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/engines/graph/affine.h"
#include "core/units.h"

namespace vramscope::graph {

/// Operations, as far as memory and order depend on them; everything else is `other`.
enum class Op : std::uint8_t {
    leaf,    ///< weights, caches, inputs
    reshape, ///< this and the next three are views: they own no memory
    view,
    permute,
    transpose,
    add, ///< this to `soft_max` may overwrite one of their sources
    add_id,
    sub,
    mul,
    div,
    scale,
    fill,
    sqr,
    sqrt,
    unary,
    rope,
    rms_norm,
    soft_max,
    mul_mat,
    mul_mat_id,
    get_rows,
    set_rows,
    argsort,
    sum_rows,
    clamp,
    flash_attn,
    ssm_conv,
    ssm_scan,
    other
};

constexpr bool is_view_op(Op op) {
    return op >= Op::reshape && op <= Op::transpose;
}
/// ggml_op_can_inplace(), ggml/src/ggml-alloc.c.
constexpr bool may_overwrite_source(Op op) {
    return op >= Op::add && op <= Op::soft_max;
}

using Id = std::int32_t;
inline constexpr Id none = -1;
using Shape = std::array<std::int64_t, 4>;
inline constexpr int max_sources = 8;

enum class Element : std::uint8_t { f32, f16, i32, i64, stored };

constexpr Bytes element_bytes(Element element) {
    switch (element) {
    case Element::f16:
        return 2;
    case Element::i64:
        return 8;
    default:
        return 4;
    }
}

struct Tensor {
    Shape shape{};
    Bytes bytes = 0;           ///< of the memory it owns; 0 for views
    Bytes growth = 0;          ///< more bytes for each further step of the context (affine.h)
    std::int64_t widening = 0; ///< more elements of the dimension `grows`
    std::array<Id, max_sources> sources{none, none, none, none, none, none, none, none};
    Id view_of = none; ///< the tensor that owns the memory
    Op op = Op::leaf;
    Element element = Element::f32;
    bool contiguous = true;
    bool is_input = false;
    bool is_output = false;
    bool is_weight = false;
    bool in_graph = false;
    bool full_precision = false; ///< a product that may not be accumulated in half precision
    std::int8_t lies_on = none;  ///< backend that holds a weight or cache already, else none
    std::int8_t pinned = none;   ///< backend that the engine insists on, else none
    std::int8_t grows = none;    ///< the dimension that grows with the context, else none

    Affine size() const { return {bytes, growth}; }
};

constexpr std::int64_t elements_of(const Shape& shape) {
    return mul(mul(shape[0], shape[1]), mul(shape[2], shape[3]));
}

class Graph {
public:
    std::vector<Tensor> tensors;
    std::vector<Id> nodes;
    std::vector<Id> leafs;

    const Tensor& operator[](Id id) const { return tensors[static_cast<std::size_t>(id)]; }
    Tensor& operator[](Id id) { return tensors[static_cast<std::size_t>(id)]; }

    Id add(const Tensor& tensor) {
        tensors.push_back(tensor);
        return static_cast<Id>(tensors.size()) - 1;
    }
    /// Appends the tensor and, before it, whatever it reads that is not there yet.
    void expand(Id id);
    void clear() {
        tensors.clear();
        nodes.clear();
        leafs.clear();
    }
};

} // namespace vramscope::graph
