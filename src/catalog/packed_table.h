// Many objects with the same fields, written as one list of names and one list of values each.
//
//   {"fields": ["id", "provider", …],
//    "words": {"provider": ["Alibaba Qwen", …]},      fields whose values repeat: rows hold places
//    "rows": [["qwen3-8b", 0, …], …]}                 null or left out at the end: no such field
//
// A quarter of the bytes of the objects themselves, and still readable in an editor.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/json_reader.h"

namespace vramscope::catalog {

/// The table's JSON text, one row a line. Fields of an object that are not named are left out.
std::string pack_table(const std::vector<Json>& objects,
                       std::initializer_list<std::string_view> fields);

/// The objects of a table; faults where it is not one.
std::vector<Json> unpack_table(const JsonReader& table);

} // namespace vramscope::catalog
