// The boundary in one shape: JSON text in, JSON text out.
//
// A Session holds a catalog and answers calls. Every host (WebAssembly in a page, Node, the command
// line) goes through it, so a request means the same everywhere and errors look the same:
//
//   {"method": "estimate", "request": {"model": "glm-4-9b-0414", "n_ctx": 8192}}
//   -> {"ok": {...}}   or   {"error": {"code": "unknown-model", "where": "model", "message": "…"}}
//
// Methods
//   version                                   program and schema versions
//   catalog.load    {text}                    takes a snapshot; the old one stays when it is faulty
//   catalog.build   {files: [{path, content}]}  -> {catalog, sources}: texts of both files
//   catalog.check   {files}                   -> list of faults
//   catalog.list    {kind}                    models, artifacts, hardware, engines, quantizations
//   catalog.show    {id}                      one entry, whole
//   estimate        {request} or {url}        -> the Estimate (keys: estimate_json.h)
//   solve           {what, request or url}    what: max-context, max-sequences,
//                                       max-users, hardware
//   advise          {request or url, goal}    what to change so that it fits (core/advice.h); goal:
//                                             "tight" (it runs, the default) or "fits" (with room)
//     -> goal, verdict, device (index or null), missing_bytes, total_bytes,
//        decode_tokens_per_second, steps: ranked list of {kinds, set, suffices, verdict,
//        saved_bytes, room_bytes, total_bytes, decode_tokens_per_second, cost}; `set` holds request
//        fields to merge into the request (null = back to the default)
//   fit             {request or url, keep_context, margin_mib: 1024, min_context: 4096}
//                                             what llama.cpp's own fit does (core/automatic_fit.h);
//                                             n_ctx is open unless the request sets one that is not
//                                             the default, or as keep_context says
//     -> outcome (unchanged, context, layers, not-allowed, too-large), n_ctx, n_gpu_layers,
//        n_partial_layers, devices: [{name, used_bytes, target_bytes, n_layer, n_partial,
//        first_partial}], host_bytes, host_suffices, margin_bytes, min_context, set (the nearest
//        request fields), arguments (of llama-server, exact)
//   models          {request or url, context, users, min_size, max_size, family, license, vision,
//                    moe, min_context, min_speed, worst_verdict, worst_quality, sort, descending,
//                    limit}                   what can I run? (report/sweep.h); sizes in 10^9
//                                             parameters, context per user, speed in tokens/s
//     -> rows: [{model, name, artifact, quantization, quality, is_recorded, parameters,
//        active_parameters, license, native_context, download_bytes, verdict, total_bytes,
//        room_bytes, max_context_tokens, decode_tokens_per_second}], all, estimates
//   devices         {request or url, context, users, min_speed, max_count: 8, vendor,
//   worst_verdict,
//                    limit}                   what do I need? smallest memory first
//     -> rows: [{hardware, id, name, count, memory_bytes, bandwidth_gb_per_s, unified, used_bytes
//        and what rows of models say from `verdict` on}], all, estimates
//   fields                                    the table of request fields
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "catalog/json_reader.h"

namespace vramscope::bindings {

class Session {
public:
    /// Answers one call; total: any bytes in, a JSON text out.
    std::string call(std::string_view json);

    /// The same, already parsed; `ok` holds the result or is empty and `error` says why.
    struct Answer {
        catalog::Json ok;
        std::vector<catalog::Error> errors; ///< empty: `ok` counts
    };
    Answer answer(const catalog::Json& call);

    void take(catalog::Catalog catalog);
    bool has_catalog() const { return has_catalog_; }
    const catalog::Catalog& catalog() const { return catalog_; }

private:
    catalog::Catalog catalog_;
    bool has_catalog_ = false;
};

} // namespace vramscope::bindings
