// The advanced drawer: what each option is called by its engine, and what changing it does to the
// memory of the accelerators. Worked out only while the drawer is open.
#include <algorithm>

#include "app/view_context.h"

namespace vramscope::app {
namespace {

using catalog::Field;

/// Options by the names their engines give them.
struct Flag {
    const char* id; ///< of the control
    EngineId engine;
    const char* name;
};
constexpr Flag flags[] = {
    {"n_seq", EngineId::llama_cpp, "--parallel"},
    {"key_type", EngineId::llama_cpp, "--cache-type-k"},
    {"type_v", EngineId::llama_cpp, "--cache-type-v"},
    {"flash_attn", EngineId::llama_cpp, "--flash-attn"},
    {"n_batch", EngineId::llama_cpp, "--batch-size"},
    {"n_ubatch", EngineId::llama_cpp, "--ubatch-size"},
    {"n_gpu_layers", EngineId::llama_cpp, "--n-gpu-layers"},
    {"cpu_moe", EngineId::llama_cpp, "--cpu-moe"},
    {"n_cpu_moe", EngineId::llama_cpp, "--n-cpu-moe"},
    {"kv_unified", EngineId::llama_cpp, "--kv-unified"},
    {"swa_full", EngineId::llama_cpp, "--swa-full"},
    {"offload_kqv", EngineId::llama_cpp, "--kv-offload"},
    {"op_offload", EngineId::llama_cpp, "--op-offload"},
    {"split_mode", EngineId::llama_cpp, "--split-mode"},
    {"key_type", EngineId::ollama, "OLLAMA_KV_CACHE_TYPE"},
    {"flash_attn", EngineId::ollama, "OLLAMA_FLASH_ATTENTION"},
    {"n_batch", EngineId::ollama, "num_batch"},
    {"n_gpu_layers", EngineId::ollama, "num_gpu"},
    {"key_type", EngineId::vllm, "--kv-cache-dtype"},
    {"tensor_parallel", EngineId::vllm, "--tensor-parallel-size"},
    {"pipeline_parallel", EngineId::vllm, "--pipeline-parallel-size"},
    {"gpu_memory_utilization", EngineId::vllm, "--gpu-memory-utilization"},
    {"max_num_seqs", EngineId::vllm, "--max-num-seqs"},
    {"max_num_batched_tokens", EngineId::vllm, "--max-num-batched-tokens"},
    {"prefix_caching", EngineId::vllm, "--enable-prefix-caching"},
    {"key_type", EngineId::sglang, "--kv-cache-dtype"},
    {"tensor_parallel", EngineId::sglang, "--tp-size"},
    {"pipeline_parallel", EngineId::sglang, "--pp-size"},
    {"gpu_memory_utilization", EngineId::sglang, "--mem-fraction-static"},
    {"max_num_seqs", EngineId::sglang, "--max-running-requests"},
    {"max_num_batched_tokens", EngineId::sglang, "--chunked-prefill-size"},
};

/// Another value of a number, to show what changing it does.
struct Trial {
    Field field;
    const char* value;
};
constexpr Trial trials[] = {{Field::n_ubatch, "1024"},
                            {Field::n_batch, "4096"},
                            {Field::gpu_memory_utilization, "0.8"},
                            {Field::max_num_seqs, "64"},
                            {Field::max_num_batched_tokens, "4096"},
                            {Field::tensor_parallel, "2"}};

struct Effects {
    const ViewContext& context;
    Bytes now = 0;

    explicit Effects(const ViewContext& from)
        : context(from), now(accelerators_of(plan_memory(from.request)).expected) {}

    /// "−0.59 GiB", or nothing when the value is impossible or changes nothing.
    std::string of(const catalog::Query& query) const {
        const auto resolved = catalog::resolve(query, context.catalog);
        if (!resolved)
            return {};
        const Bytes then = accelerators_of(plan_memory(resolved->request)).expected;
        if (then == now)
            return {};
        return (then < now ? "\u2212" : "+") + context.bytes(then < now ? now - then : then - now);
    }
    static void add(std::string& text, std::string_view label, const std::string& effect,
                    const ViewContext& context) {
        if (effect.empty())
            return;
        if (!text.empty())
            text += context.owned_text("separator.dot");
        text += label;
        text += ":\u00a0" + effect;
    }
    std::string of_choices(const Control& control) const {
        constexpr std::size_t most = 5;
        std::string text;
        for (std::size_t i = 0; i < std::min(most, control.choices.size()); ++i) {
            const Choice& choice = control.choices[i];
            catalog::Query query = context.state.query;
            if (choice.selected || !query.set(choice.action.key, choice.action.value))
                continue;
            add(text, choice.label, of(query), context);
        }
        return text;
    }
    std::string of_number(Field field) const {
        std::string text;
        catalog::Query query = context.state.query;
        if (query.is_set(field)) {
            query.clear(field);
            add(text, context.text("choice.default"), of(query), context);
        }
        std::string value;
        if (field == Field::n_gpu_layers)
            value = std::to_string(context.request.architecture->n_layer());
        if (field == Field::n_cpu_moe)
            value = std::to_string(context.request.options.n_cpu_moe + 1);
        for (const Trial& trial : trials)
            if (trial.field == field)
                value = trial.value;
        if (!value.empty() && query.set(field, value))
            add(text, value, of(query), context);
        return text;
    }
};

} // namespace

[[gnu::noinline]] void build_effects(const ViewContext& context, ViewModel& view) {
    const std::string key = context.request_key + '|' + context.text_key;
    std::vector<std::string>& known = context.memo.effects;
    const bool fresh = context.memo.effects_key == key;
    if (!fresh) {
        known.clear();
        context.memo.effects_key = key;
    }
    const Effects effects(context);
    std::size_t next = 0;
    for (Control& control : view.controls) {
        for (const Flag& flag : flags)
            if (control.id == flag.id && flag.engine == context.request.engine)
                control.flag = flag.name;
        if (!control.advanced || control.id == "hardware_add")
            continue;
        if (!fresh) {
            const catalog::FieldInfo* field = catalog::find_field(control.id);
            const bool number = field != nullptr && control.choices.empty();
            known.push_back(number ? effects.of_number(field->field) : effects.of_choices(control));
        }
        control.effect = next < known.size() ? known[next++] : std::string();
        const bool takes_memory = control.id != "user_rate" && control.id != "acceptance_rate" &&
                                  control.id != "line_speed";
        if (control.effect.empty() && takes_memory)
            control.effect = context.text("effect.none", {});
    }
}

} // namespace vramscope::app
