#include "formats/gguf_architecture.h"

#include <algorithm>

#include "core/tensors.h"
#include "formats/gguf_layers.h"
#include "formats/windows.h"

namespace vramscope::formats {
namespace {

/// Windows as the metadata states them, else as the architecture's name implies.
class Windows {
public:
    explicit Windows(const GgufHeader& header)
        : rule_(find_window_rule(header.architecture())),
          list_(header.own("attention.sliding_window_pattern")) {
        const Metadata* window = header.own("attention.sliding_window");
        tokens_ =
            window != nullptr ? window->integer : (rule_ != nullptr ? rule_->usual_window : 0);
        const std::int32_t layers = LayerMetadata(header, 0).number("block_count");
        if (rule_ != nullptr && rule_->only_layers != 0 && rule_->only_layers != layers)
            tokens_ = 0;
        // llama.cpp takes Llama 4's chunk from its own constant.
        if (rule_ != nullptr && rule_->chunked && tokens_ != 0)
            tokens_ = rule_->usual_window;
        tokens_ = std::clamp<std::int64_t>(tokens_, 0, ArchitectureLimits::width);
    }

    bool at(std::int32_t layer) const {
        if (tokens_ == 0)
            return false;
        if (list_ != nullptr && list_->is_list) {
            const auto index = static_cast<std::size_t>(layer);
            return index < list_->integers.size() && list_->integers[index] != 0;
        }
        if (list_ != nullptr)
            return is_windowed_layer(layer, list_->integer,
                                     rule_ != nullptr && rule_->global_first);
        return rule_ != nullptr && is_windowed_layer(layer, rule_->period, rule_->global_first);
    }
    void set(Mixer& mixer) const {
        if (mixer.kind != MixerKind::sliding_window)
            return;
        mixer.window = static_cast<std::int32_t>(tokens_);
        if (rule_ != nullptr && rule_->chunked)
            mixer.kind = MixerKind::chunked;
    }

private:
    const WindowRule* rule_;
    const Metadata* list_;
    std::int64_t tokens_ = 0;
};

/// The norms of the first layers that show them.
class NormReader {
public:
    void see(const LayerTensors& layer, const Mixer& mixer, const FeedForward& feed_forward) {
        const bool mixes = mixer.kind != MixerKind::none;
        const bool feeds = feed_forward.kind != FeedForwardKind::none;
        const bool first = layer.has("attn_norm");
        const bool after_attention = layer.has("post_attention_norm");
        const bool own_ffn = layer.has("ffn_norm") || layer.has("attn_norm_2");
        any_ = any_ || first || own_ffn || after_attention;
        if (layer.has_bias("attn_norm") || layer.has_bias("post_attention_norm"))
            norms_.biased = true;
        if (mixes) {
            before_mixer_ = before_mixer_ || first;
            // Where the feed-forward part has no norm of its own, this is it (Qwen3-Next, GLM-4.5).
            const bool serves_ffn = feeds && !own_ffn && first;
            norms_.after_mixer = norms_.after_mixer || (after_attention && !serves_ffn) ||
                                 layer.has("attn_output_norm");
            if (feeds)
                before_ffn_ = before_ffn_ || own_ffn || (after_attention && serves_ffn);
        } else if (feeds) {
            before_ffn_ = before_ffn_ || own_ffn || first;
        }
        norms_.after_feed_forward = norms_.after_feed_forward || layer.has("post_ffw_norm") ||
                                    layer.has("layer_output_norm");
        if (mixes && feeds)
            both_ = true;
        mixes_ = mixes_ || mixes;
        feeds_ = feeds_ || feeds;
    }
    LayerNorms norms() const {
        LayerNorms norms = norms_;
        if (!any_) {
            norms.weightless = true;
            return norms;
        }
        norms.before_mixer = before_mixer_ || !mixes_;
        norms.before_feed_forward = before_ffn_ || !feeds_;
        return norms;
    }
    /// Mixer and feed-forward part share one norm, so they run side by side.
    bool share_a_norm() const {
        return any_ && both_ && before_mixer_ && !before_ffn_ && !norms_.after_feed_forward;
    }

private:
    LayerNorms norms_;
    bool any_ = false, before_mixer_ = false, before_ffn_ = false, both_ = false;
    bool mixes_ = false, feeds_ = false;
};

/// Tensors outside of the layers, and what they say.
void read_surroundings(const GgufHeader& header, const LayerTensors& top, Architecture& a) {
    const LayerMetadata metadata(header, 0);
    a.n_embd = metadata.number("embedding_length", top.row_length("token_embd"));
    a.n_vocab = top.rows("token_embd");
    a.tied_embeddings = !top.has("output");
    a.output_bias = top.has_bias("output");
    a.final_norm = top.has("output_norm") || top.has("token_embd_norm");
    a.embedding_norm = top.has("output_norm") && top.has("token_embd_norm");
    a.n_positions = top.rows("position_embd");
    if (top.has("rope_freqs")) {
        a.rope_factors = top.row_length("rope_freqs");
    } else if (top.has("rope_factors_long")) {
        a.rope_factors = top.row_length("rope_factors_long");
        a.rope_factor_vectors = 2;
    }
    if (top.has("per_layer_token_embd")) {
        a.per_layer_embedding = top.row_length("per_layer_proj_norm");
        const std::int32_t rows = top.rows("per_layer_token_embd");
        a.n_vocab_per_layer = rows == a.n_vocab ? 0 : rows;
    }
    a.altup = top.has("altup_proj");
    a.native_context = metadata.number("context_length");
    if (const Metadata* context = header.own("context_length")) {
        a.native_context =
            std::clamp<std::int64_t>(context->integer, 0, ArchitectureLimits::context);
    }
    a.deepstack_layers = metadata.number("n_deepstack_layers");
    a.hyper_connections = metadata.number("hyper_connection.count");
    if (top.has("output_hc_fn") && a.hyper_connections == 0)
        a.hyper_connections = top.rows("output_hc_fn");
    const Metadata* parallel = header.own("use_parallel_residual");
    a.parallel_residual = parallel != nullptr && parallel->integer != 0;
}

/// Element counts per layer, held against the table.
void compare_inventory(const Architecture& a, std::span<const PlacedTensor> placed,
                       std::vector<std::string>& missing) {
    const std::size_t count = a.layers.size() + a.mtp_layers.size() + 1; // [0]: outside of layers
    std::vector<std::int64_t> expected(count);
    std::vector<std::int64_t> found(count);
    auto visit = [&](const Tensor& tensor) {
        std::int64_t& sum = expected[static_cast<std::size_t>(tensor.layer + 1)];
        sum = add(sum, tensor.elements());
    };
    for_each_tensor(a, Inventory::gguf, visit);
    std::vector<std::string> unknown;
    for (const PlacedTensor& tensor : placed) {
        const auto index = static_cast<std::size_t>(tensor.place.layer + 1);
        if (index < count)
            found[index] = add(found[index], tensor.tensor->elements());
        if (role_of(tensor.place) == TensorRole::count_ && unknown.size() < 3)
            unknown.push_back(shown(tensor.tensor->name));
    }
    std::int64_t difference = 0;
    std::string first;
    for (std::size_t i = 0; i < count; ++i) {
        if (expected[i] == found[i])
            continue;
        difference += found[i] - expected[i];
        if (first.empty())
            first = i == 0 ? "outside of the layers" : "in layer " + std::to_string(i - 1);
    }
    if (!first.empty()) {
        std::string text = difference == 0
                               ? "tensors differ from the shape that was found, first "
                               : "the file has " + std::to_string(std::abs(difference)) +
                                     (difference > 0 ? " parameters more" : " parameters fewer") +
                                     " than the shape explains, first ";
        text += first;
        for (std::size_t i = 0; i < unknown.size(); ++i)
            text += (i == 0 ? "; unknown tensors: " : ", ") + unknown[i];
        missing.push_back(text + ". The weights are exact all the same.");
    }
}

void add_fault(const ArchitectureFault& fault, std::vector<std::string>& missing) {
    missing.push_back("the shape does not hold together: " + std::string(fault.field) + " " +
                      fault.reason + ". Only the weights are known.");
}

std::int32_t highest_layer(std::span<const PlacedTensor> placed) {
    return placed.empty() ? -1 : placed.back().place.layer;
}

} // namespace

GgufKind kind_of(const GgufHeader& header) {
    const std::string_view type = header.text("general.type");
    const std::string_view architecture = header.architecture();
    if (type == "mmproj" || architecture == "clip")
        return GgufKind::projector;
    if (type == "adapter" || header.find("adapter.type") != nullptr)
        return GgufKind::adapter;
    if (type == "imatrix" || type == "vocab" || architecture == "controlvector")
        return type == "vocab" ? GgufKind::vocabulary : GgufKind::other;
    return header.tensors.empty() ? GgufKind::vocabulary : GgufKind::model;
}

std::vector<Tower> read_projector(const GgufHeader& header) {
    Tower vision{"vision", 0};
    Tower audio{"audio", 0};
    for (const FileTensor& tensor : header.tensors) {
        const bool hears = tensor.name.starts_with("a.") || tensor.name.starts_with("mm.a.");
        Tower& tower = hears ? audio : vision;
        tower.parameters = add(tower.parameters, tensor.elements());
    }
    std::vector<Tower> towers;
    for (Tower& tower : {std::ref(vision), std::ref(audio)}) {
        if (tower.parameters > 0)
            towers.push_back(tower);
    }
    return towers;
}

ShapeReading read_gguf_architecture(const GgufHeader& header) {
    ShapeReading reading;
    const std::string_view name = header.architecture();
    if (name.empty()) {
        reading.missing.push_back("the file does not say its architecture (general.architecture)");
        return reading;
    }
    const std::vector<PlacedTensor> placed = place_tensors(header.tensors);
    const LayerTensors top(placed, -1);
    Architecture a;
    a.gguf_arch = shown(name);
    read_surroundings(header, top, a);
    if (!top.has("token_embd")) {
        reading.missing.push_back(
            "there is no token_embd.weight; a split file needs all its parts");
        return reading;
    }
    const std::int32_t n_all = highest_layer(placed) + 1;
    const bool two_stacks = std::any_of(placed.begin(), placed.end(), [](const PlacedTensor& t) {
        return t.place.name.starts_with("dec.blk.") || t.place.name.starts_with("enc.blk.");
    });
    if (two_stacks) {
        reading.missing.push_back(
            "the architecture \"" + shown(name) +
            "\" has an encoder apart from its decoder, which is not modelled. "
            "Only the weights are known.");
        return reading;
    }
    if (n_all <= 0 || n_all > ArchitectureLimits::layers) {
        reading.missing.push_back("the tensors make " + std::to_string(n_all) + " layers");
        return reading;
    }
    const LayerMetadata whole(header, 0);
    const std::int32_t n_mtp = std::min(whole.number("nextn_predict_layers"), n_all - 1);
    const std::int32_t n_main =
        std::max(whole.number("block_count"), n_all) == n_all ? n_all - n_mtp : n_all;
    const std::int32_t shared = whole.number("attention.shared_kv_layers");
    std::int32_t absent = n_main < whole.number("block_count") - n_mtp ? n_main : -1;
    for (std::int32_t i = 0; i < n_all && absent < 0; ++i) {
        if (LayerTensors(placed, i).empty())
            absent = i;
    }
    if (absent >= 0) {
        reading.missing.push_back(
            "there are no tensors of layer " + std::to_string(absent) +
            "; a split file needs all its parts. Only the weights are known.");
        return reading;
    }
    const Windows windows(header);
    NormReader norms;
    for (std::int32_t i = 0; i < n_all; ++i) {
        const LayerTensors layer(placed, i);
        const LayerMetadata metadata(header, i);
        Mixer mixer;
        FeedForward feed_forward;
        Layer made;
        made.shares_kv = i < n_main && i >= n_main - shared;
        bool known = read_gguf_mixer(layer, metadata, i < n_main && windows.at(i), a.n_embd, mixer);
        // A layer that has no keys of its own has those of the last of its kind that does.
        if (made.shares_kv && layer.has("attn_q") && !layer.has("attn_k")) {
            mixer.values_from_keys = false;
            for (std::size_t back = a.layers.size(); back-- > 0;) {
                const Mixer& earlier = a.mixer(a.layers[back]);
                if (!a.layers[back].shares_kv && earlier.head_dim_k == mixer.head_dim_k &&
                    (earlier.window > 0) == (mixer.kind == MixerKind::sliding_window)) {
                    mixer.values_from_keys = earlier.values_from_keys;
                    break;
                }
            }
        }
        windows.set(mixer);
        known = read_gguf_feed_forward(layer, metadata, mixer, feed_forward) && known;
        if (!known) {
            std::string text = "layer " + std::to_string(i) + " of the architecture \"" +
                               shown(name) + "\" is of a kind we do not know";
            if (!layer.empty())
                text += " (" + shown(layer.tensors().front().tensor->name) + " …)";
            reading.missing.push_back(text + ". Only the weights are known.");
            return reading;
        }
        if (i < n_main)
            norms.see(layer, mixer, feed_forward);
        if (made.shares_kv && layer.has("attn_k"))
            a.shared_kv_stored = true;
        made.mixer = index_of(a.mixers, mixer);
        made.feed_forward = index_of(a.feed_forwards, feed_forward);
        (i < n_main ? a.layers : a.mtp_layers).push_back(made);
        if (i >= n_main) {
            a.mtp_own_embeddings = layer.has("nextn.embed_tokens");
            a.mtp_own_head = !a.mtp_own_embeddings && layer.has("nextn.shared_head_head");
            a.mtp_head_norm = layer.has("nextn.shared_head_norm");
        }
        a.layer_scale = a.layer_scale || layer.has("layer_output_scale");
    }
    a.norms = norms.norms();
    if (a.norms.weightless) {
        a.norms.weightless = !top.has("output_norm");
        a.final_norm = true; // there, without a weight
    }
    a.final_norm_bias = top.has_bias("output_norm") && !a.norms.biased;
    a.parallel_residual = a.parallel_residual || norms.share_a_norm();
    if (const LayerTensors first(placed, 0); first.has("attn_norm_2") && first.has("attn_qkv"))
        a.parallel_residual = true; // Falcon 40B: two norms, side by side
    if (const auto fault = find_fault(a)) {
        add_fault(*fault, reading.missing);
        return reading;
    }
    if (const Metadata* causal = header.own("attention.causal");
        causal != nullptr && causal->integer == 0) {
        reading.missing.push_back("the model is an encoder, which keeps no cache; the cache shown "
                                  "is that of a decoder of the same shape.");
    }
    compare_inventory(a, placed, reading.missing);
    reading.architecture = std::move(a);
    return reading;
}

} // namespace vramscope::formats
