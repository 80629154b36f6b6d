#include "report/recommend.h"

#include "core/estimator.h"
#include "core/verdict.h"

namespace vramscope::report {

const catalog::HardwareEntry* recommended_hardware(const EstimateRequest& request,
                                                   const catalog::Catalog& catalog) {
    EstimateRequest trial = request;
    trial.options.tensor_split.clear();
    for (const std::string& id : catalog.hardware_ladder) {
        const catalog::HardwareEntry* entry = catalog.find_hardware(id);
        if (entry == nullptr)
            continue;
        trial.devices.assign(1, entry->device);
        const MemoryPlan plan = plan_memory(trial);
        if (judge(trial, plan).devices[0] == Verdict::fits)
            return entry;
    }
    return nullptr;
}

} // namespace vramscope::report
