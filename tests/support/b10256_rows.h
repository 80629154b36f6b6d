// What llama.cpp b10256 allocates on a CUDA-like device (tests/reference/b10256_rows.txt:
// `model|options|MiB as JSON`, as printed; all logits), and the request of each row.
#pragma once

#include <string>
#include <vector>

#include "core/request.h"

namespace vramscope::test {

struct B10256Row {
    struct Place {
        double model = 0, context = 0, compute = 0; ///< MiB, two decimals
    };
    std::string name;          ///< as in the file
    std::string model;         ///< in oracle_models.json
    std::string options;       ///< "-c 8192 -ub 2048 …"
    std::vector<Place> places; ///< devices, then the host
};

std::vector<B10256Row> b10256_rows();

/// Fills everything of a request but the architecture and the catalog's tables.
void apply(const B10256Row& row, EstimateRequest& request);

} // namespace vramscope::test
