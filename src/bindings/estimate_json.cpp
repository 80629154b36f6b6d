#include "bindings/estimate_json.h"

#include "catalog/engines_json.h"
#include "report/recommend.h"
#include "report/serving_text.h"

namespace vramscope::bindings {

using catalog::Json;

namespace {

Json range_json(const ByteRange& range) {
    return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}

Json rate_json(const RateRange& rate) {
    return {{"low", rate.low}, {"expected", rate.expected}, {"high", rate.high}};
}

void add_parts(Json& object, const PartBytes& parts) {
    for (std::size_t i = 0; i < part_count; ++i) {
        const auto part = static_cast<Part>(i);
        object[std::string(name(part)) + "_bytes"] = range_json(parts[part]);
    }
    object["total_bytes"] = range_json(parts.total());
}

Json device_json(const DeviceEstimate& device) {
    Json object = {{"name", device.name}, {"kind", device.is_host ? "host" : "gpu"}};
    add_parts(object, device.parts);
    object["capacity_bytes"] = device.capacity_bytes;
    object["free_bytes"] = device.free_bytes;
    object["used_fraction"] = device.used_fraction;
    object["verdict"] = name(device.verdict);
    return object;
}

Json term_json(const Term& term) {
    Json values = Json::object();
    for (std::int32_t i = 0; i < term.value_count; ++i) {
        const TermValue& value = term.values[static_cast<std::size_t>(i)];
        values[value.symbol] = value.value;
    }
    return {{"part", name(term.part)}, {"device", term.device}, {"bytes", range_json(term.bytes)},
            {"formula", term.formula}, {"source", term.source}, {"values", values}};
}

Json remarks_json(const std::vector<Remark>& remarks) {
    Json list = Json::array();
    for (const Remark& remark : remarks) {
        Json object = {{"id", remark.id}, {"values", {remark.first, remark.second}}};
        if (!remark.text.empty())
            object["text"] = remark.text;
        list.push_back(std::move(object));
    }
    return list;
}

Json shares_json(const LimitShares& shares) {
    Json object = Json::object();
    for (std::size_t i = 0; i < limit_count; ++i) {
        if (shares[i] > 0)
            object[name(static_cast<Limit>(i))] = shares[i];
    }
    return object;
}

Json batches_json(const std::vector<BatchPoint>& points) {
    Json batches = Json::array();
    for (const BatchPoint& point : points) {
        batches.push_back({{"sequences", point.sequences},
                           {"tokens_per_second", rate_json(point.tokens_per_second)},
                           {"per_sequence", point.per_sequence},
                           {"limit", name(point.limit)}});
    }
    return batches;
}

} // namespace

Json capacity_json(const Capacity& capacity, double user_rate) {
    return {{"user_rate", user_rate},
            {"max_users", capacity.max_users},
            {"max_users_limit", name(capacity.max_users_limit)},
            {"batches", batches_json(capacity.points)}};
}

Json estimate_json(const catalog::ResolvedRequest& request, const Estimate& estimate,
                   const catalog::Catalog& catalog) {
    Json object = Json::object();
    object["model"] = request.model->id;
    object["artifact"] = request.artifact != nullptr ? Json(request.artifact->id) : Json(nullptr);
    object["quantization"] =
        request.quantization != nullptr ? Json(request.quantization->id) : Json(nullptr);
    object["engine"] = catalog::key_of(request.request.engine);
    object["parameters"] = estimate.parameters;
    object["verdict"] = name(estimate.verdict);
    add_parts(object, estimate.parts);
    object["kv_mha_bytes"] = estimate.kv_mha_bytes;
    object["kv_saving_fraction"] = estimate.kv_saving_fraction;
    const catalog::HardwareEntry* recommended =
        report::recommended_hardware(request.request, catalog);
    object["recommended_hardware"] = recommended != nullptr ? Json(recommended->id) : Json(nullptr);
    object["download_bytes"] = estimate.download_bytes;
    object["download_is_exact"] = estimate.download_is_exact;
    object["artifact_tensor_bytes"] = estimate.artifact_tensor_bytes;
    object["max_context_tokens"] = estimate.max_context_tokens;
    object["max_sequences"] = estimate.max_sequences;
    object["decode_tokens_per_second"] = rate_json(estimate.decode_tokens_per_second);
    object["prefill_tokens_per_second"] = rate_json(estimate.prefill_tokens_per_second);
    object["first_token_seconds"] = estimate.first_token_seconds;
    object["decode_limit"] = name(estimate.decode_limit);
    object["decode_shares"] = shares_json(estimate.decode_shares);
    object["prefill_limit"] = name(estimate.prefill_limit);
    object["prefill_shares"] = shares_json(estimate.prefill_shares);
    object["speed_extrapolated"] = estimate.speed_extrapolated;
    object["max_users"] = estimate.max_users;
    object["max_users_limit"] = name(estimate.max_users_limit);
    object["batches"] = batches_json(estimate.batches);
    if (estimate.serving.block_tokens > 0) {
        const ServingEstimate& serving = estimate.serving;
        object["serving"] = {{"pool_bytes", serving.pool_bytes},
                             {"block_tokens", serving.block_tokens},
                             {"blocks", serving.blocks},
                             {"tokens", serving.tokens},
                             {"concurrency", serving.concurrency},
                             {"lines", report::serving_lines(request.request, serving)}};
    }
    Json devices = Json::array();
    for (const DeviceEstimate& device : estimate.devices)
        devices.push_back(device_json(device));
    object["devices"] = std::move(devices);
    Json terms = Json::array();
    for (const Term& term : estimate.terms)
        terms.push_back(term_json(term));
    object["terms"] = std::move(terms);
    object["assumptions"] = remarks_json(estimate.assumptions);
    object["warnings"] = remarks_json(estimate.warnings);
    return object;
}

} // namespace vramscope::bindings
