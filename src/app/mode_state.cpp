#include "app/mode_state.h"

#include <algorithm>
#include <cstdlib>

#include "report/sweep.h"

namespace vramscope::app {
namespace {

constexpr std::string_view mode_names[] = {"", "run", "need", "compare"};

enum class OptionKind : std::uint8_t { text, number, flag, sort, show };
struct Option {
    std::string_view key;
    OptionKind kind;
};
constexpr Option all_options[] = {
    {"family", OptionKind::text},        {"license", OptionKind::text},
    {"max_devices", OptionKind::number}, {"max_size", OptionKind::number},
    {"min_context", OptionKind::number}, {"min_quality", OptionKind::number},
    {"min_size", OptionKind::number},    {"min_speed", OptionKind::number},
    {"moe", OptionKind::flag},           {"show", OptionKind::show},
    {"sort", OptionKind::sort},          {"vendor", OptionKind::text},
    {"vision", OptionKind::flag},
};

const Option* find_option(std::string_view key) {
    const auto found = std::ranges::find(all_options, key, &Option::key);
    return found == std::end(all_options) ? nullptr : found;
}

/// "12", "0.5": nothing else, as the address keeps what is typed.
bool is_number(std::string_view text) {
    const auto points = std::ranges::count(text, '.');
    return text.size() <= 12 && points <= 1 && text != "." &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

bool is_allowed(OptionKind kind, std::string_view value) {
    switch (kind) {
    case OptionKind::number:
        return is_number(value);
    case OptionKind::flag:
        return value == "yes" || value == "no";
    case OptionKind::show:
        return value == "fits" || value == "all";
    case OptionKind::sort:
        value.remove_prefix(value.starts_with('-') ? 1 : 0);
        return report::model_column(value) != report::ModelColumn::count_;
    case OptionKind::text:
        return value.size() <= 60 && std::ranges::none_of(value, [](char c) {
                   return static_cast<unsigned char>(c) < 0x20;
               });
    }
    return false;
}

void percent_encode(std::string& out, std::string_view text) {
    constexpr std::string_view plain = "-_.~,:/*";
    for (const char c : text) {
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (word || plain.find(c) != std::string_view::npos) {
            out += c;
        } else {
            constexpr const char* hex = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', hex[byte >> 4U], hex[byte & 0xFU]};
        }
    }
}

} // namespace

std::string_view mode_name(Mode mode) {
    return mode_names[static_cast<std::size_t>(mode)];
}

Mode mode_of(std::string_view name) {
    const auto found = std::ranges::find(mode_names, name);
    return found == std::end(mode_names) ? Mode::simulator
                                         : static_cast<Mode>(found - std::begin(mode_names));
}

std::string_view ModeState::option(std::string_view key) const {
    for (const auto& [known, value] : options) {
        if (known == key)
            return value;
    }
    return {};
}

double ModeState::number(std::string_view key, double usual) const {
    const std::string_view text = option(key);
    return text.empty() ? usual : std::strtod(std::string(text).c_str(), nullptr);
}

bool ModeState::set(std::string_view key, std::string_view value) {
    const Option* known = find_option(key);
    if (known == nullptr || (!value.empty() && !is_allowed(known->kind, value)))
        return false;
    auto at = std::ranges::lower_bound(
        options, key, {}, [](const auto& pair) { return std::string_view(pair.first); });
    const bool there = at != options.end() && at->first == key;
    if (value.empty()) {
        if (there)
            options.erase(at);
    } else if (there) {
        at->second = value;
    } else {
        options.insert(at, {std::string(key), std::string(value)});
    }
    page = 0;
    return true;
}

bool ModeState::add(std::string_view query) {
    if (compared.size() >= most_compared || std::ranges::find(compared, query) != compared.end())
        return false;
    compared.emplace_back(query);
    return true;
}

bool is_mode_option(std::string_view key) {
    return find_option(key) != nullptr;
}

bool is_mode_number(std::string_view key) {
    const Option* known = find_option(key);
    return known != nullptr && known->kind == OptionKind::number;
}

[[gnu::noinline]] bool take_mode_parameter(ModeState& state, std::string_view key,
                                           std::string_view value) {
    if (key == "view") {
        state.mode = mode_of(value);
        return true;
    }
    if (key == "with") {
        state.add(value);
        return true;
    }
    return state.set(key, value);
}

[[gnu::noinline]] std::string mode_parameters(const ModeState& state) {
    std::string text;
    const auto add = [&text](std::string_view key, std::string_view value) {
        if (!text.empty())
            text += '&';
        text += key;
        text += '=';
        percent_encode(text, value);
    };
    if (state.mode != Mode::simulator)
        add("view", mode_name(state.mode));
    for (const auto& [key, value] : state.options)
        add(key, value);
    for (const std::string& query : state.compared)
        add("with", query);
    return text;
}

} // namespace vramscope::app
