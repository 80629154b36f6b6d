#include "catalog/inline_model.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "catalog/architecture_json.h"
#include "catalog/json_reader.h"
#include "catalog/text_match.h"
#include "core/tensors.h"

namespace vramscope::catalog {
namespace {

constexpr std::string_view marks = "(),:~*";
constexpr std::string_view digits = "0123456789abcdef";

int hex_value(char c) {
    const std::size_t at = digits.find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

std::size_t count_digits(std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// What JSON reads as a number or a literal.
bool is_plain_value(std::string_view text) {
    if (text == "true" || text == "false" || text == "null")
        return true;
    if (text.starts_with('-'))
        text.remove_prefix(1);
    const std::size_t whole = count_digits(text);
    if (whole == 0 || (whole > 1 && text[0] == '0'))
        return false;
    text.remove_prefix(whole);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        const std::size_t decimals = count_digits(text);
        if (decimals == 0)
            return false;
        text.remove_prefix(decimals);
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('-') || text.starts_with('+'))
            text.remove_prefix(1);
        return !text.empty() && count_digits(text) == text.size();
    }
    return text.empty();
}

void append_escaped(std::string& out, char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += '~';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
}

void append_text(std::string& out, std::string_view text, bool is_key) {
    if (text.empty())
        out += '~';
    // Blanks at the ends would be trimmed with the whole value.
    const bool guarded = !is_key && is_plain_value(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        if (marks.find(c) != std::string_view::npos || control || (guarded && i == 0)) {
            append_escaped(out, c);
        } else {
            out += c;
        }
    }
}

void append_value(std::string& out, const nlohmann::ordered_json& value) {
    if (value.is_string()) {
        append_text(out, value.get_ref<const std::string&>(), false);
        return;
    }
    if (!value.is_structured()) {
        out += value.dump();
        return;
    }
    out += value.is_array() ? "*(" : "(";
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        if (!first)
            out += ',';
        first = false;
        if (value.is_object()) {
            append_text(out, key, true);
            out += ':';
        }
        append_value(out, member);
    }
    out += ')';
}

/// A token with its ~xx undone, as a JSON text.
void append_json_text(std::string& out, std::string_view token) {
    out += '"';
    for (std::size_t i = 0; i < token.size(); ++i) {
        char c = token[i];
        if (c == '~') {
            if (i + 2 >= token.size() || hex_value(token[i + 1]) < 0 || hex_value(token[i + 2]) < 0)
                continue;
            c = static_cast<char>(hex_value(token[i + 1]) * 16 + hex_value(token[i + 2]));
            i += 2;
        }
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

void read_weights(const JsonReader& reader, const Catalog& catalog, InlineModel& out) {
    Artifact artifact;
    QuantizationFormat own;
    artifact.id = "file";
    reader.field("format", artifact.format, Need::required);
    reader.field("name", own.name);
    reader.field("quantization", artifact.quantization);
    reader.field("bits_per_weight", own.bits_per_weight, 0.0, 64.0);
    reader.field("bytes", artifact.bytes, 1, bytes_limit, Need::required);
    reader.no_other_fields({"format", "name", "quantization", "bits_per_weight", "bytes"});
    if (!reader.faults().empty())
        return;
    artifact.bytes_are_tensors = true;
    artifact.evidence = "tensor-metadata";
    artifact.name = own.name;
    if (const FileFormat* format = catalog.find_format(artifact.format)) {
        artifact.engines = format->engines;
        artifact.name = format->name + (own.name.empty() ? "" : " ") + own.name;
    }
    if (own.bits_per_weight > 0) {
        artifact.quantization = own.id = out.model.id;
        own.quality = "good";
        out.quantization = std::move(own);
    } else if (catalog.find_quantization(artifact.quantization) == nullptr) {
        reader.field_fault("quantization", "is not known, and there are no bits_per_weight");
        return;
    }
    out.model.artifacts.push_back(std::move(artifact));
}

/// The first fault, with its place in the message: people see no other.
Error first_fault(const JsonFaults& faults) {
    const Error& fault = faults.errors.front();
    return {fault.code, "model", fault.where + " " + fault.message};
}

} // namespace

bool is_inline_model(std::string_view text) {
    return text.starts_with('{') || text.starts_with('(');
}

[[gnu::noinline]] Result<std::shared_ptr<const InlineModel>>
read_inline_model(std::string_view text, const Catalog& catalog) {
    const bool linked = text.starts_with('(');
    const auto json = parse_json(linked ? json_of_link_text(text) : std::string(text), "model");
    if (!json)
        return json.error();
    auto out = std::make_shared<InlineModel>();
    Model& model = out->model;
    model.id = "custom";
    model.name = "custom";
    JsonFaults faults;
    const JsonReader reader(*json, "model", faults);
    if (!reader.has("architecture")) {
        if (!read_architecture(reader, model.architecture))
            return first_fault(faults);
        return std::shared_ptr<const InlineModel>(std::move(out));
    }
    reader.no_other_fields({"name", "architecture", "weights"});
    if (reader.field("name", model.name))
        model.id = "local:" + id_of_name(model.name);
    read_architecture(*reader.child("architecture"), model.architecture);
    if (faults.empty()) {
        model.rounded_parameters =
            static_cast<double>(count_parameters(model.architecture).total());
        if (const auto weights = reader.object("weights"))
            read_weights(*weights, catalog, *out);
    }
    if (!faults.empty())
        return first_fault(faults);
    return std::shared_ptr<const InlineModel>(std::move(out));
}

std::string link_text(const nlohmann::ordered_json& value) {
    std::string out;
    append_value(out, value);
    return out;
}

std::string json_of_link_text(std::string_view text) {
    std::string json;
    std::string open; // what closes each bracket
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '(' || text.substr(i).starts_with("*(")) {
            json += c == '(' ? '{' : '[';
            open += c == '(' ? '}' : ']';
            i += c == '(' ? 1 : 2;
        } else if (c == ')') {
            if (open.empty())
                return {};
            json += open.back();
            open.pop_back();
            ++i;
        } else if (c == ',' || c == ':') {
            json += c;
            ++i;
        } else {
            const std::size_t end = std::min(text.find_first_of("(),:", i), text.size());
            const std::string_view token = text.substr(i, end - i);
            const bool is_key = end < text.size() && text[end] == ':';
            if (!is_key && is_plain_value(token)) {
                json += token;
            } else {
                append_json_text(json, token);
            }
            i = end;
        }
    }
    return open.empty() ? json : std::string();
}

std::string id_of_name(std::string_view name) {
    std::string id;
    for (const char c : name.substr(name.rfind('/') + 1)) {
        if (id.size() >= 78)
            break;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.') {
            id += c;
        } else if (c >= 'A' && c <= 'Z') {
            id += static_cast<char>(c - 'A' + 'a');
        } else if (!id.empty() && id.back() != '-') {
            id += '-';
        }
    }
    while (!id.empty() && !is_id(id))
        id.pop_back();
    while (!id.empty() && (id.front() == '.' || id.front() == '-'))
        id.erase(0, 1);
    return id.empty() ? "model" : id;
}

} // namespace vramscope::catalog
