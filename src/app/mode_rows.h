// The rows behind "what can I run?" and "what do I need?": gathered in slices between two inputs,
// filtered and sorted without computing them again. Not for painters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/mode_state.h"
#include "report/sweep.h"

namespace vramscope::app {

class ModeRows {
public:
    /// Starts over when the question changed; keeps what is there when only filter or order did.
    /// False when the query does not resolve.
    bool ask(const catalog::Query& query, const ModeState& modes, const catalog::Catalog& catalog);
    [[gnu::noinline]] void forget();
    bool has_asked() const { return catalog_ != nullptr; }

    bool has_work() const;
    /// Works for about `milliseconds` by the caller's clock. True when there is something new to
    /// show: not with every slice, since painting costs as well.
    bool work(double (*clock)(), double milliseconds);

    /// 0..1 of the models or devices looked at, and then of the largest contexts found.
    double progress() const;
    std::size_t estimates() const;
    /// Rows that pass the filters, in order, and all there are.
    const std::vector<std::uint32_t>& shown() const { return shown_; }
    const std::vector<report::ModelRow>& models() const { return models_; }
    const std::vector<report::DeviceRow>& devices() const { return devices_; }
    bool needs_devices() const { return mode_ == Mode::need; }
    /// Whether a row's largest context is known yet.
    bool context_known(std::uint32_t row) const { return context_known_[row] != 0; }

private:
    bool pending() const;
    void step();
    void skip_known_contexts();
    void arrange();
    bool passes(const report::ModelRow& row) const;

    const catalog::Catalog* catalog_ = nullptr;
    Mode mode_ = Mode::simulator;
    std::string key_; ///< of the question
    ModeState modes_;
    std::int64_t sequences_ = 1; ///< that share the context which n_ctx counts
    std::optional<report::ModelSweep> model_sweep_;
    std::optional<report::DeviceSweep> device_sweep_;
    std::vector<report::ModelRow> models_;
    std::vector<report::DeviceRow> devices_;
    std::vector<std::uint8_t> context_known_;
    std::vector<std::uint32_t> shown_;
    std::size_t next_context_ = 0; ///< index into shown_
    double arranged_at_ = 0;
    bool arrange_wanted_ = false;
};

} // namespace vramscope::app
