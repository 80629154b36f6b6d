#include "core/storage_type.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

StorageTypeTable one_type(StorageType type, BlockFormat format) {
    StorageTypeTable table;
    table.formats[static_cast<std::size_t>(type)] = format;
    return table;
}

} // namespace

TEST_CASE("Storage types have the names of ggml, in any case") {
    for (std::size_t i = 0; i < storage_type_count; ++i) {
        const auto type = static_cast<StorageType>(i);
        CHECK(storage_type_from_name(name(type)) == type);
    }
    CHECK(name(StorageType::q4_k) == "q4_k");
    CHECK(name(StorageType::iq2_xxs) == "iq2_xxs");
    CHECK(storage_type_from_name("q6_K") == StorageType::q6_k);
    CHECK(storage_type_from_name("MXFP4") == StorageType::mxfp4);
    CHECK(storage_type_from_name("q4_k_m") == StorageType::count_);
    CHECK(storage_type_from_name("") == StorageType::count_);
    CHECK(name(StorageType::count_).empty());
}

TEST_CASE("A row takes whole blocks") {
    // ggml-common.h: block_q4_K packs 256 elements into 144 bytes.
    const StorageTypeTable table = one_type(StorageType::q4_k, {256, 144});
    CHECK(table.row_bytes(StorageType::q4_k, 4096) == 2304);
    CHECK(table.row_bytes(StorageType::q4_k, 4097) == 2304 + 144);
    CHECK(table.row_bytes(StorageType::q4_k, 0) == 0);
    CHECK(table.bits_per_element(StorageType::q4_k) == 4.5);
    CHECK(table.row_bytes(StorageType::q5_k, 4096) == 0); // not described
    CHECK(table.bits_per_element(StorageType::q5_k) == 0.0);
}
