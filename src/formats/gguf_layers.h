// One layer of a GGUF at a time: its tensors by name, its metadata by index. Private to the readers
// of GGUF shapes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/architecture.h"
#include "formats/gguf_reader.h"
#include "formats/gguf_tensor_names.h"

namespace vramscope::formats {

struct PlacedTensor {
    TensorPlace place;
    const FileTensor* tensor;
};

/// All tensors, sorted by layer and name.
std::vector<PlacedTensor> place_tensors(const std::vector<FileTensor>& tensors);

class LayerTensors {
public:
    LayerTensors(std::span<const PlacedTensor> all, std::int32_t layer);

    bool empty() const { return tensors_.empty(); }
    std::span<const PlacedTensor> tensors() const { return tensors_; }
    /// "attn_q" finds "attn_q.weight", or a tensor of just that name.
    const FileTensor* find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }
    bool has_bias(std::string_view name) const;
    /// A dimension as the core's fields hold it, 0 when there is no such tensor.
    std::int32_t row_length(std::string_view name) const { return dimension(name, 0); }
    std::int32_t rows(std::string_view name) const { return dimension(name, 1); }
    std::int32_t depth(std::string_view name) const { return dimension(name, 2); }
    std::int64_t elements(std::string_view name) const;
    /// How many tensors "ffn_up.0.weight", "ffn_up.1.weight" … there are.
    std::int32_t count_numbered(std::string_view start) const;

private:
    const FileTensor* exact(std::string_view name) const;
    std::int32_t dimension(std::string_view name, std::size_t index) const;

    std::span<const PlacedTensor> tensors_;
};

/// Metadata of the file's own architecture, by layer where it is a list.
class LayerMetadata {
public:
    LayerMetadata(const GgufHeader& header, std::int32_t layer) : header_(header), layer_(layer) {}
    bool has(std::string_view key) const { return header_.own(key) != nullptr; }
    /// The number, or the layer's element of a list; `fallback` when there is none. Kept within
    /// what the core takes.
    std::int32_t number(std::string_view key, std::int32_t fallback = 0) const;

private:
    const GgufHeader& header_;
    std::int32_t layer_;
};

/// The mixer of a layer; false when its tensors are of no kind that the core knows.
bool read_gguf_mixer(const LayerTensors& layer, const LayerMetadata& metadata, bool windowed,
                     std::int32_t n_embd, Mixer& mixer);
/// The feed-forward part of a layer; false when its tensors are of no kind that the core knows.
bool read_gguf_feed_forward(const LayerTensors& layer, const LayerMetadata& metadata,
                            const Mixer& mixer, FeedForward& feed_forward);

} // namespace vramscope::formats
