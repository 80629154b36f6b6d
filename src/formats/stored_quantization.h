// How a safetensors checkpoint packs its weights: what its config says, and what its tensors show.
//
// Packed tensors hold several numbers to an element and bring scales along; parameters are counted
// unpacked, and without scales. Source of the layouts: the config of published checkpoints, vLLM
// vllm/model_executor/layers/quantization/, compressed-tensors, AutoAWQ, GPTQModel, bitsandbytes,
// mlx-lm, exllamav2 and v3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/json_reader.h"
#include "formats/weight_file.h"

namespace vramscope::formats {

enum class Packing : std::uint8_t {
    none,      ///< plain numbers: BF16, F16, F32
    fp8,       ///< F8_E4M3 with scales by tensor or channel
    fp8_block, ///< F8_E4M3 with a scale per block (DeepSeek)
    int8,      ///< compressed-tensors or plain INT8 with scales
    nvfp4,
    mxfp4,
    mxfp8,
    awq,
    gptq,
    compressed_int4, ///< compressed-tensors pack-quantized
    bitsandbytes_4bit,
    bitsandbytes_8bit,
    mlx, ///< MLX groups, affine or MX modes
    exl2,
    exl3,
    hqq,
    unknown
};

struct StoredQuantization {
    Packing packing = Packing::none;
    double bits = 16;            ///< of one weight, without scales
    std::int32_t group_size = 0; ///< weights that share a scale, 0 = not grouped
    std::string dtype = "BF16";  ///< of the plain tensors
    std::string method;          ///< quant_method as written

    /// Id of the catalog's quantisation ("awq", "fp8-block", "bf16"); empty when it has none.
    std::string catalog_id() const;
    std::string name() const; ///< "AWQ, 4 bits, groups of 128"
};

/// From a config: `quantization_config` (or `quantization`, MLX) and the dtype. Faults for values
/// that make no sense.
StoredQuantization read_quantization_config(const catalog::JsonReader& config);
/// From ModelOpt's hf_quant_config.json.
void read_modelopt_config(const catalog::JsonReader& file, StoredQuantization& quantization);
/// What tensor names and dtypes show, where a config is missing or says less.
void detect_packing(const std::vector<FileTensor>& tensors, StoredQuantization& quantization);

/// Weights of all tensors, unpacked, without scales, zero points and index lists.
std::int64_t count_unpacked(const std::vector<FileTensor>& tensors,
                            const StoredQuantization& quantization);

} // namespace vramscope::formats
