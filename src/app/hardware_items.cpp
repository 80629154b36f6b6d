#include "app/hardware_items.h"

#include <algorithm>
#include <cstdlib>

#include "core/decimal.h"

namespace vramscope::app {

double HardwareItem::custom_memory_gib() const {
    return is_custom() ? std::strtod(id.c_str() + 7, nullptr) : 0;
}

double HardwareItem::custom_bandwidth() const {
    const std::size_t colon = id.find(':', 7);
    return is_custom() && colon != std::string::npos ? std::strtod(id.c_str() + colon + 1, nullptr)
                                                     : 0;
}

void HardwareItem::set_custom(double memory_gib, double bandwidth) {
    id = "custom:" + decimal_text(memory_gib, 6) + ':' + decimal_text(bandwidth, 6);
}

std::vector<HardwareItem> hardware_items(std::string_view text) {
    std::vector<HardwareItem> items;
    if (text == "cpu" || text.starts_with('[') || text.starts_with('{'))
        return items;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view one = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        while (one.starts_with(' '))
            one.remove_prefix(1);
        const std::size_t star = std::min(one.find('*'), one.size());
        HardwareItem item{std::string(one.substr(0, star)), 1};
        if (star < one.size())
            item.count =
                std::max(1L, std::strtol(std::string(one.substr(star + 1)).c_str(), nullptr, 10));
        items.push_back(std::move(item));
    }
    return items;
}

std::string hardware_text(const std::vector<HardwareItem>& items) {
    std::string text;
    for (const HardwareItem& item : items) {
        if (!text.empty())
            text += ',';
        text += item.id;
        if (item.count > 1)
            text += '*' + std::to_string(item.count);
    }
    return text.empty() ? "cpu" : text;
}

} // namespace vramscope::app
