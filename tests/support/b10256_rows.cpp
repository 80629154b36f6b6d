#include "support/b10256_rows.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <sstream>

#include "support/files.h"

namespace vramscope::test {
namespace {

/// The number behind `"key":` in `text`, from `from` on.
double number_after(const std::string& text, const std::string& key, std::size_t from) {
    const std::size_t at = text.find("\"" + key + "\":", from);
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + key.size() + 3));
}

void read_options(const std::string& text, Options& options, std::size_t& gpus) {
    std::istringstream fields(text);
    for (std::string field; fields >> field;) {
        const auto value = [&] {
            std::string next;
            fields >> next;
            return next;
        };
        if (field == "-c")
            options.n_ctx = std::stoll(value());
        else if (field == "-ub")
            options.n_ubatch = std::stoi(value());
        else if (field == "-fa")
            options.flash_attn = value() == "off" ? FlashAttention::off : FlashAttention::on;
        else if (field == "-ctk")
            options.type_k = storage_type_from_name(value());
        else if (field == "-ctv")
            options.type_v = storage_type_from_name(value());
        else if (field == "-np")
            options.n_seq = std::stoi(value());
        else if (field == "-kvu")
            options.kv_unified = true;
        else if (field == "-swa-full")
            options.swa_full = true;
        else if (field == "-ngl")
            options.n_gpu_layers = std::stoi(value());
        else if (field == "-gpus")
            gpus = std::stoul(value());
        else
            FAIL("unknown option " << field);
    }
}

} // namespace

std::vector<B10256Row> b10256_rows() {
    static const std::map<std::string, std::string> models = {{"llama31-8b", "llama-3.1-8b"},
                                                              {"glm4-9b", "glm4-9b-0414"},
                                                              {"qwen3-8b", "qwen3-8b"},
                                                              {"gemma3-12b", "gemma3-12b"},
                                                              {"dsv2-lite", "deepseek-v2-lite-mla"},
                                                              {"qwen35-27b", "qwen3.5-27b"}};
    std::vector<B10256Row> rows;
    std::istringstream lines(read_file("tests/reference/b10256_rows.txt"));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find('|');
        const std::size_t second = line.find('|', first + 1);
        REQUIRE(second != std::string::npos);
        B10256Row row;
        row.name = line.substr(0, first);
        row.model = models.at(row.name);
        row.options = line.substr(first + 1, second - first - 1);
        for (const char* place : {"GPU0", "GPU1", "Host"}) {
            const std::size_t from = line.find("\"" + std::string(place) + "\"", second);
            if (from == std::string::npos)
                continue;
            row.places.push_back({number_after(line, "model", from),
                                  number_after(line, "context", from),
                                  number_after(line, "compute", from)});
        }
        rows.push_back(row);
    }
    return rows;
}

void apply(const B10256Row& row, EstimateRequest& request) {
    request.weights.mixture = mixture_from_name("Q4_K_M");
    request.llama_cpp_version = LlamaCppVersion::b10256;
    request.options = Options{};
    request.options.n_seq = 1;
    request.options.n_outputs_max = 0; // all
    request.options.flash_attn = FlashAttention::on;
    std::size_t gpus = 1;
    read_options(row.options, request.options, gpus);
    Device device;
    device.backend = Backend::cuda;
    device.memory_bytes = device.usable_bytes = 64 * gib;
    request.devices.assign(gpus, device);
}

} // namespace vramscope::test
