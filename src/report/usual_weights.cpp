#include "report/usual_weights.h"

#include <algorithm>

#include "core/engines/engine.h"
#include "core/sort.h"

namespace vramscope::report {
namespace {

using catalog::Artifact;
using catalog::QuantizationFormat;

// What publishers of GGUF files usually offer, a step of about a tenth apart; the others lie
// between.
constexpr const char* gguf_formats[] = {"bf16",   "q8_0",   "q6_k",    "q5_k_m", "q4_k_m",
                                        "iq4_xs", "q3_k_m", "iq3_xxs", "q2_k",   "iq2_xxs"};
constexpr const char* serving_formats[] = {"bf16", "fp8", "awq"};
constexpr const char* mlx_formats[] = {"bf16", "mlx-8bit", "mlx-6bit", "mlx-4bit"};
constexpr const char* transformers_formats[] = {"bf16", "bnb-int8", "bnb-nf4"};
// The formats of the reference page, whose profile it is.
constexpr const char* quick_formats[] = {"fp16",   "fp8",    "q8_0", "q6_k",
                                         "q5_k_m", "q4_k_m", "awq",  "iq4_xs"};

std::span<const char* const> formats_of(EngineId engine) {
    switch (engine) {
    case EngineId::llama_cpp:
    case EngineId::ollama:
        return gguf_formats;
    case EngineId::vllm:
    case EngineId::sglang:
    case EngineId::tensorrt_llm:
        return serving_formats;
    case EngineId::mlx:
        return mlx_formats;
    case EngineId::transformers:
        return transformers_formats;
    case EngineId::quick:
        return quick_formats;
    default:
        return {};
    }
}

bool loads(const Artifact& artifact, EngineId engine, const catalog::Catalog& catalog) {
    if (engine == EngineId::evidence)
        return true;
    const auto entry = std::ranges::find(catalog.engines, engine, &catalog::EngineEntry::engine);
    return entry != catalog.engines.end() &&
           std::ranges::find(artifact.engines, entry->id) != artifact.engines.end();
}

bool exists(const catalog::Model& model, const QuantizationFormat& format,
            const catalog::Catalog& catalog) {
    return format.mixture == Mixture::count_ ||
           mixture_bytes(model.architecture, format.mixture, false, catalog.storage_types) > 0;
}

} // namespace

std::vector<UsualWeights> usual_weights(const catalog::Model& model, EngineId engine,
                                        const catalog::Catalog& catalog) {
    std::vector<UsualWeights> weights;
    const auto has = [&](const QuantizationFormat* format) {
        return std::ranges::any_of(
            weights, [format](const UsualWeights& known) { return known.format == format; });
    };
    if (engine != EngineId::quick) {
        for (const Artifact& artifact : model.artifacts) {
            const auto* format = catalog.find_quantization(artifact.quantization);
            const bool stand_in = artifact.theoretical && engine != EngineId::evidence;
            if (!stand_in && loads(artifact, engine, catalog) &&
                (format == nullptr || !has(format)))
                weights.push_back({&artifact, format, artifact.id});
        }
    }
    for (const char* id : formats_of(engine)) {
        const auto* format = catalog.find_quantization(id);
        if (format == nullptr || has(format) || !exists(model, *format, catalog))
            continue;
        // A name alone would pick the files that somebody recorded for another engine.
        const bool recorded = engine != EngineId::quick &&
                              std::ranges::any_of(model.artifacts, [format](const Artifact& other) {
                                  return other.quantization == format->id;
                              });
        weights.push_back({nullptr, format, (recorded ? "recipe:" : "") + format->id});
    }
    sort_short(weights, [](const UsualWeights& a, const UsualWeights& b) {
        return a.bits_per_weight() > b.bits_per_weight();
    });
    return weights;
}

int quality_rank(const QuantizationFormat* format) {
    constexpr std::string_view classes[] = {"lossless", "near-lossless", "good", "fair"};
    const auto found =
        format != nullptr ? std::ranges::find(classes, format->quality) : std::end(classes);
    return static_cast<int>(found - std::begin(classes));
}

} // namespace vramscope::report
