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
/// "bytes": …} says what to bring next, {"state": "done", "kind": "model", "wanted": []} that
/// the file is read, and which parts and shards are still missing.
/// No bytes (length 0) mean that there are no more.
char* vs_inspect_feed(const unsigned char* bytes, std::size_t length);
/// What the files hold together (formats/inspection.h, inspection_json), with `entry`, the draft of
/// a catalog entry, `wanted`, the names of further parts and shards, `model`, the model as a link
/// writes it out ("" without an architecture), and `fields`, what to ask for besides.
char* vs_inspect_result();
/// What a pasted text stands for (formats/hub_links.h): {"text": …, "hubs": catalog/hubs.json} ->
/// the link, with `files` or with `list_url` to ask for the list of files.
char* vs_inspect_link(const char* json, std::size_t length);
/// The same with "list", what list_url answered -> {"choices": […], "picked": index or -1}.
char* vs_inspect_choices(const char* json, std::size_t length);
}
