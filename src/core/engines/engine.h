// The interface between the estimator and an engine: one function that lays bytes out.
//
// An engine is one file here and one record in catalog/engines.json. It fills a MemoryPlan: parts
// per device, and (when asked) the terms that explain them. Verdict, largest context, rates and
// totals are derived from the plan by estimate.cpp, the same way for every engine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/estimate.h"
#include "core/request.h"

namespace vramscope {

struct Workspace; // workspace.h

struct MemoryPlan {
    std::array<PartBytes, max_devices + 1> devices{}; ///< accelerators, then the host
    std::size_t n_devices = 0;                        ///< entries used, the host included
    std::int32_t host = -1; ///< index of the host's entry, -1 when everything is unified
    std::vector<Term>* terms = nullptr; ///< filled when not null
    std::vector<Remark>* assumptions = nullptr;
    std::vector<Remark>* warnings = nullptr;
    /// Has selected the request's model; or nullptr.
    Workspace* workspace = nullptr;

    /// Adds bytes to a part of a device, with the term that explains them.
    void put(const Term& term) {
        devices[static_cast<std::size_t>(term.device)][term.part] += term.bytes;
        if (terms != nullptr)
            terms->push_back(term);
    }
};

/// Contexts, in steps of the engine, over which every part of a plan is foreseen to grow evenly.
struct EvenRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool for_any_weights = false; ///< everything but the weights themselves is the same for others
    /// Devices of equal kinds differ, beside their size, in a constant at most.
    std::uint32_t kind = 0;
};

/// What estimate.cpp needs to know of an engine.
struct Engine {
    EngineId id;
    const char* key; ///< as in requests: "llama.cpp"
    void (*plan)(const EstimateRequest&, MemoryPlan&);
    /// Tokens that n_ctx is rounded up to; the largest context is a multiple of it.
    std::int64_t context_step;
    /// n_ctx counts all sequences together (llama.cpp), else it is per sequence.
    bool context_is_shared;
    bool can_offload_to_host;
    /// Sequences of a request after the engine's defaults.
    std::int64_t (*sequences)(const EstimateRequest&);
    /// An engine's own rule for the largest context, or nullptr for the general search.
    std::int64_t (*max_context)(const EstimateRequest&);
    /// An engine's own idea of the memory it may fill, or nullptr for Device::free_bytes().
    Bytes (*device_room)(const EstimateRequest&, const Device&);
    /// What a serving engine prints of its pool, or nullptr.
    void (*describe)(const EstimateRequest&, const MemoryPlan&, ServingEstimate&) = nullptr;
    /// The even range around the request's context, on one device; false when there is none to
    /// speak of. Or nullptr.
    bool (*even_range)(const EstimateRequest&, Workspace&, EvenRange&) = nullptr;
};

/// The engine of that id, or nullptr when it is not modelled yet.
const Engine* find_engine(EngineId id);

extern const Engine llama_cpp_engine;    // llama_cpp.cpp
extern const Engine quick_engine;        // quick.cpp
extern const Engine evidence_engine;     // evidence.cpp
extern const Engine vllm_engine;         // vllm.cpp
extern const Engine sglang_engine;       // sglang.cpp
extern const Engine tensorrt_llm_engine; // tensorrt_llm.cpp
extern const Engine ollama_engine;       // ollama.cpp
/// The request that Ollama's runner gets.
EstimateRequest ollama_as_llama_cpp(const EstimateRequest& request);
extern const Engine mlx_engine;          // mlx.cpp
extern const Engine transformers_engine; // transformers.cpp

} // namespace vramscope
