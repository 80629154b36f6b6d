#include "catalog/hardware_json.h"

#include <string>
#include <utility>
#include <vector>

#include "catalog/engines_json.h"
#include "catalog/text_match.h"
#include "core/decimal.h"

namespace vramscope::catalog {
namespace {

constexpr double most_memory_gib = 65536;
constexpr double most_gb_per_s = 1e6;
constexpr double most_tflops = 1e6;

/// Names of a table of hardware.json with the number each stands for.
struct Link {
    std::string name;
    double gb_per_s = 0;
};

/// Which share of a machine's memory its GPU may have, by memory size.
struct UsableRule {
    struct Step {
        double up_to_gib = 0;
        double share = 0;
        double at_most = 0;
    };
    std::string name;
    std::vector<Step> steps;
};

std::vector<Link> read_links(const JsonReader& file) {
    std::vector<Link> links;
    if (const auto table = file.object("links")) {
        table->for_each_member([&](const std::string& name, const JsonReader&) {
            Link link{name, 0};
            table->field(name, link.gb_per_s, 0.1, most_gb_per_s);
            links.push_back(std::move(link));
        });
    }
    return links;
}

std::vector<UsableRule> read_usable_rules(const JsonReader& file) {
    std::vector<UsableRule> rules;
    const auto table = file.object("usable");
    if (!table)
        return rules;
    table->for_each_member([&](const std::string& name, const JsonReader& entry) {
        UsableRule rule{name, {}};
        entry.no_other_fields({"steps", "sources", "about"});
        if (const auto steps = entry.array("steps", Need::required)) {
            steps->for_each_element([&](const JsonReader& element) {
                element.no_other_fields({"up_to_gib", "share", "at_most"});
                UsableRule::Step step;
                step.up_to_gib = most_memory_gib;
                element.field("up_to_gib", step.up_to_gib, 1, most_memory_gib);
                element.field("share", step.share, 0.1, 1, Need::required);
                step.at_most = step.share;
                element.field("at_most", step.at_most, step.share, 1);
                if (!rule.steps.empty() && step.up_to_gib <= rule.steps.back().up_to_gib) {
                    element.field_fault("up_to_gib", "must grow from step to step");
                }
                rule.steps.push_back(step);
            });
            if (rule.steps.empty() || rule.steps.back().up_to_gib < most_memory_gib) {
                steps->fault(
                    "the last step must have no \"up_to_gib\", so that it holds for all sizes");
            }
        }
        rules.push_back(std::move(rule));
    });
    return rules;
}

/// "rtx-4060-ti" and 16 GiB: "rtx-4060-ti-16gb". Sizes are whole, or have a decimal point.
std::string size_text(double gib) {
    return shortest_text(gib);
}

class HardwareReader {
public:
    HardwareReader(const JsonReader& file, Catalog& catalog)
        : catalog_(catalog), links_(read_links(file)), rules_(read_usable_rules(file)) {}

    void read_device(const JsonReader& entry);
    void read_preset(const JsonReader& entry);
    void read_ladder(const JsonReader& list);
    void read_table(const JsonReader& list);

private:
    struct Size {
        double memory_gib = 0;
        double usable_gib = 0;
        double usable_at_most_gib = 0;
    };
    void read_driver(const JsonReader& entry, Device& device);
    void read_compute(const JsonReader& entry, HardwareEntry& out);
    std::vector<Size> read_sizes(const JsonReader& entry);
    void apply_usable(const JsonReader& entry, std::vector<Size>& sizes);
    void add(const JsonReader& entry, HardwareEntry hardware);

    Catalog& catalog_;
    std::vector<Link> links_;
    std::vector<UsableRule> rules_;
};

void HardwareReader::read_driver(const JsonReader& entry, Device& device) {
    std::string key;
    if (entry.field("class", key, Need::required)) {
        device.hardware_class = hardware_class_from_key(key);
        if (device.hardware_class == HardwareClass::count_) {
            entry.field_fault("class", "there is no hardware class \"" + key + "\"");
        }
    }
    if (entry.field("backend", key, Need::required)) {
        device.backend = backend_from_key(key);
        if (device.backend == Backend::count_) {
            entry.field_fault("backend", "there is no backend \"" + key + "\"");
        }
    }
    if (entry.field("link", key)) {
        const Link* found = nullptr;
        for (const Link& link : links_) {
            if (link.name == key)
                found = &link;
        }
        if (found == nullptr) {
            entry.field_fault("link", "\"" + key + "\" is not in the table \"links\" of this file",
                              "unknown-reference");
        } else {
            device.link_gb_per_s = found->gb_per_s;
        }
    }
}

void HardwareReader::read_compute(const JsonReader& entry, HardwareEntry& out) {
    if (const auto compute = entry.object("tflops")) {
        compute->no_other_fields({"fp16", "fp8", "int8", "fp4"});
        compute->field("fp16", out.compute.fp16, 0.01, most_tflops);
        compute->field("fp8", out.compute.fp8, 0.01, most_tflops);
        compute->field("int8", out.compute.int8, 0.01, most_tflops);
        compute->field("fp4", out.compute.fp4, 0.01, most_tflops);
    }
    out.device.fp16_tflops = out.compute.fp16;
}

std::vector<HardwareReader::Size> HardwareReader::read_sizes(const JsonReader& entry) {
    std::vector<Size> sizes;
    const auto add_size = [&](const JsonReader& place, const Json& value) {
        const double gib = value.is_number() ? value.get<double>() : 0.0;
        if (!(gib >= 0.5 && gib <= most_memory_gib)) {
            place.fault("expected GiB from 0.5 to 65536, got " + describe(value), "out-of-range");
            return;
        }
        sizes.push_back({gib, gib, 0});
    };
    const auto memory = entry.child("memory_gib", Need::required);
    if (!memory)
        return sizes;
    if (memory->is_array()) {
        memory->for_each_element(
            [&](const JsonReader& element) { add_size(element, element.value()); });
        if (memory->value().empty())
            memory->fault("the list is empty");
    } else {
        add_size(*memory, memory->value());
    }
    apply_usable(entry, sizes);
    return sizes;
}

void HardwareReader::apply_usable(const JsonReader& entry, std::vector<Size>& sizes) {
    const auto usable = entry.child("usable");
    if (!usable)
        return;
    if (!usable->is_string()) {
        double gib = 0;
        if (sizes.size() != 1) {
            usable->fault("one number cannot stand for several memory sizes; name a rule instead");
        } else if (entry.field("usable", gib, 0.1, sizes[0].memory_gib)) {
            sizes[0].usable_gib = gib;
        }
        return;
    }
    const std::string name = usable->value().get<std::string>();
    for (const UsableRule& rule : rules_) {
        if (rule.name != name)
            continue;
        for (Size& size : sizes) {
            for (const UsableRule::Step& step : rule.steps) {
                if (size.memory_gib > step.up_to_gib)
                    continue;
                size.usable_gib = size.memory_gib * step.share;
                size.usable_at_most_gib = size.memory_gib * step.at_most;
                break;
            }
        }
        return;
    }
    usable->fault("\"" + name + "\" is not in the table \"usable\" of this file",
                  "unknown-reference");
}

void HardwareReader::add(const JsonReader& entry, HardwareEntry hardware) {
    if (const HardwareEntry* other = catalog_.find_hardware(hardware.id)) {
        entry.field_fault(
            "id", "\"" + hardware.id + "\" is already the id of \"" + other->device.name + "\"",
            "duplicate-id");
        return;
    }
    for (const std::string& alias : hardware.aliases) {
        if (const HardwareEntry* other = catalog_.find_hardware(alias)) {
            entry.field_fault("aliases",
                              "\"" + alias + "\" already means \"" + other->device.name + "\"",
                              "duplicate-id");
        }
    }
    catalog_.hardware.push_back(std::move(hardware));
}

void HardwareReader::read_device(const JsonReader& entry) {
    entry.no_other_fields({"id", "name", "aliases", "vendor", "class", "backend", "unified",
                           "memory_gib", "usable", "bandwidth_gb_per_s", "tflops", "link",
                           "release", "devices", "sources", "note"});
    HardwareEntry common;
    std::string id;
    std::string name;
    if (entry.field("id", id, Need::required) && !is_id(id)) {
        entry.field_fault("id", "\"" + id + "\" must be lower-case letters, digits and dashes");
    }
    entry.field("name", name, Need::required);
    entry.field("vendor", common.vendor, Need::required);
    entry.field("release", common.release);
    entry.field("sources", common.sources);
    entry.field("unified", common.device.unified);
    entry.field("bandwidth_gb_per_s", common.device.bandwidth_gb_per_s, 1, most_gb_per_s,
                Need::required);
    // A card may carry several devices that each have their share of memory (Tesla K80).
    entry.field("devices", common.count, 1, static_cast<std::int64_t>(max_devices));
    read_driver(entry, common.device);
    read_compute(entry, common);
    std::vector<std::string> aliases;
    entry.field("aliases", aliases);
    const std::vector<Size> sizes = read_sizes(entry);
    if (!aliases.empty() && sizes.size() > 1) {
        entry.field_fault("aliases", "an alias can mean one memory size only; split the entry");
    }
    for (const Size& size : sizes) {
        HardwareEntry hardware = common;
        const double each = 1.0 / common.count;
        hardware.id = id + "-" + size_text(size.memory_gib) + "gb";
        hardware.device.name = name + " " + size_text(size.memory_gib) + "GB";
        hardware.device.memory_bytes = from_gib(size.memory_gib * each);
        hardware.device.usable_bytes = from_gib(size.usable_gib * each);
        hardware.usable_at_most_bytes = from_gib(size.usable_at_most_gib * each);
        hardware.aliases = aliases;
        add(entry, std::move(hardware));
    }
}

void HardwareReader::read_preset(const JsonReader& entry) {
    entry.no_other_fields({"of", "counts", "names"});
    std::string id;
    if (!entry.field("of", id, Need::required))
        return;
    const HardwareEntry* found = catalog_.find_hardware(id);
    if (found == nullptr) {
        entry.field_fault("of", "no device has the id \"" + id + "\"", "unknown-reference");
        return;
    }
    const HardwareEntry single = *found;
    const auto counts = entry.array("counts", Need::required);
    if (!counts)
        return;
    counts->for_each_element([&](const JsonReader& element) {
        const Json& value = element.value();
        if (!value.is_number_integer() || value < 2 || value > max_devices) {
            element.fault("expected a whole number from 2 to 16, got " + describe(value),
                          "out-of-range");
            return;
        }
        HardwareEntry several = single;
        several.count = value.get<std::int32_t>();
        several.id = std::to_string(several.count) + "x-" + single.id;
        several.aliases.clear();
        if (const auto names = entry.object("names")) {
            std::string alias;
            if (names->field(std::to_string(several.count), alias))
                several.aliases = {alias};
        }
        several.device.name = single.device.name;
        add(entry, std::move(several));
    });
}

void HardwareReader::read_ladder(const JsonReader& list) {
    Bytes below = 0;
    list.for_each_element([&](const JsonReader& element) {
        const std::string id = element.is_string() ? element.value().get<std::string>() : "";
        const HardwareEntry* found = catalog_.find_hardware(id);
        if (found == nullptr) {
            element.fault("no device has the id " + describe(element.value()), "unknown-reference");
            return;
        }
        const Bytes usable = mul(found->device.usable_bytes, found->count);
        if (usable <= below) {
            element.fault("must have more usable memory than the class before it");
        }
        below = usable;
        catalog_.hardware_ladder.push_back(found->id);
    });
    if (catalog_.hardware_ladder.empty())
        list.fault("the list is empty");
}

void HardwareReader::read_table(const JsonReader& list) {
    list.for_each_element([&](const JsonReader& element) {
        const std::string id = element.is_string() ? element.value().get<std::string>() : "";
        const HardwareEntry* found = catalog_.find_hardware(id);
        if (found == nullptr) {
            element.fault("no device has the id " + describe(element.value()), "unknown-reference");
            return;
        }
        catalog_.hardware_table.push_back(found->id);
    });
}

} // namespace

void read_hardware(const JsonReader& file, Catalog& catalog) {
    file.no_other_fields(
        {"$schema", "about", "links", "usable", "devices", "presets", "ladder", "table"});
    HardwareReader reader(file, catalog);
    if (const auto devices = file.array("devices", Need::required)) {
        devices->for_each_element([&](const JsonReader& entry) { reader.read_device(entry); });
    }
    if (const auto presets = file.array("presets")) {
        presets->for_each_element([&](const JsonReader& entry) { reader.read_preset(entry); });
    }
    if (const auto ladder = file.array("ladder", Need::required))
        reader.read_ladder(*ladder);
    if (const auto table = file.array("table"))
        reader.read_table(*table);
}

} // namespace vramscope::catalog
