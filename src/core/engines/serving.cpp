#include "core/engines/serving.h"

#include <algorithm>

namespace vramscope::serving {
namespace {

constexpr Bytes large_card = 70 * gib;

bool has_large_defaults(const EstimateRequest& request) {
    if (request.devices.empty())
        return false;
    const Device& device = request.devices[0];
    const bool a100 = device.name.find("A100") != std::string::npos;
    return device.memory_bytes >= large_card && !a100;
}

} // namespace

std::int64_t sequences(const EstimateRequest& request) {
    return request.options.n_seq.value_or(1);
}

std::int64_t max_num_seqs(const EstimateRequest& request) {
    return request.options.max_num_seqs.value_or(has_large_defaults(request) ? 1024 : 256);
}

std::int64_t max_batched_tokens(const EstimateRequest& request) {
    return request.options.max_num_batched_tokens.value_or(has_large_defaults(request) ? 8192
                                                                                       : 2048);
}

const VllmConstants& vllm_constants(const EstimateRequest& request) {
    return request.constants->vllm[static_cast<std::size_t>(request.vllm_version)];
}

Bytes visible_bytes(const EstimateRequest& request, const Device& device) {
    constexpr double stacked_memory_gb_per_s = 880; // as in core/speed.cpp
    const ServingConstants& constants = request.constants->serving;
    const bool corrected = device.hardware_class == HardwareClass::nvidia_datacenter &&
                           device.bandwidth_gb_per_s < stacked_memory_gb_per_s;
    const double share = corrected ? constants.visible_share_corrected : constants.visible_share;
    const auto visible = static_cast<Bytes>(share * static_cast<double>(device.memory_bytes));
    return std::min(visible, device.usable_bytes);
}

double layer_activation_bytes(const EstimateRequest& request, std::int32_t tensor_parallel,
                              double tokens) {
    const Architecture& architecture = *request.architecture;
    double widest = 0;
    for (const Layer& layer : architecture.layers) {
        const FeedForward& feed_forward = architecture.feed_forward(layer);
        const double width =
            static_cast<double>(feed_forward.n_ff) + feed_forward.n_ff_shared +
            static_cast<double>(feed_forward.n_experts_used) * feed_forward.n_ff_expert;
        widest = std::max(widest, width);
    }
    return 2.0 * tokens * (3.0 * widest / tensor_parallel + 3.0 * architecture.n_embd);
}

void lay_out_ranks(const EstimateRequest& request, const RankLayout& ranks, MemoryPlan& plan) {
    const std::size_t devices = std::min(request.devices.size(), max_devices);
    if (devices == 0) { // the host runs it
        plan.n_devices = 1;
        plan.host = 0;
        return;
    }
    const bool unified = request.devices[0].unified && ranks.ranks == 1;
    plan.n_devices = devices + (unified ? 0 : 1);
    plan.host = unified ? -1 : static_cast<std::int32_t>(devices);
}

void put(MemoryPlan& plan, std::int32_t device, Part part, const ByteRange& bytes,
         const char* formula, const char* source, std::initializer_list<Value> values) {
    if (bytes.high <= 0)
        return;
    Term term;
    term.part = part;
    term.device = device;
    term.bytes = bytes;
    term.formula = formula;
    term.source = source;
    for (const Value& value : values) {
        term.values[static_cast<std::size_t>(term.value_count)] = {value.symbol, value.value};
        ++term.value_count;
    }
    plan.put(term);
}

} // namespace vramscope::serving
