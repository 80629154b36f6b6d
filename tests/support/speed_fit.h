// Fitting the constants of speed: non-negative least squares on relative errors, by class.
//
// A rate is 1 / sum(constant x nominal seconds), so constants are linear in seconds. Each class is
// fitted with a weak pull towards a fit of all classes together, so that a cost which a class never
// shows (experts on cards measured with dense models only) takes the common value. Outliers lose
// weight (iteratively reweighted); all points of one device and model together count like one, by
// the square root. No setting is looked at twice: held-out points never enter a fit.
#pragma once

#include <string>
#include <vector>

#include "core/speed.h"
#include "support/speed_points.h"

namespace vramscope::test {

/// A reduced point with what a fit needs.
struct Sample {
    SpeedPoint point;
    std::string group; ///< classes that are fitted together
    /// Nominal, per token. The last is a layer's cost that CUDA builds before June 2024 had on top
    /// (they launched kernels one by one); it is fitted along and stays out of engines.json.
    std::vector<double> seconds;
    bool has_experts = false;
    double bytes_read = 0; ///< per decoded token, for flat-efficiency rules
    double bandwidth = 0;  ///< bytes per second
    double quick_rate = 0; ///< the reference page's rule
};

Sample sample_of(const SpeedPoint& point);
/// "gddr", "stacked", "apple", "unified", "unified_cuda", or "other" for classes without admitted
/// points.
std::string group_of(const EstimateRequest& request);

struct Fit {
    std::vector<double> pooled;
    std::vector<std::pair<std::string, std::vector<double>>> by_group;

    const std::vector<double>& constants(const std::string& group) const;
    double rate(const Sample& sample) const;
};
Fit fit(const std::vector<Sample>& samples, const std::vector<double>& lower_bounds,
        const std::vector<double>& scales);

/// What a held-out fit said about a sample.
struct Held {
    const Sample* sample = nullptr;
    double rate = 0;
    double error() const { return rate / sample->point.rate - 1; }
    /// measured / expected
    double factor() const { return sample->point.rate / rate; }
};
enum class LeaveOut { hardware, model, group };
std::vector<Held> cross_validate(const std::vector<Sample>& samples, LeaveOut what,
                                 const std::vector<double>& lower_bounds,
                                 const std::vector<double>& scales);

/// Factors that hold four of five held-out points, every device with the same weight.
SpeedRange range_of(const std::vector<Held>& held);
/// The range for a device of that group when it is left out itself: its own group's, if that has
/// three others in `held`; else the device belongs to no calibrated class, and the range is what
/// other groups showed when each was left out whole (`groups_held`).
SpeedRange range_without(const std::vector<Held>& held, const std::vector<Held>& groups_held,
                         const std::string& group, const std::string& hardware);

double quantile(std::vector<double> values, double share);

} // namespace vramscope::test
