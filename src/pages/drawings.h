// What is drawn at build time: badges for other people's pages, and a model's picture for previews.
#pragma once

#include <string>

#include "pages/site.h"

namespace vramscope::pages {

/// What a badge says about a model on a device: "fits 12 GB · 136K ctx · 32 tok/s".
struct BadgeFigures {
    Verdict verdict = Verdict::does_not_fit;
    Bytes memory_bytes = 0; ///< of all devices, nominal
    Bytes needed_bytes = 0;
    std::int64_t max_context_tokens = 0;
    double tokens_per_second = 0;
};
BadgeFigures badge_figures(const Site& site, const ModelEntry& entry,
                           const catalog::HardwareEntry& hardware);
std::string badge_text(const BadgeFigures& figures);
/// An SVG of 20 px height with a title and a description, legible on light and dark pages.
std::string badge_svg(const BadgeFigures& figures, const ModelEntry& entry,
                      std::string_view hardware_name);

/// 1200 x 630, in English; the PNG is rendered from it.
std::string picture_svg(const Site& site, const ModelEntry& entry);

} // namespace vramscope::pages
