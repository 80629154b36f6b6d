// The C face of the inspection module (inspect.mjs), which the page loads when a file is dropped.
//
// Every call answers with a NUL-terminated JSON text from malloc(), {"ok": …} or {"error": {code,
// where, message}}; the caller frees it. nullptr when there is no memory for it. One thread.
#pragma once

#include <cstddef>

extern "C" {

/// Starts anew. `json` is the catalog's storage types: {"q4_k": {"block_elements": 256,
/// "block_bytes": 144}, …}.
char* vs_inspect_start(const char* json, std::size_t length);
/// The next file: {"name": "model.gguf", "bytes": 40000000000}. Without `bytes` its size is
/// unknown. Answers as vs_inspect_feed().
char* vs_inspect_open(const char* json, std::size_t length);
/// Bytes of the open file, from the offset that was asked for: {"state": "more", "offset": …,
/// "bytes": …} says what to bring next, {"state": "done", "kind": "model"} that the file is read.
/// No bytes (length 0) mean that there are no more.
char* vs_inspect_feed(const unsigned char* bytes, std::size_t length);
/// What the files hold together (formats/inspection.h, inspection_json), with `entry`, the draft of
/// a catalog entry, and `wanted`, the names of further parts and shards.
char* vs_inspect_result();
}
