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

Verdict judge(const VerdictThresholds& thresholds, std::span<const ByteRange> needs,
              const Bytes* rooms, std::int32_t host, bool may_offload, Verdict* verdicts) {
    Bytes excess = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const bool is_host = static_cast<std::int32_t>(i) == host;
        verdicts[i] =
            is_host && rooms[i] == 0 ? Verdict::fits : judge_device(needs[i], rooms[i], thresholds);
        if (!is_host && verdicts[i] == Verdict::does_not_fit)
            excess = add(excess, needs[i].expected - rooms[i]);
    }
    const bool host_takes_it = excess > 0 && host >= 0 && may_offload &&
                               add(needs[static_cast<std::size_t>(host)].expected, excess) <=
                                   rooms[static_cast<std::size_t>(host)];
    Verdict overall = Verdict::fits;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        if (host_takes_it && static_cast<std::int32_t>(i) != host &&
            verdicts[i] == Verdict::does_not_fit) {
            verdicts[i] = Verdict::offload;
        }
        overall = std::max(overall, verdicts[i]);
    }
    return overall;
}

Judgement judge(const EstimateRequest& request, const MemoryPlan& plan) {
    std::array<ByteRange, max_devices + 1> needs{};
    std::array<Bytes, max_devices + 1> rooms{};
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        needs[i] = plan.devices[i].total();
        rooms[i] = free_bytes(request, plan, i);
    }
    Judgement judgement;
    judgement.overall =
        judge(request.constants->verdict, {needs.data(), plan.n_devices}, rooms.data(), plan.host,
              find_engine(request.engine)->can_offload_to_host, judgement.devices.data());
    return judgement;
}

} // namespace vramscope
