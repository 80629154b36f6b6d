#include "support/speed_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/estimator.h"

namespace vramscope::test {
namespace {

constexpr double pull_to_pooled = 0.003;
constexpr double outlier_from = 0.03; ///< relative errors above lose weight

using Vector = std::vector<double>;

/// min |A x - b|^2 with x >= lower, by coordinate descent on the normal equations.
Vector bounded_least_squares(const std::vector<Vector>& rows, const Vector& targets,
                             const Vector& lower) {
    const std::size_t n = lower.size();
    std::vector<Vector> gram(n, Vector(n, 0.0));
    Vector right(n, 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < n; ++i) {
            right[i] += rows[r][i] * targets[r];
            for (std::size_t j = 0; j < n; ++j)
                gram[i][j] += rows[r][i] * rows[r][j];
        }
    }
    Vector x = lower;
    for (int sweep = 0; sweep < 5000; ++sweep) {
        double moved = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (gram[i][i] <= 0)
                continue;
            double gradient = right[i];
            for (std::size_t j = 0; j < n; ++j)
                gradient -= gram[i][j] * x[j];
            const double next = std::max(lower[i], x[i] + gradient / gram[i][i]);
            moved = std::max(moved, std::abs(next - x[i]) * std::sqrt(gram[i][i]));
            x[i] = next;
        }
        if (moved < 1e-10)
            break;
    }
    return x;
}

double predicted_seconds(const Sample& sample, const Vector& constants) {
    double seconds = 0;
    for (std::size_t i = 0; i < constants.size(); ++i)
        seconds += constants[i] * sample.seconds[i];
    return seconds;
}

/// One robust fit; `prior` may be empty.
Vector fit_one(const std::vector<const Sample*>& samples, const Vector& prior, const Vector& lower,
               const Vector& scales) {
    std::map<std::string, double> counts;
    const auto family = [](const Sample& sample) {
        return sample.point.hardware + ' ' + sample.point.model + ' ' + sample.point.weights;
    };
    for (const Sample* sample : samples)
        counts[family(*sample)] += 1;
    Vector base;
    for (const Sample* sample : samples)
        base.push_back(1 / std::sqrt(counts[family(*sample)]));
    Vector weights = base;
    Vector x = lower;
    for (int round = 0; round < 15; ++round) {
        std::vector<Vector> rows;
        Vector targets;
        for (std::size_t k = 0; k < samples.size(); ++k) {
            Vector row;
            for (const double seconds : samples[k]->seconds) {
                row.push_back(seconds * samples[k]->point.rate * weights[k]);
            }
            rows.push_back(std::move(row));
            targets.push_back(weights[k]);
        }
        for (std::size_t i = 0; i < prior.size(); ++i) {
            const double scale = std::max(prior[i], scales[i]);
            Vector row(prior.size(), 0.0);
            row[i] = std::sqrt(pull_to_pooled) / scale;
            rows.push_back(std::move(row));
            targets.push_back(std::sqrt(pull_to_pooled) * prior[i] / scale);
        }
        x = bounded_least_squares(rows, targets, lower);
        for (std::size_t k = 0; k < samples.size(); ++k) {
            const double off =
                std::abs(predicted_seconds(*samples[k], x) * samples[k]->point.rate - 1);
            weights[k] = base[k] / std::sqrt(std::max(off, outlier_from) / outlier_from);
        }
    }
    return x;
}

std::string left_out(const Sample& sample, LeaveOut what) {
    return what == LeaveOut::hardware ? sample.point.hardware
           : what == LeaveOut::group  ? sample.group
                                      : sample.point.model;
}

} // namespace

std::string group_of(const EstimateRequest& request) {
    if (request.devices.empty())
        return "cpu";
    const Device& device = request.devices[0];
    const SpeedConstants* used = &speed_constants(request, device);
    const auto uses = [&](HardwareClass hardware_class) {
        return used == &request.constants->speed[static_cast<std::size_t>(hardware_class)];
    };
    if (uses(HardwareClass::nvidia_consumer) || uses(HardwareClass::nvidia_professional))
        return "gddr";
    if (uses(HardwareClass::amd_consumer))
        return "amd";
    if (uses(HardwareClass::nvidia_datacenter))
        return "stacked";
    if (uses(HardwareClass::apple))
        return "apple";
    if (uses(HardwareClass::unified_memory))
        return "unified";
    if (used == &request.constants->speed[unified_cuda_slot])
        return "unified_cuda";
    return "other";
}

Sample sample_of(const SpeedPoint& point) {
    Sample sample;
    sample.point = point;
    catalog::ResolvedRequest resolved = request_of(point);
    EstimateRequest& request = resolved.request;
    sample.group = group_of(request);
    if (point.is_decode) {
        // One token at a time is a matter of bandwidth, which both kinds of unified memory share.
        if (sample.group == "unified_cuda")
            sample.group = "unified";
    } else {
        // Prompts are a matter of the chip's maker.
        if (sample.group == "gddr" || sample.group == "stacked" || sample.group == "unified_cuda")
            sample.group = "nvidia";
        if (sample.group == "unified")
            sample.group = "amd";
    }
    const SpeedWork work = SpeedWork::of(request);
    const DeviceWork& device_work = request.devices.empty() ? work.host() : work.devices[0];
    Device device;
    device.bandwidth_gb_per_s = request.host.bandwidth_gb_per_s;
    device.hardware_class = HardwareClass::cpu;
    if (!request.devices.empty())
        device = request.devices[0];
    const SpeedConstants& constants = speed_constants(request, device);
    const bool flash_attn = request.options.flash_attn != FlashAttention::off;
    const bool is_old = point.date < "2024-06" && device.backend == Backend::cuda;
    if (point.is_decode) {
        const DecodeCosts nominal = nominal_decode(device_work, work, device, constants, flash_attn,
                                                   point.depth, point.batch);
        sample.seconds.assign(nominal.begin(), nominal.end());
        sample.seconds.push_back(is_old ? device_work.layers * 1e-6 : 0.0);
    } else {
        const PrefillCosts nominal =
            nominal_prefill(device_work, work, device, constants, request.weights.sixteen_bit,
                            flash_attn, point.depth, point.tokens, std::min(point.tokens, 512.0));
        for (const double seconds : nominal)
            sample.seconds.push_back(seconds / point.tokens);
        sample.seconds.push_back(0.0);
    }
    sample.has_experts = device_work.expert_bytes > 0;
    sample.bytes_read = device_work.dense_bytes +
                        device_work.expert_bytes * work.experts_read(point.batch) +
                        device_work.cache_bytes(point.depth) * point.batch;
    sample.bandwidth = device.bandwidth_gb_per_s * 1e9;
    if (request.weights.nominal_bits_per_weight <= 0) {
        const auto count = count_parameters(*request.architecture);
        const Bytes bytes = request.weights.file_bytes > 0
                                ? request.weights.file_bytes
                                : mixture_bytes(*request.architecture, request.weights.mixture,
                                                false, *request.storage_types);
        request.weights.nominal_bits_per_weight =
            8.0 * static_cast<double>(bytes) / static_cast<double>(count.total());
    }
    request.engine = EngineId::quick;
    request.options.n_ctx = std::max<std::int64_t>(1, static_cast<std::int64_t>(point.depth));
    sample.quick_rate = quick_decode_rate(request, plan_memory(request)).expected;
    return sample;
}

const std::vector<double>& Fit::constants(const std::string& group) const {
    for (const auto& [name, values] : by_group) {
        if (name == group)
            return values;
    }
    return pooled;
}

double Fit::rate(const Sample& sample) const {
    return 1 / predicted_seconds(sample, constants(sample.group));
}

Fit fit(const std::vector<Sample>& samples, const std::vector<double>& lower_bounds,
        const std::vector<double>& scales) {
    std::map<std::string, std::vector<const Sample*>> groups;
    for (const Sample& sample : samples) {
        groups[sample.group].push_back(&sample);
    }
    Fit out;
    // What old builds took stays with the classes that have such points.
    std::vector<Sample> of_today(samples);
    std::vector<const Sample*> common;
    for (Sample& sample : of_today) {
        sample.seconds.back() = 0;
        common.push_back(&sample);
    }
    out.pooled = fit_one(common, {}, lower_bounds, scales);
    for (const auto& [name, members] : groups) {
        out.by_group.emplace_back(name, fit_one(members, out.pooled, lower_bounds, scales));
    }
    return out;
}

std::vector<Held> cross_validate(const std::vector<Sample>& samples, LeaveOut what,
                                 const std::vector<double>& lower_bounds,
                                 const std::vector<double>& scales) {
    std::set<std::string> names;
    for (const Sample& sample : samples)
        names.insert(left_out(sample, what));
    std::vector<Held> out;
    for (const std::string& name : names) {
        std::vector<Sample> rest;
        for (const Sample& sample : samples) {
            if (left_out(sample, what) != name)
                rest.push_back(sample);
        }
        const Fit without = fit(rest, lower_bounds, scales);
        for (const Sample& sample : samples) {
            if (left_out(sample, what) == name)
                out.push_back({&sample, without.rate(sample)});
        }
    }
    return out;
}

SpeedRange range_of(const std::vector<Held>& held) {
    std::map<std::string, double> counts;
    for (const Held& one : held)
        counts[one.sample->point.hardware] += 1;
    std::vector<std::pair<double, double>> factors;
    for (const Held& one : held) {
        factors.emplace_back(one.factor(), 1 / counts[one.sample->point.hardware]);
    }
    std::ranges::sort(factors);
    const auto devices = static_cast<double>(counts.size());
    constexpr double tail = (1 - 0.8) / 2;
    SpeedRange range{factors.front().first, factors.back().first};
    double below = 0;
    for (const auto& [factor, weight] : factors) {
        below += weight / devices;
        if (below <= tail)
            range.low = factor;
        if (below < 1 - tail + 1e-9)
            range.high = factor;
    }
    return {std::min(range.low, 0.99), std::max(range.high, 1.01)};
}

SpeedRange range_without(const std::vector<Held>& held, const std::vector<Held>& groups_held,
                         const std::string& group, const std::string& hardware) {
    std::vector<Held> own;
    std::set<std::string> devices;
    for (const Held& one : held) {
        if (one.sample->group == group && one.sample->point.hardware != hardware) {
            own.push_back(one);
            devices.insert(one.sample->point.hardware);
        }
    }
    if (devices.size() >= 3)
        return range_of(own);
    std::vector<Held> others;
    for (const Held& one : groups_held) {
        if (one.sample->group != group)
            others.push_back(one);
    }
    return range_of(others);
}

double quantile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

} // namespace vramscope::test
