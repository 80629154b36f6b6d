#include "core/sweep.h"

#include <algorithm>

#include "core/estimator.h"
#include "core/largest_fitting.h"
#include "core/solve.h"
#include "core/verdict.h"

namespace vramscope {
namespace {

/// More pieces than most models have; where there are more, they are found when asked for.
constexpr std::size_t most_pieces_at_once = 8;

constexpr std::size_t device_entry = 0;
constexpr std::size_t host_entry = 1;

/// All that a request has but its model, weights and devices.
bool asks_the_same(const EstimateRequest& a, const EstimateRequest& b) {
    return a.engine == b.engine && a.llama_cpp_version == b.llama_cpp_version && a.tool == b.tool &&
           a.tool_given == b.tool_given && a.constants == b.constants &&
           a.host.usable_bytes == b.host.usable_bytes && a.options == b.options;
}

bool rises(const std::vector<ContextTable::Piece>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        for (std::size_t e = 0; e < pieces[i].needs.size(); ++e) {
            const bool falls_inside = pieces[i].needs[e].growth < 0;
            const bool falls_before =
                i > 0 && pieces[i].needs[e].at < pieces[i - 1].at(e, pieces[i - 1].high);
            if (falls_inside || falls_before)
                return false;
        }
    }
    return true;
}

} // namespace

const ContextTable::Piece* ContextTable::find(std::int64_t steps) const {
    const auto behind = std::upper_bound(
        pieces.begin(), pieces.end(), steps,
        [](std::int64_t wanted, const Piece& piece) { return wanted < piece.low; });
    if (behind == pieces.begin() || (behind - 1)->high < steps)
        return nullptr;
    return &*(behind - 1);
}

std::int64_t ContextTable::steps_within(std::size_t entry, Bytes room) const {
    std::size_t behind = pieces.size();
    while (behind > 0 && pieces[behind - 1].needs[entry].at > room)
        --behind;
    if (behind == 0)
        return 0;
    const Piece& piece = pieces[behind - 1];
    const graph::Affine& need = piece.needs[entry];
    if (need.growth == 0)
        return piece.high;
    return std::min(piece.high, piece.low + (room - need.at) / need.growth);
}

const ContextTable::Piece& ContextTable::insert(Piece piece, std::int64_t steps) {
    const auto place = std::upper_bound(
        pieces.begin(), pieces.end(), steps,
        [](std::int64_t wanted, const Piece& other) { return wanted < other.low; });
    // Pieces may overlap, and say the same where they do.
    std::int64_t low = piece.low;
    if (place != pieces.begin())
        low = std::max(low, (place - 1)->high + 1);
    if (place != pieces.end())
        piece.high = std::min(piece.high, place->low - 1);
    for (std::size_t e = 0; e < piece.needs.size(); ++e)
        piece.needs[e].at = piece.at(e, low);
    piece.low = low;
    return *pieces.insert(place, piece);
}

Sweep::Sweep(std::vector<const Device*> devices) : devices_(std::move(devices)) {
    for (const Device* device : devices_) {
        std::size_t i = 0;
        while (i < classes_.size() && !(classes_[i].example->backend == device->backend &&
                                        classes_[i].example->unified == device->unified)) {
            ++i;
        }
        if (i == classes_.size())
            classes_.emplace_back().example = device;
        class_of_.push_back(i);
    }
    answers_.resize(devices_.size());
}

void Sweep::select(const EstimateRequest& request) {
    const bool same = engine_ != nullptr && asks_the_same(request_, request);
    request_ = request;
    request_.devices.clear();
    trial_ = request_;
    trial_.devices.resize(1);
    engine_ = find_engine(request.engine);
    limit_ = context_search_limit / engine_->context_step;
    host_counts_ = request_.host.usable_bytes > 0;
    const std::size_t models = workspace_.compute.resets;
    workspace_.select(request_);
    knows_tables_ = false;
    if (same && workspace_.compute.resets == models)
        return;
    tables_.clear();
    for (Class& each : classes_)
        each.generation = 0;
}

const std::vector<SweepAnswer>& Sweep::answers() {
    for (std::size_t i = 0; i < devices_.size(); ++i)
        answers_[i] = answer(i);
    return answers_;
}

SweepAnswer Sweep::answer(std::size_t device) {
    if (!knows_tables_)
        has_tables_ = find_tables();
    knows_tables_ = true;
    return has_tables_ ? look_up(classes_[class_of_[device]], devices_[device]->free_bytes())
                       : estimate_of(*devices_[device]);
}

/// Whether the engine has tables for this model and these options; finds those that it lacks.
bool Sweep::find_tables() {
    if (engine_->even_range == nullptr || engine_->max_context != nullptr ||
        engine_->device_room != nullptr) {
        return false;
    }
    for (Class& each : classes_) {
        if (each.generation == workspace_.facts.generation())
            continue;
        trial_.devices[0] = *each.example;
        trial_.options.n_ctx = request_.options.n_ctx;
        EvenRange range;
        if (!engine_->even_range(trial_, workspace_, range))
            return false;
        each.kind = range.kind;
        start(each, range.for_any_weights);
    }
    return true;
}

/// What changes with the weights, and the table unless it is there.
void Sweep::start(Class& of, bool for_any_weights) {
    of.generation = workspace_.facts.generation();
    MemoryPlan plan;
    plan.workspace = &workspace_;
    engine_->plan(trial_, plan);
    of.n_entries = plan.n_devices;
    of.total = {};
    std::array<Bytes, 2> weights{};
    for (std::size_t i = 0; i < of.n_entries; ++i) {
        of.needs[i] = plan.devices[i].total();
        of.total += of.needs[i];
        weights[i] = plan.devices[i][Part::weights].expected;
    }
    of.host_verdict = Verdict::fits;
    if (of.n_entries > 1 && host_counts_) {
        of.host_verdict = judge_device(of.needs[host_entry], request_.host.usable_bytes,
                                       request_.constants->verdict);
    }

    std::size_t t = 0;
    while (t < tables_.size() && tables_[t].kind != of.kind)
        ++t;
    if (t == tables_.size())
        tables_.emplace_back().kind = of.kind;
    of.table = t;
    Table& table = tables_[t];
    const bool is_for_these =
        table.generation == of.generation || (table.generation != 0 && for_any_weights);
    if (!is_for_these) {
        table.generation = of.generation;
        table.example = of.example;
        fill(table.contexts);
    }
    // The constant by which this class differs from the one that the table was made with.
    const std::array<Bytes, 2> here = beside_weights_at(1);
    for (std::size_t e = 0; e < of.n_entries; ++e)
        of.fixed[e] = weights[e] + here[e] - table.contexts.pieces.front().at(e, 1);
    of.host_steps = limit_;
    if (of.n_entries > 1 && host_counts_ && table.contexts.rises) {
        of.host_steps = table.contexts.steps_within(host_entry, request_.host.usable_bytes -
                                                                    of.fixed[host_entry]);
    }
}

std::array<Bytes, 2> Sweep::beside_weights_at(std::int64_t steps) {
    trial_.options.n_ctx = steps * engine_->context_step;
    MemoryPlan plan;
    plan.workspace = &workspace_;
    engine_->plan(trial_, plan);
    std::array<Bytes, 2> out{};
    for (std::size_t i = 0; i < plan.n_devices; ++i)
        out[i] = plan.devices[i].total().expected - plan.devices[i][Part::weights].expected;
    return out;
}

/// The even piece around a context, and no further than its ends say the same as its beginning.
ContextTable::Piece Sweep::make_piece(std::int64_t steps) {
    trial_.options.n_ctx = steps * engine_->context_step;
    EvenRange range;
    engine_->even_range(trial_, workspace_, range);
    ContextTable::Piece piece;
    piece.low = std::max<std::int64_t>(range.low, 1);
    piece.high = std::min(range.high, limit_);
    for (;;) {
        const std::array<Bytes, 2> first = beside_weights_at(piece.low);
        for (std::size_t e = 0; e < first.size(); ++e)
            piece.needs[e] = {first[e], 0};
        if (piece.low == piece.high)
            return piece;
        const std::array<Bytes, 2> second = beside_weights_at(piece.low + 1);
        const std::array<Bytes, 2> last = beside_weights_at(piece.high);
        bool even = true;
        for (std::size_t e = 0; e < first.size(); ++e) {
            piece.needs[e].growth = second[e] - first[e];
            even = even && piece.at(e, piece.high) == last[e];
        }
        if (even)
            return piece;
        const std::int64_t middle = piece.low + (piece.high - piece.low) / 2;
        if (steps <= middle)
            piece.high = middle;
        else
            piece.low = middle + 1;
    }
}

void Sweep::fill(ContextTable& table) {
    table.pieces.clear();
    std::int64_t steps = 1;
    while (steps <= limit_ && table.pieces.size() < most_pieces_at_once)
        steps = table.insert(make_piece(steps), steps).high + 1;
    table.complete = steps > limit_;
    table.rises = table.complete && rises(table.pieces);
}

Bytes Sweep::room_at(const Class& of, std::int64_t steps, Bytes device_room) {
    ContextTable& table = tables_[of.table].contexts;
    const ContextTable::Piece* piece = table.find(steps);
    if (piece == nullptr) {
        trial_.devices[0] =
            *tables_[of.table].example; // constants are of the class it is made with
        piece = &table.insert(make_piece(steps), steps);
    }
    Bytes room = device_room - of.fixed[device_entry] - piece->at(device_entry, steps);
    if (of.n_entries > 1 && host_counts_) {
        room = std::min(room, request_.host.usable_bytes - of.fixed[host_entry] -
                                  piece->at(host_entry, steps));
    }
    return room;
}

std::int64_t Sweep::max_steps(const Class& of, Bytes device_room) {
    const ContextTable& table = tables_[of.table].contexts;
    if (table.rises) {
        return std::min(of.host_steps,
                        table.steps_within(device_entry, device_room - of.fixed[device_entry]));
    }
    return largest_fitting(limit_,
                           [&](std::int64_t steps) { return room_at(of, steps, device_room); });
}

SweepAnswer Sweep::look_up(const Class& of, Bytes room) {
    SweepAnswer answer;
    answer.total = of.total;
    answer.verdict = judge_device(of.needs[device_entry], room, request_.constants->verdict);
    if (answer.verdict == Verdict::does_not_fit) {
        const std::array<Bytes, 2> rooms{room, request_.host.usable_bytes};
        std::array<Verdict, 2> verdicts{};
        answer.verdict =
            judge(request_.constants->verdict, {of.needs.data(), of.n_entries}, rooms.data(),
                  of.n_entries > 1 ? 1 : -1, engine_->can_offload_to_host, verdicts.data());
    } else {
        answer.verdict = std::max(answer.verdict, of.host_verdict);
    }
    answer.max_context_tokens = max_steps(of, room) * engine_->context_step;
    return answer;
}

/// One by one, for what has no tables.
SweepAnswer Sweep::estimate_of(const Device& device) {
    trial_.devices[0] = device;
    trial_.options.n_ctx = request_.options.n_ctx;
    SweepAnswer answer;
    const MemoryPlan plan = plan_memory(trial_, workspace_);
    for (std::size_t i = 0; i < plan.n_devices; ++i)
        answer.total += plan.devices[i].total();
    answer.verdict = judge(trial_, plan).overall;
    answer.max_context_tokens = max_context_tokens(trial_, workspace_);
    return answer;
}

} // namespace vramscope
