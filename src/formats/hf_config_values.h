// A config's values under their many spellings; private to hf_config*.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/json_reader.h"
#include "core/architecture.h"
#include "formats/hf_model_types.h"

namespace vramscope::formats {

class ConfigValues {
public:
    explicit ConfigValues(const catalog::JsonReader& reader) : reader_(reader) {}
    const catalog::JsonReader& reader() const { return reader_; }

    /// There and not null.
    bool has(std::string_view key) const;
    /// The first of the keys that is there; a list gives its first element that is a number.
    std::int32_t number(std::initializer_list<std::string_view> keys,
                        std::int32_t fallback = 0) const;
    std::int64_t long_number(std::initializer_list<std::string_view> keys) const;
    double real(std::string_view key, double fallback) const;
    bool flag(std::initializer_list<std::string_view> keys, bool fallback = false) const;
    std::string text(std::string_view key) const;
    std::vector<std::int64_t> numbers(std::string_view key) const;
    std::vector<std::string> words(std::string_view key) const;

private:
    const catalog::JsonReader& reader_;
};

/// What all families read alike.
struct ConfigShape {
    const ConfigValues& values;
    const ModelType& type;
    Architecture& architecture;
    std::vector<std::string>& missing;
    std::int32_t layers = 0;
};

/// Softmax attention as the config describes it.
Mixer config_attention(const ConfigShape& shape);
/// Feed-forward part of layer `index`.
FeedForward config_feed_forward(const ConfigShape& shape, std::int32_t index);
Mixer config_latent(const ConfigShape& shape);
void add_layer(Architecture& architecture, const Mixer& mixer, const FeedForward& feed_forward,
               bool shares_kv = false);

/// One per family; each fills the layers.
void read_softmax_layers(const ConfigShape& shape);
void read_latent_layers(const ConfigShape& shape);
void read_compressed_layers(const ConfigShape& shape);
void read_gemma3n_layers(const ConfigShape& shape);
void read_gemma4_layers(const ConfigShape& shape);
void read_delta_net_layers(const ConfigShape& shape);
void read_kimi_linear_layers(const ConfigShape& shape);
void read_nemotron_h_layers(const ConfigShape& shape);
void read_granite_hybrid_layers(const ConfigShape& shape);
void read_falcon_h1_layers(const ConfigShape& shape);
void read_jamba_layers(const ConfigShape& shape);
void read_mamba_layers(const ConfigShape& shape);
void read_lfm2_layers(const ConfigShape& shape);
void read_mimo2_layers(const ConfigShape& shape);
void read_block_list_layers(const ConfigShape& shape);

} // namespace vramscope::formats
