// From what a person pastes to the files that are to be read: repository names, links of hubs,
// links to files. Nothing here asks the network; it says what to ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "catalog/result.h"

namespace vramscope::formats {

/// One place that keeps models: catalog/hubs.json.
struct Hub {
    std::string name;
    std::string host; ///< "https://huggingface.co", without a slash at the end
    std::vector<std::string> also;
    std::string list;
    std::string file;
};
struct Hubs {
    Hub huggingface;
    Hub ollama;
};
/// `json` is catalog/hubs.json, or the same with other hosts.
catalog::Result<Hubs> read_hubs(std::string_view json);

enum class LinkKind : std::uint8_t { huggingface, ollama, file };

struct RemoteFile {
    std::string name;
    std::string url;
    std::int64_t bytes = -1; ///< -1: not known
    bool optional = false;   ///< helps when it is there
};

/// Files that are one model, or belong to one.
struct RemoteChoice {
    std::string label; ///< "Q4_K_M", else a file's name
    std::string kind;  ///< "gguf", "safetensors", "config", "projector", "adapter"
    std::vector<RemoteFile> files;
    std::int64_t bytes = 0; ///< of all files, 0: not known
};

struct Link {
    LinkKind kind = LinkKind::file;
    std::string hub;  ///< "Hugging Face", "" for other hosts
    std::string host; ///< who is asked: "huggingface.co"
    std::string repo;
    std::string revision = "main"; ///< or the tag
    std::string pick;              ///< wanted file or quantisation, "" when left open
    std::string list_url;          ///< "" when the files are known
    std::string accept;            ///< media type to ask the list for, "" for any
    std::vector<RemoteFile> files;
};

/// Understands "org/repo", "org/repo:Q4_K_M", "hf.co/org/repo", model, tree, blob and resolve pages
/// of Hugging Face, "name:tag", "ollama run name:tag", pages of Ollama, and links to files.
/// Errors: "not-a-link", "no-model-link" (a hub's page of something else).
catalog::Result<Link> read_link(std::string_view text, const Hubs& hubs);

/// What a hub's list of files offers; weights first, small before large. Errors: "invalid-list",
/// "no-model" (nothing in it that can be read).
catalog::Result<std::vector<RemoteChoice>> read_choices(std::string_view list, const Link& link,
                                                        const Hubs& hubs);
/// The one that the link picks, or the only one; nullptr when a person has to choose.
const RemoteChoice* picked(const std::vector<RemoteChoice>& choices, const Link& link);

nlohmann::ordered_json link_json(const Link& link);
nlohmann::ordered_json choices_json(const std::vector<RemoteChoice>& choices);

} // namespace vramscope::formats
