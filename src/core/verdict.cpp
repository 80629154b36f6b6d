#include "core/verdict.h"

#include <algorithm>

namespace vramscope {

const char* name(Verdict verdict) {
    switch (verdict) {
    case Verdict::fits:
        return "fits";
    case Verdict::tight:
        return "tight";
    case Verdict::offload:
        return "offload";
    case Verdict::does_not_fit:
        break;
    }
    return "does-not-fit";
}

Verdict judge_device(const ByteRange& need, Bytes free_bytes, const VerdictThresholds& thresholds) {
    const auto room = static_cast<double>(free_bytes);
    if (static_cast<double>(need.high) <= thresholds.fits * room)
        return Verdict::fits;
    if (static_cast<double>(need.expected) <= thresholds.tight * room)
        return Verdict::tight;
    return Verdict::does_not_fit;
}

Bytes free_bytes(const EstimateRequest& request, const MemoryPlan& plan, std::size_t index) {
    if (static_cast<std::int32_t>(index) == plan.host)
        return request.host.usable_bytes;
    const Device& device = request.devices[index];
    const Engine* engine = find_engine(request.engine);
    return engine->device_room != nullptr ? engine->device_room(request, device)
                                          : device.free_bytes();
}

bool is_within_memory(const EstimateRequest& request, const MemoryPlan& plan) {
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const Bytes room = free_bytes(request, plan, i);
        const bool size_unknown = room == 0 && static_cast<std::int32_t>(i) == plan.host;
        if (!size_unknown && plan.devices[i].total().expected > room)
            return false;
    }
    return true;
}

Judgement judge(const EstimateRequest& request, const MemoryPlan& plan) {
    const VerdictThresholds& thresholds = request.constants->verdict;
    Judgement judgement;
    Bytes excess = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const Bytes room = free_bytes(request, plan, i);
        const ByteRange need = plan.devices[i].total();
        const bool is_host = static_cast<std::int32_t>(i) == plan.host;
        judgement.devices[i] =
            is_host && room == 0 ? Verdict::fits : judge_device(need, room, thresholds);
        if (!is_host && judgement.devices[i] == Verdict::does_not_fit) {
            excess = add(excess, need.expected - room);
        }
    }
    const Engine* engine = find_engine(request.engine);
    if (excess > 0 && plan.host >= 0 && engine->can_offload_to_host) {
        const auto host = static_cast<std::size_t>(plan.host);
        const Bytes host_need = add(plan.devices[host].total().expected, excess);
        if (host_need <= request.host.usable_bytes) {
            for (std::size_t i = 0; i < plan.n_devices; ++i) {
                if (i != host && judgement.devices[i] == Verdict::does_not_fit) {
                    judgement.devices[i] = Verdict::offload;
                }
            }
        }
    }
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        judgement.overall = std::max(judgement.overall, judgement.devices[i]);
    }
    return judgement;
}

} // namespace vramscope
