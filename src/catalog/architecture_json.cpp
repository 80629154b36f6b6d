#include "catalog/architecture_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "catalog/architecture_fields.h"

namespace vramscope::catalog {
namespace {

/// Reads the plain members of an object by their type, and remembers their keys.
class PlainFields {
public:
    explicit PlainFields(const JsonReader& reader) : reader_(reader) {}

    void operator()(std::string_view key, std::int32_t& target) {
        known_.push_back(key);
        reader_.field(key, target, 0, ArchitectureLimits::width);
    }
    void operator()(std::string_view key, std::int64_t& target) {
        known_.push_back(key);
        reader_.field(key, target, 0, ArchitectureLimits::context);
    }
    void operator()(std::string_view key, bool& target) {
        known_.push_back(key);
        reader_.field(key, target);
    }
    void operator()(std::string_view key, std::string& target) {
        known_.push_back(key);
        reader_.field(key, target);
    }
    template <typename Enum>
    void choice(std::string_view key, Enum& target, std::initializer_list<std::string_view> names) {
        known_.push_back(key);
        reader_.field(key, target, names);
    }
    /// Fields that the caller reads itself.
    void also(std::initializer_list<std::string_view> keys) {
        known_.insert(known_.end(), keys.begin(), keys.end());
    }
    void no_others() const {
        reader_.for_each_member([&](const std::string& key, const JsonReader&) {
            if (std::find(known_.begin(), known_.end(), key) != known_.end())
                return;
            const std::string_view meant = closest_name(key, known_);
            std::string message = "is not a known field";
            if (!meant.empty())
                message += "; did you mean \"" + std::string(meant) + "\"?";
            reader_.field_fault(key, message, "unknown-field");
        });
    }

private:
    const JsonReader& reader_;
    std::vector<std::string_view> known_;
};

void read(const JsonReader& reader, Mixer& mixer) {
    PlainFields fields(reader);
    fields.choice("kind", mixer.kind, mixer_kinds);
    std::int32_t head_dim = 0;
    fields("head_dim", head_dim);
    mixer.head_dim_k = mixer.head_dim_v = head_dim;
    mixer_fields(mixer, fields);
    fields.choice("qk_norm", mixer.qk_norm, qk_norms);
    fields.choice("gate", mixer.gate, attention_gates);
    if (mixer.kind == MixerKind::latent && mixer.kv_heads == 0)
        mixer.kv_heads = mixer.q_heads;
    fields.no_others();
}

void read(const JsonReader& reader, FeedForward& feed_forward) {
    PlainFields fields(reader);
    fields.choice("kind", feed_forward.kind, feed_forward_kinds);
    feed_forward_fields(feed_forward, fields);
    fields.no_others();
}

void read(const JsonReader& reader, LayerNorms& norms) {
    PlainFields fields(reader);
    norm_fields(norms, fields);
    fields.no_others();
}

/// Names of the descriptions of one sort, in the order of their indices.
struct Names {
    std::string_view sort; ///< "mixers", "feed_forwards"
    std::vector<std::string> names;
    std::vector<bool> used;

    std::optional<std::uint8_t> index_of(std::string_view name) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] != name)
                continue;
            used[i] = true;
            return static_cast<std::uint8_t>(i);
        }
        return std::nullopt;
    }
};

template <typename Description>
Names read_descriptions(const JsonReader& reader, std::string_view key,
                        std::vector<Description>& target) {
    constexpr std::size_t most = 255; // Layer holds the index in one byte
    Names result{key, {}, {}};
    const auto object = reader.object(key, Need::required);
    if (!object)
        return result;
    if (object->value().size() > most) {
        object->fault("has more than 255 descriptions", "out-of-range");
        return result;
    }
    object->for_each_member([&](const std::string& name, const JsonReader& value) {
        if (!value.is_object()) {
            value.fault("expected an object, got " + describe(value.value()), "wrong-type");
        }
        read(value, target.emplace_back());
        result.names.push_back(name);
        result.used.push_back(false);
    });
    return result;
}

/// One name, or a list of names, as indices; empty after a fault.
std::vector<std::uint8_t> read_names(const JsonReader& group, std::string_view key, Names& known) {
    std::vector<std::uint8_t> indices;
    const auto value = group.child(key, Need::required);
    if (!value)
        return indices;
    bool sound = true;
    const auto add = [&](const JsonReader& name) {
        std::optional<std::uint8_t> index;
        if (name.is_string())
            index = known.index_of(name.value().get_ref<const std::string&>());
        if (index) {
            indices.push_back(*index);
        } else {
            name.fault("expected a name out of " + std::string(known.sort) + ", got " +
                       describe(name.value()));
            sound = false;
        }
    };
    if (!value->is_array()) {
        add(*value);
    } else if (value->value().empty() ||
               value->value().size() > static_cast<std::size_t>(ArchitectureLimits::layers)) {
        value->fault("expected 1 to " + std::to_string(ArchitectureLimits::layers) + " names",
                     "out-of-range");
    } else {
        value->for_each_element(add);
    }
    if (!sound)
        indices.clear();
    return indices;
}

/// Appends the layers of one group.
void read_group(const JsonReader& group, Names& mixers, Names& feed_forwards,
                std::vector<Layer>& layers) {
    const bool spelt_out = group.has("mixers");
    const bool cycles = group.has("cycle");
    const bool lists_feed_forwards = spelt_out && group.has("feed_forwards");
    const auto mixer_cycle = read_names(group,
                                        spelt_out ? "mixers"
                                        : cycles  ? "cycle"
                                                  : "mixer",
                                        mixers);
    const auto feed_cycle =
        read_names(group, lists_feed_forwards ? "feed_forwards" : "feed_forward", feed_forwards);
    auto count = static_cast<std::int64_t>(mixer_cycle.size());
    group.field("count", count, 1, ArchitectureLimits::layers,
                spelt_out ? Need::optional : Need::required);
    bool shares_kv = false;
    group.field("shares_kv", shares_kv);
    if (spelt_out) {
        group.no_other_fields({"mixers", "feed_forwards", "feed_forward", "count", "shares_kv"});
    } else {
        group.no_other_fields({"count", "mixer", "cycle", "feed_forward", "shares_kv"});
        if (cycles && group.has("mixer"))
            group.fault("has both mixer and cycle");
        if (!cycles && mixer_cycle.size() > 1)
            group.field_fault("mixer", "expected one name");
    }
    if (mixer_cycle.empty() || feed_cycle.empty())
        return;

    if (spelt_out && static_cast<std::size_t>(count) != mixer_cycle.size()) {
        group.field_fault("count",
                          "is not the number of mixers, " + std::to_string(mixer_cycle.size()));
    }
    if (lists_feed_forwards && feed_cycle.size() != mixer_cycle.size()) {
        group.field_fault("feed_forwards", "has " + std::to_string(feed_cycle.size()) +
                                               " names for " + std::to_string(mixer_cycle.size()) +
                                               " mixers");
    }
    if (layers.size() + static_cast<std::size_t>(count) >
        static_cast<std::size_t>(ArchitectureLimits::layers)) {
        group.field_fault(
            "count", "makes more than " + std::to_string(ArchitectureLimits::layers) + " layers",
            "out-of-range");
        return;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        layers.push_back(Layer{mixer_cycle[i % mixer_cycle.size()],
                               feed_cycle[i % feed_cycle.size()], shares_kv});
    }
}

void read_towers(const JsonReader& reader, std::vector<Tower>& towers) {
    const auto list = reader.array("towers");
    if (!list)
        return;
    list->for_each_element([&](const JsonReader& element) {
        Tower& tower = towers.emplace_back();
        element.field("name", tower.name, Need::required);
        element.field("parameters", tower.parameters, 1, ArchitectureLimits::context,
                      Need::required);
        PlainFields fields(element);
        fields.also({"name", "parameters"});
        fields.choice("projector", tower.projector, projectors);
        tower_fields(tower, fields);
        fields.no_others();
    });
}

void check_used(const JsonReader& reader, const Names& names) {
    for (std::size_t i = 0; i < names.names.size(); ++i) {
        if (names.used[i])
            continue;
        reader.field_fault(std::string(names.sort) + "." + names.names[i],
                           "is not used by any layer");
    }
}

} // namespace

bool read_architecture(const JsonReader& reader, Architecture& architecture) {
    if (!reader.is_object()) {
        reader.fault("expected an object, got " + describe(reader.value()), "wrong-type");
        return false;
    }
    const std::size_t faults_before = reader.faults().errors.size();
    Architecture a;
    PlainFields fields(reader);
    architecture_fields(a, fields);
    fields.also({"norms", "mixers", "feed_forwards", "layers", "mtp_layers", "towers"});
    fields.no_others();
    if (const auto norms = reader.object("norms"))
        read(*norms, a.norms);
    Names mixers = read_descriptions(reader, "mixers", a.mixers);
    Names feed_forwards = read_descriptions(reader, "feed_forwards", a.feed_forwards);
    if (const auto layers = reader.array("layers", Need::required)) {
        layers->for_each_element(
            [&](const JsonReader& group) { read_group(group, mixers, feed_forwards, a.layers); });
    }
    if (const auto layers = reader.array("mtp_layers")) {
        layers->for_each_element([&](const JsonReader& group) {
            read_group(group, mixers, feed_forwards, a.mtp_layers);
        });
    }
    read_towers(reader, a.towers);
    // Without faults so far, so that a misspelt name gives one message only.
    if (reader.faults().errors.size() == faults_before) {
        check_used(reader, mixers);
        check_used(reader, feed_forwards);
        if (const auto fault = find_fault(a))
            reader.field_fault(fault->field, fault->reason);
    }
    if (reader.faults().errors.size() != faults_before)
        return false;
    architecture = std::move(a);
    return true;
}

Result<Architecture> read_architecture(std::string_view text, std::string_view name) {
    const auto json = parse_json(text, name);
    if (!json)
        return json.error();
    JsonFaults faults;
    Architecture architecture;
    if (!read_architecture(JsonReader(*json, name, faults), architecture)) {
        return faults.errors.front();
    }
    return architecture;
}

} // namespace vramscope::catalog
