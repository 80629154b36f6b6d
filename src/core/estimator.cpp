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

/// Bytes of all weight tensors of the chosen artifact, without a file header.
Bytes artifact_tensor_bytes(const EstimateRequest& request, std::int64_t parameters) {
    const Weights& weights = request.weights;
    if (weights.tensor_bytes > 0)
        return weights.tensor_bytes;
    if (weights.mixture != Mixture::count_) {
        return mixture_bytes(*request.architecture, weights.mixture, weights.importance_matrix,
                             *request.storage_types);
    }
    return static_cast<Bytes>(
        static_cast<double>(parameters) * weights.nominal_bits_per_weight / 8.0 + 0.5);
}

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
    return download_from(request, artifact_tensor_bytes(request, parameters));
}

MemoryPlan plan_memory(const EstimateRequest& request) {
    MemoryPlan plan;
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

Estimate estimate(const EstimateRequest& request) {
    Estimate out;
    MemoryPlan plan;
    plan.terms = &out.terms;
    plan.assumptions = &out.assumptions;
    plan.warnings = &out.warnings;
    find_engine(request.engine)->plan(request, plan);

    const Judgement judgement = judge(request, plan);
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const bool is_host = static_cast<std::int32_t>(i) == plan.host;
        DeviceEstimate device;
        device.name = is_host ? "host" : request.devices[i].name;
        device.is_host = is_host;
        device.parts = plan.devices[i];
        device.capacity_bytes =
            is_host ? request.host.memory_bytes : request.devices[i].memory_bytes;
        device.free_bytes = free_bytes(request, plan, i);
        if (device.capacity_bytes > 0) {
            device.used_fraction = static_cast<double>(device.parts.total().expected) /
                                   static_cast<double>(device.capacity_bytes);
        }
        device.verdict = judgement.devices[i];
        out.parts += device.parts;
        out.devices.push_back(device);
    }
    out.verdict = judgement.overall;

    const KvComparison comparison = compare_kv(request, out.parts[Part::kv].expected);
    out.kv_mha_bytes = comparison.plain_mha_bytes;
    out.kv_saving_fraction = comparison.saving_fraction;
    out.max_context_tokens = max_context_tokens(request);
    out.max_sequences = max_sequences(request);
    set_speed(request, plan, out);
    if (const Engine* engine = find_engine(request.engine); engine->describe != nullptr)
        engine->describe(request, plan, out.serving);

    out.parameters = count_parameters(*request.architecture).total();
    out.artifact_tensor_bytes = artifact_tensor_bytes(request, out.parameters);
    const Download download = request.weights.file_bytes > 0
                                  ? Download{request.weights.file_bytes, true}
                                  : download_from(request, out.artifact_tensor_bytes);
    out.download_bytes = download.bytes;
    out.download_is_exact = download.is_exact;
    return out;
}

} // namespace vramscope
