#include "cli/local_models.h"

#include "cli/model_files.h"

namespace vramscope::cli {

using catalog::Error;
using catalog::Field;
using catalog::Query;
using catalog::Result;

Result<LocalModels::Known> LocalModels::read(const std::string& path) {
    for (const Known& known : known_) {
        if (known.path == path)
            return known;
    }
    // "model.gguf,mmproj.gguf": several files that belong together.
    std::vector<std::string> paths;
    for (std::size_t start = 0; start <= path.size();) {
        const std::size_t comma = std::min(path.find(',', start), path.size());
        if (comma > start)
            paths.push_back(path.substr(start, comma - start));
        start = comma + 1;
    }
    const auto inspection = inspect_files(paths, session_.catalog().storage_types);
    if (!inspection)
        return inspection.error();
    std::optional<formats::LocalModel> local = formats::local_model(*inspection);
    if (!local) {
        const std::string why = inspection->notes.empty() ? "" : ": " + inspection->notes.front();
        return Error{"no-architecture", "model", path + " does not describe a model" + why};
    }
    catalog::Model& model = local->model;
    model.id += "-" + std::to_string(known_.size() + 1);
    if (local->quantization) {
        local->quantization->id = model.id;
        model.artifacts.front().quantization = model.id;
        session_.add(std::move(*local->quantization));
    }
    Known known{path, model.id, !model.artifacts.empty(), inspection->quantization};
    session_.add(std::move(model));
    known_.push_back(known);
    return known;
}

Result<bool> LocalModels::resolve(Query& query) {
    const std::string given = query.text(Field::model);
    const std::string first = given.substr(0, given.find(','));
    if (given.empty() || given.front() == '{' || !names_a_file(first))
        return false;
    const Result<Known> known = read(given);
    if (!known)
        return known.error();
    const Result<bool> set = query.set(Field::model, known->id);
    if (!set)
        return set.error();
    if (query.is_set(Field::artifact))
        return true;
    if (known->has_artifact)
        return query.set(Field::artifact, "file");
    // A config that tells its own format: its nominal width.
    const bool usual = known->quantization.empty() || known->quantization == "bf16";
    return usual ? Result<bool>(true) : query.set(Field::artifact, known->quantization);
}

} // namespace vramscope::cli
