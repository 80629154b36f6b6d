#include "app/weights_options.h"

#include <algorithm>

#include "core/recipe.h"
#include "core/sort.h"

namespace vramscope::app {
namespace {

using catalog::Artifact;
using catalog::QuantizationFormat;

// The formats in common use, as the reference page lists them.
constexpr const char* usual_formats[] = {"fp16",   "fp8",    "q8_0", "q6_k",
                                         "q5_k_m", "q4_k_m", "awq",  "iq4_xs"};

bool is_usual(const QuantizationFormat& format) {
    return std::any_of(std::begin(usual_formats), std::end(usual_formats),
                       [&format](const char* id) { return format.id == id; });
}

bool loads(const Artifact& artifact, const char* engine) {
    return std::find(artifact.engines.begin(), artifact.engines.end(), engine) !=
           artifact.engines.end();
}

/// The text that requests this option. A format's name is enough when it picks this very artifact,
/// so that the default stays the default and links stay readable.
std::string request_text(const ViewContext& context, const Artifact& artifact) {
    const QuantizationFormat* format = context.catalog.find_quantization(artifact.quantization);
    if (format == nullptr || artifact.theoretical)
        return artifact.id;
    catalog::Query query = context.state.query;
    if (!query.set(catalog::Field::artifact, format->id))
        return artifact.id;
    const auto resolved = catalog::resolve(query, context.catalog);
    const bool same =
        resolved && resolved->artifact != nullptr && resolved->artifact->id == artifact.id;
    return same ? upper_case(format->id) : artifact.id;
}

WeightsOption of_artifact(const ViewContext& context, const Artifact& artifact) {
    return {&artifact, context.catalog.find_quantization(artifact.quantization),
            request_text(context, artifact), context.resolved.artifact == &artifact};
}

WeightsOption of_format(const ViewContext& context, const QuantizationFormat& format) {
    return {nullptr, &format, upper_case(format.id),
            context.resolved.artifact == nullptr && context.resolved.quantization == &format};
}

/// A mixture whose blocks do not divide this model's rows has no file.
bool exists(const ViewContext& context, const QuantizationFormat& format) {
    return mixture_bytes(*context.request.architecture, format.mixture, false,
                         *context.request.storage_types) > 0;
}

void add_current(const ViewContext& context, std::vector<WeightsOption>& options) {
    const bool listed = std::any_of(options.begin(), options.end(),
                                    [](const WeightsOption& option) { return option.selected; });
    if (listed)
        return;
    options.push_back({context.resolved.artifact, context.resolved.quantization,
                       std::string(context.state.query.value(catalog::Field::artifact)), true});
}

std::vector<WeightsOption> quick_options(const ViewContext& context) {
    std::vector<WeightsOption> options;
    for (const QuantizationFormat& format : context.catalog.quantizations) {
        if (!is_usual(format))
            continue;
        WeightsOption option = of_format(context, format);
        option.selected = context.resolved.quantization == &format;
        options.push_back(option);
    }
    return options;
}

} // namespace

std::vector<WeightsOption> weights_options(const ViewContext& context) {
    std::vector<WeightsOption> options;
    if (context.request.engine == EngineId::quick) {
        options = quick_options(context);
    } else if (context.request.engine == EngineId::evidence) {
        options = artifact_options(context);
    } else {
        for (const Artifact& artifact : context.model.artifacts) {
            if (loads(artifact, context.engine.key))
                options.push_back(of_artifact(context, artifact));
        }
        for (const QuantizationFormat& format : context.catalog.quantizations) {
            const bool recorded =
                std::any_of(options.begin(), options.end(), [&format](const WeightsOption& option) {
                    return option.artifact != nullptr && option.format == &format;
                });
            if (recorded || format.mixture == Mixture::count_ || !exists(context, format))
                continue;
            options.push_back(of_format(context, format));
        }
    }
    add_current(context, options);
    return options;
}

std::vector<WeightsOption> artifact_options(const ViewContext& context) {
    std::vector<WeightsOption> options;
    for (const Artifact& artifact : context.model.artifacts) {
        options.push_back(of_artifact(context, artifact));
    }
    return options;
}

std::vector<WeightsOption> matrix_options(const ViewContext& context) {
    std::vector<WeightsOption> options = weights_options(context);
    if (context.request.engine == EngineId::evidence)
        return options;
    std::erase_if(options, [](const WeightsOption& option) {
        return !option.selected && (option.format == nullptr || !is_usual(*option.format));
    });
    sort_short(options, [](const WeightsOption& a, const WeightsOption& b) {
        const double bits_a = a.format != nullptr ? a.format->bits_per_weight : 0;
        const double bits_b = b.format != nullptr ? b.format->bits_per_weight : 0;
        return bits_a > bits_b;
    });
    return options;
}

EstimateRequest with_weights(const ViewContext& context, const WeightsOption& option) {
    if (option.selected)
        return context.request;
    catalog::Query query = context.state.query;
    if (!query.set(catalog::Field::artifact, option.request))
        return context.request;
    // The engine whose allowance is used belongs to the artifact.
    query.clear(catalog::Field::evidence_engine);
    const auto resolved = catalog::resolve(query, context.catalog);
    if (!resolved)
        return context.request;
    EstimateRequest request = resolved->request;
    // An architecture of the catalog outlives this; an inline one belongs to the context.
    request.architecture = context.request.architecture;
    return request;
}

std::string option_name(const ViewContext& context, const WeightsOption& option) {
    if (option.artifact != nullptr && context.request.engine != EngineId::quick) {
        return option.artifact->name;
    }
    return option.format != nullptr ? option.format->name : option.request;
}

} // namespace vramscope::app
