// Does it fit? Verdicts per device and overall.
#pragma once

#include <span>

#include "core/engines/engine.h"
#include "core/estimate.h"
#include "core/request.h"

namespace vramscope {

/// Verdict of one device on its own, without a host to help: `fits` when the high estimate is at
/// most thresholds.fits of free memory, `tight` when the expected one is at most thresholds.tight.
Verdict judge_device(const ByteRange& need, Bytes free_bytes, const VerdictThresholds& thresholds);

/// Verdicts of all devices of a plan, in its order. A device that is too small is `offload` when
/// the engine can leave a part on the host and the host has room for all such excess together.
struct Judgement {
    std::array<Verdict, max_devices + 1> devices{};
    Verdict overall = Verdict::fits;
};
Judgement judge(const EstimateRequest& request, const MemoryPlan& plan);
/// The same from what entries need and have room for; `host` is the host's index or -1. The overall
/// verdict is returned, those of the entries are written to `verdicts`.
Verdict judge(const VerdictThresholds& thresholds, std::span<const ByteRange> needs,
              const Bytes* rooms, std::int32_t host, bool may_offload, Verdict* verdicts);

/// Memory that an estimate may fill on the plan's device `index`; 0 = not known (host without
/// size).
Bytes free_bytes(const EstimateRequest& request, const MemoryPlan& plan, std::size_t index);
/// True when every device's expected need is within its free memory.
bool is_within_memory(const EstimateRequest& request, const MemoryPlan& plan);

} // namespace vramscope
