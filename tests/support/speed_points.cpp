#include "support/speed_points.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <map>
#include <sstream>

#include "core/recipe.h"
#include "core/tensors.h"
#include "support/catalog.h"
#include "support/files.h"

namespace vramscope::test {
namespace {

/// "d256/512x4=72.79"
SpeedPoint with_numbers(SpeedPoint point, const std::string& text) {
    point.is_decode = text.at(0) == 'd';
    const char* at = text.c_str() + 1;
    char* end = nullptr;
    point.depth = std::strtod(at, &end);
    REQUIRE(*end == '/');
    point.tokens = std::strtod(end + 1, &end);
    if (*end == 'x')
        point.batch = std::strtod(end + 1, &end);
    REQUIRE(*end == '=');
    point.rate = std::strtod(end + 1, nullptr);
    REQUIRE(point.rate > 0);
    return point;
}

} // namespace

bool SpeedPoint::has_flag(std::string_view flag) const {
    std::stringstream list(flags);
    std::string one;
    while (std::getline(list, one, ',')) {
        if (one == flag)
            return true;
    }
    return false;
}

double SpeedPoint::flag_number(std::string_view flag) const {
    std::stringstream list(flags);
    std::string one;
    while (std::getline(list, one, ',')) {
        if (one.starts_with(flag) && one.size() > flag.size() && one[flag.size()] <= '9')
            return std::strtod(one.c_str() + flag.size(), nullptr);
    }
    return 0;
}

std::string SpeedPoint::setting() const {
    const std::string host =
        hardware == "cpu" ? "@" + std::to_string(static_cast<long>(flag_number("bw"))) : "";
    return engine + ' ' + hardware + host + ' ' + model + ' ' + weights + ' ' +
           (is_decode ? 'd' : 'p') + std::to_string(static_cast<long>(depth)) +
           (is_decode ? "" : "/" + std::to_string(static_cast<long>(tokens))) + 'x' +
           std::to_string(static_cast<long>(batch));
}

SpeedPoints read_speed_points() {
    SpeedPoints out;
    std::stringstream file(read_file("tests/reference/speed_points.txt"));
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        std::stringstream words(line);
        SpeedPoint run;
        words >> run.engine;
        if (run.engine == "source") {
            std::string address;
            words >> run.source >> address;
            REQUIRE(static_cast<std::size_t>(run.source) == out.sources.size());
            out.sources.push_back(address);
            continue;
        }
        words >> run.hardware >> run.model >> run.weights >> run.file_bytes >> run.grade >>
            run.backend >> run.date >> run.flags >> run.source;
        REQUIRE(words);
        std::string point;
        while (words >> point)
            out.points.push_back(with_numbers(run, point));
    }
    return out;
}

std::string_view refusal(const SpeedPoint& point) {
    if (point.grade == 't' || point.grade == 'u')
        return "community submission";
    if (point.grade == 'm')
        return "not by llama-bench or batched-bench";
    if (point.engine != "llama.cpp")
        return "another engine";
    if (point.hardware == "cpu")
        return "CPU: too few machines";
    for (const char* several : {"n2", "n3", "n4", "n6", "n8", "n10", "rpc"}) {
        if (point.has_flag(several))
            return "several devices";
    }
    if (point.has_flag("spec"))
        return "speculation";
    if (point.has_flag("fa0"))
        return "flash attention off";
    if (point.flags.find("kv") != std::string::npos)
        return "quantised cache";
    if (point.flag_number("ub") > 0)
        return "micro-batches of another size";
    if (point.batch != 1)
        return "several sequences";
    if (!point.is_decode && point.has_flag("bb"))
        return "prefill of batched-bench: the first row includes the warm-up";
    return {};
}

std::vector<SpeedPoint> reduced(const std::vector<SpeedPoint>& points) {
    std::map<std::string, std::vector<SpeedPoint>> by_setting;
    for (const SpeedPoint& point : points)
        by_setting[point.setting()].push_back(point);
    std::vector<SpeedPoint> out;
    for (auto& [setting, group] : by_setting) {
        std::ranges::sort(group, {}, &SpeedPoint::rate);
        const std::size_t n = group.size();
        SpeedPoint median = group[n / 2];
        if (n % 2 == 0)
            median.rate = (group[n / 2 - 1].rate + group[n / 2].rate) / 2;
        median.repeats = static_cast<int>(n);
        median.spread = group.back().rate / group.front().rate;
        out.push_back(median);
    }
    return out;
}

catalog::ResolvedRequest request_of(const SpeedPoint& point) {
    catalog::Query query;
    const auto set = [&](catalog::Field field, const std::string& value) {
        INFO(point.setting());
        REQUIRE(query.set(field, value));
    };
    const Mixture mixture =
        mixture_from_name(point.weights == "MXFP4" ? "MXFP4_MOE" : point.weights);
    set(catalog::Field::model, point.model);
    set(catalog::Field::hardware, point.hardware);
    set(catalog::Field::artifact, "recipe:Q4_K_M");
    set(catalog::Field::n_seq, "1");
    auto resolved = catalog::resolve(query, shared_catalog());
    INFO(point.setting() << ": " << (resolved ? std::string() : resolved.error().message));
    REQUIRE(resolved);
    Weights weights;
    weights.mixture = mixture;
    weights.sixteen_bit = point.weights == "F16" || point.weights == "BF16";
    const Architecture& architecture = resolved->model->architecture;
    const auto recipe = static_cast<double>(
        mixture == Mixture::count_
            ? 0
            : mixture_bytes(architecture, mixture, false, shared_catalog().storage_types));
    const double off = point.file_bytes > 0 ? recipe / point.file_bytes : 1.0;
    // A file that is not what the mixture's rules give counts by its bytes.
    if (recipe <= 0 || off < 0.95 || off > 1.05) {
        weights.mixture = Mixture::count_;
        weights.file_bytes = static_cast<Bytes>(point.file_bytes);
        if (point.weights.starts_with("MLX-")) {
            const std::string bits = point.weights.substr(4);
            const bool fine = bits.ends_with("g32");
            weights.nominal_bits_per_weight =
                bits == "bf16" ? 16.0 : std::strtod(bits.c_str() + 1, nullptr) + (fine ? 1.0 : 0.5);
        }
        REQUIRE((weights.file_bytes > 0 || weights.nominal_bits_per_weight > 0));
    }
    resolved->request.weights = weights;
    // llama-bench of 2024 ran without flash attention unless told otherwise.
    if (point.date < "2025" || point.has_flag("fa0"))
        resolved->request.options.flash_attn = FlashAttention::off;
    if (const double bandwidth = point.flag_number("bw"); bandwidth > 0)
        resolved->request.host.bandwidth_gb_per_s = bandwidth;
    return std::move(*resolved);
}

} // namespace vramscope::test
