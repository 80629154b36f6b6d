#include "cli/local_models.h"

#include "cli/model_files.h"

namespace vramscope::cli {

using catalog::Error;
using catalog::Field;
using catalog::Query;
using catalog::Result;

Result<LocalModels::Known> LocalModels::read(const std::string& given) {
    for (const Known& known : known_) {
        if (known.given == given)
            return known;
    }
    // "model.gguf,mmproj.gguf": several files that belong together.
    std::vector<std::string> paths;
    for (std::size_t start = 0; start <= given.size();) {
        const std::size_t comma = std::min(given.find(',', start), given.size());
        if (comma > start)
            paths.push_back(given.substr(start, comma - start));
        start = comma + 1;
    }
    const auto inspection = inspect_files(paths, catalog_.storage_types);
    if (!inspection)
        return inspection.error();
    Known known{given, formats::inline_model(*inspection), formats::request_fields(*inspection)};
    if (known.model.empty()) {
        const std::string why = inspection->notes.empty() ? "" : ": " + inspection->notes.front();
        return Error{"no-architecture", "model", given + " does not describe a model" + why};
    }
    known_.push_back(known);
    return known;
}

Result<bool> LocalModels::resolve(Query& query) {
    const std::string given = query.text(Field::model);
    const std::string first = given.substr(0, given.find(','));
    if (!names_a_file(first) && (catalog_.find_model(given) != nullptr || !names_a_link(first)))
        return false;
    const Result<Known> known = read(given);
    if (!known)
        return known.error();
    Result<bool> set = query.set(Field::model, known->model);
    for (const catalog::UrlParameter& field : catalog::url_parameters(known->fields)) {
        const catalog::FieldInfo* about = catalog::find_field(field.key);
        if (set && about != nullptr && !query.is_set(about->field))
            set = query.set(about->field, field.value);
    }
    return set ? Result<bool>(true) : set;
}

} // namespace vramscope::cli
