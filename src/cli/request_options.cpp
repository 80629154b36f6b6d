#include "cli/request_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace vramscope::cli {

using catalog::Error;
using catalog::Field;
using catalog::FieldInfo;
using catalog::Query;
using catalog::Result;

namespace {

/// "--n-ctx,--n_ctx,--ctx": dashes first, since that is what --help shows.
std::string option_names(const FieldInfo& field) {
    std::string names;
    const auto add = [&](const std::string& key) {
        const bool two_spellings = key.find('_') != std::string::npos;
        std::string dashed = key;
        std::replace(dashed.begin(), dashed.end(), '_', '-');
        if (!names.empty())
            names += ',';
        names += "--" + dashed;
        if (two_spellings)
            names += ",--" + key;
    };
    add(field.key);
    for (const char* alias : field.aliases)
        add(alias);
    return names;
}

std::string describe(const FieldInfo& field) {
    std::string text;
    for (const char* choice : field.choices)
        text += (text.empty() ? "" : " | ") + std::string(choice);
    if (text.empty())
        text = field.unit;
    const std::string usual = field.default_text;
    if (!usual.empty())
        text += (text.empty() ? "" : "; ") + ("default " + usual);
    return text;
}

} // namespace

void RequestOptions::add_to(CLI::App& command) {
    command.add_option("url", url_, "A link copied from the page; options override its fields");
    for (const FieldInfo& field : catalog::all_fields()) {
        CLI::Option* option =
            command.add_option(option_names(field), values_[field.field], describe(field));
        option->group("Request");
        // "--cpu-moe" alone means true.
        if (field.kind == catalog::FieldKind::boolean)
            option->expected(0, 1)->default_str("true");
    }
}

bool RequestOptions::given() const {
    return !url_.empty() ||
           std::ranges::any_of(values_, [](const auto& item) { return !item.second.empty(); });
}

Result<Query> RequestOptions::query() const {
    Query query;
    if (!url_.empty()) {
        if (url_.find('=') == std::string::npos && url_.find("://") == std::string::npos &&
            !url_.starts_with('?')) {
            return Error{"invalid-url", "url",
                         "\"" + url_.substr(0, 60) +
                             "\" is not a link with a query; a model is named with --model"};
        }
        std::vector<catalog::UrlParameter> others;
        Result<Query> from_url = catalog::query_from_url(url_, &others);
        if (!from_url)
            return from_url.error();
        query = std::move(*from_url);
        // What the page keeps in its links beside the request.
        for (const catalog::UrlParameter& other : others) {
            constexpr std::string_view page_keys[] = {"lang", "theme", "unit", "tab", "embed"};
            if (std::ranges::find(page_keys, other.key) == std::end(page_keys)) {
                const Result<bool> unknown = query.set(other.key, other.value);
                if (!unknown)
                    return unknown.error();
            }
        }
    }
    for (const auto& [field, value] : values_) {
        if (value.empty())
            continue;
        const Result<bool> set = query.set(field, value);
        if (!set)
            return set.error();
    }
    return query;
}

} // namespace vramscope::cli
