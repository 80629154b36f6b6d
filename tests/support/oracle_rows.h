// Rows of what llama.cpp itself allocates (oracle_rows.txt, see pack_oracle_rows.py), and the
// request that each one stands for.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/request.h"

namespace vramscope::test {

struct OracleRow {
    std::string suite, model, weights, n_gpu_layers, type_k, type_v, tensor_split, split_mode;
    std::int64_t n_ctx = 0;
    std::int32_t n_ubatch = 0, n_batch = 0, n_seq = 0, n_outputs_max = 0, devices = 1;
    std::int32_t n_rs_seq = 0, splits = 0, cut_to_layers = 0;
    bool kv_unified = false, flash_attn = false, swa_full = false, offload_kqv = true;
    bool op_offload = true, embeddings = false, load_mtp = false, mtp_context = false;
    /// Bytes by part (weights, cache and state, compute) and place (device 0 … 2, host).
    std::array<std::array<Bytes, 4>, 3> bytes{};
    Bytes output = 0; ///< as printed: MiB with two decimals

    bool is_cpu() const { return n_gpu_layers == "cpu"; }
};

/// All rows of the packed text.
std::vector<OracleRow> read_oracle_rows(std::string_view text);

/// Fills everything of a request but the architecture and the catalog's tables.
void apply(const OracleRow& row, EstimateRequest& request);

} // namespace vramscope::test
