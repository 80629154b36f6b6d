// What the two page profiles (`quick`, `evidence`) share: they know a total, not a placement, so
// they spread it evenly over the devices and put nothing on the host beside a GPU.
#pragma once

#include "core/engines/engine.h"

namespace vramscope::profile {

/// n_seq of the request, 1 when open.
std::int64_t sequences(const EstimateRequest& request);

/// Fills plan.n_devices/host: the accelerators and an empty host entry, or the host alone.
void lay_out_devices(const EstimateRequest& request, MemoryPlan& plan);

/// Splits a term over all accelerators (or the host), the remainder on the first.
void put_evenly(MemoryPlan& plan, Term term);

/// The raw KV of n_ctx tokens for each sequence.
Bytes kv_bytes(const EstimateRequest& request, std::int64_t tokens);
void put_raw_kv(const EstimateRequest& request, MemoryPlan& plan);

/// Largest number of tokens whose raw KV is at most `room`.
std::int64_t tokens_within(const EstimateRequest& request, Bytes room);

} // namespace vramscope::profile
