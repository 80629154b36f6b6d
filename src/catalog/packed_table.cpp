#include "catalog/packed_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vramscope::catalog {
namespace {

/// The different texts of a field, in order of appearance; empty when listing them saves nothing.
std::vector<std::string> repeated_words(const std::vector<Json>& objects,
                                        const std::string& field) {
    std::map<std::string, std::size_t> seen;
    std::vector<std::string> words;
    std::size_t uses = 0;
    for (const Json& object : objects) {
        const auto value = object.find(field);
        if (value == object.end())
            continue;
        if (!value->is_string())
            return {};
        ++uses;
        const auto& text = value->get_ref<const std::string&>();
        if (seen.emplace(text, words.size()).second)
            words.push_back(text);
    }
    return words.size() * 2 <= uses ? words : std::vector<std::string>{};
}

void append_list(std::string& text, const std::vector<std::string>& parts, const char* separator) {
    text += "[";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            text += separator;
        text += parts[i];
    }
    text += "]";
}

using Words = std::map<std::string, std::vector<std::string>, std::less<>>;

std::string row_text(const Json& object, const std::vector<std::string>& fields,
                     const Words& words) {
    std::vector<std::string> values;
    std::size_t used = 0;
    for (const std::string& field : fields) {
        const auto value = object.find(field);
        if (value == object.end()) {
            values.emplace_back("null");
            continue;
        }
        const auto listed = words.find(field);
        if (listed == words.end()) {
            values.push_back(value->dump());
        } else {
            const auto place = std::find(listed->second.begin(), listed->second.end(),
                                         value->get_ref<const std::string&>());
            values.push_back(std::to_string(place - listed->second.begin()));
        }
        used = values.size();
    }
    values.resize(used);
    std::string text;
    append_list(text, values, ",");
    return text;
}

/// The text that a row's number stands for, or nothing when it stands for none.
const Json* word(const JsonReader& words, const std::string& field, const Json& place) {
    const auto list = words.array(field);
    if (!list || !place.is_number_unsigned())
        return nullptr;
    const auto index = place.get<std::size_t>();
    return index < list->value().size() ? &list->value()[index] : nullptr;
}

} // namespace

std::string pack_table(const std::vector<Json>& objects,
                       std::initializer_list<std::string_view> field_names) {
    const std::vector<std::string> fields(field_names.begin(), field_names.end());
    Words words;
    for (const std::string& field : fields) {
        std::vector<std::string> listed = repeated_words(objects, field);
        if (!listed.empty())
            words.emplace(field, std::move(listed));
    }
    std::string text = "{\"fields\":" + Json(fields).dump() + ",\n\"words\":" + Json(words).dump() +
                       ",\n\"rows\":";
    std::vector<std::string> rows;
    for (const Json& object : objects)
        rows.push_back(row_text(object, fields, words));
    append_list(text, rows, ",\n");
    return text + "}";
}

std::vector<Json> unpack_table(const JsonReader& table) {
    std::vector<Json> objects;
    std::vector<std::string> fields;
    table.no_other_fields({"fields", "words", "rows"});
    const auto words = table.object("words", Need::required);
    const auto rows = table.array("rows", Need::required);
    if (!table.field("fields", fields, Need::required) || !words || !rows)
        return objects;
    objects.reserve(rows->value().size());
    rows->for_each_element([&](const JsonReader& row) {
        if (!row.is_array() || row.value().size() > fields.size()) {
            row.fault("expected a list of at most " + std::to_string(fields.size()) +
                      " values, got " + describe(row.value()));
            return;
        }
        Json& object = objects.emplace_back(Json::object());
        for (std::size_t i = 0; i < row.value().size(); ++i) {
            const Json* value = &row.value()[i];
            if (value->is_null())
                continue;
            if (words->has(fields[i]))
                value = word(*words, fields[i], *value);
            if (value == nullptr) {
                row.fault("\"" + fields[i] + "\" points outside its words", "unknown-reference");
                continue;
            }
            object[fields[i]] = *value;
        }
    });
    return objects;
}

} // namespace vramscope::catalog
