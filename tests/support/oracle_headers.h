// The synthetic GGUF files that the engine loaded, written again from tests/reference/
// oracle_headers.txt, which says what each holds.
#pragma once

#include <string>
#include <vector>

#include "core/storage_type.h"
#include "support/gguf_writer.h"

namespace vramscope::test {

struct OracleHeader {
    std::string model;
    std::string quantization; ///< "Q4_K_M"
    std::vector<std::string> lines;
};

std::vector<OracleHeader> read_oracle_headers();
/// Puts the header into a writer whose version and byte order are set.
void write_oracle_header(const OracleHeader& header, const StorageTypeTable& types,
                         GgufWriter& writer);

/// catalog/quantization.json's sizes.
StorageTypeTable catalog_storage_types();

} // namespace vramscope::test
