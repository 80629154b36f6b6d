#include "pages/address.h"

namespace vramscope::pages {
namespace {

constexpr std::string_view index_name = "index.html";

std::string joined(std::string_view folder, std::string_view name, std::string_view end) {
    return std::string(folder) + '/' + std::string(name) + std::string(end);
}

std::string_view without_index(std::string_view path) {
    if (path == index_name || path.ends_with("/index.html"))
        path.remove_suffix(index_name.size());
    return path;
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
}

} // namespace

std::string slug(std::string_view name) {
    std::string out;
    for (const char original : name) {
        const char c =
            original >= 'A' && original <= 'Z' ? static_cast<char>(original - 'A' + 'a') : original;
        if (is_plain(c))
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (!out.empty() && out.back() == '-')
        out.pop_back();
    return out;
}

std::string model_path(std::string_view model) {
    return joined("models", model, ".html");
}

std::string family_path(std::string_view family) {
    return joined("families", family, ".html");
}

std::string size_path(std::string_view size) {
    return joined("sizes", size, ".html");
}

std::string hardware_path(std::string_view hardware) {
    return joined("hardware", hardware, ".html");
}

std::string pair_path(std::string_view model, std::string_view hardware) {
    return joined("models/" + std::string(model), hardware, ".html");
}

std::string badge_path(std::string_view model, std::string_view name) {
    return joined("badges/" + std::string(model), name, ".svg");
}

std::string picture_path(std::string_view model, std::string_view extension) {
    return joined("pictures", model, extension);
}

std::string data_path(std::string_view model) {
    return joined("api/v1/models", model, ".json");
}

std::string in_language(std::string_view folder, std::string_view page) {
    return folder.empty() ? std::string(page) : std::string(folder) + '/' + std::string(page);
}

std::string relative(std::string_view from, std::string_view to) {
    // Folders that both share are left out of the way up and down.
    std::size_t shared = 0;
    for (std::size_t i = 0; i < from.size() && i < to.size() && from[i] == to[i]; ++i) {
        if (from[i] == '/')
            shared = i + 1;
    }
    std::string out;
    for (std::size_t i = shared; i < from.size(); ++i) {
        if (from[i] == '/')
            out += "../";
    }
    out += without_index(to.substr(shared));
    return out.empty() ? "./" : out;
}

std::string absolute(std::string_view base, std::string_view path) {
    return std::string(base) + std::string(without_index(path));
}

std::string percent_encoded(std::string_view text) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool plain = is_plain(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
        if (plain) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

} // namespace vramscope::pages
