// `evidence`: the profile of the Japanese reference page.
//
//   weights  = exact bytes of the chosen files
//   KV       = raw bytes of the cache
//   overhead = recorded low .. high allowance of the engine that runs the files
//
// Source: the printed values of the reference page (tests/reference/golden.json); the allowances
// are in catalog/engines.json.
#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/profile.h"
#include "core/solve.h"

namespace vramscope {
namespace {

double high_gib(const EvidenceAllowance& allowance, Bytes weights, Bytes kv) {
    if (allowance.points.empty()) {
        return allowance.high_gib + allowance.high_share_of_weights * to_gib(weights) +
               allowance.high_share_of_kv * to_gib(kv);
    }
    // Linear between the recorded points, the outer slopes continued.
    const auto& points = allowance.points;
    std::size_t i = 1;
    while (i + 1 < points.size() && kv > points[i].kv_bytes)
        ++i;
    const EvidenceAllowance::Point& a = points[i - 1];
    const EvidenceAllowance::Point& b = points[i];
    const double share =
        static_cast<double>(kv - a.kv_bytes) / static_cast<double>(b.kv_bytes - a.kv_bytes);
    return a.high_gib + share * (b.high_gib - a.high_gib);
}

Bytes weights_bytes(const EstimateRequest& request) {
    const Weights& weights = request.weights;
    if (weights.file_bytes > 0)
        return weights.file_bytes;
    if (weights.mixture != Mixture::count_) {
        return mixture_bytes(*request.architecture, weights.mixture, weights.importance_matrix,
                             *request.storage_types);
    }
    const auto parameters = static_cast<double>(count_parameters(*request.architecture).total());
    return static_cast<Bytes>(parameters * weights.nominal_bits_per_weight / 8.0 + 0.5);
}

ByteRange allowance_bytes(const EvidenceAllowance& allowance, Bytes weights, Bytes kv) {
    const Bytes low = from_gib(allowance.low_gib);
    const Bytes high = from_gib(high_gib(allowance, weights, kv));
    return {low, low + (high - low) / 2, high};
}

const EvidenceAllowance& allowance_of(const EstimateRequest& request) {
    return request.constants->evidence[static_cast<std::size_t>(request.evidence_engine)];
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const Bytes weights = weights_bytes(request);
    const Bytes kv = profile::kv_bytes(request, request.options.n_ctx);
    const ByteRange allowance = allowance_bytes(allowance_of(request), weights, kv);
    profile::lay_out_devices(request, out);
    const bool recorded = request.weights.file_bytes > 0;
    profile::put_evenly(out, {.part = Part::weights,
                              .bytes = ByteRange::exact(weights),
                              .formula = recorded ? "weights.file" : "weights.computed",
                              .source = recorded ? "file metadata" : "tensor inventory",
                              .values = {{{"bytes", static_cast<double>(weights)}}},
                              .value_count = 1});
    profile::put_raw_kv(request, out);
    profile::put_evenly(out, {.part = Part::overhead,
                              .bytes = allowance,
                              .formula = "overhead.evidence",
                              .source = "reference evidence page, printed values",
                              .values = {{{"low_gib", to_gib(allowance.low)},
                                          {"high_gib", to_gib(allowance.high)}}},
                              .value_count = 2});
}

} // namespace

const Engine evidence_engine = {
    .id = EngineId::evidence,
    .key = "evidence",
    .plan = plan,
    .context_step = 1,
    .context_is_shared = false,
    .can_offload_to_host = true,
    .sequences = profile::sequences,
    .max_context = nullptr,
    .device_room = nullptr,
};

} // namespace vramscope
