#include "core/engines/profile.h"

#include "core/cache.h"
#include "core/solve.h"

namespace vramscope::profile {
namespace {

ByteRange share(const ByteRange& total, std::int64_t part, std::int64_t parts) {
    const auto split = [&](Bytes bytes) { return bytes / parts + (part == 0 ? bytes % parts : 0); };
    return {split(total.low), split(total.expected), split(total.high)};
}

} // namespace

std::int64_t sequences(const EstimateRequest& request) {
    return request.options.n_seq.value_or(1);
}

void lay_out_devices(const EstimateRequest& request, MemoryPlan& plan) {
    const std::size_t accelerators = request.devices.size();
    const bool unified = accelerators > 0 && request.devices[0].unified;
    plan.host = unified ? -1 : static_cast<std::int32_t>(accelerators);
    plan.n_devices = accelerators + (unified ? 0 : 1);
}

void put_evenly(MemoryPlan& plan, Term term) {
    const auto devices = static_cast<std::int64_t>(plan.n_devices);
    const std::int64_t accelerators = plan.host >= 0 && devices > 1 ? devices - 1 : devices;
    const ByteRange total = term.bytes;
    for (std::int64_t i = 0; i < accelerators; ++i) {
        term.device = static_cast<std::int32_t>(i);
        term.bytes = share(total, i, accelerators);
        plan.put(term);
    }
}

Bytes kv_bytes(const EstimateRequest& request, std::int64_t tokens) {
    return raw_kv_bytes(*request.architecture, tokens, sequences(request), request.options.type_k,
                        request.options.type_v, *request.storage_types);
}

void put_raw_kv(const EstimateRequest& request, MemoryPlan& plan) {
    const Architecture& architecture = *request.architecture;
    const Bytes kv = kv_bytes(request, request.options.n_ctx);
    Term term{.part = Part::kv,
              .bytes = ByteRange::exact(kv),
              .formula = "kv.raw",
              .source = "every layer keeps the keys and values of every token it can see",
              .values = {{{"layers", static_cast<double>(architecture.n_layer())},
                          {"n_ctx", static_cast<double>(request.options.n_ctx)},
                          {"sequences", static_cast<double>(sequences(request))}}},
              .value_count = 3};
    put_evenly(plan, term);
}

std::int64_t tokens_within(const EstimateRequest& request, Bytes room) {
    if (room < 0)
        return 0;
    std::int64_t low = 0;
    std::int64_t high = context_search_limit;
    if (kv_bytes(request, high) <= room)
        return high;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (kv_bytes(request, middle) <= room ? low : high) = middle;
    }
    return low;
}

} // namespace vramscope::profile
