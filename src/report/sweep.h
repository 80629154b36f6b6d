// What can I run? All models and their usual weights on one machine. What do I need? One model on
// all hardware. Both are cursors: a caller advances them by so many rows, or until a clock of its
// own says stop, so that a page never blocks; rows gathered so far can be shown at any time.
//
// A row's figures equal the estimate of the sweep's query with the row's `request` put in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "core/estimate.h"
#include "core/sweep.h"
#include "report/usual_weights.h"

namespace vramscope::report {

bool has_experts(const Architecture& architecture);
bool has_vision(const Architecture& architecture);

/// What every row says.
struct SweepFigures {
    Verdict verdict = Verdict::does_not_fit;
    ByteRange total;                     ///< devices and host
    Bytes room_bytes = 0;                ///< least head-room of a device; < 0: so much is missing
    std::int64_t max_context_tokens = 0; ///< as n_ctx means it, see Estimate
    RateRange decode_tokens_per_second;
};

struct ModelRow {
    const catalog::Model* model = nullptr;
    const catalog::Artifact* artifact = nullptr;         ///< nullptr: computed from the format
    const catalog::QuantizationFormat* format = nullptr; ///< nullptr: not known
    std::string request;                                 ///< text of the `artifact` field
    std::int64_t parameters = 0;
    std::int64_t active_parameters = 0; ///< for one token
    Bytes download_bytes = 0;
    SweepFigures figures;
};

/// Which models are looked at; empty texts and zeros let everything pass.
struct ModelFilter {
    double min_parameters = 0;
    double max_parameters = 0;
    std::string family;  ///< part of the family's, the model's or the provider's name, any case
    std::string license; ///< part of the licence's name, any case
    int vision = -1;     ///< 1: only with a vision tower, 0: only without
    int experts = -1;    ///< 1: only mixtures of experts, 0: only dense ones
    std::int64_t min_context = 0;     ///< tokens per sequence: in memory, and trained on
    double min_tokens_per_second = 0; ///< expected decode rate
    Verdict worst_verdict = Verdict::tight;
    int worst_quality = 4; ///< quality_rank()
    /// The largest context takes six of a row's seven plans. Without it rows come several times as
    /// fast, and ModelSweep::max_context_of() fills in those that are looked at.
    bool find_max_context = true;
};

class ModelSweep {
public:
    /// The query gives hardware, engine and options; its model and artifact are replaced row by
    /// row.
    static catalog::Result<ModelSweep>
    start(const catalog::Query& query, const catalog::Catalog& catalog, const ModelFilter& filter);

    bool is_done() const { return next_model_ >= catalog_->models.size(); }
    std::size_t models_done() const { return next_model_; }
    std::size_t models_all() const { return catalog_->models.size(); }
    /// Estimates made so far, those that the filter dropped included.
    std::size_t estimates() const { return estimates_; }

    /// Looks at up to `count` further pairs of model and weights; false when none is left.
    bool advance(std::size_t count);
    /// One pair after the other until `stop()` is true.
    template <typename Stop>
    bool advance_until(Stop stop) {
        while (!is_done() && !stop())
            advance(1);
        return !is_done();
    }
    const std::vector<ModelRow>& rows() const { return rows_; }
    std::vector<ModelRow> take_rows() { return std::move(rows_); }
    /// The figure that rows lack without `find_max_context`.
    std::int64_t max_context_of(const ModelRow& row) const;

private:
    bool passes(const catalog::Model& model) const;
    void look_at(const catalog::Model& model, const UsualWeights& weights);

    const catalog::Catalog* catalog_ = nullptr;
    ModelFilter filter_;
    EstimateRequest request_;
    Workspace workspace_;
    bool artifact_names_evidence_ = true;
    std::size_t next_model_ = 0;
    std::size_t next_weights_ = 0;
    std::vector<UsualWeights> weights_; ///< of the next model
    std::int64_t parameters_ = 0;
    std::int64_t active_ = 0;
    std::size_t estimates_ = 0;
    std::vector<ModelRow> rows_;
};

/// `rank` puts first what a person would try first: what fits before what is tight before the rest;
/// then weights that keep their quality ("good" or better) before damaged ones; then the model with
/// more parameters; then the wider weights; then the faster.
enum class ModelColumn : std::uint8_t {
    rank,
    name,
    parameters,
    quality,
    verdict,
    total,
    max_context,
    decode,
    download,
    count_
};
/// "rank", "name" …; count_ for an unknown text.
ModelColumn model_column(std::string_view text);
/// Whether `a` stands before `b`; rows that are equal in the column stand before each other never.
/// What a column of figures is sorted by; 0 for the other columns.
double figure_key(const SweepFigures& figures, ModelColumn column);
bool stands_before(const ModelRow& a, const ModelRow& b, ModelColumn column, bool descending);
/// Stable; numbers run upwards unless `descending`, `rank` always runs from the best.
void sort_rows(std::vector<ModelRow>& rows, ModelColumn column, bool descending);

struct DeviceRow {
    const catalog::HardwareEntry* entry = nullptr;
    std::int32_t count = 1;        ///< so many of the entry
    std::string request;           ///< text of the `hardware` field: "rtx-3090-24gb*2"
    Bytes memory_bytes = 0;        ///< all devices together
    double bandwidth_gb_per_s = 0; ///< of one
    std::vector<Bytes> used_bytes; ///< expected, per device
    SweepFigures figures;
};

struct DeviceFilter {
    double min_tokens_per_second = 0;
    std::int32_t max_count = 8; ///< of equal devices; unified memory is never combined
    std::string vendor;         ///< part of the vendor's name, any case
    Verdict worst_verdict = Verdict::tight;
};

class DeviceSweep {
public:
    static catalog::Result<DeviceSweep>
    start(const catalog::Query& query, const catalog::Catalog& catalog, const DeviceFilter& filter);
    bool is_done() const { return next_ >= catalog_->hardware.size(); }
    std::size_t estimates() const { return estimates_; }
    /// Looks at up to `count` further layouts: of each entry 1, 2, 3, 4, 6, 8 … until one will do.
    bool advance(std::size_t count);
    template <typename Stop>
    bool advance_until(Stop stop) {
        while (!is_done() && !stop())
            advance(1);
        return !is_done();
    }
    const std::vector<DeviceRow>& rows() const { return rows_; }
    /// Smallest memory first, then fewest devices, then most bandwidth.
    std::vector<DeviceRow> take_rows();
    std::size_t devices_done() const { return next_; }
    std::size_t devices_all() const { return catalog_->hardware.size(); }

private:
    bool passes(const catalog::HardwareEntry& entry) const;
    bool look_at(const catalog::HardwareEntry& entry, std::int32_t count);

    const catalog::Catalog* catalog_ = nullptr;
    DeviceFilter filter_;
    std::shared_ptr<const catalog::InlineModel> own_model_;
    EstimateRequest request_;
    Bytes reserved_bytes_ = 0;
    Workspace workspace_;
    std::vector<Device> devices_; ///< of the catalog's entries, one each
    std::optional<Sweep> singles_;
    std::size_t next_ = 0;
    std::size_t next_count_ = 0;
    std::size_t estimates_ = 0;
    std::vector<DeviceRow> rows_;
};

/// Smallest memory first, then fewest devices, then most bandwidth.
bool stands_before(const DeviceRow& a, const DeviceRow& b);

/// The query for so many users with so many tokens each: n_seq, and n_ctx as its engine means it.
catalog::Query with_users(const catalog::Query& query, std::int64_t context, std::int64_t users);

} // namespace vramscope::report
