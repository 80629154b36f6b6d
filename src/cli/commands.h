// The tool's commands. Each writes its result to `out`, its messages to `err`, and gives the exit
// status: 0 done, 1 the request or the data has a fault, 2 the command line has one.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace vramscope::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_fault = 1;
inline constexpr int exit_usage = 2;

/// Runs the command line `arguments` (without the program's name). `in` serves `--batch -`.
int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err);

} // namespace vramscope::cli
