// Numbers of ggml.h and llama.h (commits in the header).
#include "formats/ggml_types.h"

#include <catch2/catch_test_macros.hpp>

#include "support/oracle_headers.h"

using namespace vramscope;
using namespace vramscope::formats;

TEST_CASE("ggml's numbers, both ways, and a size for each") {
    CHECK(storage_type_from_ggml(0) == StorageType::f32);
    CHECK(storage_type_from_ggml(12) == StorageType::q4_k);
    CHECK(storage_type_from_ggml(30) == StorageType::bf16);
    CHECK(storage_type_from_ggml(39) == StorageType::mxfp4);
    CHECK(storage_type_from_ggml(42) == StorageType::q2_0);
    const StorageTypeTable types = test::catalog_storage_types();
    int known = 0;
    for (std::uint32_t id = 0; id < 64; ++id) {
        const StorageType type = storage_type_from_ggml(id);
        if (type == StorageType::count_)
            continue;
        CHECK(ggml_id(type) == id);
        CHECK(types[type].block_bytes > 0);
        CHECK(foreign_ggml_type(id).name.empty());
        ++known;
    }
    CHECK(known == 35);
    CHECK(ggml_id(StorageType::f8_e4m3) == no_ggml_id);
}

TEST_CASE("Numbers that are no longer, or not yet, ggml's have names") {
    CHECK(foreign_ggml_type(31).name == "Q4_0_4_4");
    CHECK(foreign_ggml_type(137).name == "IQ2_K");
    CHECK(foreign_ggml_type(1000).name.empty());
}

TEST_CASE("File types name mixtures") {
    CHECK(mixture_from_file_type(15) == Mixture::q4_k_m);
    CHECK(mixture_from_file_type(7) == Mixture::q8_0);
    CHECK(mixture_from_file_type(30) == Mixture::iq4_xs);
    CHECK(mixture_from_file_type(32) == Mixture::bf16);
    CHECK(mixture_from_file_type(38) == Mixture::mxfp4_moe);
    CHECK(mixture_from_file_type(4) == Mixture::count_);
    CHECK(mixture_from_file_type(-1) == Mixture::count_);
    CHECK(mixture_from_file_type(1'000'000) == Mixture::count_);
}
