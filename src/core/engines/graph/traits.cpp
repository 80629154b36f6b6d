#include "core/engines/graph/traits.h"

#include <string_view>

namespace vramscope::graph {
namespace {

/// What the shape itself says.
Traits from_shape(const Architecture& architecture) {
    Traits traits;
    if (architecture.norms.biased)
        traits.norms = NormStyle::layer;
    if (architecture.n_positions > 0)
        traits.rope = RopeUse::never;
    if (architecture.parallel_residual)
        traits.parallel = Parallel::falcon;
    for (const Mixer& mixer : architecture.mixers) {
        if (is_windowed(mixer.kind))
            traits.windowed_order = true;
    }
    for (const FeedForward& ff : architecture.feed_forwards) {
        if (ff.expert_bias)
            traits.routing = Routing::softmax_of_chosen;
        if (ff.router_bias) {
            traits.routing = Routing::sigmoid;
            traits.scaled_weights = true;
        }
    }
    if (traits.routing == Routing::softmax_of_chosen)
        traits.normalised_weights = false;
    return traits;
}

} // namespace

Traits traits_of(const Architecture& architecture) {
    Traits traits = from_shape(architecture);
    const std::string_view arch = architecture.gguf_arch;
    const auto is = [&](auto... names) { return ((arch == names) || ...); };

    if (is("gemma", "gemma2", "gemma3", "gemma3n", "gemma4", "granite", "granitemoe",
           "granitehybrid", "minicpm", "minicpm3", "falcon-h1")) {
        traits.scaled_embeddings = true;
    }
    if (is("gemma3", "gemma3n", "gemma4"))
        traits.scaled_by_input = true;
    if (is("gemma2", "gemma3", "phi3", "phimoe", "phi2"))
        traits.scaled_queries = true;
    if (is("gemma2")) {
        traits.attention_softcap = true;
        traits.logit_ops = LogitOps::softcap;
    }
    if (is("gemma3n", "gemma4"))
        traits.logit_ops = LogitOps::softcap;
    if (is("granite", "granitemoe", "granitehybrid", "command-r", "cohere2", "minicpm", "minicpm3",
           "falcon-h1")) {
        traits.logit_ops = LogitOps::scale;
    }
    if (is("granite", "granitemoe", "granitehybrid", "minicpm", "minicpm3")) {
        traits.scaled_residuals = true;
    }
    if (is("command-r", "cohere2")) {
        traits.norms = NormStyle::layer;
        traits.parallel = Parallel::cohere;
    }
    if (is("olmo"))
        traits.norms = NormStyle::layer;
    if (is("gptneox"))
        traits.parallel = Parallel::neox;
    if (is("cohere2", "exaone4", "smollm3"))
        traits.rope = RopeUse::windowed_layers;
    if (is("gpt2", "nemotron_h", "nemotron_h_moe", "jamba", "granitehybrid", "kimi-linear")) {
        traits.rope = RopeUse::never;
    }
    if (is("hunyuan-dense", "hunyuan-moe"))
        traits.qk_order = QkOrder::rope_then_norm;
    if (is("arcee", "nemotron", "nemotron_h", "nemotron_h_moe")) {
        traits.plain_activation = Activation::squared_relu;
    }
    if (is("mistral3", "mistral4", "llama4"))
        traits.query_temperature = true;
    if (is("olmoe", "deepseek", "qwen2moe", "jamba", "bailingmoe"))
        traits.normalised_weights = false;
    if (is("gpt-oss", "qwen35", "qwen35moe"))
        traits.late_outputs = true;
    if (is("gemma4"))
        traits.factors_on_full_layers = true;
    if (is("gemma3n", "gemma4"))
        traits.normalised_values = true;
    if (is("phi3", "phimoe"))
        traits.residual_first_at_end = true;
    if (is("qwen2moe"))
        traits.gate_divided_by_score = true;
    if (is("qwen3next"))
        traits.interleaved_heads = true;
    if (is("minicpm", "minicpm3"))
        traits.scaled_before_head = true;
    if (is("mistral4")) {
        traits.scaled_weights = true;
        traits.precise_experts = true;
    }
    if (is("phi3", "phimoe"))
        traits.norms = NormStyle::rms;
    if (is("lfm2", "lfm2moe", "jamba"))
        traits.residual_first = true;
    if (is("qwen2vl", "qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"))
        traits.position_parts = 4;
    if (is("laguna"))
        traits.gate_is_sigmoid = false;
    if (is("deepseek2", "deepseek32")) {
        // DeepSeek-V2 takes the plain softmax, its successors a corrected sigmoid.
        traits.normalised_weights = traits.routing == Routing::sigmoid;
    }
    if (is("deepseek2", "deepseek32", "bailingmoe2")) {
        for (const FeedForward& ff : architecture.feed_forwards) {
            if (ff.router_bias && ff.n_experts == 256)
                traits.expert_groups = true;
        }
    }
    return traits;
}

} // namespace vramscope::graph
