#include "support/oracle_rows.h"

#include <charconv>

namespace vramscope::test {
namespace {

template <typename Number>
void read_number(std::string_view text, Number& value) {
    std::from_chars(text.data(), text.data() + text.size(), value);
}
void read_flag(std::string_view text, bool& value) {
    value = text == "1";
}

void read_bytes(std::string_view key, std::string_view text, OracleRow& row) {
    if (key.size() != 2)
        return; // the MTP context's own buffers are not compared here
    const std::size_t part = std::string_view("WKC").find(key[0]);
    const std::size_t place = std::string_view("012h").find(key[1]);
    if (part < 3 && place < 4)
        read_number(text, row.bytes[part][place]);
}

void read_field(char key, std::string_view text, OracleRow& row) {
    switch (key) {
    case 's':
        row.suite = text;
        break;
    case 'm':
        row.model = text;
        break;
    case 'w':
        row.weights = text;
        break;
    case 'g':
        row.n_gpu_layers = text;
        break;
    case 'k':
        row.type_k = text;
        break;
    case 'v':
        row.type_v = text;
        break;
    case 't':
        row.tensor_split = text;
        break;
    case 'l':
        row.split_mode = text;
        break;
    case 'c':
        read_number(text, row.n_ctx);
        break;
    case 'u':
        read_number(text, row.n_ubatch);
        break;
    case 'b':
        read_number(text, row.n_batch);
        break;
    case 'q':
        read_number(text, row.n_seq);
        break;
    case 'o':
        read_number(text, row.n_outputs_max);
        break;
    case 'd':
        read_number(text, row.devices);
        break;
    case 'r':
        read_number(text, row.n_rs_seq);
        break;
    case 'n':
        read_number(text, row.splits);
        break;
    case 'j':
        read_number(text, row.cut_to_layers);
        break;
    case 'i':
        read_flag(text, row.kv_unified);
        break;
    case 'f':
        read_flag(text, row.flash_attn);
        break;
    case 'a':
        read_flag(text, row.swa_full);
        break;
    case 'x':
        read_flag(text, row.offload_kqv);
        break;
    case 'p':
        read_flag(text, row.op_offload);
        break;
    case 'e':
        read_flag(text, row.embeddings);
        break;
    case 'y':
        read_flag(text, row.load_mtp);
        break;
    case 'z':
        read_flag(text, row.mtp_context);
        break;
    case 'O':
        read_number(text, row.output);
        break;
    default:
        break;
    }
}

} // namespace

std::vector<OracleRow> read_oracle_rows(std::string_view text) {
    std::vector<OracleRow> rows;
    OracleRow row;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty())
            continue;
        while (!line.empty()) {
            const std::size_t stop = std::min(line.find(' '), line.size());
            const std::string_view token = line.substr(0, stop);
            line.remove_prefix(std::min(stop + 1, line.size()));
            const std::size_t colon = token.find(':');
            if (colon == std::string_view::npos) {
                read_field(token[0], token.substr(1), row);
            } else {
                read_bytes(token.substr(0, colon), token.substr(colon + 1), row);
            }
        }
        rows.push_back(row);
    }
    return rows;
}

void apply(const OracleRow& row, EstimateRequest& request) {
    request.weights.mixture = mixture_from_name(row.weights);
    request.llama_cpp_version = row.suite == "v050"    ? LlamaCppVersion::v0_5_0
                                : row.suite == "b7324" ? LlamaCppVersion::b7324
                                                       : LlamaCppVersion::v0_7_0;
    Device device;
    device.backend = Backend::vulkan;
    device.memory_bytes = device.usable_bytes = 64 * gib;
    request.devices.assign(row.is_cpu() ? 0 : static_cast<std::size_t>(row.devices), device);

    Options& options = request.options;
    options = Options{};
    options.n_ctx = row.n_ctx;
    options.n_seq = row.n_seq;
    options.type_k = storage_type_from_name(row.type_k);
    options.type_v = storage_type_from_name(row.type_v);
    options.flash_attn = row.flash_attn ? FlashAttention::on : FlashAttention::off;
    options.n_batch = row.n_batch;
    options.n_ubatch = row.n_ubatch;
    options.n_outputs_max = row.n_outputs_max;
    if (!row.is_cpu()) {
        std::int32_t n = 0;
        read_number(row.n_gpu_layers, n);
        options.n_gpu_layers = n;
    }
    options.cpu_moe = row.suite == "cmoe";
    options.kv_unified = row.kv_unified;
    options.swa_full = row.swa_full;
    options.offload_kqv = row.offload_kqv;
    options.op_offload = row.op_offload;
    options.embeddings = row.embeddings;
    options.split_mode = row.split_mode == "none"     ? SplitMode::none
                         : row.split_mode == "row"    ? SplitMode::row
                         : row.split_mode == "tensor" ? SplitMode::tensor
                                                      : SplitMode::layer;
    std::string_view shares = row.tensor_split;
    while (!shares.empty() && shares != "-") {
        const std::size_t stop = std::min(shares.find(','), shares.size());
        std::int32_t share = 0;
        read_number(shares.substr(0, stop), share);
        options.tensor_split.push_back(share);
        shares.remove_prefix(std::min(stop + 1, shares.size()));
    }
}

} // namespace vramscope::test
