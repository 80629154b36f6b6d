#include "bindings/advice_json.h"

#include <algorithm>

namespace vramscope::bindings {

using catalog::Json;

Json range_json(const ByteRange& range) {
    return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}
Json range_json(const RateRange& range) {
    return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}

Json fields_json(std::span<const report::FieldValue> fields) {
    Json set = Json::object();
    for (const report::FieldValue& field : fields) {
        const catalog::FieldInfo& about = catalog::info(field.field);
        if (field.value.empty()) {
            set[about.key] = nullptr;
        } else if (about.kind == catalog::FieldKind::integer) {
            set[about.key] = std::strtoll(field.value.c_str(), nullptr, 10);
        } else {
            set[about.key] = field.value;
        }
    }
    return set;
}

Json advice_json(const report::AdvisedRequest& advised, Verdict goal) {
    const Advice& advice = advised.advice;
    Json steps = Json::array();
    for (const report::AdvisedStep& advised_step : advised.steps) {
        const AdviceStep& step = advised_step.step;
        Json kinds = Json::array();
        for (const Change& change : step.list())
            kinds.push_back(name(change.kind));
        steps.push_back({{"kinds", std::move(kinds)},
                         {"set", fields_json(advised_step.set)},
                         {"suffices", step.suffices},
                         {"verdict", name(step.verdict)},
                         {"saved_bytes", step.saved_bytes},
                         {"room_bytes", step.room_bytes},
                         {"total_bytes", range_json(step.total)},
                         {"decode_tokens_per_second", range_json(step.decode_tokens_per_second)},
                         {"cost", step.cost}});
    }
    return {{"goal", name(goal)},
            {"verdict", name(advice.verdict)},
            {"device", advice.device < 0 ? Json(nullptr) : Json(advice.device)},
            {"missing_bytes", advice.missing_bytes},
            {"total_bytes", range_json(advice.total)},
            {"decode_tokens_per_second", range_json(advice.decode_tokens_per_second)},
            {"steps", std::move(steps)}};
}

namespace {

/// As the engine names a device's memory ("CUDA1").
std::string buffer_name(const EstimateRequest& request, std::size_t device) {
    constexpr const char* names[] = {"CUDA", "ROCm", "Vulkan", "Metal", "SYCL", "CPU", "GPU"};
    const auto backend = static_cast<std::size_t>(request.devices[device].backend);
    return names[std::min(backend, std::size(names) - 1)] + std::to_string(device);
}

/// What llama-fit-params prints: -c N -ngl N -ts A,B -ot PATTERN=BUFFER,…
Json arguments(const EstimateRequest& request, const AutomaticFit& fit) {
    constexpr const char* patterns[] = {"ffn_(gate|up|gate_up|down).*", "ffn_(gate|gate_up|down).*",
                                        "ffn_down.*", "ffn_(up|down|gate_up|gate)_(ch|)exps"};
    Json list = Json::array({"-c", std::to_string(fit.layout.n_ctx)});
    if (fit.layout.everything)
        return list;
    list.push_back("-ngl");
    list.push_back(std::to_string(fit.n_gpu_layers));
    std::string shares;
    std::string overrides;
    std::int32_t layer = request.architecture->n_layer() + 1 - fit.n_gpu_layers;
    for (std::size_t d = 0; d < request.devices.size() && d < max_devices; ++d) {
        const FitSlice& slice = fit.layout.slices[d];
        shares += (d > 0 ? "," : "") + std::to_string(slice.n_layer);
        layer += slice.n_full();
        for (std::int32_t i = 0; i < slice.n_part; ++i, ++layer) {
            const auto fraction = static_cast<std::size_t>(i == 0 ? slice.first_part
                                                                  : LayerFraction::all_but_experts);
            const bool next = i == 0 && slice.overflows_to_next;
            overrides += (overrides.empty() ? "" : ",") + ("blk\\." + std::to_string(layer)) +
                         "\\." + patterns[fraction] + "=" +
                         (next ? buffer_name(request, d + 1) : "CPU");
        }
    }
    if (request.devices.size() > 1) {
        list.push_back("-ts");
        list.push_back(shares);
    }
    if (!overrides.empty()) {
        list.push_back("-ot");
        list.push_back(overrides);
    }
    return list;
}

} // namespace

Json fit_json(const EstimateRequest& request, const AutomaticFit& fit, const FitOptions& options) {
    constexpr const char* fractions[] = {"attention", "up", "gate", "all-but-experts"};
    EstimateRequest fitted = request;
    apply(fit, fitted);
    Json devices = Json::array();
    for (std::size_t d = 0; d < request.devices.size() && d < max_devices; ++d) {
        const FitSlice& slice = fit.layout.slices[d];
        Json device = {{"name", request.devices[d].name},
                       {"used_bytes", fit.use.devices[d]},
                       {"target_bytes", fit.target[d]}};
        if (!fit.layout.everything) {
            device["n_layer"] = slice.n_layer;
            device["n_partial"] = slice.n_part;
            if (slice.n_part > 0)
                device["first_partial"] = fractions[static_cast<std::size_t>(slice.first_part)];
        }
        devices.push_back(std::move(device));
    }
    Json set = {{"n_ctx", fitted.options.n_ctx}};
    if (!fit.layout.everything && fit.outcome != FitOutcome::unchanged) {
        set["n_gpu_layers"] = fit.n_gpu_layers;
        if (fit.n_partial_layers > 0)
            set["n_cpu_moe"] = fitted.options.n_cpu_moe;
        if (!fitted.options.tensor_split.empty())
            set["tensor_split"] = fitted.options.tensor_split;
    }
    const Bytes host_room = request.host.usable_bytes;
    return {{"outcome", name(fit.outcome)},
            {"n_ctx", fit.layout.n_ctx},
            {"n_gpu_layers", fit.n_gpu_layers},
            {"n_partial_layers", fit.n_partial_layers},
            {"devices", std::move(devices)},
            {"host_bytes", fit.use.host},
            {"host_suffices", host_room == 0 ? Json(nullptr) : Json(fit.use.host <= host_room)},
            {"margin_bytes", options.margin_bytes},
            {"min_context", options.min_context},
            {"set", std::move(set)},
            {"arguments", arguments(request, fit)}};
}

} // namespace vramscope::bindings
