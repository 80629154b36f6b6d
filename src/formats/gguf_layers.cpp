#include "formats/gguf_layers.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace vramscope::formats {
namespace {

std::int32_t within_limits(std::int64_t value) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, 0, ArchitectureLimits::width + 1));
}

} // namespace

std::vector<PlacedTensor> place_tensors(const std::vector<FileTensor>& tensors) {
    std::vector<PlacedTensor> placed;
    placed.reserve(tensors.size());
    for (const FileTensor& tensor : tensors)
        placed.push_back({place_of(tensor.name), &tensor});
    std::sort(placed.begin(), placed.end(), [](const PlacedTensor& a, const PlacedTensor& b) {
        return std::tie(a.place.layer, a.place.name) < std::tie(b.place.layer, b.place.name);
    });
    return placed;
}

LayerTensors::LayerTensors(std::span<const PlacedTensor> all, std::int32_t layer) {
    const auto before = [](const PlacedTensor& tensor, std::int32_t wanted) {
        return tensor.place.layer < wanted;
    };
    const auto first = std::lower_bound(all.begin(), all.end(), layer, before);
    const auto last = std::lower_bound(first, all.end(), layer + 1, before);
    tensors_ = {first, last};
}

const FileTensor* LayerTensors::exact(std::string_view name) const {
    const auto found = std::lower_bound(tensors_.begin(), tensors_.end(), name,
                                        [](const PlacedTensor& tensor, std::string_view wanted) {
                                            return tensor.place.name < wanted;
                                        });
    return found != tensors_.end() && found->place.name == name ? found->tensor : nullptr;
}

const FileTensor* LayerTensors::find(std::string_view name) const {
    if (const FileTensor* tensor = exact(std::string(name) + ".weight"))
        return tensor;
    return exact(name);
}

bool LayerTensors::has_bias(std::string_view name) const {
    return exact(std::string(name) + ".bias") != nullptr;
}

std::int32_t LayerTensors::dimension(std::string_view name, std::size_t index) const {
    const FileTensor* tensor = find(name);
    return tensor == nullptr ? 0 : within_limits(tensor->shape[index]);
}

std::int64_t LayerTensors::elements(std::string_view name) const {
    const FileTensor* tensor = find(name);
    return tensor == nullptr ? 0 : tensor->elements();
}

std::int32_t LayerTensors::count_numbered(std::string_view start) const {
    return static_cast<std::int32_t>(
        std::count_if(tensors_.begin(), tensors_.end(), [&](const PlacedTensor& tensor) {
            const std::string_view name = tensor.place.name;
            return name.size() > start.size() + 1 && name.starts_with(start) &&
                   name[start.size()] == '.' && name[start.size() + 1] >= '0' &&
                   name[start.size() + 1] <= '9';
        }));
}

std::int32_t LayerMetadata::number(std::string_view key, std::int32_t fallback) const {
    const Metadata* entry = header_.own(key);
    if (entry == nullptr)
        return fallback;
    if (!entry->is_list)
        return within_limits(entry->integer);
    const auto index = static_cast<std::size_t>(layer_);
    // MTP layers lie beyond the lists of some files; they are as the last layer.
    if (entry->integers.empty())
        return fallback;
    return within_limits(entry->integers[std::min(index, entry->integers.size() - 1)]);
}

} // namespace vramscope::formats
