#include "report/sweep.h"

#include <algorithm>

#include "catalog/engines_json.h"
#include "core/ascii.h"
#include "core/decimal.h"
#include "core/engines/engine.h"
#include "core/estimator.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/verdict.h"

namespace vramscope::report {
namespace {

using catalog::Catalog;
using catalog::Field;
using catalog::HardwareEntry;
using catalog::Model;
using catalog::Query;
using catalog::Result;

constexpr std::int32_t layouts[] = {1, 2, 3, 4, 6, 8, 12, 16};

bool contains(std::string_view text, std::string_view part) {
    if (part.empty())
        return true;
    for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
        if (ascii::equal_ignoring_case(text.substr(i, part.size()), part))
            return true;
    }
    return false;
}

/// Everything but the largest context, which costs ten times as much.
SweepFigures figures_of(const EstimateRequest& request, const MemoryPlan& plan) {
    SweepFigures figures;
    figures.verdict = judge(request, plan).overall;
    figures.room_bytes = bytes_limit;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        const ByteRange need = plan.devices[i].total();
        figures.total += need;
        const Bytes room = free_bytes(request, plan, i);
        if (room > 0 || static_cast<std::int32_t>(i) != plan.host)
            figures.room_bytes = std::min(figures.room_bytes, room - need.expected);
    }
    figures.decode_tokens_per_second = decode_tokens_per_second(request, plan);
    return figures;
}

} // namespace

bool has_experts(const Architecture& architecture) {
    return std::ranges::any_of(architecture.feed_forwards, [](const FeedForward& ff) {
        return ff.kind == FeedForwardKind::experts;
    });
}

bool has_vision(const Architecture& architecture) {
    return std::ranges::any_of(architecture.towers,
                               [](const Tower& tower) { return tower.name == "vision"; });
}

Result<ModelSweep> ModelSweep::start(const Query& query, const Catalog& catalog,
                                     const ModelFilter& filter) {
    Query base = query;
    base.clear(Field::model);
    base.clear(Field::artifact);
    auto resolved = catalog::resolve(base, catalog);
    if (!resolved)
        return resolved.error();
    ModelSweep sweep;
    sweep.catalog_ = &catalog;
    sweep.filter_ = filter;
    sweep.artifact_names_evidence_ = !query.is_set(Field::evidence_engine);
    sweep.request_ = std::move(resolved->request);
    return sweep;
}

bool ModelSweep::passes(const Model& model) const {
    const Architecture& architecture = model.architecture;
    if (!contains(model.license, filter_.license))
        return false;
    if (!contains(model.family, filter_.family) && !contains(model.name, filter_.family) &&
        !contains(model.provider, filter_.family))
        return false;
    if (filter_.vision >= 0 && has_vision(architecture) != (filter_.vision == 1))
        return false;
    if (filter_.experts >= 0 && has_experts(architecture) != (filter_.experts == 1))
        return false;
    const std::int64_t trained =
        std::max(architecture.native_context, architecture.extended_context);
    return trained == 0 || trained >= filter_.min_context;
}

bool ModelSweep::advance(std::size_t count) {
    for (; count > 0 && !is_done(); --count) {
        const Model& model = catalog_->models[next_model_];
        if (next_weights_ == 0) {
            weights_.clear();
            if (passes(model)) {
                const ParameterCount counted = count_parameters(model.architecture);
                parameters_ = counted.total();
                active_ = counted.active;
                const auto size = static_cast<double>(parameters_);
                if (size >= filter_.min_parameters &&
                    (filter_.max_parameters <= 0 || size <= filter_.max_parameters))
                    weights_ = usual_weights(model, request_.engine, *catalog_);
            }
        }
        if (next_weights_ < weights_.size())
            look_at(model, weights_[next_weights_++]);
        if (next_weights_ >= weights_.size()) {
            ++next_model_;
            next_weights_ = 0;
        }
    }
    return !is_done();
}

void ModelSweep::look_at(const Model& model, const UsualWeights& weights) {
    if (quality_rank(weights.format) > filter_.worst_quality)
        return;
    catalog::set_model_and_weights(model, weights.artifact, weights.format,
                                   artifact_names_evidence_, request_);
    const MemoryPlan plan = plan_memory(request_, workspace_);
    ++estimates_;
    ModelRow row{
        &model, weights.artifact,          weights.format, weights.request, parameters_, active_,
        0,      figures_of(request_, plan)};
    const RateRange& rate = row.figures.decode_tokens_per_second;
    if (row.figures.verdict > filter_.worst_verdict ||
        rate.expected < filter_.min_tokens_per_second)
        return;
    if (filter_.find_max_context || filter_.min_context > 0)
        row.figures.max_context_tokens = max_context_tokens(request_, workspace_);
    if (filter_.min_context > 0) {
        const Engine& engine = *find_engine(request_.engine);
        const std::int64_t sequences =
            engine.context_is_shared ? std::max<std::int64_t>(1, engine.sequences(request_)) : 1;
        if (row.figures.max_context_tokens / sequences < filter_.min_context)
            return;
    }
    row.download_bytes = download_of(request_).bytes;
    rows_.push_back(std::move(row));
}

std::int64_t ModelSweep::max_context_of(const ModelRow& row) const {
    EstimateRequest request = request_;
    catalog::set_model_and_weights(*row.model, row.artifact, row.format, artifact_names_evidence_,
                                   request);
    return max_context_tokens(request);
}

ModelColumn model_column(std::string_view text) {
    constexpr std::string_view names[] = {"rank",        "name",    "parameters",
                                          "quality",     "verdict", "total",
                                          "max_context", "decode",  "download"};
    const auto found = std::ranges::find(names, text);
    return static_cast<ModelColumn>(found - std::begin(names));
}

double figure_key(const SweepFigures& figures, ModelColumn column) {
    switch (column) {
    case ModelColumn::verdict:
        return static_cast<double>(figures.verdict);
    case ModelColumn::total:
        return static_cast<double>(figures.total.expected);
    case ModelColumn::max_context:
        return static_cast<double>(figures.max_context_tokens);
    case ModelColumn::decode:
        return figures.decode_tokens_per_second.expected;
    default:
        return 0;
    }
}

namespace {

double key_of(const ModelRow& row, ModelColumn column) {
    switch (column) {
    case ModelColumn::parameters:
        return static_cast<double>(row.parameters);
    case ModelColumn::quality:
        return quality_rank(row.format);
    case ModelColumn::download:
        return static_cast<double>(row.download_bytes);
    default:
        return figure_key(row.figures, column);
    }
}

bool ranks_before(const ModelRow& a, const ModelRow& b) {
    constexpr int good = 2;
    if (a.figures.verdict != b.figures.verdict)
        return a.figures.verdict < b.figures.verdict;
    const int quality_a = quality_rank(a.format);
    const int quality_b = quality_rank(b.format);
    if (std::max(quality_a, good) != std::max(quality_b, good))
        return quality_a < quality_b;
    if (a.parameters != b.parameters)
        return a.parameters > b.parameters;
    const double bits_a = a.format != nullptr ? a.format->bits_per_weight : 0;
    const double bits_b = b.format != nullptr ? b.format->bits_per_weight : 0;
    if (bits_a != bits_b)
        return bits_a > bits_b;
    // A file that can be downloaded before one that would have to be made.
    if ((a.artifact != nullptr) != (b.artifact != nullptr))
        return a.artifact != nullptr;
    return a.figures.decode_tokens_per_second.expected >
           b.figures.decode_tokens_per_second.expected;
}

} // namespace

bool stands_before(const ModelRow& a, const ModelRow& b, ModelColumn column, bool descending) {
    if (column == ModelColumn::rank)
        return ranks_before(a, b);
    const ModelRow& first = descending ? b : a;
    const ModelRow& second = descending ? a : b;
    if (column == ModelColumn::name)
        return first.model->name < second.model->name;
    return key_of(first, column) < key_of(second, column);
}

void sort_rows(std::vector<ModelRow>& rows, ModelColumn column, bool descending) {
    std::stable_sort(rows.begin(), rows.end(), [=](const ModelRow& a, const ModelRow& b) {
        return stands_before(a, b, column, descending);
    });
}

Result<DeviceSweep> DeviceSweep::start(const Query& query, const Catalog& catalog,
                                       const DeviceFilter& filter) {
    Query base = query;
    base.clear(Field::hardware);
    base.clear(Field::tensor_split);
    auto resolved = catalog::resolve(base, catalog);
    if (!resolved)
        return resolved.error();
    DeviceSweep sweep;
    sweep.catalog_ = &catalog;
    sweep.filter_ = filter;
    sweep.own_model_ = resolved->own_model;
    sweep.request_ = std::move(resolved->request);
    sweep.reserved_bytes_ =
        sweep.request_.devices.empty() ? 0 : sweep.request_.devices[0].reserved_bytes;
    std::vector<const Device*> looked_at;
    sweep.devices_.reserve(catalog.hardware.size());
    for (const HardwareEntry& entry : catalog.hardware) {
        sweep.devices_.push_back(entry.device);
        sweep.devices_.back().reserved_bytes = sweep.reserved_bytes_;
        looked_at.push_back(&sweep.devices_.back());
    }
    sweep.singles_.emplace(std::move(looked_at));
    sweep.singles_->select(sweep.request_);
    return sweep;
}

/// Presets of several equal devices are among the multiples of the single one.
bool DeviceSweep::passes(const HardwareEntry& entry) const {
    return entry.count <= 1 && contains(entry.vendor, filter_.vendor) &&
           entry.device.hardware_class != HardwareClass::cpu && entry.device.usable_bytes > 0;
}

bool DeviceSweep::advance(std::size_t count) {
    for (; count > 0 && !is_done(); --count) {
        const HardwareEntry& entry = catalog_->hardware[next_];
        const std::int32_t most =
            entry.device.unified ? 1 : std::min<std::int32_t>(filter_.max_count, max_devices);
        const bool in_reach = next_count_ < std::size(layouts) && layouts[next_count_] <= most;
        if (!in_reach || !passes(entry) || look_at(entry, layouts[next_count_])) {
            ++next_;
            next_count_ = 0;
        } else {
            ++next_count_;
        }
    }
    return !is_done();
}

/// True when these will do, so that more of them need not be looked at.
bool DeviceSweep::look_at(const HardwareEntry& entry, std::int32_t count) {
    request_.devices.assign(static_cast<std::size_t>(count), entry.device);
    for (Device& device : request_.devices)
        device.reserved_bytes = reserved_bytes_;
    const MemoryPlan plan = plan_memory(request_, workspace_);
    ++estimates_;
    DeviceRow row;
    row.entry = &entry;
    row.count = count;
    row.request = entry.id;
    if (count > 1)
        row.request += "*" + decimal_text(count, 3);
    row.memory_bytes = mul(entry.device.memory_bytes, count);
    row.bandwidth_gb_per_s = entry.device.bandwidth_gb_per_s;
    row.figures = figures_of(request_, plan);
    if (row.figures.verdict > filter_.worst_verdict ||
        row.figures.decode_tokens_per_second.expected < filter_.min_tokens_per_second)
        return false;
    for (std::size_t d = 0; d < request_.devices.size(); ++d)
        row.used_bytes.push_back(plan.devices[d].total().expected);
    row.figures.max_context_tokens = count == 1 ? singles_->answer(next_).max_context_tokens
                                                : max_context_tokens(request_, workspace_);
    rows_.push_back(std::move(row));
    return true;
}

bool stands_before(const DeviceRow& a, const DeviceRow& b) {
    if (a.memory_bytes != b.memory_bytes)
        return a.memory_bytes < b.memory_bytes;
    if (a.count != b.count)
        return a.count < b.count;
    return a.bandwidth_gb_per_s > b.bandwidth_gb_per_s;
}

std::vector<DeviceRow> DeviceSweep::take_rows() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const DeviceRow& a, const DeviceRow& b) { return stands_before(a, b); });
    return std::move(rows_);
}

Query with_users(const Query& query, std::int64_t context, std::int64_t users) {
    Query changed = query;
    const auto id = catalog::engine_from_key(query.value(Field::engine));
    const Engine* engine = find_engine(id);
    const bool shared = engine != nullptr && engine->context_is_shared;
    const auto set = [&changed](Field field, std::int64_t number) {
        [[maybe_unused]] const auto done =
            changed.set(field, decimal_text(static_cast<double>(number), 15));
    };
    set(Field::n_ctx, shared ? mul(context, users) : context);
    set(Field::n_seq, users);
    return changed;
}

} // namespace vramscope::report
