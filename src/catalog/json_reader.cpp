#include "catalog/json_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalog/text_match.h"
#include "core/decimal.h"

namespace vramscope::catalog {
namespace {

constexpr std::size_t deepest_level = 64;

/// What was read last may be cut inside a character; messages are always valid UTF-8.
std::string printable(std::string_view text) {
    std::string clean(text);
    for (char& c : clean) {
        if (c < ' ' || c > '~')
            c = '?';
    }
    return clean;
}

/// At most about 40 bytes, whole characters.
std::string shortened(std::string text) {
    constexpr std::size_t most = 40;
    if (text.size() <= most)
        return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    text.resize(end);
    return text + "…";
}

/// Builds the document, and stops at the first fault with its place.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
public:
    explicit DocumentBuilder(std::string_view text) : text_(text) {}

    bool null() override { return put(Json(nullptr)); }
    bool boolean(bool value) override { return put(Json(value)); }
    bool number_integer(number_integer_t value) override { return put(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(Json(value)); }
    bool number_float(number_float_t value, const string_t&) override { return put(Json(value)); }
    bool string(string_t& value) override { return put(Json(std::move(value))); }
    bool binary(binary_t&) override { return stop("holds binary data"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (levels_.back()->contains(name))
            return stop("key \"" + name + "\" occurs twice");
        key_ = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        // nlohmann's text: "[json.exception.parse_error.101] parse error at line 1, column 2:
        // syntax error while parsing value - unexpected end of input; expected …"
        std::string_view reason = error.what();
        for (const std::string_view end_of_preface : {"] ", ": "}) {
            const std::size_t found = reason.find(end_of_preface);
            if (found != std::string_view::npos)
                reason.remove_prefix(found + end_of_preface.size());
        }
        fault_ = place(position) + ": " + printable(reason);
        return false;
    }

    Json& root() { return root_; }
    const std::string& fault() const { return fault_; }

private:
    bool put(Json value) {
        add(std::move(value));
        return true;
    }
    bool open(Json empty) {
        if (levels_.size() == deepest_level)
            return stop("is nested too deeply");
        levels_.push_back(add(std::move(empty)));
        return true;
    }
    bool close() {
        levels_.pop_back();
        return true;
    }
    Json* add(Json value) {
        if (levels_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *levels_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        Json& slot = parent[key_];
        slot = std::move(value);
        return &slot;
    }
    bool stop(std::string reason) {
        fault_ = std::move(reason);
        return false;
    }
    std::string place(std::size_t position) const {
        const std::string_view before = text_.substr(0, std::min(position, text_.size()));
        const auto lines = std::count(before.begin(), before.end(), '\n');
        const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 = 0
        const std::size_t column = std::max<std::size_t>(before.size() - line_start, 1);
        return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column);
    }

    std::string_view text_;
    Json root_;
    std::vector<Json*> levels_; // the open objects and lists; only the innermost one grows
    std::string key_;
    std::string fault_;
};

std::string number_text(double value) {
    if (value >= -9e15 && value <= 9e15 && value == std::floor(value)) {
        return std::to_string(static_cast<std::int64_t>(value));
    }
    return shortest_text(value);
}

std::string join(std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) {
        if (name.empty())
            continue;
        if (!text.empty())
            text += ", ";
        text += name;
    }
    return text;
}

} // namespace

Result<Json> parse_json(std::string_view text, std::string_view where) {
    DocumentBuilder builder(text);
    const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder);
    if (parsed)
        return std::move(builder.root());
    return Error{"invalid-json", std::string(where), "is not valid JSON: " + builder.fault()};
}

void JsonFaults::add(std::string_view code, std::string where, std::string message) {
    if (errors.size() >= limit)
        return;
    errors.push_back({std::string(code), std::move(where), std::move(message)});
}

std::string describe(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "a list";
    case Json::value_t::string:
        return "\"" + shortened(value.get_ref<const std::string&>()) + "\"";
    case Json::value_t::boolean:
        return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
        return std::to_string(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
        return std::to_string(value.get<std::uint64_t>());
    default:
        return shortest_text(value.get<double>());
    }
}

std::string_view closest_name(std::string_view text, std::span<const std::string_view> known) {
    std::string_view best;
    // A third of the letters may differ.
    std::size_t fewest = text.size() / 3 + 1;
    if (text.size() < 3 || text.size() > 64)
        return best;
    for (const std::string_view name : known) {
        const std::size_t edits = typing_errors(text, name);
        if (edits < fewest) {
            fewest = edits;
            best = name;
        }
    }
    return best;
}

std::string JsonReader::path() const {
    if (parent_ == nullptr)
        return std::string(name_);
    std::string text = parent_->path();
    if (parent_->is_array()) {
        // Entries of a catalog are known by their ids, other elements by their place.
        const Json* id = member("id");
        const bool named = id != nullptr && id->is_string();
        text += "[" + (named ? id->get_ref<const std::string&>() : std::to_string(index_)) + "]";
    } else {
        text += parent_->parent_ == nullptr ? ": " : ".";
        text += name_;
    }
    return text;
}

void JsonReader::fault(std::string_view message, std::string_view code) const {
    faults_->add(code, path(), std::string(message));
}

void JsonReader::field_fault(std::string_view key, std::string_view message,
                             std::string_view code) const {
    std::string where = path();
    where += parent_ == nullptr ? ": " : ".";
    where += key;
    faults_->add(code, std::move(where), std::string(message));
}

const Json* JsonReader::member(std::string_view key) const {
    if (!value_->is_object())
        return nullptr;
    const auto found = value_->find(key);
    return found == value_->end() ? nullptr : &*found;
}

const Json* JsonReader::needed_member(std::string_view key, Need need) const {
    const Json* value = member(key);
    if (value == nullptr && need == Need::required)
        field_fault(key, "is missing", "missing-field");
    return value;
}

bool JsonReader::field(std::string_view key, std::string& out, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    if (!value->is_string()) {
        field_fault(key, "expected a text, got " + describe(*value), "wrong-type");
        return false;
    }
    const auto& text = value->get_ref<const std::string&>();
    if (text.empty()) {
        field_fault(key, "is empty; leave the field out when there is nothing to say");
        return false;
    }
    out = text;
    return true;
}

bool JsonReader::field(std::string_view key, bool& out, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    if (!value->is_boolean()) {
        field_fault(key, "expected true or false, got " + describe(*value), "wrong-type");
        return false;
    }
    out = value->get<bool>();
    return true;
}

bool JsonReader::field(std::string_view key, double& out, double minimum, double maximum,
                       Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    const double number = value->is_number() ? value->get<double>() : 0.0;
    // NaN fails both comparisons.
    if (value->is_number() && number >= minimum && number <= maximum) {
        out = number;
        return true;
    }
    field_fault(key,
                "expected a number from " + number_text(minimum) + " to " + number_text(maximum) +
                    ", got " + describe(*value),
                value->is_number() ? "out-of-range" : "wrong-type");
    return false;
}

bool JsonReader::field(std::string_view key, std::vector<std::string>& out, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    std::vector<std::string> texts;
    bool sound = value->is_array();
    if (sound) {
        for (const Json& element : *value) {
            sound = sound && element.is_string() && !element.get_ref<const std::string&>().empty();
            if (sound)
                texts.push_back(element.get<std::string>());
        }
    }
    if (!sound) {
        field_fault(key,
                    "expected a list of texts, got " +
                        (value->is_array() ? "another kind of element" : describe(*value)),
                    "wrong-type");
        return false;
    }
    out = std::move(texts);
    return true;
}

bool JsonReader::whole_number(std::string_view key, std::int64_t& out, std::int64_t minimum,
                              std::int64_t maximum, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    bool whole = value->is_number();
    std::int64_t number = 0;
    if (value->is_number_unsigned()) {
        const auto big = value->get<std::uint64_t>();
        whole = big <= static_cast<std::uint64_t>(INT64_MAX);
        if (whole)
            number = static_cast<std::int64_t>(big);
    } else if (value->is_number_integer()) {
        number = value->get<std::int64_t>();
    } else if (whole) {
        const double real = value->get<double>();
        whole = real >= -9e15 && real <= 9e15 && real == std::floor(real);
        if (whole)
            number = static_cast<std::int64_t>(real);
    }
    if (whole && number >= minimum && number <= maximum) {
        out = number;
        return true;
    }
    field_fault(key,
                "expected a whole number from " + std::to_string(minimum) + " to " +
                    std::to_string(maximum) + ", got " + describe(*value),
                value->is_number() ? "out-of-range" : "wrong-type");
    return false;
}

bool JsonReader::choice(std::string_view key, std::size_t& out,
                        std::initializer_list<std::string_view> names, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return false;
    if (value->is_string()) {
        const auto& text = value->get_ref<const std::string&>();
        const auto* found = std::find(names.begin(), names.end(), text);
        if (found != names.end() && !text.empty()) {
            out = static_cast<std::size_t>(found - names.begin());
            return true;
        }
    }
    field_fault(key, "expected one of " + join(names) + ", got " + describe(*value),
                value->is_string() ? "invalid-value" : "wrong-type");
    return false;
}

std::optional<JsonReader> JsonReader::child(std::string_view key, Need need) const {
    const Json* value = needed_member(key, need);
    if (value == nullptr)
        return std::nullopt;
    return JsonReader(*value, *this, key);
}

std::optional<JsonReader> JsonReader::object(std::string_view key, Need need) const {
    std::optional<JsonReader> found = child(key, need);
    if (found && !found->is_object()) {
        field_fault(key, "expected an object, got " + describe(found->value()), "wrong-type");
        return std::nullopt;
    }
    return found;
}

std::optional<JsonReader> JsonReader::array(std::string_view key, Need need) const {
    std::optional<JsonReader> found = child(key, need);
    if (found && !found->is_array()) {
        field_fault(key, "expected a list, got " + describe(found->value()), "wrong-type");
        return std::nullopt;
    }
    return found;
}

void JsonReader::no_other_fields(std::initializer_list<std::string_view> known) const {
    for_each_member([&](const std::string& key, const JsonReader&) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            return;
        const std::string_view meant = closest_name(key, {known.begin(), known.size()});
        field_fault(key,
                    meant.empty()
                        ? "is not a known field"
                        : "is not a known field; did you mean \"" + std::string(meant) + "\"?",
                    "unknown-field");
    });
}

} // namespace vramscope::catalog
