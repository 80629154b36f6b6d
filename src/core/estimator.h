// The estimator: one EstimateRequest in, one Estimate out.
//
// Pure: the same request gives the same bytes on every machine, natively and in WebAssembly.
//
//   plan (engines/*)  ->  parts per device, terms
//   judge             ->  verdict per device and overall
//   solve             ->  largest context, most sequences
//   speed             ->  decode and prefill rates
#pragma once

#include "core/engines/engine.h"
#include "core/estimate.h"
#include "core/request.h"
#include "core/workspace.h"

namespace vramscope {

/// Everything about one request. The engine must be modelled (find_engine() is not null).
Estimate estimate(const EstimateRequest& request);
/// The same into an estimate that exists, with what a caller keeps (workspace.h): nothing is
/// allocated but what the first estimate of a model needs.
void estimate(const EstimateRequest& request, Workspace& workspace, Estimate& out);

/// Lays the memory out without explaining it: what sweeps and solvers call many times.
MemoryPlan plan_memory(const EstimateRequest& request);
MemoryPlan plan_memory(const EstimateRequest& request, Workspace& workspace);

/// What a person downloads: recorded files are exact, else tensors plus the tokenizer of a GGUF.
struct Download {
    Bytes bytes = 0;
    bool is_exact = false;
};
Download download_of(const EstimateRequest& request);

/// A cache against the same tokens kept by plain F16 multi-head attention (cache.h).
struct KvComparison {
    Bytes plain_mha_bytes = 0;
    double saving_fraction = 0;
};
KvComparison compare_kv(const EstimateRequest& request, Bytes kv_bytes);

} // namespace vramscope
