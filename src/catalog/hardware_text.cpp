#include "catalog/hardware_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "catalog/json_reader.h"
#include "core/ascii.h"

namespace vramscope::catalog {
namespace {

constexpr double memory_limit_gib = 1048576;
constexpr double bandwidth_limit = 1e6;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::string in_quotes(std::string_view text) {
    return "\"" + std::string(text.substr(0, 60)) + "\"";
}

Error invalid(std::string message) {
    return {"invalid-value", "hardware", "hardware: " + std::move(message)};
}

Error too_many() {
    return {"too-many-devices", "hardware",
            "hardware: at most " + std::to_string(max_devices) + " devices can be combined"};
}

Device custom_device(double memory_gib, double bandwidth) {
    Device device;
    device.name = "custom";
    device.hardware_class = HardwareClass::other;
    device.memory_bytes = from_gib(memory_gib);
    device.usable_bytes = device.memory_bytes;
    device.bandwidth_gb_per_s = bandwidth;
    return device;
}

/// "custom:GiB:GB/s".
Result<ChosenDevice> read_custom(std::string_view text) {
    const std::string copy(text);
    char* end = nullptr;
    const double memory_gib = std::strtod(copy.c_str(), &end);
    double bandwidth = 0;
    if (*end == ':') {
        const char* second = end + 1;
        bandwidth = std::strtod(second, &end);
        if (end == second)
            end = const_cast<char*>(second) - 1;
    }
    const bool sound = *end == '\0' && !copy.empty() && memory_gib > 0 &&
                       memory_gib <= memory_limit_gib && bandwidth >= 0 &&
                       bandwidth <= bandwidth_limit;
    if (!sound) {
        return invalid("expected custom:<GiB>:<GB/s>, such as custom:24:936, got " +
                       in_quotes("custom:" + copy));
    }
    return ChosenDevice{custom_device(memory_gib, bandwidth), nullptr};
}

std::optional<Error> append(std::vector<ChosenDevice>& devices, const ChosenDevice& device,
                            std::int64_t count) {
    if (count > static_cast<std::int64_t>(max_devices - devices.size()))
        return too_many();
    devices.insert(devices.end(), static_cast<std::size_t>(count), device);
    return std::nullopt;
}

/// One item of the list: an id or a custom device, with "*n" behind it.
std::optional<Error> read_item(std::string_view item, const Catalog& catalog,
                               std::vector<ChosenDevice>& devices) {
    std::int64_t count = 1;
    const std::size_t star = item.find('*');
    if (star != std::string_view::npos) {
        const std::string digits(trimmed(item.substr(star + 1)));
        char* end = nullptr;
        count = std::strtol(digits.c_str(), &end, 10);
        if (digits.empty() || *end != '\0' || count < 1) {
            return invalid("the count behind * is a whole number from 1 on, got " +
                           in_quotes(item));
        }
        item = trimmed(item.substr(0, star));
    }
    if (ascii::starts_with_ignoring_case(item, "custom:")) {
        const Result<ChosenDevice> device = read_custom(item.substr(7));
        if (!device)
            return device.error();
        return append(devices, *device, count);
    }
    const HardwareEntry* entry = catalog.find_hardware(item);
    if (entry == nullptr) {
        std::string message = "there is no hardware " + in_quotes(item) + " in the catalog";
        std::vector<std::string_view> ids;
        for (const HardwareEntry& known : catalog.hardware)
            ids.push_back(known.id);
        const std::string_view meant = closest_name(item, ids);
        message += meant.empty() ? "; a device of your own is custom:<GiB>:<GB/s>"
                                 : "; did you mean \"" + std::string(meant) + "\"?";
        return Error{"unknown-hardware", "hardware", message};
    }
    return append(devices, {entry->device, entry}, count * entry->count);
}

std::optional<Error> read_json(std::string_view text, const Catalog& catalog,
                               std::vector<ChosenDevice>& devices) {
    const Result<Json> document = parse_json(text, "hardware");
    if (!document)
        return document.error();
    JsonFaults faults;
    std::optional<Error> error;
    const auto read_one = [&](const JsonReader& reader) {
        if (error)
            return;
        if (reader.is_string()) {
            error = read_item(reader.value().get_ref<const std::string&>(), catalog, devices);
            return;
        }
        double memory_gib = 0;
        double bandwidth = 0;
        std::string name = "custom";
        double count = 1;
        reader.field("memory_gib", memory_gib, 0.001, memory_limit_gib, Need::required);
        reader.field("bandwidth_gb_per_s", bandwidth, 0, bandwidth_limit);
        reader.field("name", name);
        reader.field("count", count, 1, static_cast<double>(max_devices));
        reader.no_other_fields({"memory_gib", "bandwidth_gb_per_s", "name", "count"});
        ChosenDevice device{custom_device(memory_gib, bandwidth), nullptr};
        device.device.name = name;
        error = append(devices, device, static_cast<std::int64_t>(count));
    };
    const JsonReader root(*document, "hardware", faults);
    if (root.is_array()) {
        root.for_each_element(read_one);
    } else {
        read_one(root);
    }
    if (!faults.empty())
        return faults.errors.front();
    return error;
}

} // namespace

Result<std::vector<ChosenDevice>> read_hardware(std::string_view text, const Catalog& catalog) {
    std::vector<ChosenDevice> devices;
    text = trimmed(text);
    if (ascii::equal_ignoring_case(text, "cpu"))
        return devices;
    if (text.starts_with('[') || text.starts_with('{')) {
        if (auto error = read_json(text, catalog, devices))
            return *error;
        return devices;
    }
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (auto error = read_item(trimmed(text.substr(0, comma)), catalog, devices))
            return *error;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    if (devices.empty())
        return invalid("expected a device id, \"cpu\" or custom:<GiB>:<GB/s>");
    return devices;
}

} // namespace vramscope::catalog
