#include "formats/gguf_tensor_names.h"

#include <algorithm>
#include <array>

namespace vramscope::formats {
namespace {

struct Name {
    std::string_view name; ///< without ".weight"
    TensorRole role;
};

using Role = TensorRole;

// Sorted by name. Norms and biases are known by their ends.
constexpr auto names = std::to_array<Name>({
    {"altup_correct_coef", Role::altup},
    {"altup_correct_scale", Role::altup},
    {"altup_predict_coef", Role::altup},
    {"altup_proj", Role::altup},
    {"altup_router", Role::altup},
    {"altup_unembd_proj", Role::altup},
    {"attn_compressor_ape", Role::compressor},
    {"attn_compressor_gate", Role::compressor},
    {"attn_compressor_kv", Role::compressor},
    {"attn_gate", Role::attn_gate},
    {"attn_k", Role::attn_k},
    {"attn_k_b", Role::attn_k_b},
    {"attn_kv", Role::attn_kv_a_mqa},
    {"attn_kv_a_mqa", Role::attn_kv_a_mqa},
    {"attn_kv_b", Role::attn_kv_b},
    {"attn_output", Role::attn_output},
    {"attn_output_a", Role::attn_output_lora},
    {"attn_output_b", Role::attn_output_lora},
    {"attn_q", Role::attn_q},
    {"attn_q_a", Role::attn_q_a},
    {"attn_q_b", Role::attn_q_b},
    {"attn_qkv", Role::attn_qkv},
    {"attn_sinks", Role::attn_sinks},
    {"attn_v", Role::attn_v},
    {"attn_v_b", Role::attn_v_b},
    {"channel_mix_key", Role::channel_mix},
    {"channel_mix_lerp_k", Role::channel_mix},
    {"channel_mix_value", Role::channel_mix},
    {"ffn_down", Role::ffn_down},
    {"ffn_down_exps", Role::ffn_down_exps},
    {"ffn_down_shexp", Role::ffn_down_shexp},
    {"ffn_gate", Role::ffn_gate},
    {"ffn_gate_exps", Role::ffn_gate_exps},
    {"ffn_gate_inp", Role::ffn_gate_inp},
    {"ffn_gate_inp_shexp", Role::ffn_gate_inp_shexp},
    {"ffn_gate_shexp", Role::ffn_gate_shexp},
    {"ffn_gate_tid2eid", Role::ffn_gate_tid2eid},
    {"ffn_gate_up_exps", Role::ffn_gate_up_exps},
    {"ffn_latent_down", Role::ffn_latent},
    {"ffn_latent_up", Role::ffn_latent},
    {"ffn_up", Role::ffn_up},
    {"ffn_up_exps", Role::ffn_up_exps},
    {"ffn_up_shexp", Role::ffn_up_shexp},
    {"hc_attn_base", Role::hyper_connection},
    {"hc_attn_fn", Role::hyper_connection},
    {"hc_attn_scale", Role::hyper_connection},
    {"hc_ffn_base", Role::hyper_connection},
    {"hc_ffn_fn", Role::hyper_connection},
    {"hc_ffn_scale", Role::hyper_connection},
    {"indexer.attn_k", Role::indexer_k},
    {"indexer.attn_q_b", Role::indexer},
    {"indexer.k_proj", Role::indexer},
    {"indexer.proj", Role::indexer},
    {"indexer.q_proj", Role::indexer},
    {"indexer_compressor_ape", Role::compressor},
    {"indexer_compressor_gate", Role::compressor},
    {"indexer_compressor_kv", Role::compressor},
    {"inp_gate", Role::per_layer_gate},
    {"laurel_l", Role::altup},
    {"laurel_r", Role::altup},
    {"layer_output_scale", Role::norm},
    {"nextn.eh_proj", Role::nextn},
    {"nextn.embed_tokens", Role::nextn_embd},
    {"nextn.enorm", Role::nextn},
    {"nextn.hnorm", Role::nextn},
    {"nextn.shared_head_head", Role::nextn_embd},
    {"nextn.shared_head_norm", Role::nextn},
    {"output", Role::output},
    {"output_hc_base", Role::hyper_connection},
    {"output_hc_fn", Role::hyper_connection},
    {"output_hc_scale", Role::hyper_connection},
    {"output_norm", Role::output_norm},
    {"per_layer_model_proj", Role::per_layer_model_proj},
    {"per_layer_proj_norm", Role::per_layer_proj_norm},
    {"per_layer_token_embd", Role::per_layer_token_embd},
    {"position_embd", Role::position_embd},
    {"proj", Role::per_layer_gate},
    {"rope_factors_long", Role::rope_factors},
    {"rope_factors_short", Role::rope_factors},
    {"rope_freqs", Role::rope_factors},
    {"shortconv.conv", Role::shortconv_conv},
    {"shortconv.in_proj", Role::shortconv_in},
    {"shortconv.out_proj", Role::shortconv_out},
    {"ssm_a", Role::ssm_small},
    {"ssm_alpha", Role::ssm_beta_alpha},
    {"ssm_ba", Role::ssm_beta_alpha},
    {"ssm_beta", Role::ssm_beta_alpha},
    {"ssm_conv1d", Role::ssm_conv1d},
    {"ssm_conv1d_k", Role::ssm_conv1d},
    {"ssm_conv1d_q", Role::ssm_conv1d},
    {"ssm_conv1d_v", Role::ssm_conv1d},
    {"ssm_d", Role::ssm_small},
    {"ssm_dt", Role::ssm_dt},
    {"ssm_f_a", Role::ssm_low_rank},
    {"ssm_f_b", Role::ssm_low_rank},
    {"ssm_g_a", Role::ssm_low_rank},
    {"ssm_g_b", Role::ssm_low_rank},
    {"ssm_in", Role::ssm_in},
    {"ssm_out", Role::ssm_out},
    {"ssm_x", Role::ssm_x},
    {"token_embd", Role::token_embd},
    {"token_embd_norm", Role::token_embd_norm},
});

constexpr bool is_sorted() {
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i - 1].name >= names[i].name)
            return false;
    }
    return true;
}
static_assert(is_sorted());

} // namespace

TensorPlace place_of(std::string_view tensor_name) {
    if (!tensor_name.starts_with("blk."))
        return {-1, tensor_name};
    std::int32_t layer = 0;
    std::size_t i = 4;
    while (i < tensor_name.size() && i < 10 && tensor_name[i] >= '0' && tensor_name[i] <= '9')
        layer = layer * 10 + (tensor_name[i++] - '0');
    if (i == 4 || i >= tensor_name.size() || tensor_name[i] != '.')
        return {-1, tensor_name};
    return {layer, tensor_name.substr(i + 1)};
}

TensorRole role_of(TensorPlace place) {
    std::string_view name = place.name;
    if (name.ends_with(".bias") || name == "exp_probs_b") {
        return name.starts_with("ffn_") && name.ends_with("_exps.bias") ? Role::ffn_exps_bias
                                                                        : Role::bias;
    }
    if (name.ends_with(".scale"))
        return Role::norm;
    if (name.ends_with(".weight"))
        name.remove_suffix(7);
    const auto found =
        std::lower_bound(names.begin(), names.end(), name,
                         [](const Name& a, std::string_view b) { return a.name < b; });
    if (found != names.end() && found->name == name)
        return found->role;
    if (place.layer < 0)
        return Role::count_;
    if (name.starts_with("time_mix_"))
        return Role::time_mix;
    // "ffn_up.3": one expert of an old file.
    for (const auto& [start, role] :
         {Name{"ffn_down.", Role::ffn_down_exps}, Name{"ffn_gate.", Role::ffn_gate_exps},
          Name{"ffn_up.", Role::ffn_up_exps}}) {
        if (name.starts_with(start))
            return role;
    }
    if (name.find("norm") != std::string_view::npos)
        return Role::norm;
    return Role::count_;
}

} // namespace vramscope::formats
