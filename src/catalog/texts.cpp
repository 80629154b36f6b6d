#include "catalog/texts.h"

#include <nlohmann/json.hpp>

namespace vramscope::catalog {

Result<std::vector<Text>> read_texts(std::string_view json) {
    const auto document = nlohmann::json::parse(json.begin(), json.end(), nullptr, false);
    if (!document.is_object()) {
        return Error{"invalid-json", "", "expected a JSON object of texts"};
    }
    std::vector<Text> texts;
    texts.reserve(document.size());
    for (const auto& [key, value] : document.items()) {
        if (!value.is_string())
            return Error{"wrong-type", key, "\"" + key + "\": expected a text"};
        texts.push_back({key, value.get<std::string>()});
    }
    return texts;
}

} // namespace vramscope::catalog
