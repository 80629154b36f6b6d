#include "formats/split_names.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope::formats;

TEST_CASE("Names of parts") {
    const SplitName split = split_name("Qwen3-235B-Q4_K_M-00002-of-00003.gguf");
    CHECK(split.stem == "Qwen3-235B-Q4_K_M");
    CHECK(split.part == 2);
    CHECK(split.parts == 3);
    CHECK(split.end == ".gguf");
    CHECK(part_name(split, 1) == "Qwen3-235B-Q4_K_M-00001-of-00003.gguf");
    for (const char* whole :
         {"model.gguf", "a-1-of-2.gguf", "-00001-of-00002", "x-00003-of-00002.gguf",
          "x-00000-of-00002.gguf", "x-0000a-of-00002.gguf", "-of-", ""}) {
        INFO(whole);
        CHECK(split_name(whole).parts == (std::string_view(whole).starts_with("-0") ? 2 : 1));
    }
}
