// SHA-256 (FIPS 180-4), for the content hash of a snapshot.
#pragma once

#include <string>
#include <string_view>

namespace vramscope::catalog {

/// 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

} // namespace vramscope::catalog
