// The devices of a request one by one, as the set-up edits them: "rtx-3090-24gb*2,custom:24:900".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::app {

struct HardwareItem {
    std::string id; ///< of the catalog, or "custom:GiB:GB/s"
    std::int64_t count = 1;

    bool is_custom() const { return id.starts_with("custom:"); }
    double custom_memory_gib() const;
    double custom_bandwidth() const;
    void set_custom(double memory_gib, double bandwidth);
};

/// Empty for "cpu" and for devices given as JSON.
std::vector<HardwareItem> hardware_items(std::string_view text);
/// "cpu" for none.
std::string hardware_text(const std::vector<HardwareItem>& items);

} // namespace vramscope::app
