#include "formats/hub_links.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"
#include "core/ascii.h"
#include "formats/gguf_reader.h"
#include "formats/split_names.h"

namespace vramscope::formats {

using catalog::Error;
using catalog::JsonFaults;
using catalog::JsonReader;
using catalog::Need;
using catalog::Result;

namespace {

void read_hub(const JsonReader& root, std::string_view key, Hub& hub) {
    const auto reader = root.object(key, Need::required);
    if (!reader)
        return;
    reader->field("name", hub.name, Need::required);
    reader->field("host", hub.host, Need::required);
    reader->field("also", hub.also);
    reader->field("list", hub.list, Need::required);
    reader->field("file", hub.file, Need::required);
    while (hub.host.ends_with('/'))
        hub.host.pop_back();
}

bool is_url(std::string_view text) {
    return ascii::starts_with_ignoring_case(text, "https://") ||
           ascii::starts_with_ignoring_case(text, "http://");
}

/// Without what surrounds a link in a text.
std::string_view bare(std::string_view text) {
    return ascii::trimmed(text, " \t\r\n\"'<>`");
}

/// "huggingface.co" of "https://huggingface.co/…"
std::string_view host_of(std::string_view url) {
    url.remove_prefix(std::min(url.find("://") + 3, url.size()));
    return url.substr(0, url.find_first_of("/?#"));
}

std::string_view without_query(std::string_view text) {
    return text.substr(0, text.find_first_of("?#"));
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0)
            parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string joined(const std::vector<std::string>& parts, std::size_t first) {
    std::string text;
    for (std::size_t i = first; i < parts.size(); ++i)
        text += (text.empty() ? "" : "/") + parts[i];
    return text;
}

/// What may stand in the path of an address without a change of meaning.
std::string path_text(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') ||
                           std::string_view("-_.~/:+@").find(c) != std::string_view::npos;
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        }
    }
    return out;
}

std::string filled(std::string pattern, std::string_view key, std::string_view value) {
    const std::string mark = "{" + std::string(key) + "}";
    const std::size_t at = pattern.find(mark);
    if (at != std::string::npos)
        pattern.replace(at, mark.size(), path_text(value));
    return pattern;
}

std::string hf_file_url(const Hub& hub, const Link& link, std::string_view path) {
    return hub.host + filled(filled(filled(hub.file, "repo", link.repo), "revision", link.revision),
                             "path", path);
}

bool is_name(std::string_view text, std::string_view more) {
    if (text.empty() || text.size() > 200 || text.front() == '.' || text.front() == '-')
        return false;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool plain = letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        if (!plain && more.find(c) == std::string_view::npos)
            return false;
    }
    return true;
}

Error not_a_link(std::string_view text) {
    return {"not-a-link", "link",
            "\"" + shown(text) +
                "\" is neither a link nor a repository such as org/name or a name:tag of Ollama"};
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}
std::string folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
}

/// Parts of a split file and what lies beside a checkpoint, by `url(path)`.
template <typename Url>
void add_file(std::vector<RemoteFile>& files, const std::string& path, Url url) {
    const std::string_view name = file_name(path);
    const std::string folder = folder_of(path);
    const SplitName split = split_name(name);
    if (split.parts > 1 && split.parts <= 1000) {
        for (std::int32_t part = 1; part <= split.parts; ++part) {
            const std::string other = part_name(split, part);
            files.push_back({other, url(folder + other), -1, false});
        }
    } else {
        files.push_back({std::string(name), url(path), -1, false});
    }
    if (name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json"))
        files.push_back({"config.json", url(folder + "config.json"), -1, true});
}

Result<Link> hf_link(const Hub& hub, std::vector<std::string> parts) {
    Link link;
    link.kind = LinkKind::huggingface;
    link.hub = hub.name;
    link.host = host_of(hub.host);
    if (!parts.empty() && parts[0] == "models")
        parts.erase(parts.begin());
    const bool other = !parts.empty() && (parts[0] == "datasets" || parts[0] == "spaces" ||
                                          parts[0] == "docs" || parts[0] == "blog");
    if (other || parts.size() < 2) {
        return Error{"no-model-link", "link",
                     "this page of " + hub.name + " is no model; a model's link ends in org/name"};
    }
    // "name:Q4_K_M" as llama.cpp's -hf takes it.
    const std::size_t colon = parts[1].find(':');
    if (colon != std::string::npos) {
        link.pick = parts[1].substr(colon + 1);
        parts[1].resize(colon);
    }
    if (!is_name(parts[0], "") || !is_name(parts[1], ""))
        return not_a_link(joined(parts, 0));
    link.repo = parts[0] + "/" + parts[1];
    if (parts.size() > 3)
        link.revision = parts[3];
    const std::string path = joined(parts, 4);
    const bool file =
        parts.size() > 4 && (parts[2] == "blob" || parts[2] == "resolve" || parts[2] == "raw");
    if (file) {
        add_file(link.files, path,
                 [&](std::string_view name) { return hf_file_url(hub, link, name); });
        return link;
    }
    if (!path.empty())
        link.pick = path + "/"; // a folder
    link.list_url =
        hub.host + filled(filled(hub.list, "repo", link.repo), "revision", link.revision);
    return link;
}

Result<Link> ollama_link(const Hub& hub, std::vector<std::string> parts) {
    Link link;
    link.kind = LinkKind::ollama;
    link.hub = hub.name;
    link.host = host_of(hub.host);
    link.revision = "latest";
    if (!parts.empty() && parts[0] == "v2")
        parts.erase(parts.begin());
    while (parts.size() > 2 && parts.back() == "tags")
        parts.pop_back();
    if (!parts.empty()) {
        const std::size_t colon = parts.back().find(':');
        if (colon != std::string::npos) {
            link.revision = parts.back().substr(colon + 1);
            parts.back().resize(colon);
        }
    }
    if (parts.size() == 1)
        parts.insert(parts.begin(), "library");
    if (parts.size() != 2 || !is_name(parts[0], "") || !is_name(parts[1], "") ||
        !is_name(link.revision, "")) {
        return Error{"no-model-link", "link",
                     "this page of " + hub.name + " is no model; a model is named name:tag"};
    }
    link.repo = parts[0] + "/" + parts[1];
    link.list_url = hub.host + filled(filled(hub.list, "repo", link.repo), "tag", link.revision);
    link.accept = "application/vnd.docker.distribution.manifest.v2+json";
    return link;
}

/// The rest of the address when it is on one of the hub's hosts.
bool on_hub(const Hub& hub, std::string_view text, std::string_view& rest) {
    const auto matches = [&](std::string_view host) {
        // With the scheme or without it: "hf.co/org/name".
        const std::string_view bare = host.substr(std::min(host.find("://") + 3, host.size()));
        for (const std::string_view start : {host, bare}) {
            if (!ascii::starts_with_ignoring_case(text, start))
                continue;
            const std::string_view after = text.substr(start.size());
            if (!after.empty() && after.front() != '/')
                continue;
            rest = after;
            return true;
        }
        return false;
    };
    if (matches(hub.host))
        return true;
    for (const std::string& host : hub.also)
        if (matches(host))
            return true;
    return false;
}

bool contains(std::string_view text, std::string_view part) {
    return ascii::lowered(text).find(ascii::lowered(part)) != std::string::npos;
}

/// "Q4_K_M" of "Qwen3-8B-Q4_K_M.gguf", else the name without its ending.
std::string quantization_of(std::string_view stem) {
    if (stem.ends_with(".gguf"))
        stem.remove_suffix(5);
    const std::size_t at = stem.find_last_of("-.");
    const std::string_view last = at == std::string_view::npos ? stem : stem.substr(at + 1);
    const std::string low = ascii::lowered(last);
    for (const char* start : {"q", "iq", "tq", "f16", "f32", "bf16", "fp16", "mxfp4"}) {
        const std::string_view begin(start);
        const bool digit =
            begin.size() > 2 ||
            (low.size() > begin.size() && low[begin.size()] >= '0' && low[begin.size()] <= '9');
        if (low.starts_with(begin) && digit)
            return std::string(last);
    }
    return std::string(stem);
}

RemoteChoice* find_choice(std::vector<RemoteChoice>& choices, std::string_view key,
                          std::vector<std::string>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key)
            return &choices[i];
    return nullptr;
}

Result<std::vector<RemoteChoice>> hf_choices(const catalog::Json& list, const Link& link,
                                             const Hub& hub) {
    std::vector<RemoteChoice> choices;
    std::vector<std::string> keys;
    const auto choice = [&](const std::string& key, std::string label, const char* kind) {
        RemoteChoice* known = find_choice(choices, key, keys);
        if (known != nullptr)
            return known;
        keys.push_back(key);
        choices.push_back({std::move(label), kind, {}, 0});
        return &choices.back();
    };
    if (!list.is_array())
        return Error{"invalid-list", "link", link.host + " sent no list of files"};
    const std::string folder_wanted = link.pick.ends_with('/') ? link.pick : std::string();
    for (int round = 0; round < 2; ++round) {
        for (const catalog::Json& entry : list) {
            const auto path_entry = entry.is_object() ? entry.find("path") : entry.end();
            if (!entry.is_object() || path_entry == entry.end() || !path_entry->is_string())
                continue;
            const std::string path = path_entry->get<std::string>();
            if (!path.starts_with(folder_wanted))
                continue;
            std::int64_t bytes = -1;
            if (const auto size = entry.find("size");
                size != entry.end() && size->is_number_integer())
                bytes = std::max<std::int64_t>(size->get<std::int64_t>(), 0);
            const std::string name(file_name(path));
            const std::string folder = folder_of(path);
            const RemoteFile file{name, hf_file_url(hub, link, path), bytes, false};
            RemoteChoice* to = nullptr;
            if (round == 0 && name.ends_with(".gguf") && !contains(name, "imatrix")) {
                const bool projector = contains(name, "mmproj");
                const std::string stem(split_name(name).stem);
                to = choice(folder + stem, projector ? name : quantization_of(stem),
                            projector ? "projector" : "gguf");
            } else if (round == 0 && name.ends_with(".safetensors") &&
                       !name.starts_with("consolidated") && !name.starts_with("adapter_")) {
                to = choice(folder + "*", folder.empty() ? "safetensors" : folder, "safetensors");
            } else if (round == 1 && (name == "config.json" || name == "hf_quant_config.json")) {
                to = find_choice(choices, folder + "*", keys);
                if (to == nullptr && name == "config.json")
                    to = choice(path, path, "config");
            }
            if (to == nullptr)
                continue;
            to->files.push_back(file);
            to->bytes += std::max<std::int64_t>(bytes, 0);
        }
    }
    return choices;
}

Result<std::vector<RemoteChoice>> ollama_choices(const catalog::Json& manifest, const Link& link,
                                                 const Hub& hub) {
    std::vector<RemoteChoice> choices;
    const auto layers = manifest.is_object() ? manifest.find("layers") : manifest.end();
    if (!manifest.is_object() || layers == manifest.end() || !layers->is_array())
        return Error{"invalid-list", "link", link.host + " sent no manifest"};
    RemoteChoice all{link.repo + ":" + link.revision, "gguf", {}, 0};
    for (const catalog::Json& layer : *layers) {
        const auto text = [&](const char* key) {
            const auto found = layer.is_object() ? layer.find(key) : layer.end();
            return layer.is_object() && found != layer.end() && found->is_string()
                       ? found->get<std::string>()
                       : std::string();
        };
        const std::string type = text("mediaType");
        const char* kind = type.ends_with("image.model")       ? "model"
                           : type.ends_with("image.projector") ? "projector"
                           : type.ends_with("image.adapter")   ? "adapter"
                                                               : nullptr;
        const std::string digest = text("digest");
        if (kind == nullptr || !is_name(digest, ":"))
            continue;
        std::int64_t bytes = -1;
        if (const auto size = layer.find("size"); size != layer.end() && size->is_number_integer())
            bytes = std::max<std::int64_t>(size->get<std::int64_t>(), 0);
        const std::string name = std::string(file_name(link.repo)) + "-" + link.revision +
                                 (kind == std::string_view("model") ? "" : "-") +
                                 (kind == std::string_view("model") ? "" : kind) + ".gguf";
        all.files.push_back(
            {name, hub.host + filled(filled(hub.file, "repo", link.repo), "digest", digest), bytes,
             false});
        all.bytes += std::max<std::int64_t>(bytes, 0);
    }
    if (!all.files.empty())
        choices.push_back(std::move(all));
    return choices;
}

int rank(std::string_view kind) {
    return kind == "gguf" || kind == "safetensors" ? 0 : kind == "config" ? 1 : 2;
}

} // namespace

Result<Hubs> read_hubs(std::string_view json) {
    const auto parsed = catalog::parse_json(json, "hubs.json");
    if (!parsed)
        return parsed.error();
    JsonFaults faults;
    const JsonReader root(*parsed, "hubs.json", faults);
    Hubs hubs;
    read_hub(root, "huggingface", hubs.huggingface);
    read_hub(root, "ollama", hubs.ollama);
    if (!faults.empty())
        return faults.errors.front();
    return hubs;
}

Result<Link> read_link(std::string_view given, const Hubs& hubs) {
    std::string_view text = bare(given);
    if (text.empty() || text.size() > 4000 || text.find('\n') != std::string_view::npos)
        return not_a_link(text);
    for (const std::string_view start :
         {"ollama run ", "ollama pull ", "ollama show ", "ollama:"}) {
        if (ascii::starts_with_ignoring_case(text, start)) {
            text = bare(text.substr(start.size()));
            // "ollama run hf.co/org/name:Q4_K_M"
            std::string_view rest;
            if (on_hub(hubs.huggingface, text, rest))
                return hf_link(hubs.huggingface, split(rest, '/'));
            return ollama_link(hubs.ollama, split(text, '/'));
        }
    }
    if (ascii::starts_with_ignoring_case(text, "hf:"))
        return hf_link(hubs.huggingface, split(bare(text.substr(3)), '/'));
    std::string_view rest;
    if (on_hub(hubs.huggingface, text, rest))
        return hf_link(hubs.huggingface, split(without_query(rest), '/'));
    if (on_hub(hubs.ollama, text, rest)) {
        std::vector<std::string> parts = split(without_query(rest), '/');
        return ollama_link(hubs.ollama, std::move(parts));
    }
    if (is_url(text)) {
        const std::string_view bare = without_query(text);
        const std::string_view query = text.substr(bare.size());
        if (host_of(text).empty() ||
            bare.substr(bare.find("://") + 3).find('/') == std::string_view::npos)
            return not_a_link(text);
        Link link;
        link.host = host_of(text);
        add_file(link.files, std::string(bare), [&](std::string_view path) {
            return std::string(path) + std::string(query.substr(0, query.find('#')));
        });
        return link;
    }
    const std::vector<std::string> parts = split(text, '/');
    if (text.find(' ') == std::string_view::npos && parts.size() == 2 && is_name(parts[0], "") &&
        is_name(parts[1], ":"))
        return hf_link(hubs.huggingface, parts);
    if (parts.size() == 1 && text.find(':') != std::string_view::npos && is_name(text, ":"))
        return ollama_link(hubs.ollama, parts);
    return not_a_link(text);
}

Result<std::vector<RemoteChoice>> read_choices(std::string_view list, const Link& link,
                                               const Hubs& hubs) {
    const auto parsed = catalog::parse_json(list, link.host);
    if (!parsed)
        return Error{"invalid-list", "link", link.host + " sent no list of files"};
    auto choices = link.kind == LinkKind::ollama ? ollama_choices(*parsed, link, hubs.ollama)
                                                 : hf_choices(*parsed, link, hubs.huggingface);
    if (!choices)
        return choices;
    if (choices->empty()) {
        return Error{"no-model", "link",
                     link.repo + " has no .gguf, .safetensors or config.json that could be read"};
    }
    std::stable_sort(choices->begin(), choices->end(), [](const auto& a, const auto& b) {
        return rank(a.kind) != rank(b.kind) ? rank(a.kind) < rank(b.kind) : a.bytes < b.bytes;
    });
    return choices;
}

const RemoteChoice* picked(const std::vector<RemoteChoice>& choices, const Link& link) {
    const RemoteChoice* found = nullptr;
    int count = 0;
    const bool by_name = !link.pick.empty() && !link.pick.ends_with('/');
    for (const RemoteChoice& choice : choices) {
        if (rank(choice.kind) > 1)
            continue;
        const bool exact = by_name && ascii::equal_ignoring_case(choice.label, link.pick);
        if (exact)
            return &choice;
        if (by_name && !contains(choice.files.front().name, link.pick))
            continue;
        found = &choice;
        ++count;
    }
    return count == 1 ? found : nullptr;
}

namespace {

nlohmann::ordered_json files_json(const std::vector<RemoteFile>& files) {
    auto list = nlohmann::ordered_json::array();
    for (const RemoteFile& file : files) {
        nlohmann::ordered_json object = {{"name", file.name}, {"url", file.url}};
        if (file.bytes >= 0)
            object["bytes"] = file.bytes;
        if (file.optional)
            object["optional"] = true;
        list.push_back(std::move(object));
    }
    return list;
}

} // namespace

nlohmann::ordered_json link_json(const Link& link) {
    constexpr const char* kinds[] = {"huggingface", "ollama", "file"};
    return {{"kind", kinds[static_cast<std::size_t>(link.kind)]},
            {"hub", link.hub},
            {"host", link.host},
            {"repo", link.repo},
            {"revision", link.revision},
            {"pick", link.pick},
            {"list_url", link.list_url},
            {"accept", link.accept},
            {"files", files_json(link.files)}};
}

nlohmann::ordered_json choices_json(const std::vector<RemoteChoice>& choices) {
    auto list = nlohmann::ordered_json::array();
    for (const RemoteChoice& choice : choices) {
        list.push_back({{"label", choice.label},
                        {"kind", choice.kind},
                        {"bytes", choice.bytes},
                        {"files", files_json(choice.files)}});
    }
    return list;
}

} // namespace vramscope::formats
