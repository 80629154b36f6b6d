#include "core/automatic_fit.h"

#include <algorithm>

#include "core/engines/llama_cpp_settings.h"
#include "core/estimator.h"
#include "core/recipe.h"

namespace vramscope {

const char* name(FitOutcome outcome) {
    constexpr const char* names[] = {"unchanged", "context", "layers", "not-allowed", "too-large"};
    return names[static_cast<std::size_t>(outcome)];
}

namespace {

using Slices = std::array<FitSlice, max_devices>;

/// Contexts are rounded down to this, per stream.
constexpr std::int64_t context_alignment = 256;

class Fitter {
public:
    Fitter(const FitProblem& problem, const FitOptions& options)
        : problem_(problem), options_(options), n_(problem.n_devices) {
        for (std::int32_t d = 0; d < n_; ++d)
            fit_.target[index(d)] = problem.free_bytes[index(d)] - options.margin_bytes;
    }

    AutomaticFit run() {
        const std::int64_t max_context = problem_.native_context * problem_.n_streams;
        FitLayout layout;
        layout.n_ctx = options_.n_ctx > 0 ? options_.n_ctx : max_context;
        full_ = problem_.measure(layout);
        fit_.layout = layout;
        fit_.use = full_;
        fit_.n_gpu_layers = n_ > 0 ? problem_.n_layer + 1 : 0;
        if (targets_are_met(full_))
            return fit_;

        const bool fits_by_context =
            options_.n_ctx == 0 && lacks_memory() && reduce_context(max_context);
        if (fits_by_context && n_ <= 1)
            return fit_;
        if (n_ == 0 || !problem_.may_change_layers) {
            fit_.outcome = n_ == 0 ? FitOutcome::too_large : FitOutcome::not_allowed;
            fit_.use = problem_.measure(fit_.layout);
            return fit_;
        }
        fill_with_layers();
        return fit_;
    }

private:
    static std::size_t index(std::int32_t device) { return static_cast<std::size_t>(device); }

    Bytes used(const FitUse& use) const {
        if (n_ == 0)
            return use.host;
        Bytes sum = 0;
        for (std::int32_t d = 0; d < n_; ++d)
            sum += use.devices[index(d)];
        return sum;
    }
    Bytes target_sum() const {
        if (n_ == 0)
            return problem_.host_memory_bytes - options_.margin_bytes;
        Bytes sum = 0;
        for (std::int32_t d = 0; d < n_; ++d)
            sum += fit_.target[index(d)];
        return sum;
    }
    bool targets_are_met(const FitUse& use) const {
        if (n_ == 0)
            return use.host <= target_sum();
        for (std::int32_t d = 0; d < n_; ++d) {
            if (use.devices[index(d)] > fit_.target[index(d)])
                return false;
        }
        return true;
    }
    bool lacks_memory() const { return used(full_) > target_sum(); }

    /// True when the smallest context leaves room, so that one in between fits.
    bool reduce_context(std::int64_t max_context) {
        const std::int64_t min_context = options_.min_context * problem_.n_streams;
        if (max_context <= min_context)
            return false;
        Bytes target = target_sum();
        if (n_ > 1) {
            // Only whole layers (tensors) can be placed: a bit more than half of one is lost a
            // device.
            const Bytes per_layer = full_.weights / std::max(problem_.n_layer, 1);
            target -= (n_ + 1) * per_layer / (problem_.has_experts ? 6 : 2);
        }
        fit_.layout.n_ctx = min_context;
        const FitUse least = problem_.measure(fit_.layout);
        fit_.use = least;
        const Bytes most_used = used(full_);
        const Bytes least_used = used(least);
        if (target <= least_used || most_used <= least_used)
            return false;
        // In floating point, since tokens x bytes may exceed 64 bits; a step of 256 absorbs it.
        const double share =
            static_cast<double>(target - least_used) / static_cast<double>(most_used - least_used);
        std::int64_t n_ctx =
            min_context +
            static_cast<std::int64_t>(static_cast<double>(max_context - min_context) * share);
        n_ctx -= n_ctx % (context_alignment * problem_.n_streams);
        fit_.layout.n_ctx = std::max(n_ctx, min_context);
        fit_.use = problem_.measure(fit_.layout);
        fit_.outcome = FitOutcome::context;
        return true;
    }

    FitUse measure(const Slices& slices) const {
        FitLayout layout = fit_.layout;
        layout.everything = false;
        layout.slices = slices;
        return problem_.measure(layout);
    }

    /// Layers to add to the lower bound: false position between the bounds' uses of the device.
    std::int32_t step(std::int32_t device, std::int32_t delta, const FitUse& low,
                      const FitUse& high) const {
        const Bytes span = high.devices[index(device)] - low.devices[index(device)];
        const Bytes room = fit_.target[index(device)] - low.devices[index(device)];
        // Without room the engine's unsigned number turns huge and is cut to the longest step.
        const Bytes guess = span > 0 ? delta * room / span : -1;
        if (guess < 0)
            return delta - 1;
        return static_cast<std::int32_t>(std::clamp<Bytes>(guess, 1, std::max(1, delta - 1)));
    }

    /// Step 3: from the last device to the first, layers without their experts.
    void fill_with_layers() {
        fit_.outcome = FitOutcome::layers;
        fit_.layout.everything = false;
        Bytes surplus = 0;
        if (problem_.has_experts) {
            FitLayout dense = fit_.layout;
            dense.everything = true;
            dense.all_experts_on_host = true;
            surplus = target_sum() - used(problem_.measure(dense));
        }
        slices_ = {};
        use_ = measure(slices_);
        for (std::int32_t d = n_ - 1; d >= 0; --d)
            fill_device(d);
        if (problem_.has_experts && surplus > 0)
            fill_with_experts();
        fit_.layout.slices = slices_;
        fit_.use = measure(slices_);
        fit_.n_gpu_layers = 0;
        for (std::int32_t d = 0; d < n_; ++d) {
            fit_.n_gpu_layers += slices_[index(d)].n_layer;
            fit_.n_partial_layers += slices_[index(d)].n_part;
        }
        if (fit_.n_gpu_layers == problem_.n_layer + 1 && fit_.n_partial_layers == 0)
            fit_.outcome = options_.n_ctx == 0 ? FitOutcome::context : FitOutcome::layers;
    }

    /// The output layer, the last unit of the last device, is always whole.
    bool holds_output(std::int32_t device) const { return device == n_ - 1; }

    void fill_device(std::int32_t d) {
        std::int32_t unassigned = problem_.n_layer + 1;
        for (std::int32_t later = d + 1; later < n_; ++later)
            unassigned -= slices_[index(later)].n_layer;
        if (unassigned <= 0)
            return;
        Slices high = slices_;
        high[index(d)].n_layer = unassigned;
        if (problem_.has_experts)
            high[index(d)].n_part = holds_output(d) ? unassigned - 1 : unassigned;
        FitUse high_use = measure(high);
        if (high_use.devices[index(d)] <= fit_.target[index(d)]) {
            slices_ = high;
            use_ = high_use;
            return;
        }
        std::int32_t delta = high[index(d)].n_layer - slices_[index(d)].n_layer;
        while (delta > 1) {
            const std::int32_t more = step(d, delta, use_, high_use);
            Slices test = slices_;
            test[index(d)].n_layer += more;
            if (problem_.has_experts) {
                const bool first = holds_output(d) && test[index(d)].n_part == 0;
                test[index(d)].n_part += first ? more - 1 : more;
            }
            const FitUse test_use = measure(test);
            if (test_use.devices[index(d)] <= fit_.target[index(d)]) {
                slices_ = test;
                use_ = test_use;
            } else {
                high = test;
                high_use = test_use;
            }
            delta = high[index(d)].n_layer - slices_[index(d)].n_layer;
        }
    }

    /// Takes `count` partial layers off the devices from `dense_start` on and gives them to `d` as
    /// whole ones; says which device then is the first with partial layers.
    std::int32_t convert(Slices& slices, std::int32_t d, std::int32_t dense_start,
                         std::int32_t count) const {
        for (; dense_start < n_; ++dense_start) {
            FitSlice& from = slices[index(dense_start)];
            const std::int32_t taken = std::min(count, from.n_part);
            from.n_layer -= taken;
            from.n_part -= taken;
            slices[index(d)].n_layer += taken;
            count -= taken;
            if (from.n_part > 0)
                break;
        }
        return dense_start;
    }

    /// Step 4: from the first device to the last, partial layers become whole ones.
    void fill_with_experts() {
        std::int32_t dense_start = n_;
        for (std::int32_t d = n_ - 1; d >= 0 && slices_[index(d)].n_layer > 0; --d)
            dense_start = d;
        for (std::int32_t d = 0; d <= dense_start && dense_start < n_; ++d) {
            Slices high = slices_;
            for (std::int32_t from = dense_start; from < n_; ++from) {
                const std::int32_t moved = high[index(from)].n_layer - (holds_output(from) ? 1 : 0);
                high[index(d)].n_layer += moved;
                high[index(from)].n_layer -= moved;
                high[index(from)].n_part = 0;
            }
            FitUse high_use = measure(high);
            if (high_use.devices[index(d)] <= fit_.target[index(d)]) {
                slices_ = high;
                use_ = high_use;
                dense_start = n_ - 1;
            } else {
                dense_start = convert_most(d, dense_start, high, high_use);
            }
            dense_start = add_part_of_a_layer(d, dense_start);
        }
    }

    std::int32_t convert_most(std::int32_t d, std::int32_t dense_start, Slices& high,
                              FitUse& high_use) {
        std::int32_t delta = high[index(d)].n_full() - slices_[index(d)].n_full();
        while (delta > 1) {
            Slices test = slices_;
            const std::int32_t start =
                convert(test, d, dense_start, step(d, delta, use_, high_use));
            const FitUse test_use = measure(test);
            if (test_use.devices[index(d)] <= fit_.target[index(d)]) {
                slices_ = test;
                use_ = test_use;
                dense_start = start;
            } else {
                high = test;
                high_use = test_use;
            }
            delta = high[index(d)].n_full() - slices_[index(d)].n_full();
        }
        return dense_start;
    }

    std::int32_t add_part_of_a_layer(std::int32_t d, std::int32_t dense_start) {
        if (dense_start >= n_ || slices_[index(dense_start)].n_layer <= (holds_output(d) ? 1 : 0) ||
            slices_[index(dense_start)].n_part == 0)
            return dense_start;
        Slices test = slices_;
        FitSlice& from = test[index(dense_start)];
        FitSlice& to = test[index(d)]; // may be the same
        --from.n_layer;
        --from.n_part;
        ++to.n_layer;
        ++to.n_part;
        const std::int32_t start = dense_start + (from.n_part == 0 ? 1 : 0);
        to.overflows_to_next = !holds_output(d);
        const auto try_fraction = [&](LayerFraction fraction) {
            to.first_part = fraction;
            const FitUse test_use = measure(test);
            const bool fits =
                test_use.devices[index(d)] < fit_.target[index(d)] &&
                (holds_output(d) || test_use.devices[index(d + 1)] < fit_.target[index(d + 1)]);
            if (fits) {
                slices_ = test;
                use_ = test_use;
                dense_start = start;
            }
            return fits;
        };
        if (try_fraction(LayerFraction::up)) {
            try_fraction(LayerFraction::gate);
        } else {
            try_fraction(LayerFraction::attention);
        }
        return dense_start;
    }

    const FitProblem& problem_;
    const FitOptions& options_;
    std::int32_t n_;
    AutomaticFit fit_;
    FitUse full_;
    Slices slices_{};
    FitUse use_;
};

/// A request as the fit sees it; weights elsewhere than their layer are shifted by hand.
class RequestProblem final : public FitProblem {
public:
    explicit RequestProblem(const EstimateRequest& request) : request_(request) {
        const Architecture& architecture = *request.architecture;
        const LlamaCppSettings settings = LlamaCppSettings::of(request);
        const Options& options = request.options;
        n_layer = architecture.n_layer();
        native_context = architecture.native_context;
        n_streams = settings.cache.kv_unified ? 1 : settings.cache.n_seq;
        n_devices = static_cast<std::int32_t>(std::min(request.devices.size(), max_devices));
        host_memory_bytes = request.host.memory_bytes;
        for (std::size_t d = 0; d < request.devices.size() && d < max_devices; ++d) {
            // What the driver holds is gone when the engine asks what is free.
            const auto backend = static_cast<std::size_t>(request.devices[d].backend);
            free_bytes[d] = std::max<Bytes>(request.devices[d].free_bytes() -
                                                request.constants->driver_bytes[backend].expected,
                                            0);
        }
        may_change_layers =
            !options.n_gpu_layers && options.n_cpu_moe == 0 && !options.cpu_moe &&
            std::ranges::none_of(options.tensor_split, [](double share) { return share > 0; }) &&
            (n_devices < 2 || options.split_mode == SplitMode::layer ||
             options.split_mode == SplitMode::none);
        for (const FeedForward& ff : architecture.feed_forwards)
            has_experts = has_experts || ff.kind == FeedForwardKind::experts;
        weigh_feed_forwards();
    }

    FitUse measure(const FitLayout& layout) const override {
        EstimateRequest trial = request_;
        trial.options.n_ctx = layout.n_ctx;
        if (layout.everything) {
            trial.options.cpu_moe = trial.options.cpu_moe || layout.all_experts_on_host;
            return use_of(plan_memory(trial));
        }
        std::int32_t units = 0;
        std::int32_t partial = 0;
        trial.options.tensor_split.clear();
        for (std::int32_t d = 0; d < n_devices; ++d) {
            const FitSlice& slice = layout.slices[static_cast<std::size_t>(d)];
            units += slice.n_layer;
            partial += slice.n_part;
            if (n_devices > 1)
                trial.options.tensor_split.push_back(slice.n_layer);
        }
        trial.options.n_gpu_layers = units;
        MemoryPlan plan = plan_memory(trial);
        const std::int32_t first = n_layer + 1 - units;
        if (partial > 0) {
            trial.options.n_cpu_moe = std::min(first + partial, n_layer);
            const MemoryPlan with_experts_apart = plan_memory(trial);
            for (std::size_t i = 0; i < plan.n_devices; ++i)
                plan.devices[i][Part::compute] = with_experts_apart.devices[i][Part::compute];
        }
        FitUse use = use_of(plan);
        shift_parts(layout, first, use);
        return use;
    }

private:
    /// Bytes of a layer's feed-forward that leave its device, by what stays.
    struct LayerRest {
        std::array<Bytes, 4> bytes{};
    };

    void weigh_feed_forwards() {
        rest_.resize(static_cast<std::size_t>(n_layer));
        const bool by_mixture = request_.weights.mixture != Mixture::count_;
        RecipeWalker walker(*request_.architecture,
                            by_mixture ? request_.weights.mixture : Mixture::f16,
                            request_.weights.importance_matrix, *request_.storage_types);
        auto visit = [&](const Tensor& tensor) {
            Bytes bytes = walker.bytes_of(tensor);
            if (!by_mixture && !tensor.is_vector()) {
                bytes = static_cast<Bytes>(static_cast<double>(tensor.elements()) *
                                               request_.weights.nominal_bits_per_weight / 8.0 +
                                           0.5);
            }
            if (tensor.layer < 0 || tensor.layer >= n_layer)
                return;
            LayerRest& rest = rest_[static_cast<std::size_t>(tensor.layer)];
            for (const LayerFraction fraction :
                 {LayerFraction::attention, LayerFraction::up, LayerFraction::gate,
                  LayerFraction::all_but_experts}) {
                if (leaves(tensor.role, fraction))
                    rest.bytes[static_cast<std::size_t>(fraction)] += bytes;
            }
        };
        for_each_tensor(*request_.architecture, Inventory::gguf, visit);
    }

    /// The engine's patterns: "ffn_(gate|up|gate_up|down).*", "ffn_(gate|gate_up|down).*",
    /// "ffn_down.*" and "ffn_(up|down|gate_up|gate)_exps".
    static bool leaves(TensorRole role, LayerFraction fraction) {
        switch (role) {
        case TensorRole::ffn_gate_exps:
        case TensorRole::ffn_gate_up_exps:
            return fraction != LayerFraction::gate;
        case TensorRole::ffn_up_exps:
            return fraction == LayerFraction::attention ||
                   fraction == LayerFraction::all_but_experts;
        case TensorRole::ffn_down_exps:
        case TensorRole::ffn_exps_bias:
            return true;
        case TensorRole::ffn_gate:
        case TensorRole::ffn_gate_inp:
        case TensorRole::ffn_gate_tid2eid:
        case TensorRole::ffn_gate_shexp:
        case TensorRole::ffn_gate_inp_shexp:
            return fraction == LayerFraction::attention || fraction == LayerFraction::up;
        case TensorRole::ffn_up:
        case TensorRole::ffn_up_shexp:
            return fraction == LayerFraction::attention;
        case TensorRole::ffn_down:
        case TensorRole::ffn_down_shexp:
            return fraction != LayerFraction::all_but_experts;
        default:
            return false;
        }
    }

    void shift_parts(const FitLayout& layout, std::int32_t layer, FitUse& use) const {
        for (std::int32_t d = 0; d < n_devices; ++d) {
            const FitSlice& slice = layout.slices[static_cast<std::size_t>(d)];
            layer += slice.n_full();
            for (std::int32_t i = 0; i < slice.n_part; ++i, ++layer) {
                if (layer >= n_layer)
                    continue; // the output layer has no experts
                const LayerFraction fraction =
                    i == 0 ? slice.first_part : LayerFraction::all_but_experts;
                const Bytes bytes = rest_[static_cast<std::size_t>(layer)]
                                        .bytes[static_cast<std::size_t>(fraction)];
                use.devices[static_cast<std::size_t>(d)] -= bytes;
                use.weights -= bytes;
                if (i == 0 && slice.overflows_to_next) {
                    use.devices[static_cast<std::size_t>(d) + 1] += bytes;
                    use.weights += bytes;
                } else {
                    use.host += bytes;
                }
            }
        }
    }

    /// The engine sums weights, caches and compute buffers.
    FitUse use_of(const MemoryPlan& plan) const {
        FitUse use;
        for (std::size_t i = 0; i < plan.n_devices; ++i) {
            const PartBytes& parts = plan.devices[i];
            const Bytes bytes = parts[Part::weights].expected + parts[Part::kv].expected +
                                parts[Part::state].expected + parts[Part::compute].expected;
            if (static_cast<std::int32_t>(i) == plan.host) {
                use.host = bytes;
            } else {
                use.devices[i] = bytes;
                use.weights += parts[Part::weights].expected;
            }
        }
        return use;
    }

    const EstimateRequest& request_;
    std::vector<LayerRest> rest_;
};

} // namespace

AutomaticFit automatic_fit(const FitProblem& problem, const FitOptions& options) {
    return Fitter(problem, options).run();
}

AutomaticFit automatic_fit(const EstimateRequest& request, const FitOptions& options) {
    const RequestProblem problem(request);
    return automatic_fit(problem, options);
}

void apply(const AutomaticFit& fit, EstimateRequest& request) {
    Options& options = request.options;
    options.n_ctx = fit.layout.n_ctx;
    if (fit.layout.everything || fit.outcome == FitOutcome::unchanged)
        return;
    const std::int32_t n_layer = request.architecture->n_layer();
    options.n_gpu_layers = fit.n_gpu_layers;
    options.tensor_split.clear();
    if (request.devices.size() > 1) {
        for (std::size_t d = 0; d < request.devices.size() && d < max_devices; ++d)
            options.tensor_split.push_back(fit.layout.slices[d].n_layer);
    }
    if (fit.n_partial_layers > 0) {
        options.n_cpu_moe =
            std::min(n_layer + 1 - fit.n_gpu_layers + fit.n_partial_layers, n_layer);
    }
}

} // namespace vramscope
