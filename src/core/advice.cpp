#include "core/advice.h"

#include <algorithm>

#include "core/engines/engine.h"
#include "core/estimator.h"
#include "core/sort.h"
#include "core/speed.h"
#include "core/verdict.h"

namespace vramscope {

const char* name(ChangeKind kind) {
    constexpr std::array<const char*, change_kind_count> names = {
        "flash-attention", "window-cache",   "micro-batch",  "kv-types",
        "weights",         "expert-layers",  "gpu-layers",   "sequences",
        "context",         "another-device", "larger-device"};
    return kind < ChangeKind::count_ ? names[static_cast<std::size_t>(kind)] : "";
}

void apply(const Change& change, const AdviceChoices& choices, EstimateRequest& request) {
    Options& options = request.options;
    const auto number = static_cast<std::int32_t>(change.number);
    switch (change.kind) {
    case ChangeKind::flash_attention:
        options.flash_attn = FlashAttention::on;
        break;
    case ChangeKind::window_cache:
        options.swa_full = false;
        break;
    case ChangeKind::micro_batch:
        options.n_ubatch = number;
        break;
    case ChangeKind::kv_types:
        options.type_k = change.type_k;
        options.type_v = change.type_v;
        break;
    case ChangeKind::weights:
        request.weights = choices.weights[change.choice].weights;
        request.evidence_engine = choices.weights[change.choice].evidence_engine;
        break;
    case ChangeKind::expert_layers:
        options.n_cpu_moe = number;
        break;
    case ChangeKind::gpu_layers:
        options.n_gpu_layers = number;
        break;
    case ChangeKind::sequences:
        options.n_seq = number;
        options.n_ctx = change.n_ctx;
        break;
    case ChangeKind::context:
        options.n_ctx = change.number;
        break;
    case ChangeKind::another_device:
    case ChangeKind::larger_device:
        request.devices = change.kind == ChangeKind::another_device
                              ? choices.more_devices[change.choice]
                              : choices.larger_devices[change.choice];
        options.tensor_split.clear(); // shares of other devices
        break;
    case ChangeKind::count_:
        break;
    }
}

bool accepts_kv_types(const EstimateRequest& request, StorageType type_k, StorageType type_v) {
    const StorageTypeTable& types = *request.storage_types;
    const std::int32_t block_k = types[type_k].block_elements;
    const std::int32_t block_v = types[type_v].block_elements;
    if (block_k == 0 || block_v == 0)
        return false;
    if (block_v > 1 && request.options.flash_attn == FlashAttention::off)
        return false;
    return std::ranges::all_of(request.architecture->mixers, [&](const Mixer& mixer) {
        if (!attends(mixer.kind))
            return true;
        if (mixer.kind == MixerKind::latent && mixer.absorbed)
            return (mixer.kv_lora_rank + mixer.qk_rope_head_dim) % block_k == 0;
        return mixer.head_dim_k % block_k == 0 && mixer.head_dim_v % block_v == 0;
    });
}

namespace {

constexpr double cost_window_cache = 0.05;
constexpr double cost_micro_batch_halved = 0.1;
constexpr double cost_quality_class = 0.8;
constexpr double cost_smaller_weights = 0.3;
constexpr double cost_on_host = 0.2;
constexpr double cost_share_given_up = 2;
constexpr double cost_another_device = 3;
constexpr double cost_larger_device = 3.5;
constexpr double cost_rate_lost = 2;

struct KvRung {
    StorageType k;
    StorageType v;
    double cost;
};
constexpr KvRung kv_ladder[] = {{StorageType::q8_0, StorageType::q8_0, 0.3},
                                {StorageType::q8_0, StorageType::f16, 0.3}, // no flash attention
                                {StorageType::q8_0, StorageType::q4_0, 0.7},
                                {StorageType::q4_0, StorageType::q4_0, 1.2}};
constexpr std::int32_t micro_batches[] = {256, 128, 64};

/// Kinds whose number is searched instead of being picked from a ladder.
constexpr unsigned searched_kinds = bit(ChangeKind::expert_layers) | bit(ChangeKind::gpu_layers) |
                                    bit(ChangeKind::sequences) | bit(ChangeKind::context);
/// Steps that keep what was asked for, on the devices that there are.
constexpr unsigned keeping_kinds = bit(ChangeKind::flash_attention) |
                                   bit(ChangeKind::window_cache) | bit(ChangeKind::micro_batch) |
                                   bit(ChangeKind::kv_types) | bit(ChangeKind::weights);
constexpr unsigned device_kinds = bit(ChangeKind::another_device) | bit(ChangeKind::larger_device);

/// How a request stands with respect to the goal.
struct Standing {
    Verdict verdict = Verdict::fits;
    Bytes room = bytes_limit;       ///< least over all devices
    std::size_t tightest = 0;       ///< the device that has it
    bool devices_reach_goal = true; ///< all but the host
    std::array<Bytes, max_devices + 1> need{};
    std::size_t n = 0;
    ByteRange total;
    RateRange decode;
};

class Adviser {
public:
    Adviser(const EstimateRequest& request, const AdviceChoices& choices, Verdict goal)
        : request_(request), choices_(choices), goal_(goal), engine_(*find_engine(request.engine)),
          now_(standing(request)) {}

    Advice run() {
        Advice advice;
        advice.verdict = now_.verdict;
        advice.total = now_.total;
        advice.decode_tokens_per_second = now_.decode;
        if (now_.verdict <= goal_)
            return advice;
        advice.device = static_cast<std::int32_t>(now_.tightest);
        advice.missing_bytes = now_.room < 0 ? -now_.room : 0;
        add_single_steps();
        if (!keeping_step_suffices())
            add_combinations();
        sort_short(steps_, ranks_before);
        advice.steps = std::move(steps_);
        return advice;
    }

private:
    static bool ranks_before(const AdviceStep& a, const AdviceStep& b) {
        if (a.suffices != b.suffices)
            return a.suffices;
        if (!a.suffices && a.room_bytes != b.room_bytes)
            return a.room_bytes > b.room_bytes;
        return a.cost != b.cost ? a.cost < b.cost : a.saved_bytes > b.saved_bytes;
    }

    Standing standing(const EstimateRequest& request) const {
        const MemoryPlan plan = plan_memory(request);
        const Judgement judgement = judge(request, plan);
        const VerdictThresholds& thresholds = request.constants->verdict;
        Standing out;
        out.verdict = judgement.overall;
        out.n = plan.n_devices;
        for (std::size_t i = 0; i < plan.n_devices; ++i) {
            const ByteRange need = plan.devices[i].total();
            out.need[i] = need.expected;
            out.total += need;
            const Bytes free = free_bytes(request, plan, i);
            const bool is_host = static_cast<std::int32_t>(i) == plan.host;
            if (!is_host && judgement.devices[i] > goal_)
                out.devices_reach_goal = false;
            if (is_host && free == 0)
                continue;
            const auto usable = static_cast<double>(free);
            const Bytes room = goal_ == Verdict::fits
                                   ? static_cast<Bytes>(thresholds.fits * usable) - need.high
                                   : static_cast<Bytes>(thresholds.tight * usable) - need.expected;
            if (room < out.room) {
                out.room = room;
                out.tightest = i;
            }
        }
        out.decode = vramscope::decode_tokens_per_second(request, plan);
        return out;
    }

    bool is_allowed(ChangeKind kind) const { return (choices_.allowed & bit(kind)) != 0; }

    /// Rungs of a ladder kind that differ from the request, mildest first.
    std::vector<Change> ladder(ChangeKind kind, const EstimateRequest& request) const {
        std::vector<Change> rungs;
        const Options& options = request.options;
        const auto add = [&](Change change) {
            change.kind = kind;
            rungs.push_back(change);
        };
        const auto add_choices = [&](std::size_t count) {
            for (std::size_t i = 0; i < count; ++i)
                add({.choice = i});
        };
        switch (kind) {
        case ChangeKind::flash_attention:
            if (options.flash_attn == FlashAttention::off)
                add({});
            break;
        case ChangeKind::window_cache:
            if (options.swa_full)
                add({});
            break;
        case ChangeKind::micro_batch:
            for (const std::int32_t n : micro_batches) {
                if (n < current_micro_batch())
                    add({.number = n});
            }
            break;
        case ChangeKind::kv_types:
            for (const KvRung& rung : kv_ladder) {
                const bool no_flash = options.flash_attn == FlashAttention::off;
                if ((rung.v == StorageType::f16) == no_flash &&
                    kv_bits(rung.k) <= kv_bits(options.type_k) &&
                    kv_bits(rung.v) <= kv_bits(options.type_v) &&
                    kv_bits(rung.k) + kv_bits(rung.v) <
                        kv_bits(options.type_k) + kv_bits(options.type_v) &&
                    accepts_kv_types(request, rung.k, rung.v))
                    add({.type_k = rung.k, .type_v = rung.v});
            }
            break;
        case ChangeKind::weights:
            add_choices(choices_.weights.size());
            break;
        case ChangeKind::another_device:
            add_choices(choices_.more_devices.size());
            break;
        case ChangeKind::larger_device:
            add_choices(choices_.larger_devices.size());
            break;
        default:
            break;
        }
        return rungs;
    }

    double kv_bits(StorageType type) const {
        return request_.storage_types->bits_per_element(type);
    }
    std::int32_t current_micro_batch() const {
        return request_.options.n_ubatch.value_or(2 * micro_batches[0]);
    }
    std::int32_t all_units() const { return request_.architecture->n_layer() + 1; }

    /// The mildest number of a searched kind that lets `trial` reach the goal, else the strongest.
    /// For experts and layers only the devices are asked: what they leave goes to the host, which
    /// takes least at the mildest number. Nothing when the kind does not apply.
    bool search(ChangeKind kind, const EstimateRequest& trial, Change& out) const {
        out.kind = kind;
        const Options& options = request_.options;
        if (kind == ChangeKind::gpu_layers) {
            if (request_.devices.empty())
                return false;
            const std::int64_t now =
                std::min(options.n_gpu_layers.value_or(all_units()), all_units());
            out.number = largest(0, all_units(), trial, out, true);
            return out.number != now;
        }
        if (kind == ChangeKind::expert_layers) {
            const bool has_experts = std::ranges::any_of(
                request_.architecture->feed_forwards,
                [](const FeedForward& ff) { return ff.kind == FeedForwardKind::experts; });
            if (!has_experts || request_.devices.empty() || options.cpu_moe)
                return false;
            const std::int64_t layers = request_.architecture->n_layer();
            std::int64_t low = std::min<std::int64_t>(options.n_cpu_moe, layers); // too few
            std::int64_t high = layers;
            if (low >= high)
                return false;
            while (high - low > 1) {
                out.number = low + (high - low) / 2;
                (reaches(trial, out, true) ? high : low) = out.number;
            }
            out.number = high;
            return true;
        }
        const std::int64_t sequences = std::max<std::int64_t>(1, engine_.sequences(request_));
        if (kind == ChangeKind::sequences) {
            if (sequences < 2)
                return false;
            out.number = largest(1, sequences - 1, trial, out, false);
            set_context_of_sequences(out, sequences);
            return true;
        }
        const std::int64_t step = std::max<std::int64_t>(1, engine_.context_step);
        const std::int64_t steps = (options.n_ctx - 1) / step; // less than now
        if (steps < 1)
            return false;
        out.number = step * largest(1, steps, trial, out, false, step);
        return true;
    }

    /// Each sequence keeps its context where n_ctx is shared out among them.
    void set_context_of_sequences(Change& change, std::int64_t sequences) const {
        const std::int64_t n_ctx = request_.options.n_ctx;
        const bool shared_out = engine_.context_is_shared &&
                                !request_.options.kv_unified.value_or(false) &&
                                request_.options.n_seq.has_value();
        change.n_ctx = shared_out ? ceil_div(n_ctx, sequences) * change.number : n_ctx;
    }

    /// Largest number in [low, high] that reaches the goal, else low.
    std::int64_t largest(std::int64_t low, std::int64_t high, const EstimateRequest& trial,
                         Change change, bool devices_only, std::int64_t unit = 1) const {
        const std::int64_t sequences = std::max<std::int64_t>(1, engine_.sequences(request_));
        ++high;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            change.number = middle * unit;
            if (change.kind == ChangeKind::sequences)
                set_context_of_sequences(change, sequences);
            (reaches(trial, change, devices_only) ? low : high) = middle;
        }
        return low;
    }

    bool reaches(EstimateRequest trial, const Change& change, bool devices_only) const {
        apply(change, choices_, trial);
        const MemoryPlan plan = plan_memory(trial);
        const Judgement judgement = judge(trial, plan);
        if (!devices_only)
            return judgement.overall <= goal_;
        for (std::size_t i = 0; i < plan.n_devices; ++i) {
            if (static_cast<std::int32_t>(i) != plan.host && judgement.devices[i] > goal_)
                return false;
        }
        return true;
    }

    double cost_of(const Change& change) const {
        const auto share_given_up = [](std::int64_t after, std::int64_t before) {
            return cost_share_given_up *
                   (1.0 - static_cast<double>(after) / static_cast<double>(before));
        };
        switch (change.kind) {
        case ChangeKind::window_cache:
            return cost_window_cache;
        case ChangeKind::micro_batch: {
            double cost = 0;
            for (std::int64_t n = change.number; n < current_micro_batch(); n *= 2)
                cost += cost_micro_batch_halved;
            return cost;
        }
        case ChangeKind::kv_types:
            for (const KvRung& rung : kv_ladder) {
                if (rung.k == change.type_k && rung.v == change.type_v)
                    return rung.cost;
            }
            return 0;
        case ChangeKind::weights: {
            const WeightsChoice& choice = choices_.weights[change.choice];
            const double before = weight_bits(request_.weights);
            const double after = weight_bits(choice.weights);
            const double saved = before > 0 ? std::max(0.0, 1.0 - after / before) : 0.0;
            return cost_quality_class * std::max(0, choice.quality - choices_.quality) +
                   cost_smaller_weights * saved;
        }
        case ChangeKind::expert_layers:
        case ChangeKind::gpu_layers:
            return cost_on_host;
        case ChangeKind::sequences:
            return share_given_up(change.number,
                                  std::max<std::int64_t>(1, engine_.sequences(request_)));
        case ChangeKind::context:
            return share_given_up(change.number, request_.options.n_ctx);
        case ChangeKind::another_device:
            return cost_another_device;
        case ChangeKind::larger_device:
            return cost_larger_device;
        default:
            return 0;
        }
    }
    static double weight_bits(const Weights& weights) { return weights.nominal_bits_per_weight; }

    AdviceStep step_of(std::span<const Change> changes) const {
        EstimateRequest trial = request_;
        AdviceStep step;
        for (const Change& change : changes) {
            step.changes[step.n_changes++] = change;
            step.cost += cost_of(change);
            apply(change, choices_, trial);
        }
        const Standing after = standing(trial);
        step.verdict = after.verdict;
        step.suffices = after.verdict <= goal_;
        const std::size_t device = std::min(now_.tightest, after.n - 1);
        step.saved_bytes = now_.need[now_.tightest] - after.need[device];
        step.room_bytes = after.room;
        step.total = after.total;
        step.decode_tokens_per_second = after.decode;
        if (now_.decode.expected > 0) {
            step.cost +=
                cost_rate_lost * std::max(0.0, 1.0 - after.decode.expected / now_.decode.expected);
        }
        return step;
    }

    /// A context that does not suffice is the smallest there is, which helps nobody.
    void keep_if_useful(const AdviceStep& step) {
        const bool helps =
            step.room_bytes > now_.room && step.changes[0].kind != ChangeKind::context;
        if (step.suffices || helps)
            steps_.push_back(step);
    }

    void add_single_steps() {
        for (std::size_t i = 0; i < change_kind_count; ++i) {
            const auto kind = static_cast<ChangeKind>(i);
            if (!is_allowed(kind))
                continue;
            if ((searched_kinds & bit(kind)) != 0) {
                Change change;
                if (search(kind, request_, change))
                    keep_if_useful(step_of({&change, 1}));
                continue;
            }
            AdviceStep last;
            for (const Change& rung : ladder(kind, request_)) {
                last = step_of({&rung, 1});
                if (last.suffices)
                    break;
            }
            if (last.n_changes > 0)
                keep_if_useful(last);
        }
    }

    bool keeping_step_suffices() const {
        return std::ranges::any_of(steps_, [](const AdviceStep& step) {
            return step.suffices && (keeping_kinds & bit(step.changes[0].kind)) != 0;
        });
    }

    /// Cost of the single step of that kind when it suffices; else no bound.
    double bound(ChangeKind kind) const {
        for (const AdviceStep& step : steps_) {
            if (step.n_changes == 1 && step.changes[0].kind == kind && step.suffices)
                return step.cost;
        }
        return static_cast<double>(bytes_limit);
    }

    void add_combinations() {
        const std::size_t singles = steps_.size();
        std::vector<AdviceStep> found;
        for (std::size_t a = 0; a < change_kind_count; ++a) {
            const auto first = static_cast<ChangeKind>(a);
            if ((keeping_kinds & bit(first)) == 0 || !is_allowed(first))
                continue;
            const std::vector<Change> rungs = ladder(first, request_);
            if (rungs.empty())
                continue;
            for (std::size_t b = a + 1; b < change_kind_count; ++b) {
                const auto second = static_cast<ChangeKind>(b);
                if ((device_kinds & bit(second)) != 0 || !is_allowed(second))
                    continue;
                AdviceStep best;
                best.cost = std::min(bound(first), bound(second));
                try_pairs(rungs, second, best);
                if (best.n_changes > 0)
                    found.push_back(best);
            }
        }
        steps_.resize(singles);
        steps_.insert(steps_.end(), found.begin(), found.end());
    }

    /// Replaces `best` by the cheapest pair of a rung and the second kind that suffices for less.
    void try_pairs(const std::vector<Change>& rungs, ChangeKind second, AdviceStep& best) const {
        const auto consider = [&](const Change& one, const Change& two) {
            if (cost_of(one) + cost_of(two) >= best.cost)
                return;
            const std::array<Change, 2> pair = {one, two};
            const AdviceStep step = step_of(pair);
            if (step.suffices && step.cost < best.cost)
                best = step;
        };
        const bool searched = (searched_kinds & bit(second)) != 0;
        for (const Change& one : rungs) {
            if (cost_of(one) >= best.cost)
                continue;
            EstimateRequest trial = request_;
            apply(one, choices_, trial);
            if (searched) {
                Change two;
                if (search(second, trial, two))
                    consider(one, two);
                continue;
            }
            for (const Change& two : ladder(second, trial))
                consider(one, two);
        }
    }

    const EstimateRequest& request_;
    const AdviceChoices& choices_;
    Verdict goal_;
    const Engine& engine_;
    Standing now_;
    std::vector<AdviceStep> steps_;
};

} // namespace

Advice advise(const EstimateRequest& request, const AdviceChoices& choices, Verdict goal) {
    return Adviser(request, choices, goal).run();
}

} // namespace vramscope
