#include "core/speed.h"

#include <algorithm>

#include "core/cache.h"
#include "core/tensors.h"

namespace vramscope {
namespace {

/// `quick`: bandwidth x class share x quantisation factor / (weights + KV), the reference page's rule.
RateRange quick_rate(const EstimateRequest& request, const MemoryPlan& plan) {
    if (request.devices.empty()) return {};
    const QuickConstants& constants = request.constants->quick;
    double read_gb = 0;
    double bandwidth = 0;
    for (std::size_t i = 0; i < request.devices.size(); ++i) {
        const PartBytes& parts = plan.devices[i];
        read_gb += static_cast<double>(parts[Part::weights].expected + parts[Part::kv].expected) / 1e9;
        bandwidth += request.devices[i].bandwidth_gb_per_s;
    }
    // Devices take turns on a token: the mean bandwidth counts, not the sum.
    bandwidth /= static_cast<double>(request.devices.size());
    const auto hardware_class = static_cast<std::size_t>(request.devices[0].hardware_class);
    const double factor = request.weights.sixteen_bit ? 1.0 : constants.decode_factor_quantised;
    const double rate =
        read_gb > 0
            ? bandwidth * constants.decode_share_of_bandwidth[hardware_class] * factor / read_gb
            : 0.0;
    return {rate, rate, rate};
}

/// Share of the resident weights that one token reads: routed experts in part, of the embedding one
/// row only.
double active_share(const ParameterCount& count) {
    const auto resident = static_cast<double>(count.text - count.embedding);
    return resident > 0 ? static_cast<double>(count.active - count.embedding) / resident : 0.0;
}

}  // namespace

RateRange decode_tokens_per_second(const EstimateRequest& request, const MemoryPlan& plan) {
    if (request.engine == EngineId::quick) return quick_rate(request, plan);
    const double share = active_share(count_parameters(*request.architecture, Inventory::gguf));
    double seconds = 0;
    double spread = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const PartBytes& parts = plan.devices[i];
        const bool is_host = static_cast<std::int32_t>(i) == plan.host;
        // Beside a GPU that holds all layers the host only looks one embedding row up.
        const bool idle_host = is_host && i > 0 && parts[Part::kv].expected == 0 &&
                               parts[Part::state].expected == 0;
        const double weights = static_cast<double>(parts[Part::weights].expected) * share;
        const double cache =
            static_cast<double>(parts[Part::kv].expected + parts[Part::state].expected);
        if (idle_host || weights + cache <= 0) continue;
        const HardwareClass hardware_class =
            is_host ? HardwareClass::cpu : request.devices[i].hardware_class;
        const double bandwidth = 1e9 * (is_host ? request.host.bandwidth_gb_per_s
                                                : request.devices[i].bandwidth_gb_per_s);
        const DecodeConstants& constants =
            request.constants->decode[static_cast<std::size_t>(hardware_class)];
        if (bandwidth <= 0 || constants.weights_share_of_bandwidth <= 0) return {};
        seconds += weights / (constants.weights_share_of_bandwidth * bandwidth) +
                   cache / (constants.kv_share_of_bandwidth * bandwidth) + constants.fixed_seconds;
        spread = std::max(spread, constants.relative_spread);
    }
    if (seconds <= 0) return {};
    const double rate = 1.0 / seconds;
    return {rate * (1.0 - spread), rate, rate * (1.0 + spread)};
}

}  // namespace vramscope
