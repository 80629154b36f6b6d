#include "formats/hf_config.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "formats/hf_config_values.h"
#include "formats/weight_file.h"

namespace vramscope::formats {

using catalog::JsonReader;

namespace {

/// The language model's part of a multimodal config.
constexpr auto nested_keys =
    std::to_array<std::string_view>({"text_config", "llm_config", "language_config", "llm_cfg",
                                     "thinker_config", "language_model"});

using Reader = void (*)(const ConfigShape&);
constexpr auto readers = std::to_array<Reader>(
    {read_softmax_layers, read_latent_layers, read_compressed_layers, read_gemma3n_layers,
     read_gemma4_layers, read_delta_net_layers, read_kimi_linear_layers, read_nemotron_h_layers,
     read_granite_hybrid_layers, read_falcon_h1_layers, read_jamba_layers, read_mamba_layers,
     read_lfm2_layers, read_mimo2_layers, read_block_list_layers});

void read_norms(const ConfigShape& shape) {
    const ModelType& type = shape.type;
    Architecture& a = shape.architecture;
    if (type.has(sandwich))
        a.norms.after_mixer = a.norms.after_feed_forward = true;
    if (type.has(ffn_post_norm))
        a.norms.after_feed_forward = true;
    if (type.has(post_only)) {
        a.norms.before_mixer = a.norms.before_feed_forward = false;
        a.norms.after_mixer = a.norms.after_feed_forward = true;
    }
    a.norms.biased = type.has(layer_norm);
    a.norms.weightless = type.has(weightless);
    a.parallel_residual = type.has(shared_norm | parallel);
    if (type.has(shared_norm))
        a.norms.before_feed_forward = false;
    if (type.gguf_arch == "falcon" && shape.values.flag({"new_decoder_architecture"}))
        a.norms.before_feed_forward = true;
    if (type.gguf_arch == "gptneox")
        a.parallel_residual = shape.values.flag({"use_parallel_residual"}, true);
    if (type.gguf_arch == "stablelm" && shape.values.flag({"use_parallel_residual"})) {
        a.parallel_residual = true;
        a.norms.before_feed_forward = false;
    }
}

/// What the converter writes as rope_freqs or rope_factors_*.
void read_rope_factors(const ConfigShape& shape, std::int32_t head_dim) {
    const JsonReader& reader = shape.values.reader();
    Architecture& a = shape.architecture;
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
        const ConfigValues own(reader);
        if (!own.has(key) || !reader.value()[key].is_object())
            continue;
        const auto scaling = reader.object(key);
        const ConfigValues rope(*scaling);
        std::string type = rope.text("rope_type");
        if (type.empty())
            type = rope.text("type");
        if (type == "llama3") {
            a.rope_factors = head_dim / 2;
        } else if (type == "longrope" || type == "su") {
            a.rope_factors = static_cast<std::int32_t>(rope.numbers("long_factor").size());
            a.rope_factor_vectors = 2;
        }
        const std::int64_t original = rope.long_number({"original_max_position_embeddings"});
        if (type == "yarn" && original > 0 && original < a.native_context) {
            a.extended_context = a.native_context;
        }
    }
}

/// MTP layers repeat the last main layer.
void read_mtp(const ConfigShape& shape) {
    const ConfigValues& c = shape.values;
    Architecture& a = shape.architecture;
    std::int32_t count = c.number({"num_nextn_predict_layers", "mtp_num_hidden_layers",
                                   "num_mtp_layers", "mtp_num_layers", "num_mtp_modules"},
                                  shape.type.type == "qwen3_next" ? 1 : 0); // has one, unsaid
    if (!shape.type.has(mtp_kept) || a.layers.empty())
        return;
    count = std::min(count, 64);
    const auto ratios = c.numbers("compress_ratios"); // one more for each predictor
    const std::int64_t ratio = a.layers.size() < ratios.size() ? ratios[a.layers.size()] : 0;
    Layer layer = a.layers.back();
    bool chosen = false;
    for (std::size_t i = a.layers.size(); i-- > 0 && !chosen;) {
        const Mixer& mixer = a.mixer(a.layers[i]);
        // The predictor attends to everything, and picks its entries itself where layers share
        // that.
        chosen = mixer.kind == MixerKind::full_attention ||
                 (mixer.kind == MixerKind::compressed && mixer.compress_ratio == ratio) ||
                 (mixer.kind == MixerKind::latent &&
                  (mixer.indexer_heads > 0 || !c.has("index_n_heads")));
        if (chosen)
            layer = {a.layers[i].mixer, layer.feed_forward, false};
    }
    if (!chosen && a.mixer(layer).kind == MixerKind::compressed && ratio == 0) {
        Mixer window = a.mixer(layer);
        window.compress_ratio = window.indexer_heads = window.indexer_head_dim =
            window.indexer_top_k = 0;
        layer.mixer = index_of(a.mixers, window);
    }
    if (shape.type.gguf_arch == "step35") { // small ones: a window, dense
        for (const Layer& small : a.layers) {
            if (is_windowed(a.mixer(small).kind) &&
                a.feed_forward(small).kind == FeedForwardKind::dense) {
                layer = small;
            }
        }
    }
    for (std::int32_t i = 0; i < count; ++i)
        a.mtp_layers.push_back(layer);
    if (count == 0)
        return;
    a.mtp_own_embeddings = shape.type.has(mtp_embeddings);
    a.mtp_own_head = shape.type.has(mtp_head);
    a.mtp_head_norm = !shape.type.has(no_final_norm_before_mtp_head);
}

/// Towers are not modelled by their config; their parameters come from the weights.
void note_towers(const JsonReader& root, std::vector<std::string>& missing) {
    for (const auto& [key, what] : {std::pair{"vision_config", "vision"},
                                    {"visual", "vision"},
                                    {"audio_config", "audio"},
                                    {"vision_tower_cfg", "vision"},
                                    {"mm_vision_tower", "vision"}}) {
        if (ConfigValues(root).has(key)) {
            missing.push_back(std::string("The ") + what +
                              " tower is not counted; its size shows in the weight files only.");
            return;
        }
    }
}

void read_shape(const JsonReader& part, const JsonReader& root, const ModelType& type,
                ConfigReading& reading) {
    Architecture a;
    const ConfigValues c(part);
    a.gguf_arch = type.gguf_arch;
    a.n_embd = c.number({"hidden_size", "n_embd", "d_model", "dim", "n_embed"}, type.usual.hidden);
    a.n_vocab =
        c.number({"padded_vocab_size", "embedding_size", "vocab_size"}, type.usual.vocabulary);
    // Qwen 1 calls padded what is not.
    if (type.type == "qwen")
        a.n_vocab = c.number({"vocab_size"});
    a.native_context = c.long_number({"max_position_embeddings", "n_positions", "seq_length",
                                      "max_seq_len", "max_sequence_length", "model_max_length"});
    if (a.native_context == 0)
        a.native_context = type.usual.context;
    const bool tied = c.flag({"tie_word_embeddings", "weight_tying"}, type.has(tied_usually));
    a.tied_embeddings = ConfigValues(root).flag({"tie_word_embeddings"}, tied) && tied;
    if (c.has("tie_word_embeddings"))
        a.tied_embeddings = tied;
    a.output_bias = type.has(head_bias);
    if (type.type == "phimoe")
        a.output_bias = c.flag({"lm_head_bias"}, true);
    a.embedding_norm = false;
    ConfigShape shape{c, type, a, reading.missing};
    shape.layers =
        c.number({"num_hidden_layers", "n_layer", "num_layers", "n_layers"}, type.usual.layers);
    if (shape.layers == 0) { // Nemotron 3 Ultra tells by the list
        for (const char* list : {"layers_block_type", "layer_types"})
            shape.layers = std::max(shape.layers, static_cast<std::int32_t>(c.words(list).size()));
    }
    if (shape.layers <= 0 || shape.layers > ArchitectureLimits::layers) {
        reading.missing.push_back("num_hidden_layers is " + std::to_string(shape.layers) +
                                  "; 1 to " + std::to_string(ArchitectureLimits::layers) +
                                  " are possible.");
        return;
    }
    if (a.n_embd <= 0 || a.n_vocab <= 0) {
        reading.missing.push_back(std::string(a.n_embd <= 0 ? "hidden_size" : "vocab_size") +
                                  " is missing or no positive number.");
        return;
    }
    read_norms(shape);
    readers[static_cast<std::size_t>(type.family)](shape);
    if (type.gguf_arch == "gpt2" || type.gguf_arch == "starcoder")
        a.n_positions = static_cast<std::int32_t>(
            std::min<std::int64_t>(a.native_context, ArchitectureLimits::width));
    if (type.gguf_arch == "minicpm3")
        a.rope_factor_vectors = 2;
    if (type.gguf_arch.starts_with("qwen3vl"))
        a.deepstack_layers = 3;
    std::int32_t head_dim = 0;
    for (const Mixer& mixer : a.mixers)
        head_dim = std::max(head_dim,
                            mixer.qk_rope_head_dim > 0 ? mixer.qk_rope_head_dim : mixer.head_dim_k);
    read_rope_factors(shape, head_dim);
    read_mtp(shape);
    if (a.layers.empty())
        return; // the family's reader said why
    if (const auto fault = find_fault(a)) {
        reading.missing.push_back("The config makes no sound shape: " + std::string(fault->field) +
                                  " " + fault->reason + ".");
        return;
    }
    reading.architecture = std::move(a);
}

} // namespace

ConfigReading read_hf_config(const JsonReader& config) {
    ConfigReading reading;
    const ConfigValues top(config);
    std::string own_name = top.text("_name_or_path");
    // A folder of whoever saved the checkpoint is no name.
    if (std::count(own_name.begin(), own_name.end(), '/') == 1 && own_name.front() != '/' &&
        own_name.front() != '.' && own_name.back() != '/') {
        reading.name = shown(own_name, 120);
    }
    reading.model_type = top.text("model_type");
    const ModelType* type = find_model_type(reading.model_type);
    for (const std::string_view key : nested_keys) {
        if (!top.has(key) || !config.value()[std::string(key)].is_object())
            continue;
        const auto part = config.object(key);
        const std::string inner = ConfigValues(*part).text("model_type");
        const ModelType* inner_type = find_model_type(inner);
        const bool whole = ConfigValues(*part).has("hidden_size") ||
                           ConfigValues(*part).has("num_hidden_layers") || !top.has("hidden_size");
        if (!whole)
            continue;
        const bool same_kind = inner_type != nullptr && type != nullptr &&
                               type->family == inner_type->family &&
                               type->family != ConfigFamily::softmax;
        if (inner_type == nullptr || same_kind ||
            (type != nullptr && type->family == ConfigFamily::not_modelled)) {
            inner_type = type;
        }
        if (inner_type == nullptr) {
            reading.model_type = inner.empty() ? reading.model_type : inner;
            break;
        }
        if (inner_type->family == ConfigFamily::not_modelled) {
            type = inner_type;
            break;
        }
        read_shape(*part, config, *inner_type, reading);
        note_towers(config, reading.missing);
        return reading;
    }
    if (reading.model_type.empty()) {
        reading.missing.push_back("The config has no model_type, so what its numbers mean is not "
                                  "known.");
        return reading;
    }
    if (type == nullptr) {
        reading.missing.push_back(
            "The model_type \"" + shown(reading.model_type) +
            "\" is not known. A GGUF of the model can be read all the same: its "
            "tensors show the shape.");
        return reading;
    }
    if (type->family == ConfigFamily::not_modelled) {
        reading.missing.push_back("The model_type \"" + shown(reading.model_type) +
                                  "\" has layers that are not modelled yet.");
        return reading;
    }
    read_shape(config, config, *type, reading);
    note_towers(config, reading.missing);
    return reading;
}

} // namespace vramscope::formats
