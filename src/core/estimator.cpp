#include "core/estimator.h"

#include "core/cache.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/tensors.h"
#include "core/verdict.h"

namespace vramscope {

const char* name(Part part) {
    switch (part) {
    case Part::weights:
        return "weights";
    case Part::kv:
        return "kv";
    case Part::state:
        return "state";
    case Part::compute:
        return "compute";
    case Part::overhead:
        return "overhead";
    case Part::output:
        return "output";
    case Part::count_:
        break;
    }
    return "";
}

namespace {

Download download_from(const EstimateRequest& request, Bytes tensor_bytes) {
    const Bytes header =
        request.weights.mixture == Mixture::count_
            ? 0
            : mul(request.constants->gguf_header_bytes_per_token, request.architecture->n_vocab);
    return {add(tensor_bytes, header), false};
}

} // namespace

Download download_of(const EstimateRequest& request) {
    if (request.weights.file_bytes > 0)
        return {request.weights.file_bytes, true};
    const bool needs_count =
        request.weights.tensor_bytes == 0 && request.weights.mixture == Mixture::count_;
    const std::int64_t parameters =
        needs_count ? count_parameters(*request.architecture).total() : 0;
    return download_from(request, artifact_tensor_bytes(*request.architecture, request.weights,
                                                        *request.storage_types, parameters));
}

MemoryPlan plan_memory(const EstimateRequest& request) {
    MemoryPlan plan;
    find_engine(request.engine)->plan(request, plan);
    return plan;
}

MemoryPlan plan_memory(const EstimateRequest& request, Workspace& workspace) {
    workspace.select(request);
    MemoryPlan plan;
    plan.workspace = &workspace;
    find_engine(request.engine)->plan(request, plan);
    return plan;
}

KvComparison compare_kv(const EstimateRequest& request, Bytes kv_bytes) {
    const Engine* engine = find_engine(request.engine);
    // With a shared context n_ctx already counts all sequences.
    const std::int64_t sequences = engine->context_is_shared ? 1 : engine->sequences(request);
    KvComparison comparison;
    comparison.plain_mha_bytes =
        plain_mha_kv_bytes(*request.architecture, request.options.n_ctx, sequences);
    if (comparison.plain_mha_bytes > 0) {
        comparison.saving_fraction =
            1.0 - static_cast<double>(kv_bytes) / static_cast<double>(comparison.plain_mha_bytes);
    }
    return comparison;
}

void estimate(const EstimateRequest& request, Workspace& workspace, Estimate& out) {
    workspace.select(request);
    const Engine& engine = *find_engine(request.engine);
    out.terms.clear();
    out.assumptions.clear();
    out.warnings.clear();
    MemoryPlan plan;
    plan.terms = &out.terms;
    plan.assumptions = &out.assumptions;
    plan.warnings = &out.warnings;
    plan.workspace = &workspace;
    engine.plan(request, plan);

    const Judgement judgement = judge(request, plan);
    out.parts = {};
    out.devices.resize(plan.n_devices);
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const bool is_host = static_cast<std::int32_t>(i) == plan.host;
        DeviceEstimate& device = out.devices[i];
        if (is_host)
            device.name = "host";
        else
            device.name = request.devices[i].name;
        device.is_host = is_host;
        device.parts = plan.devices[i];
        device.capacity_bytes =
            is_host ? request.host.memory_bytes : request.devices[i].memory_bytes;
        device.free_bytes = free_bytes(request, plan, i);
        device.used_fraction = device.capacity_bytes > 0
                                   ? static_cast<double>(device.parts.total().expected) /
                                         static_cast<double>(device.capacity_bytes)
                                   : 0;
        device.verdict = judgement.devices[i];
        out.parts += device.parts;
    }
    out.verdict = judgement.overall;

    const KvComparison comparison = compare_kv(request, out.parts[Part::kv].expected);
    out.kv_mha_bytes = comparison.plain_mha_bytes;
    out.kv_saving_fraction = comparison.saving_fraction;
    out.max_context_tokens = max_context_tokens(request, workspace);
    out.max_sequences = max_sequences(request, workspace);
    set_speed(request, plan, out);
    out.serving = {};
    if (engine.describe != nullptr)
        engine.describe(request, plan, out.serving);

    out.parameters = workspace.facts.parameters().total();
    out.artifact_tensor_bytes = workspace.facts.tensor_bytes();
    const Download download = request.weights.file_bytes > 0
                                  ? Download{request.weights.file_bytes, true}
                                  : download_from(request, out.artifact_tensor_bytes);
    out.download_bytes = download.bytes;
    out.download_is_exact = download.is_exact;
}

Estimate estimate(const EstimateRequest& request) {
    Workspace workspace;
    Estimate out;
    estimate(request, workspace, out);
    return out;
}

} // namespace vramscope
