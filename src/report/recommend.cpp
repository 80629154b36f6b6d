#include "report/recommend.h"

#include <algorithm>

#include "core/estimator.h"
#include "core/verdict.h"

namespace vramscope::report {
namespace {

/// Weights and caches are the same on all devices of a kind; what else is needed comes on top.
Bytes least_need(const MemoryPlan& plan) {
    Bytes need = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        if (static_cast<std::int32_t>(i) == plan.host)
            continue;
        need = add(need, plan.devices[i][Part::weights].low);
        need = add(need, plan.devices[i][Part::kv].low);
    }
    return need;
}

bool all_fit(const EstimateRequest& request, const MemoryPlan& plan) {
    const Judgement judgement = judge(request, plan);
    return std::all_of(judgement.devices.begin(),
                       judgement.devices.begin() +
                           static_cast<std::ptrdiff_t>(request.devices.size()),
                       [](Verdict verdict) { return verdict == Verdict::fits; });
}

} // namespace

const catalog::HardwareEntry* recommended_hardware(const EstimateRequest& request,
                                                   const catalog::Catalog& catalog,
                                                   Workspace& workspace) {
    EstimateRequest trial = request;
    trial.options.tensor_split.clear();
    Bytes need = 0;
    for (const std::string& id : catalog.hardware_ladder) {
        const catalog::HardwareEntry* entry = catalog.find_hardware(id);
        if (entry == nullptr)
            continue;
        const auto count = static_cast<std::size_t>(std::max(1, entry->count));
        // Planning costs much more than a look at the size.
        if (mul(entry->device.usable_bytes, static_cast<Bytes>(count)) < need)
            continue;
        trial.devices.assign(std::min(count, max_devices), entry->device);
        const MemoryPlan plan = plan_memory(trial, workspace);
        if (all_fit(trial, plan))
            return entry;
        need = std::max(need, least_need(plan));
    }
    return nullptr;
}

const catalog::HardwareEntry* recommended_hardware(const EstimateRequest& request,
                                                   const catalog::Catalog& catalog) {
    Workspace workspace;
    return recommended_hardware(request, catalog, workspace);
}

} // namespace vramscope::report
