// An Estimate as JSON: the keys that scripts, tests and other people's pages rely on.
//
//   model, artifact, quantization, engine, parameters
//   <part>_bytes and total_bytes   {low, expected, high}; parts: weights kv state compute overhead
//   output devices                        list, accelerators first, then the host: name, kind (gpu
//   | host),
//                                  the same parts, capacity_bytes, free_bytes, used_fraction,
//                                  verdict
//   verdict, kv_mha_bytes, kv_saving_fraction, recommended_hardware, download_bytes,
//   download_is_exact, artifact_tensor_bytes, max_context_tokens, max_sequences,
//   decode_tokens_per_second, prefill_tokens_per_second   {low, expected, high}
//   first_token_seconds, decode_limit, prefill_limit, speed_extrapolated, max_users,
//   max_users_limit, decode_shares and prefill_shares   {bandwidth, compute, launch, link}: of 1
//   serving       {pool_bytes, block_tokens, blocks, tokens, concurrency, lines}, engines with a
//                 pool only; lines: what the engine prints of it at start
//   batches       [{sequences, tokens_per_second {low, expected, high}, per_sequence, limit}]
//   terms                          part, device, bytes, formula, source, values
//   assumptions, warnings          id, values
#pragma once

#include "catalog/catalog.h"
#include "catalog/json_reader.h"
#include "catalog/resolve.h"
#include "core/capacity.h"
#include "core/estimate.h"

namespace vramscope::bindings {

catalog::Json estimate_json(const catalog::ResolvedRequest& request, const Estimate& estimate,
                            const catalog::Catalog& catalog);

/// user_rate, max_users, max_users_limit, batches: the answer of `solve max-users`.
catalog::Json capacity_json(const Capacity& capacity, double user_rate);

} // namespace vramscope::bindings
