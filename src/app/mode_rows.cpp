#include "app/mode_rows.h"

#include <algorithm>
#include <utility>

#include "app/view_context.h"
#include "core/engines/engine.h"

namespace vramscope::app {
namespace {

using report::DeviceRow;
using report::ModelColumn;
using report::ModelRow;

constexpr double arrange_interval_ms = 250;
constexpr double first_rows_ms = 40; ///< something is to be seen soon

/// The column and direction of "total", "-decode"; the rank else.
std::pair<ModelColumn, bool> order_of(const ModeState& modes) {
    std::string_view text = modes.option("sort");
    const bool descending = text.starts_with('-');
    text.remove_prefix(descending ? 1 : 0);
    const ModelColumn column = report::model_column(text);
    if (column == ModelColumn::count_)
        return {ModelColumn::rank, false};
    return {column, descending};
}

double key_of(const DeviceRow& row, ModelColumn column) {
    // The device table shows the bandwidth where the model table has the download.
    return column == ModelColumn::download ? row.bandwidth_gb_per_s
                                           : report::figure_key(row.figures, column);
}

bool stands_before(const DeviceRow& a, const DeviceRow& b, ModelColumn column, bool descending) {
    if (column == ModelColumn::rank)
        return report::stands_before(a, b);
    const DeviceRow& first = descending ? b : a;
    const DeviceRow& second = descending ? a : b;
    if (column == ModelColumn::name)
        return first.entry->device.name < second.entry->device.name;
    return key_of(first, column) < key_of(second, column);
}

} // namespace

void ModeRows::forget() {
    *this = ModeRows();
}

bool ModeRows::ask(const catalog::Query& query, const ModeState& modes,
                   const catalog::Catalog& catalog) {
    using catalog::Field;
    catalog::Query asked = query;
    const bool devices = modes.mode == Mode::need;
    if (devices) {
        asked.clear(Field::hardware);
        asked.clear(Field::tensor_split);
    } else {
        asked.clear(Field::model);
        asked.clear(Field::artifact);
    }
    std::string key(mode_name(modes.mode));
    key += '|';
    key += catalog::query_to_url(asked);
    // Fewer devices at once are other rows, not fewer of the same.
    if (devices)
        key += '|' + std::string(modes.option("max_devices")) + '|' +
               std::string(modes.option("min_speed")) + '|' + std::string(modes.option("show"));
    if (key != key_ || catalog_ != &catalog) {
        forget();
        if (devices) {
            report::DeviceFilter filter;
            filter.max_count = static_cast<std::int32_t>(
                std::clamp(modes.number("max_devices", 8), 1.0, static_cast<double>(max_devices)));
            filter.min_tokens_per_second = modes.number("min_speed");
            filter.worst_verdict = modes.option("show") == "fits" ? Verdict::fits : Verdict::tight;
            auto started = report::DeviceSweep::start(asked, catalog, filter);
            if (!started)
                return false;
            device_sweep_ = std::move(*started);
        } else {
            report::ModelFilter filter;
            filter.worst_verdict = Verdict::does_not_fit;
            filter.find_max_context = false;
            auto started = report::ModelSweep::start(asked, catalog, filter);
            if (!started)
                return false;
            model_sweep_ = std::move(*started);
        }
        key_ = std::move(key);
        catalog_ = &catalog;
        mode_ = modes.mode;
        modes_ = modes;
        sequences_ = 1;
        if (const auto resolved = catalog::resolve(asked, catalog)) {
            const Engine& engine = *find_engine(resolved->request.engine);
            if (engine.context_is_shared)
                sequences_ = std::max<std::int64_t>(1, engine.sequences(resolved->request));
        }
        return true;
    }
    if (modes_.options != modes.options) {
        modes_ = modes;
        arrange();
    }
    return true;
}

bool ModeRows::pending() const {
    if (device_sweep_)
        return !device_sweep_->is_done();
    return model_sweep_ && (!model_sweep_->is_done() || next_context_ < shown_.size());
}

bool ModeRows::has_work() const {
    return pending() || arrange_wanted_;
}

bool ModeRows::work(double (*clock)(), double milliseconds) {
    const double start = clock();
    if (arranged_at_ == 0)
        arranged_at_ = start - arrange_interval_ms + first_rows_ms;
    while (has_work()) {
        step();
        const double now = clock();
        if (arrange_wanted_ && (!pending() || now - arranged_at_ >= arrange_interval_ms)) {
            arrange();
            arranged_at_ = now;
            return true;
        }
        if (now - start >= milliseconds)
            return false;
    }
    return false;
}

void ModeRows::step() {
    if (device_sweep_) {
        device_sweep_->advance(1);
        arrange_wanted_ = true;
        return;
    }
    if (!model_sweep_->is_done()) {
        model_sweep_->advance(1);
        arrange_wanted_ = true;
        return;
    }
    // All rows are here: the largest contexts follow, from the top of what is shown.
    if (next_context_ >= shown_.size())
        return;
    const std::uint32_t row = shown_[next_context_];
    models_[row].figures.max_context_tokens = model_sweep_->max_context_of(models_[row]);
    context_known_[row] = 1;
    skip_known_contexts();
    arrange_wanted_ = true;
}

void ModeRows::skip_known_contexts() {
    while (next_context_ < shown_.size() && context_known_[shown_[next_context_]] != 0)
        ++next_context_;
}

double ModeRows::progress() const {
    if (device_sweep_)
        return static_cast<double>(device_sweep_->devices_done()) /
               static_cast<double>(std::max<std::size_t>(1, device_sweep_->devices_all()));
    if (!model_sweep_)
        return 1;
    if (!model_sweep_->is_done())
        return 0.5 * static_cast<double>(model_sweep_->models_done()) /
               static_cast<double>(std::max<std::size_t>(1, model_sweep_->models_all()));
    if (shown_.empty() || next_context_ >= shown_.size())
        return 1;
    return 0.5 + 0.5 * static_cast<double>(next_context_) / static_cast<double>(shown_.size());
}

std::size_t ModeRows::estimates() const {
    return device_sweep_  ? device_sweep_->estimates()
           : model_sweep_ ? model_sweep_->estimates()
                          : 0;
}

bool ModeRows::passes(const ModelRow& row) const {
    const std::string_view show = modes_.option("show");
    const Verdict worst = show == "all"    ? Verdict::does_not_fit
                          : show == "fits" ? Verdict::fits
                                           : Verdict::tight;
    const report::SweepFigures& figures = row.figures;
    if (figures.verdict > worst)
        return false;
    if (figures.decode_tokens_per_second.expected < modes_.number("min_speed"))
        return false;
    const auto size = static_cast<double>(row.parameters);
    if (size < 1e9 * modes_.number("min_size") || size > 1e9 * modes_.number("max_size", 1e9))
        return false;
    if (report::quality_rank(row.format) > modes_.number("min_quality", 9))
        return false;
    const std::string_view family = modes_.option("family");
    const std::string_view license = modes_.option("license");
    if ((!family.empty() && row.model->family != family) ||
        (!license.empty() && row.model->license != license))
        return false;
    const Architecture& architecture = row.model->architecture;
    if (const std::string_view vision = modes_.option("vision"); !vision.empty()) {
        if (report::has_vision(architecture) != (vision == "yes"))
            return false;
    }
    if (const std::string_view experts = modes_.option("moe"); !experts.empty()) {
        if (report::has_experts(architecture) != (experts == "yes"))
            return false;
    }
    const double context = modes_.number("min_context");
    if (context > 0) {
        const auto trained = static_cast<double>(
            std::max(architecture.native_context, architecture.extended_context));
        if (trained > 0 && trained < context)
            return false;
        const auto index = static_cast<std::size_t>(&row - models_.data());
        const auto most = static_cast<double>(figures.max_context_tokens / sequences_);
        if (context_known_[index] != 0 && most < context)
            return false;
    }
    return true;
}

void ModeRows::arrange() {
    arrange_wanted_ = false;
    const auto order = order_of(modes_);
    shown_.clear();
    if (device_sweep_) {
        for (DeviceRow& row : device_sweep_->take_rows())
            devices_.push_back(std::move(row));
        const std::string_view vendor = modes_.option("vendor");
        for (std::uint32_t i = 0; i < devices_.size(); ++i) {
            if (vendor.empty() || devices_[i].entry->vendor == vendor)
                shown_.push_back(i);
        }
        std::stable_sort(shown_.begin(), shown_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return stands_before(devices_[a], devices_[b], order.first, order.second);
        });
        context_known_.resize(devices_.size(), 1);
        return;
    }
    if (!model_sweep_)
        return;
    for (ModelRow& row : model_sweep_->take_rows())
        models_.push_back(std::move(row));
    context_known_.resize(models_.size(), 0);
    for (std::uint32_t i = 0; i < models_.size(); ++i) {
        if (passes(models_[i]))
            shown_.push_back(i);
    }
    std::stable_sort(shown_.begin(), shown_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return report::stands_before(models_[a], models_[b], order.first, order.second);
    });
    next_context_ = 0;
    skip_known_contexts();
}

} // namespace vramscope::app
