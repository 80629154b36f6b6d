#include "support/files.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>

namespace vramscope::test {

std::string read_file(std::string_view path) {
    const std::string full = std::string(VRAMSCOPE_SOURCE_DIR) + "/" + std::string(path);
    INFO(full);
    std::ifstream file(full, std::ios::binary);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace vramscope::test
