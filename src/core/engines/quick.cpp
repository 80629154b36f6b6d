// `quick`: the profile of the German reference page, for when only a parameter count is known.
//
//   weights  = rounded parameters x nominal bits per weight / 8
//   KV       = raw bytes of the cache
//   overhead = constant by hardware class + share of the weights
//
// Source: the printed values of the reference page (tests/reference/golden.json); the constants are
// in catalog/engines.json. All 48 printed weights, totals and rates come out of it.
#include <algorithm>

#include "core/cache.h"
#include "core/engines/engine.h"
#include "core/engines/profile.h"

namespace vramscope {
namespace {

constexpr const char* source = "reference simulator page, printed values";

HardwareClass class_of(const EstimateRequest& request) {
    return request.devices.empty() ? HardwareClass::cpu : request.devices[0].hardware_class;
}

Bytes weights_bytes(const EstimateRequest& request) {
    return static_cast<Bytes>(
        request.rounded_parameters * request.weights.nominal_bits_per_weight / 8.0 + 0.5);
}

Bytes overhead_bytes(const EstimateRequest& request, Bytes weights, double credit_gib) {
    const QuickConstants& constants = request.constants->quick;
    const double constant =
        constants.overhead_gib[static_cast<std::size_t>(class_of(request))] - credit_gib;
    return from_gib(constant) +
           static_cast<Bytes>(constants.overhead_share_of_weights * static_cast<double>(weights));
}

/// The page counts on a share of the nominal memory (never more than the OS gives).
Bytes device_room(const EstimateRequest& request, const Device& device) {
    const auto share = static_cast<Bytes>(request.constants->quick.usable_share_of_memory *
                                          static_cast<double>(device.memory_bytes));
    return std::max<Bytes>(0, std::min(device.usable_bytes, share) - device.reserved_bytes);
}

void plan(const EstimateRequest& request, MemoryPlan& out) {
    const QuickConstants& constants = request.constants->quick;
    const auto hardware_class = static_cast<std::size_t>(class_of(request));
    const Bytes weights = weights_bytes(request);
    profile::lay_out_devices(request, out);
    profile::put_evenly(out,
                        {.part = Part::weights,
                         .bytes = ByteRange::exact(weights),
                         .formula = "weights.nominal",
                         .source = source,
                         .values = {{{"parameters", request.rounded_parameters},
                                     {"bits_per_weight", request.weights.nominal_bits_per_weight}}},
                         .value_count = 2});
    profile::put_raw_kv(request, out);
    profile::put_evenly(out,
                        {.part = Part::overhead,
                         .bytes = ByteRange::exact(overhead_bytes(request, weights, 0)),
                         .formula = "overhead.quick",
                         .source = source,
                         .values = {{{"constant_gib", constants.overhead_gib[hardware_class]},
                                     {"share_of_weights", constants.overhead_share_of_weights}}},
                         .value_count = 2});
}

/// floor((usable share x memory - constant + credit - (1 + share) x weights) / KV of one token):
/// the rule found that gives the page's 136,404 tokens on the 12 GB card exactly.
std::int64_t max_context(const EstimateRequest& request) {
    Bytes room = request.devices.empty() ? request.host.usable_bytes : 0;
    for (const Device& device : request.devices)
        room += device_room(request, device);
    const Bytes weights = weights_bytes(request);
    const double credit_gib = request.constants->quick.max_context_credit_gib;
    return profile::tokens_within(request,
                                  room - weights - overhead_bytes(request, weights, credit_gib));
}

} // namespace

const Engine quick_engine = {
    .id = EngineId::quick,
    .key = "quick",
    .plan = plan,
    .context_step = 1,
    .context_is_shared = false,
    .can_offload_to_host = true,
    .sequences = profile::sequences,
    .max_context = max_context,
    .device_room = device_room,
};

} // namespace vramscope
