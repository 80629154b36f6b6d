// How the tensor walk is built; private to tensors*.cpp.
//
// A Walk carries the visitor and offers one function per form of tensor. Each mixer and
// feed-forward kind is a function that emits its tensors in the order of a GGUF file.
#pragma once

#include "core/tensors.h"

namespace vramscope {

/// One walk: what every emitting step needs to know.
struct Walk {
    const Architecture& architecture;
    TensorVisitor visit;
    bool gguf;
    std::int32_t layer = -1;

    std::int64_t width() const { return architecture.n_embd; }

    void matrix(TensorRole role, std::int64_t row_length, std::int64_t rows,
                Precision precision = Precision::quantisable) const {
        visit(Tensor{role, precision, layer, row_length, rows, 1});
    }
    void bank(TensorRole role, std::int64_t row_length, std::int64_t rows,
              std::int64_t depth) const {
        visit(Tensor{role, Precision::quantisable, layer, row_length, rows, depth});
    }
    /// Small tensors of any shape that stay f32.
    void full(TensorRole role, std::int64_t row_length, std::int64_t rows = 1) const {
        visit(Tensor{role, Precision::full, layer, row_length, rows, 1});
    }
    void bias(bool present, std::int64_t elements) const {
        if (present)
            full(TensorRole::bias, elements);
    }
    void norm(std::int64_t elements, bool biased = false) const {
        full(TensorRole::norm, elements);
        bias(biased, elements);
    }
    /// One of the layer's own norms, in the style of the model.
    void layer_norm(bool present) const {
        const LayerNorms& norms = architecture.norms;
        if (present && !norms.weightless)
            norm(width(), norms.biased);
    }
};

/// Tensors of a layer's mixer, without the layer's norms.
void walk_mixer(const Walk& walk, const Mixer& mixer, bool shares_kv);
/// The kinds that attend.
void walk_softmax(const Walk& walk, const Mixer& mixer, bool shares_kv);
void walk_latent(const Walk& walk, const Mixer& mixer);
void walk_compressed(const Walk& walk, const Mixer& mixer);

/// Tensors of a layer's feed-forward part; RWKV's has tensors of its own.
void walk_feed_forward(const Walk& walk, const FeedForward& feed_forward, MixerKind mixer);

} // namespace vramscope
