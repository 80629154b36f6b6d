// The JSON fields of an architecture, listed once for reading and for writing.
//
// Each function calls `field(name, member)` for every plain member, in the order of the header;
// enums and lists are handled by architecture_json.cpp.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/architecture.h"

namespace vramscope::catalog {

/// Names of enumerators, in their order.
inline const std::initializer_list<std::string_view> mixer_kinds = {"none",
                                                                    "full_attention",
                                                                    "sliding_window",
                                                                    "chunked",
                                                                    "latent",
                                                                    "mamba",
                                                                    "mamba2",
                                                                    "gated_delta_net",
                                                                    "kimi_delta",
                                                                    "rwkv7",
                                                                    "short_convolution",
                                                                    "linear_attention",
                                                                    "attention_and_mamba2",
                                                                    "compressed"};
inline const std::initializer_list<std::string_view> qk_norms = {"none", "per_head", "full"};
inline const std::initializer_list<std::string_view> attention_gates = {"none", "inside_q",
                                                                        "per_head", "full"};
inline const std::initializer_list<std::string_view> feed_forward_kinds = {"none", "dense",
                                                                           "experts"};

template <typename MixerType, typename Field>
void mixer_fields(MixerType& m, Field&& field) {
    field("q_heads", m.q_heads);
    field("kv_heads", m.kv_heads);
    field("head_dim_k", m.head_dim_k);
    field("head_dim_v", m.head_dim_v);
    field("window", m.window);
    field("qkv_bias", m.qkv_bias);
    field("output_bias", m.output_bias);
    field("sinks", m.sinks);
    field("fused_qkv", m.fused_qkv);
    field("values_from_keys", m.values_from_keys);
    field("q_lora_rank", m.q_lora_rank);
    field("kv_lora_rank", m.kv_lora_rank);
    field("qk_nope_head_dim", m.qk_nope_head_dim);
    field("qk_rope_head_dim", m.qk_rope_head_dim);
    field("absorbed", m.absorbed);
    field("indexer_heads", m.indexer_heads);
    field("indexer_head_dim", m.indexer_head_dim);
    field("indexer_top_k", m.indexer_top_k);
    field("compress_ratio", m.compress_ratio);
    field("output_groups", m.output_groups);
    field("output_lora_rank", m.output_lora_rank);
    field("d_conv", m.d_conv);
    field("d_inner", m.d_inner);
    field("d_state", m.d_state);
    field("n_groups", m.n_groups);
    field("dt_rank", m.dt_rank);
    field("lora_decay", m.lora_decay);
    field("lora_iclr", m.lora_iclr);
    field("lora_value", m.lora_value);
    field("lora_gate", m.lora_gate);
    field("dt_norms", m.dt_norms);
    field("inner_norm", m.inner_norm);
}

template <typename FeedForwardType, typename Field>
void feed_forward_fields(FeedForwardType& f, Field&& field) {
    field("n_ff", f.n_ff);
    field("gated", f.gated);
    field("fused_gate_up", f.fused_gate_up);
    field("bias", f.bias);
    field("activation_scalars", f.activation_scalars);
    field("n_experts", f.n_experts);
    field("n_experts_used", f.n_experts_used);
    field("n_zero_experts", f.n_zero_experts);
    field("n_ff_expert", f.n_ff_expert);
    field("n_ff_shared", f.n_ff_shared);
    field("shared_gate", f.shared_gate);
    field("router_bias", f.router_bias);
    field("expert_bias", f.expert_bias);
    field("fused_expert_gate_up", f.fused_expert_gate_up);
    field("dense_beside_experts", f.dense_beside_experts);
    field("latent_size", f.latent_size);
    field("extra_norms", f.extra_norms);
    field("hash_routed", f.hash_routed);
    field("router_scale", f.router_scale);
    field("expert_scale", f.expert_scale);
}

template <typename NormsType, typename Field>
void norm_fields(NormsType& n, Field&& field) {
    field("before_mixer", n.before_mixer);
    field("after_mixer", n.after_mixer);
    field("before_feed_forward", n.before_feed_forward);
    field("after_feed_forward", n.after_feed_forward);
    field("biased", n.biased);
    field("weightless", n.weightless);
}

inline const std::initializer_list<std::string_view> projectors = {
    "unknown", "gemma3", "gemma4v", "pixtral", "qwen2vl", "qwen2_5vl", "qwen3vl"};

template <typename TowerType, typename Field>
void tower_fields(TowerType& t, Field&& field) {
    field("n_layer", t.n_layer);
    field("n_embd", t.n_embd);
    field("n_ff", t.n_ff);
    field("n_head", t.n_head);
    field("patch_size", t.patch_size);
    field("image_size", t.image_size);
    field("merge", t.merge);
    field("n_positions", t.n_positions);
    field("n_output", t.n_output);
    field("deepstack_layers", t.deepstack_layers);
    field("full_attention_every", t.full_attention_every);
    field("file_bytes", t.file_bytes);
    field("file_f32_patches", t.file_f32_patches);
}

template <typename ArchitectureType, typename Field>
void architecture_fields(ArchitectureType& a, Field&& field) {
    field("gguf_arch", a.gguf_arch);
    field("n_embd", a.n_embd);
    field("n_vocab", a.n_vocab);
    field("n_vocab_gguf", a.n_vocab_gguf);
    field("tied_embeddings", a.tied_embeddings);
    field("output_bias", a.output_bias);
    field("embedding_norm", a.embedding_norm);
    field("final_norm", a.final_norm);
    field("final_norm_bias", a.final_norm_bias);
    field("n_positions", a.n_positions);
    field("rope_factors", a.rope_factors);
    field("rope_factor_vectors", a.rope_factor_vectors);
    field("native_context", a.native_context);
    field("extended_context", a.extended_context);
    field("mtp_own_embeddings", a.mtp_own_embeddings);
    field("mtp_own_head", a.mtp_own_head);
    field("mtp_head_norm", a.mtp_head_norm);
    field("per_layer_embedding", a.per_layer_embedding);
    field("n_vocab_per_layer", a.n_vocab_per_layer);
    field("layer_scale", a.layer_scale);
    field("shared_kv_stored", a.shared_kv_stored);
    field("altup", a.altup);
    field("hyper_connections", a.hyper_connections);
    field("parallel_residual", a.parallel_residual);
    field("deepstack_layers", a.deepstack_layers);
}

} // namespace vramscope::catalog
