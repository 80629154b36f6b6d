// What a copied link pins: the data it was made with and what it said then. An old link can so tell
// that figures have changed since.
//
//     asof=2026.11~b10256~7645123456~157184     catalog, engine version, total bytes, tokens
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/view_model.h"
#include "core/estimate.h"
#include "core/request.h"

namespace vramscope::app {

struct Pin {
    std::string catalog; ///< version of the data
    std::string engine;  ///< version of the engine, "-" where none is modelled
    Bytes total_bytes = -1;
    std::int64_t max_context_tokens = -1; ///< as n_ctx means it
    friend bool operator==(const Pin&, const Pin&) = default;
};

/// "0.7.0", "0.25", or "-" for engines without versions.
std::string_view engine_version(const EstimateRequest& request);
Pin pin_of(const catalog::Catalog& catalog, const EstimateRequest& request,
           const Estimate& estimate);
std::string pin_text(const Pin& pin);
/// Nothing for a text that is none; total for any bytes.
std::optional<Pin> read_pin(std::string_view text);

/// Address of a new report about these figures in the project's tracker, "" without a tracker.
std::string report_url(std::string_view repository, std::string_view link, const ViewModel& view);
/// The project's home, as the build was told.
std::string_view repository_url();

} // namespace vramscope::app
