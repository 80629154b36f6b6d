// Where the files of the site lie, and how they are linked.
//
// A page is named by its path below its language's folder: "models/glm-4-9b-0414.html". The first
// language lies at the top, the others in a folder of their own: "de/models/glm-4-9b-0414.html".
// Inside the site all links are relative, so that it works from every sub-path; absolute addresses
// (canonical, alternates, pictures) are made from one base address.
#pragma once

#include <string>
#include <string_view>

namespace vramscope::pages {

/// "Qwen 2.5 Coder" -> "qwen-2.5-coder": lower-case letters, digits, dots and single hyphens.
std::string slug(std::string_view name);

std::string model_path(std::string_view model);
std::string family_path(std::string_view slug);
std::string size_path(std::string_view slug);
std::string hardware_path(std::string_view hardware);
std::string pair_path(std::string_view model, std::string_view hardware);
std::string badge_path(std::string_view model, std::string_view name);
std::string picture_path(std::string_view model, std::string_view extension);
std::string data_path(std::string_view model);
inline constexpr std::string_view models_path = "models/index.html";
inline constexpr std::string_view hardware_index_path = "hardware/index.html";

/// The path of a page in a language; `folder` is "" or "de".
std::string in_language(std::string_view folder, std::string_view page);
/// From one path of the site to another: "../models/x.html", "./" for a folder's index.
std::string relative(std::string_view from, std::string_view to);
/// The address below `base` (with a slash at its end); index.html is left out.
std::string absolute(std::string_view base, std::string_view path);
/// Percent-encoded for a query string.
std::string percent_encoded(std::string_view text);

} // namespace vramscope::pages
