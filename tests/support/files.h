// Files of the repository, for tests.
#pragma once

#include <string>
#include <string_view>

namespace vramscope::test {

/// The content of a file named relative to the root of the repository. A test that cannot read its
/// data fails at once.
std::string read_file(std::string_view path);

} // namespace vramscope::test
