// Placement: which layer, and which tensor, lies on which device when layers are split.
//
// llama.cpp counts units from the end: the output layer is the last unit and the first to be
// offloaded, then the last layer, and so on. With several devices, unit j of n goes to the first
// device whose cumulative share exceeds j / n. Source: llama.cpp src/llama-model.cpp load_tensors()
// (b10256); equal on every row of the reference set.
#pragma once

#include <array>
#include <cstdint>

#include "core/hardware.h"
#include "core/tensors.h"

namespace vramscope {

/// Index of a device; the host when no accelerator holds the thing.
inline constexpr std::int32_t on_host = -1;

struct LayerSplit {
    std::int32_t n_layer = 0;
    std::int32_t n_devices = 0;
    /// first_unit[d] is the first unit (layer, or n_layer for the output layer) on device d; the
    /// units of d end where those of d + 1 begin.
    std::array<std::int32_t, max_devices + 1> first_unit{};

    /// `shares` holds one non-negative weight per device (any scale).
    static LayerSplit of(std::int32_t n_layer, std::int32_t n_gpu_layers, const double* shares,
                         std::int32_t n_devices);

    /// Device of a layer; n_layer (and MTP layers behind it) is where the output layer lies.
    std::int32_t device_of(std::int32_t layer) const {
        if (n_devices == 0 || layer < first_unit[0])
            return on_host;
        std::int32_t device = 0;
        while (device + 1 < n_devices &&
               layer >= first_unit[static_cast<std::size_t>(device) + 1]) {
            ++device;
        }
        return device;
    }
    std::int32_t output_device() const { return device_of(n_layer); }
    /// All layers and the output layer are on accelerators.
    bool offloads_everything() const { return n_devices > 0 && first_unit[0] == 0; }
    std::int32_t units_on(std::int32_t device) const {
        const auto d = static_cast<std::size_t>(device);
        return first_unit[d + 1] - first_unit[d];
    }
    friend bool operator==(const LayerSplit&, const LayerSplit&) = default;
};

/// Where experts go that are kept in host memory.
struct ExpertPlacement {
    bool all_on_host = false;
    std::int32_t layers_on_host = 0; ///< experts of the first n layers

    bool keeps_on_host(const Tensor& tensor) const;
    friend bool operator==(const ExpertPlacement&, const ExpertPlacement&) = default;
};

/// Where a tensor that belongs to no layer lies.
enum class Home : std::uint8_t { host, first_layer, output_layer };
Home home_of(TensorRole role, const Architecture& architecture);

/// Device of one tensor (on_host for the token embedding and its kin).
std::int32_t device_of(const Tensor& tensor, const Architecture& architecture,
                       const LayerSplit& split, const ExpertPlacement& experts);

} // namespace vramscope
