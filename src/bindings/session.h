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
//   solve           {what, request or url}    what: max-context, max-sequences, hardware
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
        std::vector<catalog::Error> errors;  ///< empty: `ok` counts
    };
    Answer answer(const catalog::Json& call);

    void take(catalog::Catalog catalog);
    /// A model of the person's own beside the catalog's, until the next take().
    void add(catalog::Model model);
    void add(catalog::QuantizationFormat quantization);
    bool has_catalog() const { return has_catalog_; }
    const catalog::Catalog& catalog() const { return catalog_; }

private:
    catalog::Catalog catalog_;
    bool has_catalog_ = false;
};

}  // namespace vramscope::bindings
