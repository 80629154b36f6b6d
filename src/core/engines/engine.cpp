#include "core/engines/engine.h"

namespace vramscope {

const Engine* find_engine(EngineId id) {
    static constexpr const Engine* engines[] = {
        &llama_cpp_engine,    &ollama_engine,       &vllm_engine,  &sglang_engine,  &mlx_engine,
        &transformers_engine, &tensorrt_llm_engine, &quick_engine, &evidence_engine};
    for (const Engine* engine : engines) {
        if (engine->id == id)
            return engine;
    }
    return nullptr;
}

} // namespace vramscope
