#include "formats/stored_quantization.h"

#include <algorithm>
#include <array>

#include "core/decimal.h"

namespace vramscope::formats {

using catalog::JsonReader;

namespace {

/// "bf16" … of a dtype as configs and safetensors spell it.
std::string plain_dtype(std::string_view text) {
    for (const auto& [spelling, name] : {std::pair{"bfloat16", "BF16"},
                                         {"BF16", "BF16"},
                                         {"float16", "F16"},
                                         {"F16", "F16"},
                                         {"half", "F16"},
                                         {"float32", "F32"},
                                         {"F32", "F32"}}) {
        if (text.ends_with(spelling)) // "torch.bfloat16"
            return name;
    }
    return {};
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The weights' scheme of the first of compressed-tensors' config_groups.
void read_config_group(const JsonReader& config, StoredQuantization& q) {
    const auto groups = config.object("config_groups");
    if (!groups)
        return;
    std::string type = "int";
    std::int32_t bits = 0;
    std::int32_t group = 0;
    bool seen = false;
    groups->for_each_member([&](const std::string&, const JsonReader& entry) {
        const auto weights = entry.object("weights");
        if (!weights)
            return;
        std::int32_t own_bits = 0;
        weights->field("num_bits", own_bits, 1, 32);
        // Mixed checkpoints: the narrowest layer names the format.
        if (own_bits == 0 || (seen && own_bits >= bits))
            return;
        seen = true;
        bits = own_bits;
        weights->field("type", type);
        group = 0;
        if (weights->has("group_size") && !weights->value()["group_size"].is_null())
            weights->field("group_size", group, -1, 1 << 20);
    });
    if (!seen)
        return;
    q.bits = bits;
    q.group_size = std::max(group, 0);
    const bool floats = type == "float";
    if (floats && bits == 4) {
        q.packing = group == 32 ? Packing::mxfp4 : Packing::nvfp4;
    } else if (floats) {
        q.packing = group == 32 ? Packing::mxfp8 : Packing::fp8;
    } else {
        q.packing = bits == 8 ? Packing::int8 : Packing::compressed_int4;
    }
}

void set_algorithm(std::string_view algorithm, StoredQuantization& q) {
    if (contains(algorithm, "NVFP4")) {
        q.packing = Packing::nvfp4;
        q.bits = 4;
        q.group_size = 16;
    } else if (contains(algorithm, "MXFP8")) {
        q.packing = Packing::mxfp8;
        q.bits = 8;
        q.group_size = 32;
    } else if (contains(algorithm, "MXFP4")) {
        q.packing = Packing::mxfp4;
        q.bits = 4;
        q.group_size = 32;
    } else if (contains(algorithm, "FP8_PB") || contains(algorithm, "FP8_BLOCK")) {
        q.packing = Packing::fp8_block;
        q.bits = 8;
        q.group_size = 128;
    } else if (contains(algorithm, "FP8")) {
        q.packing = Packing::fp8;
        q.bits = 8;
    } else if (contains(algorithm, "W4A16_AWQ") || contains(algorithm, "INT4_AWQ")) {
        q.packing = Packing::awq;
        q.bits = 4;
    } else if (contains(algorithm, "W8A8") || contains(algorithm, "INT8")) {
        q.packing = Packing::int8;
        q.bits = 8;
    }
}

/// MLX writes `quantization` with bits and group_size, and a mode for the MX formats.
void read_mlx(const JsonReader& config, StoredQuantization& q) {
    std::int32_t bits = 0;
    if (!config.field("bits", bits, 1, 16))
        return;
    q.packing = Packing::mlx;
    q.bits = bits;
    q.group_size = 64;
    config.field("group_size", q.group_size, 1, 65536);
    config.field("mode", q.method);
    if (q.method.empty())
        q.method = "affine";
}

void read_method(const JsonReader& config, StoredQuantization& q) {
    const std::string& method = q.method;
    std::int32_t bits = 0;
    if (method != "exl2" && method != "exl3") // widths in fractions
        config.field("bits", bits, 1, 16);
    config.field("w_bit", bits, 1, 16);
    std::int32_t group = 0;
    config.field("group_size", group, -1, 1 << 20);
    config.field("q_group_size", group, -1, 1 << 20);
    q.group_size = std::max(group, 0);
    if (method == "awq") {
        q.packing = Packing::awq;
        q.bits = bits > 0 ? bits : 4;
    } else if (method == "gptq" || method == "gptq_v2" || method == "auto-round" ||
               method == "autoround" || method == "intel/auto-round") {
        std::string packing;
        config.field("packing_format", packing);
        q.packing = contains(packing, "awq") ? Packing::awq : Packing::gptq;
        q.bits = bits > 0 ? bits : 4;
    } else if (method == "fp8" || method == "fbgemm_fp8") {
        q.packing = config.has("weight_block_size") ? Packing::fp8_block : Packing::fp8;
        q.bits = 8;
        q.group_size = q.packing == Packing::fp8_block ? 128 : 0;
    } else if (method == "mxfp4") {
        q.packing = Packing::mxfp4;
        q.bits = 4;
        q.group_size = 32;
    } else if (method == "bitsandbytes") {
        bool four = false;
        bool eight = false;
        config.field("load_in_4bit", four);
        config.field("load_in_8bit", eight);
        q.packing = eight && !four ? Packing::bitsandbytes_8bit : Packing::bitsandbytes_4bit;
        q.bits = q.packing == Packing::bitsandbytes_8bit ? 8 : 4;
        bool twice = false;
        config.field("bnb_4bit_use_double_quant", twice);
        if (twice)
            q.method = "bitsandbytes double";
    } else if (method == "exl2" || method == "exl3") {
        q.packing = method == "exl2" ? Packing::exl2 : Packing::exl3;
        double width = 4;
        config.field("bits", width, 1.0, 16.0);
        q.bits = width;
    } else if (method == "hqq") {
        q.packing = Packing::hqq;
        q.bits = bits > 0 ? bits : 4;
    } else if (!method.empty() && method != "compressed-tensors" && method != "modelopt" &&
               method != "modelopt_fp4") {
        q.packing = Packing::unknown;
        q.bits = bits > 0 ? bits : 16;
    }
}

/// Tensors that go with packed weights and hold none themselves.
bool is_side_tensor(std::string_view name) {
    static constexpr auto ends = std::to_array<std::string_view>({".weight_scale",
                                                                  ".weight_scale_inv",
                                                                  ".weight_scale_2",
                                                                  ".weight_global_scale",
                                                                  ".input_scale",
                                                                  ".input_global_scale",
                                                                  ".scale",
                                                                  ".scales",
                                                                  ".qzeros",
                                                                  ".g_idx",
                                                                  ".absmax",
                                                                  ".nested_absmax",
                                                                  ".quant_map",
                                                                  ".nested_quant_map",
                                                                  ".SCB",
                                                                  ".weight_format",
                                                                  ".weight_shape",
                                                                  ".weight_zero_point",
                                                                  ".weight_g_idx",
                                                                  "_scales",
                                                                  "_scale_inv",
                                                                  ".k_scale",
                                                                  ".v_scale",
                                                                  ".kv_scale",
                                                                  ".q_scale",
                                                                  ".q_scale_max",
                                                                  ".q_groups",
                                                                  ".q_group_map",
                                                                  ".q_perm",
                                                                  ".q_invperm",
                                                                  ".suh",
                                                                  ".svh",
                                                                  ".mcg",
                                                                  ".mul1",
                                                                  ".rotary_emb.inv_freq",
                                                                  "k_proj.output_scale",
                                                                  "v_proj.output_scale",
                                                                  ".activation_scale"});
    return contains(name, ".quant_state.") ||
           std::any_of(ends.begin(), ends.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

class Siblings {
public:
    explicit Siblings(const std::vector<FileTensor>& tensors) {
        sorted_.reserve(tensors.size());
        for (const FileTensor& tensor : tensors)
            sorted_.push_back(&tensor);
        std::sort(sorted_.begin(), sorted_.end(),
                  [](const FileTensor* a, const FileTensor* b) { return a->name < b->name; });
    }
    const FileTensor* find(const std::string& name) const {
        const auto found =
            std::lower_bound(sorted_.begin(), sorted_.end(), name,
                             [](const FileTensor* a, const std::string& b) { return a->name < b; });
        return found != sorted_.end() && (*found)->name == name ? *found : nullptr;
    }

private:
    std::vector<const FileTensor*> sorted_;
};

std::int64_t times(std::int64_t elements, double factor) {
    return static_cast<std::int64_t>(static_cast<double>(elements) * factor + 0.5);
}

/// Weights in one tensor.
std::int64_t unpacked(const FileTensor& tensor, const Siblings& all, const StoredQuantization& q) {
    const std::string& name = tensor.name;
    if (is_side_tensor(name))
        return 0;
    const std::string stem = name.substr(0, name.rfind('.'));
    const bool words = tensor.type_name == "I32" || tensor.type_name == "U32";
    const bool octets = tensor.type_name == "U8" || tensor.type_name == "I8";
    if (name.ends_with(".qweight") && words) {
        // AWQ packs along the outputs, GPTQ along the inputs, which the scales or g_idx count.
        if (const FileTensor* index = all.find(stem + ".g_idx"))
            return mul(index->elements(), tensor.shape[0]);
        if (const FileTensor* scales = all.find(stem + ".scales");
            scales && q.packing == Packing::awq)
            return mul(scales->shape[0], tensor.shape[1]);
        return times(tensor.elements(), 32 / q.bits);
    }
    if (name.ends_with(".weight_packed"))
        return times(tensor.elements(), (words ? 32 : 8) / q.bits);
    if (name.ends_with("_blocks") && octets)
        return tensor.elements() * 2;
    if (name.ends_with(".biases") && all.find(stem + ".scales") != nullptr)
        return 0;
    if (name.ends_with(".weight") && words) { // MLX; layers may differ in width
        const FileTensor* scales = all.find(stem + ".scales");
        if (scales != nullptr && q.group_size > 0)
            return mul(scales->elements(), q.group_size);
        return times(tensor.elements(), 32 / q.bits);
    }
    if (name.ends_with(".weight") && tensor.type_name == "U8" &&
        (q.packing == Packing::nvfp4 || q.packing == Packing::bitsandbytes_4bit ||
         q.packing == Packing::mxfp4)) {
        return tensor.elements() * 2;
    }
    if (tensor.type_name == "I8" && name.ends_with(".weight") && q.packing == Packing::mxfp4)
        return tensor.elements() * 2;
    if (name.ends_with(".trellis")) // tiles of 16 x 16, bits * 16 half-words each
        return times(tensor.elements(), 16 / q.bits);
    if (name.ends_with(".q_weight")) // groups of several widths: the mean
        return times(tensor.elements(), 32 / q.bits);
    return tensor.elements();
}

} // namespace

std::string StoredQuantization::catalog_id() const {
    const int whole = static_cast<int>(bits);
    switch (packing) {
    case Packing::none:
        return dtype == "F32" ? "f32" : dtype == "F16" ? "fp16" : "bf16";
    case Packing::fp8:
        return "fp8";
    case Packing::fp8_block:
        return "fp8-block";
    case Packing::int8:
        return "int8";
    case Packing::nvfp4:
        return "nvfp4";
    case Packing::mxfp4:
        return "mxfp4";
    case Packing::mxfp8:
        return "mxfp8";
    case Packing::awq:
        return whole == 4 ? "awq" : "";
    case Packing::gptq:
        return whole == 4 ? "gptq-int4" : whole == 8 ? "gptq-int8" : "";
    case Packing::compressed_int4:
        return whole != 4 ? "" : group_size == 32 ? "int4-g32" : "w4a16";
    case Packing::bitsandbytes_4bit:
        return method == "bitsandbytes double" ? "bnb-nf4-dq" : "bnb-nf4";
    case Packing::bitsandbytes_8bit:
        return "bnb-int8";
    case Packing::mlx:
        return method == "affine" ? "mlx-" + std::to_string(whole) + "bit" : "mlx-" + method;
    case Packing::exl2:
    case Packing::exl3: {
        std::string width = shortest_text(bits);
        if (!contains(width, "."))
            width += ".0";
        return (packing == Packing::exl2 ? "exl2-" : "exl3-") + width;
    }
    case Packing::hqq:
    case Packing::unknown:
        break;
    }
    return {};
}

std::string StoredQuantization::name() const {
    static constexpr auto names =
        std::to_array<const char*>({"", "FP8", "FP8 in blocks", "INT8", "NVFP4", "MXFP4", "MXFP8",
                                    "AWQ", "GPTQ", "compressed-tensors INT4", "bitsandbytes 4-bit",
                                    "bitsandbytes 8-bit", "MLX", "EXL2", "EXL3", "HQQ", "unknown"});
    if (packing == Packing::none)
        return dtype;
    std::string text = names[static_cast<std::size_t>(packing)];
    if (packing == Packing::unknown && !method.empty())
        text = shown(method, 24) + " (not known)";
    if (packing == Packing::mlx && method != "affine")
        text += " " + shown(method, 16);
    text += ", " + shortest_text(bits) + " bits";
    if (group_size > 0)
        text += ", groups of " + std::to_string(group_size);
    return text;
}

StoredQuantization read_quantization_config(const JsonReader& config) {
    StoredQuantization q;
    std::string dtype;
    if (config.has("dtype") ? config.field("dtype", dtype) : config.field("torch_dtype", dtype)) {
        if (std::string plain = plain_dtype(dtype); !plain.empty())
            q.dtype = std::move(plain);
    }
    if (const auto mlx = config.object("quantization"); mlx && mlx->has("group_size")) {
        read_mlx(*mlx, q);
        return q;
    }
    const auto own = config.object("quantization_config");
    if (!own)
        return q;
    own->field("quant_method", q.method);
    read_method(*own, q);
    read_config_group(*own, q);
    std::string format;
    if (own->field("format", format) && contains(format, "mxfp4"))
        q.packing = Packing::mxfp4;
    std::string algorithm;
    for (const char* key : {"quant_algo", "moe_quant_algo"}) {
        if (own->field(key, algorithm))
            set_algorithm(algorithm, q);
    }
    return q;
}

void read_modelopt_config(const JsonReader& file, StoredQuantization& q) {
    const auto inner = file.object("quantization");
    if (!inner)
        return;
    std::string algorithm;
    if (inner->field("quant_algo", algorithm))
        set_algorithm(algorithm, q);
    inner->field("group_size", q.group_size, 0, 65536);
}

void detect_packing(const std::vector<FileTensor>& tensors, StoredQuantization& q) {
    Bytes f8 = 0;
    Bytes plain_bytes = 0;
    std::array<Bytes, 3> plain{}; // BF16, F16, F32
    bool blocks = false, packed_f4 = false, index = false, qweight = false, zeros = false;
    bool mlx = false, bnb4 = false, bnb8 = false, trellis = false, exl2 = false, scale_2 = false;
    bool compressed = false, moe_blocks = false, hqq = false;
    for (const FileTensor& tensor : tensors) {
        const std::string_view name = tensor.name;
        if (tensor.type_name == "F8_E4M3" && !contains(name, "scale"))
            f8 = add(f8, tensor.bytes);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            if (tensor.type_name == std::array{"BF16", "F16", "F32"}[i]) {
                plain[i] = add(plain[i], tensor.bytes);
                plain_bytes = add(plain_bytes, tensor.bytes);
            }
        }
        blocks = blocks || name.ends_with("weight_scale_inv");
        scale_2 =
            scale_2 || name.ends_with(".weight_scale_2") || name.ends_with(".weight_global_scale");
        packed_f4 = packed_f4 || (name.ends_with(".weight_packed") && tensor.type_name == "U8");
        compressed = compressed || (name.ends_with(".weight_packed") && tensor.type_name == "I32");
        index = index || name.ends_with(".g_idx");
        qweight = qweight || name.ends_with(".qweight");
        zeros = zeros || name.ends_with(".qzeros");
        mlx = mlx || (name.ends_with(".weight") && tensor.type_name == "U32");
        bnb4 = bnb4 || contains(name, ".quant_state.bitsandbytes__");
        bnb8 = bnb8 || name.ends_with(".SCB");
        trellis = trellis || name.ends_with(".trellis");
        exl2 = exl2 || name.ends_with(".q_weight");
        moe_blocks = moe_blocks || name.ends_with("_blocks");
        hqq = hqq || name.ends_with(".W_q");
    }
    if (plain_bytes > 0) {
        const auto most = std::max_element(plain.begin(), plain.end()) - plain.begin();
        q.dtype = std::array{"BF16", "F16", "F32"}[static_cast<std::size_t>(most)];
    }
    if (q.packing != Packing::none)
        return;
    const auto set = [&](Packing packing, double bits, std::int32_t group) {
        q.packing = packing;
        q.bits = bits;
        q.group_size = group;
    };
    if (packed_f4 || (scale_2 && f8 == 0 && !qweight)) {
        set(Packing::nvfp4, 4, 16);
    } else if (compressed) {
        set(Packing::compressed_int4, 4, 128);
    } else if (qweight) {
        set(index || !zeros ? Packing::gptq : Packing::awq, 4, 128);
    } else if (moe_blocks) {
        set(Packing::mxfp4, 4, 32);
    } else if (mlx) {
        set(Packing::mlx, 4, 64);
        q.method = "affine";
    } else if (bnb4) {
        set(Packing::bitsandbytes_4bit, 4, 64);
    } else if (bnb8) {
        set(Packing::bitsandbytes_8bit, 8, 0);
    } else if (trellis) {
        set(Packing::exl3, 4, 0);
    } else if (exl2) {
        set(Packing::exl2, 4, 0);
    } else if (hqq) {
        set(Packing::hqq, 4, 64);
    } else if (f8 > 0) {
        set(blocks ? Packing::fp8_block : Packing::fp8, 8, blocks ? 128 : 0);
    }
}

std::int64_t count_unpacked(const std::vector<FileTensor>& tensors, const StoredQuantization& q) {
    const Siblings all(tensors);
    std::int64_t sum = 0;
    for (const FileTensor& tensor : tensors)
        sum = add(sum, unpacked(tensor, all, q));
    return sum;
}

} // namespace vramscope::formats
