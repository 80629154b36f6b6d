#include "catalog/texts.h"

#include "catalog/json_reader.h"

namespace vramscope::catalog {

Result<std::vector<Text>> read_texts(std::string_view json) {
    const Result<Json> document = parse_json(json, "texts");
    if (!document)
        return document.error();
    if (!document->is_object())
        return Error{"invalid-json", "", "expected a JSON object of texts"};
    std::vector<Text> texts;
    texts.reserve(document->size());
    for (auto it = document->begin(); it != document->end(); ++it) {
        if (!it->is_string())
            return Error{"wrong-type", it.key(), "\"" + it.key() + "\": expected a text"};
        texts.push_back({it.key(), it->get_ref<const std::string&>()});
    }
    return texts;
}

} // namespace vramscope::catalog
