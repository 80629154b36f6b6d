#include "app/view_context.h"

#include <algorithm>

namespace vramscope::app {

std::int64_t context_per_sequence(const EstimateRequest& request) {
    const Engine* engine = find_engine(request.engine);
    if (!engine->context_is_shared)
        return request.options.n_ctx;
    return std::max<std::int64_t>(1, request.options.n_ctx / engine->sequences(request));
}

std::int64_t engine_context(const EstimateRequest& request, std::int64_t tokens) {
    const Engine* engine = find_engine(request.engine);
    return engine->context_is_shared ? mul(tokens, engine->sequences(request)) : tokens;
}

std::string_view ViewContext::text(std::string_view key) const {
    return locale.text(key);
}

std::string ViewContext::owned_text(std::string_view key) const {
    return std::string(text(key));
}

std::string ViewContext::text(std::string_view key,
                              std::initializer_list<std::string_view> arguments) const {
    return locale.format(key, arguments);
}

std::string ViewContext::bytes(Bytes value) const {
    return locale.bytes(value, state.unit);
}

std::string ViewContext::bytes_number(Bytes value) const {
    return locale.bytes_number(value, state.unit);
}

std::string ViewContext::sequences_text(std::int64_t count) const {
    return text(count == 1 ? "speed.one_sequence" : "number.sequences", {locale.integer(count)});
}

std::string ViewContext::tokens(std::int64_t value) const {
    return locale.format("number.tokens", {locale.integer(value)});
}

std::string ViewContext::artifact_name() const {
    if (resolved.artifact != nullptr && request.engine != EngineId::quick) {
        return resolved.artifact->name;
    }
    return resolved.quantization != nullptr ? resolved.quantization->name : std::string();
}

std::string ViewContext::hardware_name() const {
    if (request.devices.empty())
        return owned_text("hardware.cpu");
    const std::string& first = request.devices.front().name;
    const bool all_equal =
        std::all_of(request.devices.begin(), request.devices.end(),
                    [&first](const Device& device) { return device.name == first; });
    if (all_equal) {
        return request.devices.size() == 1
                   ? first
                   : locale.format(
                         "hardware.several",
                         {locale.integer(static_cast<std::int64_t>(request.devices.size())),
                          first});
    }
    std::vector<std::string> names;
    for (const Device& device : request.devices)
        names.push_back(device.name);
    return locale.list(names);
}

std::size_t ViewContext::fullest_device() const {
    std::size_t fullest = 0;
    double most = -1;
    for (std::size_t i = 0; i < estimate.devices.size(); ++i) {
        const DeviceEstimate& device = estimate.devices[i];
        if (device.is_host && estimate.devices.size() > 1)
            continue;
        const double share = device.free_bytes > 0
                                 ? static_cast<double>(device.parts.total().expected) /
                                       static_cast<double>(device.free_bytes)
                                 : 0;
        if (share > most) {
            most = share;
            fullest = i;
        }
    }
    return fullest;
}

EstimateRequest ViewContext::with_context(std::int64_t tokens) const {
    EstimateRequest changed = request;
    changed.options.n_ctx = engine_context(request, tokens);
    return changed;
}

std::string entry_name(const ViewContext& context, const catalog::HardwareEntry& entry) {
    if (entry.count <= 1)
        return entry.device.name;
    return context.text("hardware.several",
                        {context.locale.integer(entry.count), entry.device.name});
}

std::string hardware_detail(const ViewContext& context, const catalog::HardwareEntry& entry) {
    const Bytes memory = mul(entry.device.memory_bytes, std::max(1, entry.count));
    return context.text("hardware.detail",
                        {context.locale.number(to_gib(memory)),
                         context.locale.number(entry.device.bandwidth_gb_per_s)});
}

std::string part_label(const report::Locale& locale, Part part) {
    return std::string(locale.text(std::string("part.") + name(part)));
}

Tone tone_of(Part part) {
    switch (part) {
    case Part::weights:
        return Tone::weights;
    case Part::kv:
        return Tone::kv;
    case Part::state:
        return Tone::state;
    case Part::compute:
        return Tone::compute;
    case Part::overhead:
        return Tone::overhead;
    case Part::output:
        return Tone::output;
    case Part::count_:
        break;
    }
    return Tone::normal;
}

Tone tone_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::fits:
        return Tone::ok;
    case Verdict::tight:
    case Verdict::offload:
        return Tone::warn;
    case Verdict::does_not_fit:
        break;
    }
    return Tone::bad;
}

const char* sign_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::fits:
        return "\u2713";
    case Verdict::tight:
        return "~";
    case Verdict::offload:
        return "\u21a7";
    case Verdict::does_not_fit:
        break;
    }
    return "\u2715";
}

std::string verdict_label(const report::Locale& locale, Verdict verdict) {
    return std::string(locale.text(std::string("verdict.") + name(verdict)));
}

std::string upper_case(std::string_view text) {
    std::string upper(text);
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    }
    return upper;
}

Action set_field(catalog::Field field, std::string_view value) {
    return {Action::Kind::set_field, catalog::info(field).key, std::string(value)};
}

Action set_fields(std::initializer_list<FieldValue> values) {
    Action action{Action::Kind::set_fields, {}, {}};
    for (const FieldValue& value : values) {
        if (!action.value.empty())
            action.value += '&';
        action.value += catalog::info(value.field).key;
        action.value += '=';
        action.value += value.value;
    }
    return action;
}

} // namespace vramscope::app
