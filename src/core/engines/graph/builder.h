// Builds the graph that llama.cpp reserves memory for: one full micro-batch through all layers.
//
// Every method is one building block of llama.cpp's own graphs and makes the same operations in the
// same order, because order decides which tensors are alive together. What an architecture
// combines, and how, comes from its shape (architecture.h) and a small table of habits (traits.h).
// Sources: llama.cpp src/llama-graph.cpp, src/llama-kv-cache.cpp, src/models/*.cpp (b10256), and
// the node lists that 0.7.0 itself prints.
#pragma once

#include "core/engines/graph/operations.h"
#include "core/engines/graph/traits.h"
#include "core/engines/llama_cpp_settings.h"

namespace vramscope::graph {

/// Storage types of weights that lie in host memory, for copies of them to a device.
using WeightBytes = Bytes (*)(const void* context, TensorRole role, std::int32_t layer,
                              std::int64_t row_length, std::int64_t rows, std::int64_t depth);

struct BuildContext {
    const Architecture& architecture;
    const LlamaCppSettings& settings;
    const LayerSplit& split;
    const StorageTypeTable& types;
    std::int8_t cpu = 0; ///< index of the CPU's backend: behind the devices
    WeightBytes weight_bytes = nullptr;
    const void* weight_context = nullptr;
    /// The devices cannot run Mamba-1's scan: its matrix stays where the CPU can use it.
    bool lacks_mamba_scan = false;
    /// Layers to build; empty: all.
    const std::vector<std::int32_t>* layers = nullptr;
    /// traits_of(architecture), when it is known already.
    const Traits* traits = nullptr;
};

class Builder : Operations {
public:
    Builder(Graph& graph, const BuildContext& context);
    void build();

private:
    // operations.cpp
    Id weight(TensorRole role, std::int64_t row_length, std::int64_t rows = 1,
              std::int64_t depth = 1);
    Id matmul(TensorRole role, std::int64_t rows, Id x) {
        return mul_mat(weight(role, shape(x)[0], rows), x);
    }
    Id add_bias(Id x, bool present, TensorRole role = TensorRole::bias) {
        return present ? add(x, weight(role, shape(x)[0])) : x;
    }

    // builder.cpp: the frame around the layers.
    Id embed_tokens();
    void layers(Id x);
    void layer(std::int32_t il, Id& x);
    void head(Id x);
    Id norm(Id x, bool weighted = true);
    Id layer_norm(Id x); ///< a layer's own norm, in the style of the model
    Id sum(Id x, Id residual) {
        return traits_.residual_first ? add(residual, x) : add(x, residual);
    }
    Id per_layer_inputs();
    Id scaled_per_layer_rows();
    Id per_layer_embedding(std::int32_t il, Id x);
    Id pick_outputs(Id x) { return get_rows(x, output_ids()); }
    Id output_ids();
    Id positions();
    bool picks_outputs_late() const;
    bool is_last(std::int32_t il) const { return il + 1 == architecture_.n_layer(); }
    Id logits(Id x);

    // altup.cpp
    Id stream_of(Id x, std::int64_t n);
    Id magnitude(Id x);
    Id project_streams(Id x, Id model);
    Id split_streams(Id x);
    Id merge_streams(Id x);
    struct Router {
        Id norm;
        Id matrix;
    };
    Id stream_router(Id x, const Router& router);
    Id predict_streams(Id x, const Router& router);
    Id correct_streams(Id predicted, Id activated, const Router& router);
    Id strongest(Id x);
    void altup_layer(std::int32_t il, Id& x);

    // attention.cpp
    struct Cache {
        Id k = none;
        Id v = none;
    };
    struct AttentionInputs {
        Id k_rows = none;
        Id v_rows = none;
        Id mask = none;
        Id k_rotation = none;
        Id v_rotation = none;
    };
    struct Qkv {
        Id q = none;
        Id k = none;
        Id v = none;
        Id gate = none;
    };
    AttentionInputs& attention_inputs(const Mixer& mixer);
    Cache cache(std::int32_t il, const Mixer& mixer, bool with_values = true);
    std::int64_t cells(const Mixer& mixer) const;
    Id mask(const Mixer& mixer);
    Id rotate(Id x, Id rotation);
    Id rope(Id x, bool factors = true);
    Qkv project_qkv(const Mixer& mixer, Id x, bool shares_kv);
    Id softmax_attention(std::int32_t il, const Mixer& mixer, Id x);
    Id attend(std::int32_t il, const Mixer& mixer, const Qkv& qkv, bool shares_kv);
    Id gate_heads(const Mixer& mixer, Id attended, Id x);
    Id attend_cached(const Mixer& mixer, Id q, Id k, Id v, Id kq_mask, Id sinks, Id decompress,
                     bool v_transposed);
    void store_keys(Id cache, Id k, Id rows);
    void store_values(Id cache, Id v, Id rows);
    Id cached_keys(Id cache, std::int64_t head, std::int64_t heads, std::int64_t n_cells);
    Id cached_values(Id cache, std::int64_t head, std::int64_t heads, std::int64_t n_cells);

    // sparse_attention.cpp
    struct SparseInputs {
        Id rows = none;
        Id bias = none;
        Id visible = none;
        Id cell_of_position = none;
        Id block_of_cell = none;
        Id mask = none;
    };
    bool attends_sparsely(const Mixer& mixer) const;
    SparseInputs& sparse_inputs(const Mixer& mixer, Id mask);
    Id in_place_sum(Id x, Id y);
    Id block_mask(const Mixer& mixer, const SparseInputs& inputs, Id index_q, Id index_k);
    Id attend_sparsely(std::int32_t il, const Mixer& mixer, const Qkv& qkv, Id x);

    // latent_attention.cpp
    Id latent_attention(std::int32_t il, const Mixer& mixer, Id x);
    Qkv absorbed_qkv(const Mixer& mixer, Id q, Id x);
    Qkv expanded_qkv(const Mixer& mixer, Id q, Id x);
    void store_indexer_keys(const Mixer& mixer, Id x);
    Id sparse_mask(const Mixer& mixer, Id x, Id q_low, Id kq_mask);
    AttentionInputs& indexer_inputs(const Mixer& mixer);

    // feed_forward.cpp
    Id feed_forward(const FeedForward& ff, Id x);
    Id dense(std::int64_t n_ff, bool gated, bool fused, bool bias, Id x, bool shared = false);
    Id experts(const FeedForward& ff, Id x, Id router_input, Id router_logits = none);
    Id shared_expert(const FeedForward& ff, Id x);
    Id route(const FeedForward& ff, Id logits, Id& chosen);

    // recurrent.cpp
    Id state_ids();
    Id state_cache(std::int64_t width);
    Id clear_state(Id state, std::int64_t width);
    Id state_rows(Id state, std::int64_t width);
    void keep_other_states(Id rows, Id state, std::int64_t width);
    Id extended_input(Id state, Id x, std::int64_t width, std::int64_t channels);
    Id scan(Id state, const Mixer& mixer, std::int64_t head, Id x, Id dt, Id b, Id c);
    std::int64_t tokens_per_seq() const { return n_tokens_ / n_seqs_; }
    Id mamba(std::int32_t il, const Mixer& mixer, Id x);
    Id mamba2(std::int32_t il, const Mixer& mixer, Id x);
    Id gated_delta_net(std::int32_t il, const Mixer& mixer, Id x);
    Id convolved(const Mixer& mixer, Id projected, Id tails, Id r_state);
    Id kimi_delta(std::int32_t il, const Mixer& mixer, Id x);
    Id short_convolution(std::int32_t il, const Mixer& mixer, Id x);
    Id mix(std::int32_t il, const Mixer& mixer, Id x);

    // rwkv.cpp
    Id shifted(Id before, Id x);
    Id interpolate(TensorRole role, Id x, Id before, std::int64_t parts);
    Id low_rank(std::int64_t rank, Id x, bool activated);
    Id time_mix(std::int32_t il, const Mixer& mixer, Id x, Id before);
    void rwkv_layer(std::int32_t il, Id& x);

    std::int8_t backend_of(std::int32_t device) const {
        return device == on_host ? context_.cpu : static_cast<std::int8_t>(device);
    }
    bool flash() const { return context_.settings.cache.flash_attn; }

    const BuildContext& context_;
    const Architecture& architecture_;
    Traits traits_;
    std::int64_t n_tokens_;
    std::int64_t n_seqs_;
    std::int64_t n_streams_;
    std::int64_t n_outputs_;
    std::int64_t widest_values_ = 0;
    std::int32_t il_ = -1;          ///< layer being built; -1 outside
    std::vector<Cache> own_caches_; ///< by mixer: of the last layer that has one
    AttentionInputs full_inputs_;
    AttentionInputs window_inputs_;
    AttentionInputs indexer_inputs_;
    SparseInputs sparse_inputs_;
    Id indexer_cache_ = none;
    Id wide_embeddings_ = none;
    Id per_layer_rows_ = none;
    bool per_layer_rows_scaled_ = false;
    Id per_layer_inputs_ = none;
    Id embeddings_ = none;
    std::array<Id, max_devices + 1> rope_tables_;
    Id positions_ = none;
    Id output_ids_ = none;
    Id state_ids_ = none;
    Id batch_state_ids_ = none;
    Id other_state_ids_ = none;
    Id q_temperature_ = none;
    Id first_values_ = none; ///< of RWKV-7's first layer
};

} // namespace vramscope::graph
