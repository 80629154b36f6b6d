#include "core/speed.h"

#include <algorithm>
#include <cmath>

#include "core/engines/llama_cpp_settings.h"

namespace vramscope {

const char* name(Limit limit) {
    switch (limit) {
    case Limit::bandwidth:
        return "bandwidth";
    case Limit::compute:
        return "compute";
    case Limit::launch:
        return "launch";
    case Limit::link:
        return "link";
    case Limit::memory:
    case Limit::count_:
        break;
    }
    return "memory";
}

RateRange quick_decode_rate(const EstimateRequest& request, const MemoryPlan& plan) {
    if (request.devices.empty())
        return {};
    const QuickConstants& constants = request.constants->quick;
    double read_gb = 0;
    double bandwidth = 0;
    for (std::size_t i = 0; i < request.devices.size(); ++i) {
        const PartBytes& parts = plan.devices[i];
        read_gb +=
            static_cast<double>(parts[Part::weights].expected + parts[Part::kv].expected) / 1e9;
        bandwidth += request.devices[i].bandwidth_gb_per_s;
    }
    // Devices take turns on a token: the mean bandwidth counts, not the sum.
    bandwidth /= static_cast<double>(request.devices.size());
    const auto hardware_class = static_cast<std::size_t>(request.devices[0].hardware_class);
    const double factor = request.weights.sixteen_bit ? 1.0 : constants.decode_factor_quantised;
    const double rate =
        read_gb > 0
            ? bandwidth * constants.decode_share_of_bandwidth[hardware_class] * factor / read_gb
            : 0.0;
    return {rate, rate, rate};
}

namespace {

Limit limit_of(DecodeCost cost) {
    switch (cost) {
    case DecodeCost::arithmetic:
    case DecodeCost::attention:
        return Limit::compute;
    case DecodeCost::layer:
    case DecodeCost::expert_layer:
    case DecodeCost::recurrent_layer:
    case DecodeCost::latent_layer:
        return Limit::launch;
    default:
        return Limit::bandwidth;
    }
}

Limit limit_of(PrefillCost cost) {
    switch (cost) {
    case PrefillCost::weights:
        return Limit::bandwidth;
    case PrefillCost::layer:
    case PrefillCost::expert_layer:
    case PrefillCost::recurrent_token:
        return Limit::launch;
    default:
        return Limit::compute;
    }
}

/// Flops per second that the constants refer to.
double compute_of(const Device& device, const SpeedConstants& constants) {
    const double tflops = device.fp16_tflops > 0
                              ? device.fp16_tflops * constants.compute_scale
                              : device.bandwidth_gb_per_s * constants.tflops_per_gb_per_s;
    return tflops * 1e12;
}

/// Flops per second that prompts are read with: a chip's nominal compute says too much between
/// classes (power limits, unused matrix units), its bandwidth too little; their geometric mean, in
/// units of 100 TFLOPS and 800 GB/s, orders the measured devices best.
double prompt_compute_of(const Device& device, const SpeedConstants& constants) {
    return std::sqrt(compute_of(device, constants) / 1e14 * device.bandwidth_gb_per_s / 800.0) *
           1e14;
}

double per_second(double amount, double rate) {
    return rate > 0 ? amount / rate : 0;
}

/// The host as a device of its own.
Device host_device(const Host& host) {
    Device device;
    device.hardware_class = HardwareClass::cpu;
    device.backend = Backend::cpu;
    device.bandwidth_gb_per_s = host.bandwidth_gb_per_s;
    return device;
}

/// Widens `step` by what a device adds: its range counts by its share of the time.
class Sum {
public:
    void add(const SpeedConstants& constants, const SpeedRange& range, double seconds) {
        low_ += range.low * seconds;
        high_ += range.high * seconds;
        total_ += seconds;
        if (!constants.calibrated && seconds > 0)
            calibrated_ = false;
    }
    void close(StepTime& step) const {
        if (total_ > 0)
            step.range = {low_ / total_, high_ / total_};
        step.calibrated = calibrated_;
        step.known = true;
    }

private:
    double low_ = 0;
    double high_ = 0;
    double total_ = 0;
    bool calibrated_ = true;
};

bool uses_flash_attention(const EstimateRequest& request) {
    return request.options.flash_attn != FlashAttention::off;
}

/// Hops between devices that take turns, or sums over devices that share layers.
double link_seconds(const EstimateRequest& request, const SpeedWork& work, double tokens) {
    const LinkConstants& link = request.constants->link;
    double gb_per_s = link.gb_per_s;
    if (!request.devices.empty() && request.devices[0].link_gb_per_s > 0)
        gb_per_s = request.devices[0].link_gb_per_s;
    const double bytes = work.hop_bytes_per_token * tokens;
    const double transfer = per_second(bytes, gb_per_s * 1e9);
    if (work.parallel > 1) {
        const double sums = 2.0 * static_cast<double>(request.architecture->n_layer());
        const double share = static_cast<double>(work.parallel - 1) / work.parallel;
        return sums * (link.all_reduce_microseconds * 1e-6 + 2.0 * share * transfer);
    }
    double busy = 0;
    for (std::int32_t i = 0; i < work.n_devices; ++i) {
        busy += work.devices[static_cast<std::size_t>(i)].layers > 0 ? 1.0 : 0.0;
    }
    // Layers or experts on the host: the hidden state goes there and back for each.
    const DeviceWork& host = work.host();
    double crossings = std::max(0.0, busy - 1.0);
    if (busy > 0 && host.layers > 0)
        crossings += 1.0;
    if (busy > 0 && host.layers <= 0 && host.expert_bytes > 0) {
        for (std::int32_t i = 0; i < work.n_devices; ++i)
            crossings += 2.0 * work.devices[static_cast<std::size_t>(i)].expert_layers;
    }
    return crossings * (link.hop_microseconds * 1e-6 + transfer);
}

} // namespace

double StepTime::seconds() const {
    double sum = 0;
    for (const double part : by_limit)
        sum += part;
    return sum;
}

Limit StepTime::limit() const {
    std::size_t most = 0;
    for (std::size_t i = 1; i < limit_count; ++i) {
        if (by_limit[i] > by_limit[most])
            most = i;
    }
    return static_cast<Limit>(most);
}

const SpeedConstants& speed_constants(const EstimateRequest& request, const Device& device) {
    // Data-centre boards with GDDR memory (T4, A10, A40, L4, L40S) carry the chips of professional
    // ones; those with stacked memory have other chips and more than 880 GB/s.
    constexpr double stacked_memory_gb_per_s = 880;
    HardwareClass hardware_class = device.hardware_class;
    if (hardware_class == HardwareClass::nvidia_datacenter &&
        device.bandwidth_gb_per_s < stacked_memory_gb_per_s) {
        hardware_class = HardwareClass::nvidia_professional;
    }
    if (hardware_class == HardwareClass::unified_memory && device.backend == Backend::cuda)
        return request.constants->speed[unified_cuda_slot];
    return request.constants->speed[static_cast<std::size_t>(hardware_class)];
}

DecodeCosts nominal_decode(const DeviceWork& work, const SpeedWork& model, const Device& device,
                           const SpeedConstants& constants, bool flash_attn, double depth,
                           double batch) {
    const double bandwidth = device.bandwidth_gb_per_s * 1e9 * model.parallel;
    const double compute = compute_of(device, constants) * model.parallel;
    const double cache = per_second(work.cache_bytes(depth) * batch, bandwidth);
    DecodeCosts out{};
    const auto set = [&](DecodeCost cost, double seconds) {
        out[static_cast<std::size_t>(cost)] = seconds;
    };
    set(DecodeCost::dense, per_second(work.dense_bytes, bandwidth));
    set(DecodeCost::expert, per_second(work.expert_bytes * model.experts_read(batch), bandwidth));
    set(flash_attn ? DecodeCost::kv : DecodeCost::kv_plain, cache);
    set(DecodeCost::state, per_second(2.0 * work.state_bytes * batch, bandwidth));
    set(DecodeCost::arithmetic,
        per_second(2.0 * (work.dense_weights + work.expert_weights), compute));
    set(DecodeCost::attention, per_second(work.attention_flops(depth) * batch, compute));
    set(DecodeCost::layer, work.layers * 1e-6);
    set(DecodeCost::expert_layer, work.expert_layers * 1e-6);
    set(DecodeCost::recurrent_layer, work.recurrent_layers * batch * 1e-6);
    set(DecodeCost::latent_layer, work.latent_layers * 1e-6);
    return out;
}

PrefillCosts nominal_prefill(const DeviceWork& work, const SpeedWork& model, const Device& device,
                             const SpeedConstants& constants, bool sixteen_bit, bool flash_attn,
                             double depth, double tokens, double ubatch) {
    const double bandwidth = device.bandwidth_gb_per_s * 1e9 * model.parallel;
    const double compute = prompt_compute_of(device, constants) * model.parallel;
    const auto whole = static_cast<std::int64_t>(std::max(1.0, ubatch));
    const auto steps =
        static_cast<double>(ceil_div(static_cast<std::int64_t>(std::max(1.0, tokens)), whole));
    // Only the last token of a prompt needs the head.
    const double dense =
        2.0 * ((work.dense_weights - work.head_weights) * tokens + work.head_weights);
    const double expert = 2.0 * work.expert_weights * tokens;
    PrefillCosts out{};
    const auto set = [&](PrefillCost cost, double seconds) {
        out[static_cast<std::size_t>(cost)] = seconds;
    };
    set(sixteen_bit ? PrefillCost::dense_16bit : PrefillCost::dense_quantised,
        per_second(dense, compute));
    set(sixteen_bit ? PrefillCost::expert_16bit : PrefillCost::expert_quantised,
        per_second(expert, compute));
    set(flash_attn ? PrefillCost::attention : PrefillCost::attention_plain,
        per_second(work.attention_flops(depth, tokens), compute));
    const double read =
        work.dense_bytes + work.expert_bytes * model.experts_read(std::min(tokens, ubatch));
    set(PrefillCost::weights, per_second(read * steps, bandwidth));
    set(PrefillCost::layer, work.layers * steps * 1e-6);
    set(PrefillCost::expert_layer, work.expert_layers * steps * 1e-6);
    set(PrefillCost::recurrent_token, work.recurrent_layers * tokens * 1e-9);
    return out;
}

StepTime decode_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                     double batch) {
    StepTime step;
    Sum sum;
    const bool flash_attn = uses_flash_attention(request);
    const auto add = [&](const DeviceWork& part, const Device& device) {
        if (part.is_idle())
            return true;
        const SpeedConstants& constants = speed_constants(request, device);
        if (device.bandwidth_gb_per_s <= 0 || constants.decode[0] <= 0)
            return false;
        DecodeCosts nominal =
            nominal_decode(part, work, device, constants, flash_attn, depth, batch);
        // Up to eight tokens are multiplied one by one, more in tiles at about the rate of a prompt
        // (the limit of the vector kernels in ggml-cuda/mmvq.cuh and ggml-metal).
        constexpr double few = 8;
        const auto arithmetic = static_cast<std::size_t>(DecodeCost::arithmetic);
        const double unpack = constants.decode[arithmetic] * nominal[arithmetic];
        const auto prompt = [&](PrefillCost with_16bit, PrefillCost quantised) {
            const PrefillCost kind = request.weights.sixteen_bit ? with_16bit : quantised;
            return constants.prefill[static_cast<std::size_t>(kind)];
        };
        const double flops =
            2.0 *
            (prompt(PrefillCost::dense_16bit, PrefillCost::dense_quantised) * part.dense_weights +
             prompt(PrefillCost::expert_16bit, PrefillCost::expert_quantised) *
                 part.expert_weights);
        const double multiply =
            constants.tile.cost * std::max(batch, constants.tile.tokens) *
            per_second(flops, prompt_compute_of(device, constants) * work.parallel);
        const double multiplied =
            std::max(unpack, batch <= few ? std::min(unpack * batch, multiply) : multiply);
        double seconds = 0;
        const auto put = [&](Limit limit, double cost) {
            step.by_limit[static_cast<std::size_t>(limit)] += cost;
            seconds += cost;
        };
        for (std::size_t i = 0; i < decode_cost_count; ++i) {
            put(limit_of(static_cast<DecodeCost>(i)),
                i == arithmetic ? multiplied : constants.decode[i] * nominal[i]);
        }
        if (batch > 1) { // stated for 800 GB/s: a slower device takes longer
            put(Limit::launch, part.expert_layers * constants.tile.expert_microseconds * 1e-6 *
                                   800.0 / device.bandwidth_gb_per_s);
        }
        // What a batch multiplies on top is as uncertain as a prompt.
        const double like_a_prompt = multiplied - unpack;
        sum.add(constants, constants.decode_range, seconds - like_a_prompt);
        sum.add(constants, constants.prefill_range, like_a_prompt);
        return true;
    };
    for (std::int32_t i = 0; i < work.n_devices; ++i) {
        if (!add(work.devices[static_cast<std::size_t>(i)],
                 request.devices[static_cast<std::size_t>(i)])) {
            return {};
        }
    }
    if (!add(work.host(), host_device(request.host)))
        return {};
    step.by_limit[static_cast<std::size_t>(Limit::link)] = link_seconds(request, work, batch);
    sum.close(step);
    step.known = step.seconds() > 0;
    return step;
}

StepTime prefill_step(const EstimateRequest& request, const SpeedWork& work, double depth,
                      double tokens) {
    StepTime step;
    Sum sum;
    const LlamaCppSettings settings = LlamaCppSettings::of(request);
    const double ubatch = settings.n_ubatch;
    const auto add = [&](const DeviceWork& part, const Device& device) {
        if (part.is_idle())
            return true;
        const SpeedConstants& constants = speed_constants(request, device);
        if (device.bandwidth_gb_per_s <= 0 || compute_of(device, constants) <= 0)
            return false;
        const PrefillCosts nominal =
            nominal_prefill(part, work, device, constants, request.weights.sixteen_bit,
                            uses_flash_attention(request), depth, tokens, ubatch);
        double seconds = 0;
        for (std::size_t i = 0; i < prefill_cost_count; ++i) {
            const double cost = constants.prefill[i] * nominal[i];
            step.by_limit[static_cast<std::size_t>(limit_of(static_cast<PrefillCost>(i)))] += cost;
            seconds += cost;
        }
        sum.add(constants, constants.prefill_range, seconds);
        return seconds > 0;
    };
    for (std::int32_t i = 0; i < work.n_devices; ++i) {
        if (!add(work.devices[static_cast<std::size_t>(i)],
                 request.devices[static_cast<std::size_t>(i)])) {
            return {};
        }
    }
    const DeviceWork& host = work.host();
    const bool streams = work.n_devices > 0 && settings.op_offload && !host.is_idle();
    if (streams) {
        // Weights kept on the host are sent to the first device for every micro-batch.
        const auto steps = static_cast<double>(
            ceil_div(static_cast<std::int64_t>(std::max(1.0, tokens)), settings.n_ubatch));
        const Device& device = request.devices[0];
        const double gb_per_s =
            device.link_gb_per_s > 0 ? device.link_gb_per_s : request.constants->link.gb_per_s;
        const double bytes =
            host.dense_bytes + host.expert_bytes * work.experts_read(std::min(tokens, ubatch));
        step.by_limit[static_cast<std::size_t>(Limit::link)] +=
            per_second(bytes * steps, gb_per_s * 1e9);
        if (!add(host, device))
            return {};
    } else if (!add(host, host_device(request.host))) {
        return {};
    }
    step.by_limit[static_cast<std::size_t>(Limit::link)] += link_seconds(request, work, ubatch);
    sum.close(step);
    step.known = step.seconds() > 0;
    return step;
}

} // namespace vramscope
