#include "bindings/request_json.h"

namespace vramscope::bindings {

using catalog::Error;
using catalog::Json;
using catalog::Query;
using catalog::Result;

namespace {

/// A value as the text that a person would have typed.
std::string as_text(const Json& value) {
    if (value.is_null())
        return {};
    if (value.is_string())
        return value.get_ref<const std::string&>();
    if (!value.is_array())
        return value.dump();
    // Lists of plain values are written with commas; those with objects stay JSON.
    std::string text;
    for (const Json& element : value) {
        if (element.is_structured())
            return value.dump();
        if (!text.empty())
            text += ',';
        text += as_text(element);
    }
    return text;
}

} // namespace

Result<Query> query_from_json(const Json& request) {
    if (!request.is_object()) {
        return Error{
            "invalid-request", "request",
            "a request is an object of fields, such as {\"model\": \"glm-4-9b-0414\"}, got " +
                catalog::describe(request)};
    }
    Query query;
    for (const auto& [key, value] : request.items()) {
        const Result<bool> set = query.set(key, as_text(value));
        if (!set)
            return set.error();
    }
    return query;
}

Json query_to_json(const Query& query) {
    Json object = Json::object();
    for (const catalog::FieldInfo& field : catalog::all_fields()) {
        if (query.is_set(field.field))
            object[field.key] = query.text(field.field);
    }
    return object;
}

} // namespace vramscope::bindings
