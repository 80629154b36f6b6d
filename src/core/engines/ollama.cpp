// Ollama: llama.cpp with options of its own.
//
// num_ctx is per sequence (the runner gets num_ctx x OLLAMA_NUM_PARALLEL), one sequence by default,
// and the batch grows with the context while the card has room for it. Source: ollama
// llm/llama_server.go, server/sched.go (fb30760, v0.32.15).
#include <algorithm>

#include "core/engines/engine.h"
#include "core/engines/serving.h"
#include "core/workspace.h"

namespace vramscope {
namespace {

/// The batch for a context: 512 tokens up to 4,096, 1,024 up to 32,768, else 2,048; the larger ones
/// only while the smaller leaves the card a quarter (or two fifths) free and 768 MiB (or 2 GiB).
struct BatchStep {
    std::int64_t above_context;
    std::int32_t batch;
    double used_at_most;
    Bytes head_room;
};
constexpr BatchStep steps[] = {{32768, 2048, 0.60, 2 * gib}, {4096, 1024, 0.75, 768 * mib}};

void make_llama_cpp(const EstimateRequest& request, Workspace* workspace, EstimateRequest& inner) {
    inner = request;
    const auto sequences = static_cast<std::int32_t>(serving::sequences(request));
    inner.engine = EngineId::llama_cpp;
    inner.tool = Tool::server;
    inner.tool_given = true;
    inner.options.n_seq = sequences;
    inner.options.n_ctx = mul(request.options.n_ctx, sequences);
    inner.options.n_ubatch = 512;
    if (request.options.n_batch) {
        inner.options.n_ubatch = request.options.n_batch;
        return;
    }
    inner.options.n_batch = 512;
    for (const BatchStep& step : steps) {
        if (request.options.n_ctx <= step.above_context || request.devices.empty())
            continue;
        MemoryPlan plan;
        plan.workspace = workspace;
        llama_cpp_engine.plan(inner, plan);
        const Bytes free = request.devices[0].free_bytes();
        const Bytes used = plan.devices[0].total().expected;
        if (static_cast<double>(used) <= step.used_at_most * static_cast<double>(free) &&
            used + step.head_room <= free) {
            inner.options.n_batch = inner.options.n_ubatch = step.batch;
            break;
        }
    }
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    EstimateRequest own;
    EstimateRequest& inner = out.workspace != nullptr ? out.workspace->inner : own;
    make_llama_cpp(request, out.workspace, inner);
    llama_cpp_engine.plan(inner, out);
    if (out.assumptions == nullptr)
        return;
    // What it would choose by itself: server/routes.go, by the memory of all cards.
    Bytes memory = 0;
    for (const Device& device : request.devices)
        memory += device.memory_bytes;
    const double chosen = memory >= 47 * gib ? 262144 : memory >= 23 * gib ? 32768 : 4096;
    out.assumptions->push_back({.id = "assumption.ollama_context", .first = chosen, .text = {}});
}

} // namespace

EstimateRequest ollama_as_llama_cpp(const EstimateRequest& request) {
    EstimateRequest inner;
    make_llama_cpp(request, nullptr, inner);
    return inner;
}

const Engine ollama_engine = {
    .id = EngineId::ollama,
    .key = "ollama",
    .plan = plan,
    .context_step = 256,
    .context_is_shared = false,
    .can_offload_to_host = true,
    .sequences = serving::sequences,
    .max_context = nullptr,
    .device_room = nullptr,
};

} // namespace vramscope
