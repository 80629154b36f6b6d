// Requests as addresses: key=value&key=value, percent-encoded.
#include <algorithm>

#include "catalog/request_fields.h"
#include "core/ascii.h"

namespace vramscope::catalog {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = ascii::lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
            hex_digit(text[i + 2]) >= 0) {
            decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            decoded += text[i] == '+' ? ' ' : text[i];
        }
    }
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view plain_characters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~*,:/()";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        if (plain_characters.find(c) != std::string_view::npos) {
            encoded += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            encoded += '%';
            encoded += digits[byte >> 4U];
            encoded += digits[byte & 15U];
        }
    }
    return encoded;
}

} // namespace

std::vector<UrlParameter> url_parameters(std::string_view url) {
    std::vector<UrlParameter> parameters;
    const std::size_t mark = url.find('?');
    if (mark != std::string_view::npos) {
        url.remove_prefix(mark + 1);
    } else if (url.find('=') == std::string_view::npos) {
        return parameters;
    }
    url = url.substr(0, url.find('#'));
    while (!url.empty()) {
        const std::size_t end = std::min(url.find('&'), url.size());
        const std::string_view pair = url.substr(0, end);
        url.remove_prefix(std::min(end + 1, url.size()));
        if (pair.empty())
            continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        parameters.push_back(
            {percent_decoded(pair.substr(0, equals)),
             equals < pair.size() ? percent_decoded(pair.substr(equals + 1)) : std::string()});
    }
    return parameters;
}

Result<Query> query_from_url(std::string_view url, std::vector<UrlParameter>* others) {
    Query query;
    for (UrlParameter& parameter : url_parameters(url)) {
        const FieldInfo* field = find_field(parameter.key);
        if (field == nullptr) {
            if (others != nullptr)
                others->push_back(std::move(parameter));
            continue;
        }
        const Result<bool> set = query.set(field->field, parameter.value);
        if (!set)
            return set.error();
    }
    return query;
}

std::string query_to_url(const Query& query) {
    std::string url;
    for (const FieldInfo& field : all_fields()) {
        if (!query.is_set(field.field))
            continue;
        if (!url.empty())
            url += '&';
        url += field.key;
        url += '=';
        url += percent_encoded(query.text(field.field));
    }
    return url;
}

} // namespace vramscope::catalog
