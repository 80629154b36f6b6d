// Writing architectures: the compact group form of architecture_json.h.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "catalog/architecture_fields.h"
#include "catalog/architecture_json.h"

namespace vramscope::catalog {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Puts down the members that differ from those of a default-made description.
template <typename Description, typename Fields>
void write_changed(OrderedJson& target, const Description& description, Fields fields) {
    OrderedJson usual;
    const Description blank{};
    fields(blank,
           [&](std::string_view key, const auto& value) { usual[std::string(key)] = value; });
    fields(description, [&](std::string_view key, const auto& value) {
        const std::string name(key);
        if (OrderedJson now = value; now != usual[name])
            target[name] = std::move(now);
    });
}

template <typename Enum>
std::string text_of(Enum value, std::initializer_list<std::string_view> names) {
    return std::string(names.begin()[static_cast<std::size_t>(value)]);
}

OrderedJson write_mixer(const Mixer& m) {
    OrderedJson value;
    value["kind"] = text_of(m.kind, mixer_kinds);
    Mixer rest = m;
    if (m.head_dim_k != 0 && m.head_dim_k == m.head_dim_v) {
        rest.head_dim_k = rest.head_dim_v = 0;
    }
    if (m.kind == MixerKind::latent && m.kv_heads == m.q_heads)
        rest.kv_heads = 0;
    write_changed(value, rest, [](auto& d, auto f) { mixer_fields(d, f); });
    if (rest.head_dim_k != m.head_dim_k)
        value["head_dim"] = m.head_dim_k;
    if (m.qk_norm != QkNorm::none)
        value["qk_norm"] = text_of(m.qk_norm, qk_norms);
    if (m.gate != AttentionGate::none)
        value["gate"] = text_of(m.gate, attention_gates);
    return value;
}

OrderedJson write_feed_forward(const FeedForward& f) {
    OrderedJson value;
    value["kind"] = text_of(f.kind, feed_forward_kinds);
    write_changed(value, f, [](auto& d, auto field) { feed_forward_fields(d, field); });
    return value;
}

/// A name for each description: its kind, numbered from the second of that kind on.
template <typename Description>
std::vector<std::string> names_of(const std::vector<Description>& descriptions,
                                  std::initializer_list<std::string_view> kinds) {
    std::vector<std::string> names;
    for (const Description& description : descriptions) {
        const std::string kind = text_of(description.kind, kinds);
        std::string name = kind;
        for (int i = 2; std::find(names.begin(), names.end(), name) != names.end(); ++i) {
            name = kind + "_" + std::to_string(i);
        }
        names.push_back(std::move(name));
    }
    return names;
}

bool same(const Layer& a, const Layer& b) {
    return a.mixer == b.mixer && a.feed_forward == b.feed_forward && a.shares_kv == b.shares_kv;
}

/// How many layers from `first` on repeat with the given period, all sharing KV or none.
std::size_t run_length(const std::vector<Layer>& layers, std::size_t first, std::size_t period) {
    std::size_t end = first;
    while (end < layers.size() && layers[end].shares_kv == layers[first].shares_kv &&
           (end < first + period || same(layers[end], layers[end - period]))) {
        ++end;
    }
    return end - first;
}

/// One name when all are equal, else the list.
OrderedJson cycle_of(const std::vector<std::string>& names) {
    const bool equal =
        std::all_of(names.begin(), names.end(), [&](const auto& n) { return n == names.front(); });
    return equal ? OrderedJson(names.front()) : OrderedJson(names);
}

OrderedJson write_layers(const std::vector<Layer>& layers, const std::vector<std::string>& mixers,
                         const std::vector<std::string>& feed_forwards) {
    constexpr std::size_t longest_period = 16;
    OrderedJson groups = OrderedJson::array();
    for (std::size_t first = 0; first < layers.size();) {
        std::size_t period = 1;
        std::size_t length = run_length(layers, first, 1);
        for (std::size_t p = 2; p <= longest_period; ++p) {
            const std::size_t candidate = run_length(layers, first, p);
            if (candidate >= 2 * p && candidate > length) {
                period = p;
                length = candidate;
            }
        }
        std::vector<std::string> mixer_cycle;
        std::vector<std::string> feed_cycle;
        for (std::size_t i = 0; i < period; ++i) {
            mixer_cycle.push_back(mixers[layers[first + i].mixer]);
            feed_cycle.push_back(feed_forwards[layers[first + i].feed_forward]);
        }
        OrderedJson group;
        group["count"] = length;
        OrderedJson cycle = cycle_of(mixer_cycle);
        const char* key = cycle.is_array() ? "cycle" : "mixer";
        group[key] = std::move(cycle);
        group["feed_forward"] = cycle_of(feed_cycle);
        if (layers[first].shares_kv)
            group["shares_kv"] = true;
        groups.push_back(std::move(group));
        first += length;
    }
    return groups;
}

} // namespace

OrderedJson write_architecture(const Architecture& a) {
    OrderedJson value;
    write_changed(value, a, [](auto& d, auto field) { architecture_fields(d, field); });
    if (a.norms != LayerNorms{}) {
        OrderedJson norms;
        write_changed(norms, a.norms, [](auto& d, auto field) { norm_fields(d, field); });
        value["norms"] = std::move(norms);
    }
    const std::vector<std::string> mixers = names_of(a.mixers, mixer_kinds);
    const std::vector<std::string> feed_forwards = names_of(a.feed_forwards, feed_forward_kinds);
    for (std::size_t i = 0; i < mixers.size(); ++i) {
        value["mixers"][mixers[i]] = write_mixer(a.mixers[i]);
    }
    for (std::size_t i = 0; i < feed_forwards.size(); ++i) {
        value["feed_forwards"][feed_forwards[i]] = write_feed_forward(a.feed_forwards[i]);
    }
    value["layers"] = write_layers(a.layers, mixers, feed_forwards);
    if (!a.mtp_layers.empty()) {
        value["mtp_layers"] = write_layers(a.mtp_layers, mixers, feed_forwards);
    }
    for (const Tower& tower : a.towers) {
        OrderedJson entry{{"name", tower.name}, {"parameters", tower.parameters}};
        if (tower.projector != Projector::unknown)
            entry["projector"] = text_of(tower.projector, projectors);
        write_changed(entry, tower, [](auto& d, auto field) { tower_fields(d, field); });
        value["towers"].push_back(std::move(entry));
    }
    return value;
}

} // namespace vramscope::catalog
