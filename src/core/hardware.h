// Devices that hold weights and caches.
#pragma once

#include <cstdint>
#include <string>

#include "core/units.h"

namespace vramscope {

/// Classes of devices that share overheads and efficiencies; constants are given per class, never
/// per card (catalog/engines.json).
enum class HardwareClass : std::uint8_t {
    nvidia_consumer,
    nvidia_professional,
    nvidia_datacenter,
    amd_consumer,
    amd_datacenter,
    intel,
    apple,
    unified_memory, ///< APUs and superchips whose GPU shares the host's memory (Strix Halo, DGX
                    ///< Spark)
    cpu,
    other,
    count_
};
inline constexpr std::size_t hardware_class_count = static_cast<std::size_t>(HardwareClass::count_);

/// The software that drives a device; decides what a process holds besides its own buffers.
enum class Backend : std::uint8_t { cuda, rocm, vulkan, metal, sycl, cpu, other, count_ };
inline constexpr std::size_t backend_count = static_cast<std::size_t>(Backend::count_);

struct Device {
    std::string name; ///< as shown: "RTX 3060 12GB"
    HardwareClass hardware_class = HardwareClass::other;
    Backend backend = Backend::cuda;
    bool unified = false;          ///< shares its memory with the host: holds everything once
    Bytes memory_bytes = 0;        ///< nominal capacity
    Bytes usable_bytes = 0;        ///< what the OS lets one process have; <= memory_bytes
    Bytes reserved_bytes = 0;      ///< already in use by others, as the person says
    double bandwidth_gb_per_s = 0; ///< 10^9 bytes per second, nominal
    double fp16_tflops = 0;        ///< dense, 0 = unknown
    double link_gb_per_s = 0;      ///< to the host, one direction, 0 = unknown

    /// Memory an estimate may fill.
    Bytes free_bytes() const {
        return usable_bytes > reserved_bytes ? usable_bytes - reserved_bytes : 0;
    }
};

/// The machine around the devices.
struct Host {
    Bytes memory_bytes = 0; ///< RAM
    Bytes usable_bytes = 0; ///< RAM less what the OS and a browser need
    double bandwidth_gb_per_s = 0;
};

inline constexpr std::size_t max_devices = 16;

} // namespace vramscope
