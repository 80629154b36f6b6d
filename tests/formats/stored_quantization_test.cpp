// How checkpoints pack their weights, as their configs say and their tensors show. Layouts: the
// configs of configs.json, AutoAWQ, GPTQModel, bitsandbytes, compressed-tensors, mlx-lm.
#include "formats/stored_quantization.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "formats/safetensors_reader.h"
#include "support/catalog.h"

using namespace vramscope;
using namespace vramscope::formats;

namespace {

StoredQuantization config(const std::string& text) {
    const auto json = catalog::parse_json(text, "config.json");
    REQUIRE(json);
    catalog::JsonFaults faults;
    const StoredQuantization q =
        read_quantization_config(catalog::JsonReader(*json, "config.json", faults));
    CHECK(faults.empty());
    return q;
}
StoredQuantization method(const std::string& fields) {
    return config(R"({"torch_dtype":"bfloat16","quantization_config":{)" + fields + "}}");
}

FileTensor tensor(std::string name, std::string_view type, std::int64_t columns,
                  std::int64_t rows = 1) {
    FileTensor t;
    t.name = std::move(name);
    t.type_name = type;
    t.shape = {columns, rows, 1, 1};
    t.bytes = columns * rows;
    return t;
}

struct Shown {
    std::string id;
    std::int64_t weights;
};
Shown shown_by(const std::vector<FileTensor>& tensors) {
    StoredQuantization q;
    detect_packing(tensors, q);
    return {q.catalog_id(), count_unpacked(tensors, q)};
}

} // namespace

TEST_CASE("The config names the format") {
    CHECK(config("{}").catalog_id() == "bf16");
    CHECK(config(R"({"torch_dtype":"float16"})").catalog_id() == "fp16");
    CHECK(method(R"("quant_method":"fp8","weight_block_size":[128,128])").catalog_id() ==
          "fp8-block");
    CHECK(method(R"("quant_method":"fp8")").catalog_id() == "fp8");
    CHECK(method(R"("quant_method":"mxfp4")").catalog_id() == "mxfp4");
    CHECK(method(R"("quant_method":"awq","bits":4,"group_size":128)").name() ==
          "AWQ, 4 bits, groups of 128");
    CHECK(method(R"("quant_method":"gptq","bits":4,"group_size":128)").catalog_id() == "gptq-int4");
    CHECK(method(R"("quant_method":"gptq","bits":8,"group_size":-1)").catalog_id() == "gptq-int8");
    CHECK(method(R"("quant_method":"bitsandbytes","load_in_4bit":true)").catalog_id() == "bnb-nf4");
    CHECK(method(R"("quant_method":"bitsandbytes","load_in_4bit":true,)"
                 R"("bnb_4bit_use_double_quant":true)")
              .catalog_id() == "bnb-nf4-dq");
    CHECK(method(R"("quant_method":"bitsandbytes","load_in_8bit":true)").catalog_id() ==
          "bnb-int8");
    CHECK(method(R"("quant_method":"exl2","bits":4.0)").catalog_id() == "exl2-4.0");
    CHECK(method(R"("quant_method":"exl3","bits":2.5)").catalog_id() == "exl3-2.5");
    CHECK(method(R"("quant_algo":"NVFP4")").catalog_id() == "nvfp4");
    CHECK(method(R"("quant_algo":"FP8")").catalog_id() == "fp8");
    const std::string groups = R"("quant_method":"compressed-tensors","config_groups":{"g":{)"
                               R"("weights":{"num_bits":)";
    CHECK(method(groups + R"(4,"type":"int","group_size":32}}})").catalog_id() == "int4-g32");
    CHECK(method(groups + R"(4,"type":"int","group_size":128}}})").catalog_id() == "w4a16");
    CHECK(method(groups + R"(8,"type":"int","group_size":null}}})").catalog_id() == "int8");
    CHECK(method(groups + R"(8,"type":"float","group_size":null}}})").catalog_id() == "fp8");
    CHECK(method(groups + R"(4,"type":"float","group_size":16}}})").catalog_id() == "nvfp4");
    CHECK(config(R"({"quantization":{"group_size":64,"bits":4}})").catalog_id() == "mlx-4bit");
    CHECK(config(R"({"quantization":{"group_size":32,"bits":4,"mode":"mxfp4"}})").catalog_id() ==
          "mlx-mxfp4");
    CHECK(method(R"("quant_method":"new-thing","bits":3)").name() ==
          "new-thing (not known), 3 bits");
}

TEST_CASE("Every id that comes out is one of the catalog's") {
    for (const char* id :
         {"bf16",    "fp16",       "f32",      "fp8",       "fp8-block", "int8",     "nvfp4",
          "mxfp4",   "mxfp8",      "awq",      "gptq-int4", "gptq-int8", "w4a16",    "int4-g32",
          "bnb-nf4", "bnb-nf4-dq", "bnb-int8", "mlx-4bit",  "mlx-mxfp4", "exl2-4.0", "exl3-2.5"}) {
        INFO(id);
        CHECK(test::shared_catalog().find_quantization(id) != nullptr);
    }
}

TEST_CASE("The tensors show the format, and count unpacked without what goes with them") {
    const std::int64_t weights = 4096LL * 1024; // one matrix of 4,096 inputs and 1,024 outputs
    const Shown plain = shown_by({tensor("l.weight", "BF16", 4096, 1024)});
    CHECK(plain.id == "bf16");
    CHECK(plain.weights == weights);
    const Shown awq =
        shown_by({tensor("l.qweight", "I32", 128, 4096), tensor("l.qzeros", "I32", 128, 32),
                  tensor("l.scales", "F16", 1024, 32)});
    CHECK(awq.id == "awq");
    CHECK(awq.weights == weights);
    const Shown gptq =
        shown_by({tensor("l.qweight", "I32", 1024, 512), tensor("l.qzeros", "I32", 128, 32),
                  tensor("l.scales", "F16", 1024, 32), tensor("l.g_idx", "I32", 4096)});
    CHECK(gptq.id == "gptq-int4");
    CHECK(gptq.weights == weights);
    const Shown block = shown_by(
        {tensor("l.weight", "F8_E4M3", 4096, 1024), tensor("l.weight_scale_inv", "F32", 32, 8)});
    CHECK(block.id == "fp8-block");
    CHECK(block.weights == weights);
    const Shown fp8 =
        shown_by({tensor("l.weight", "F8_E4M3", 4096, 1024), tensor("l.weight_scale", "F32", 1),
                  tensor("l.input_scale", "F32", 1)});
    CHECK(fp8.id == "fp8");
    CHECK(fp8.weights == weights);
    const Shown nvfp4 = shown_by({tensor("l.weight_packed", "U8", 2048, 1024),
                                  tensor("l.weight_scale", "F8_E4M3", 256, 1024),
                                  tensor("l.weight_global_scale", "F32", 1)});
    CHECK(nvfp4.id == "nvfp4");
    CHECK(nvfp4.weights == weights);
    const Shown modelopt = shown_by({tensor("l.weight", "U8", 2048, 1024),
                                     tensor("l.weight_scale", "F8_E4M3", 256, 1024),
                                     tensor("l.weight_scale_2", "F32", 1)});
    CHECK(modelopt.id == "nvfp4");
    CHECK(modelopt.weights == weights);
    const Shown packed =
        shown_by({tensor("l.weight_packed", "I32", 512, 1024),
                  tensor("l.weight_scale", "BF16", 32, 1024), tensor("l.weight_shape", "I64", 2)});
    CHECK(packed.id == "w4a16");
    CHECK(packed.weights == weights);
    const Shown mxfp4 = shown_by({tensor("e.gate_up_proj_blocks", "U8", 16, 90 * 5760 * 32),
                                  tensor("e.gate_up_proj_scales", "U8", 90, 5760 * 32),
                                  tensor("e.gate_up_proj_bias", "BF16", 5760, 32)});
    CHECK(mxfp4.id == "mxfp4"); // gpt-oss-20b: 32 experts of 2,880 x 5,760 and a bias each
    CHECK(mxfp4.weights == 32LL * 2880 * 5760 + 32 * 5760);
    const Shown mlx =
        shown_by({tensor("l.weight", "U32", 512, 1024), tensor("l.scales", "BF16", 64, 1024),
                  tensor("l.biases", "BF16", 64, 1024)});
    CHECK(mlx.id == "mlx-4bit");
    CHECK(mlx.weights == weights);
    const Shown nf4 = shown_by({tensor("l.weight", "U8", 1, weights / 2),
                                tensor("l.weight.absmax", "F32", weights / 64),
                                tensor("l.weight.quant_map", "F32", 16),
                                tensor("l.weight.quant_state.bitsandbytes__nf4", "U8", 90)});
    CHECK(nf4.id == "bnb-nf4");
    CHECK(nf4.weights == weights);
    const Shown int8 = shown_by({tensor("l.weight", "I8", 4096, 1024), tensor("l.SCB", "F32", 1024),
                                 tensor("l.weight_format", "U8", 1)});
    CHECK(int8.id == "bnb-int8");
    CHECK(int8.weights == weights);
}
