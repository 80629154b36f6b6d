// The layer map: one cell per layer, with what it remembers and where it lies. Made only while
// somebody looks at it.
#include <algorithm>

#include "app/view_context.h"
#include "core/layer_map.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

using Sign = LayerPicture::Sign;

Sign sign_of(const Mixer& mixer) {
    if (mixer.kind == MixerKind::none)
        return Sign::none;
    if (is_recurrent(mixer.kind))
        return attends(mixer.kind) ? Sign::hybrid : Sign::state;
    if (mixer.kind == MixerKind::latent || mixer.kind == MixerKind::compressed)
        return Sign::latent;
    return is_windowed(mixer.kind) ? Sign::window : Sign::full;
}

Tone tone_of(Sign sign) {
    if (sign == Sign::none)
        return Tone::overhead;
    return sign == Sign::state ? Tone::state : Tone::kv;
}

std::string mixer_name(const ViewContext& context, const Mixer& mixer) {
    const char* key = report::attention_key(mixer);
    std::string name = context.text(key != nullptr ? key : "layers.no_mixer", {});
    if (mixer.window > 0 && is_windowed(mixer.kind))
        name += ", " + context.tokens(mixer.window);
    return name;
}

struct Maker {
    const ViewContext& context;
    const Architecture& architecture;
    const LayerMap& map;
    LayerPicture& out;

    const Mixer& mixer(std::size_t layer) const {
        return architecture.mixer(architecture.layers[layer]);
    }
    bool has_experts(std::size_t layer) const {
        return architecture.feed_forward(architecture.layers[layer]).kind ==
               FeedForwardKind::experts;
    }
    std::string device_name(std::int32_t device) const {
        if (device == several_devices)
            return context.owned_text("layers.every_device");
        const DeviceEstimate& one = context.estimate.devices[static_cast<std::size_t>(device)];
        return one.is_host ? context.owned_text("device.host") : one.name;
    }
    std::string feed_forward_name(std::size_t layer) const {
        const FeedForward& part = architecture.feed_forward(architecture.layers[layer]);
        if (part.kind == FeedForwardKind::none)
            return context.owned_text("layers.no_feed_forward");
        if (part.kind == FeedForwardKind::dense)
            return context.owned_text("layers.dense");
        return context.text("layers.experts", {context.locale.integer(part.n_experts),
                                               context.locale.integer(part.n_experts_used)});
    }
    /// Same mixer, feed-forward and device: one run.
    bool alike(std::size_t a, std::size_t b) const {
        const Layer& first = architecture.layers[a];
        const Layer& second = architecture.layers[b];
        return first.mixer == second.mixer && first.feed_forward == second.feed_forward &&
               first.shares_kv == second.shares_kv && map.layers[a].device == map.layers[b].device;
    }
    std::string numbers(std::size_t first, std::size_t last) const {
        return context.locale.range(std::to_string(first), std::to_string(last));
    }

    void kinds() {
        for (std::size_t m = 0; m < architecture.mixers.size(); ++m) {
            std::int64_t count = 0;
            Bytes kept = 0;
            for (std::size_t i = 0; i < map.layers.size(); ++i) {
                if (architecture.layers[i].mixer != m)
                    continue;
                ++count;
                kept = add(kept, add(map.layers[i].kv, map.layers[i].state));
            }
            LayerPicture::Kind kind;
            kind.sign = sign_of(architecture.mixers[m]);
            kind.tone = tone_of(kind.sign);
            kind.label = context.text("layers.kind", {context.locale.integer(count),
                                                      mixer_name(context, architecture.mixers[m]),
                                                      context.bytes(kept)});
            out.kinds.push_back(std::move(kind));
        }
    }

    std::string tooltip(std::size_t layer) const {
        const LayerShare& share = map.layers[layer];
        std::string text =
            context.text("layers.cell", {std::to_string(layer), mixer_name(context, mixer(layer))});
        const auto line = [&](std::string_view label, Bytes bytes) {
            text += '\n';
            text += context.text("layers.line",
                                 {label, context.bytes(bytes), context.locale.exact_bytes(bytes)});
        };
        text += '\n' + feed_forward_name(layer) + context.owned_text("separator.dot") +
                device_name(share.device);
        line(context.text("part.weights"), share.weights);
        if (share.host_weights > 0)
            line(context.text("layers.experts_in_ram"), share.host_weights);
        if (architecture.layers[layer].shares_kv)
            text += '\n' + context.owned_text("layers.shares_kv");
        if (share.kv > 0)
            line(context.text("part.kv"), share.kv);
        if (share.state > 0)
            line(context.text("part.state"), share.state);
        return text;
    }

    void cells() {
        Bytes most = 1;
        for (const LayerShare& share : map.layers)
            most = std::max(most, add(share.kv, share.state));
        for (std::size_t i = 0; i < map.layers.size(); ++i) {
            LayerPicture::Cell cell;
            cell.kind = architecture.layers[i].mixer;
            cell.experts = has_experts(i);
            cell.level = static_cast<double>(add(map.layers[i].kv, map.layers[i].state)) /
                         static_cast<double>(most);
            cell.tooltip = tooltip(i);
            if (cell.experts && out.experts_label.empty())
                out.experts_label = context.text("layers.experts_mark", {});
            out.cells.push_back(std::move(cell));
        }
    }

    void groups() {
        for (std::size_t first = 0; first < map.layers.size();) {
            std::size_t end = first + 1;
            while (end < map.layers.size() && map.layers[end].device == map.layers[first].device)
                ++end;
            out.groups.push_back(
                {context.text("layers.group",
                              {device_name(map.layers[first].device), numbers(first, end - 1)}),
                 first, end - first});
            first = end;
        }
    }

    /// The shortest distance after which mixers repeat.
    void period() {
        const std::size_t count = map.layers.size();
        for (std::size_t p = 1; p <= std::min<std::size_t>(12, count / 2); ++p) {
            std::size_t i = p;
            while (i < count && architecture.layers[i].mixer == architecture.layers[i - p].mixer)
                ++i;
            if (i == count) {
                out.period = p;
                return;
            }
        }
    }

    void runs() {
        Table& table = out.runs;
        table.id = "layers";
        table.title = out.title;
        table.caption = out.caption;
        constexpr std::pair<const char*, bool> columns[] = {
            {"layers.number", false},   {"layers.mixer", false}, {"layers.feed_forward", false},
            {"hardware.device", false}, {"part.weights", true},  {"part.kv", true},
            {"part.state", true},
        };
        for (const auto& [key, numeric] : columns)
            table.columns.push_back({context.owned_text(key), numeric});
        for (std::size_t first = 0; first < map.layers.size();) {
            std::size_t end = first;
            LayerShare sum;
            for (; end < map.layers.size() && alike(first, end); ++end) {
                sum.weights = add(sum.weights, map.layers[end].weights);
                sum.kv = add(sum.kv, map.layers[end].kv);
                sum.state = add(sum.state, map.layers[end].state);
            }
            Row row;
            add_text(row, numbers(first, end - 1));
            add_text(row, mixer_name(context, mixer(first)));
            add_text(row, feed_forward_name(first));
            add_text(row, device_name(map.layers[first].device));
            add_bytes(row, sum.weights);
            add_bytes(row, sum.kv);
            add_bytes(row, sum.state);
            table.rows.push_back(std::move(row));
            first = end;
        }
        Row other;
        add_text(other, context.owned_text("layers.other"));
        for (int i = 0; i < 3; ++i)
            add_text(other, "\u2014");
        add_bytes(other, map.other_weights);
        add_bytes(other, 0);
        add_bytes(other, 0);
        table.rows.push_back(std::move(other));
    }

    static void add_text(Row& row, std::string text) {
        Cell cell;
        cell.text = std::move(text);
        row.cells.push_back(std::move(cell));
    }
    void add_bytes(Row& row, Bytes bytes) const {
        Cell cell;
        cell.text = context.bytes(bytes);
        cell.exact = static_cast<double>(bytes);
        row.cells.push_back(std::move(cell));
    }
};

LayerPicture make_layers(const ViewContext& context) {
    const LayerMap map = layer_map(context.request, plan_memory(context.request));
    LayerPicture picture;
    picture.title = context.text("layers.title", {});
    picture.caption =
        context.text(map.counted ? "layers.caption" : "layers.caption_shared",
                     {context.tokens(context.context), context.bytes(map.other_weights)});
    Maker maker{context, *context.request.architecture, map, picture};
    maker.kinds();
    maker.cells();
    maker.groups();
    maker.period();
    maker.runs();
    return picture;
}

} // namespace

[[gnu::noinline]] void build_layers(const ViewContext& context, ViewModel& view) {
    const std::string key = context.request_key + '|' + context.text_key;
    if (context.memo.layers_key != key) {
        context.memo.layers = make_layers(context);
        context.memo.layers_key = key;
    }
    view.layers = context.memo.layers;
}

} // namespace vramscope::app
