#include "bindings/action_json.h"

#include <algorithm>

#include "catalog/json_reader.h"

namespace vramscope::bindings {

catalog::Result<app::Action> action_from_json(std::string_view json) {
    const catalog::Result<catalog::Json> document = catalog::parse_json(json, "action");
    if (!document)
        return document.error();
    catalog::JsonFaults faults;
    const catalog::JsonReader reader(*document, "action", faults);
    app::Action action;
    std::string kind;
    if (reader.field("kind", kind, catalog::Need::required)) {
        const auto found = std::ranges::find(app::action_kind_names, kind);
        if (found == app::action_kind_names.end()) {
            reader.field_fault("kind", "there is no action \"" + kind.substr(0, 40) + "\"");
        } else {
            action.kind = static_cast<app::Action::Kind>(found - app::action_kind_names.begin());
        }
    }
    // An empty value is one too: it takes a field back to its default.
    const auto take = [&](std::string_view key, std::string& out) {
        const auto text = reader.child(key);
        if (!text)
            return;
        if (text->is_string()) {
            out = text->value().get_ref<const std::string&>();
        } else {
            text->fault("must be a text");
        }
    };
    take("key", action.key);
    take("value", action.value);
    if (!faults.empty())
        return faults.errors.front();
    return action;
}

} // namespace vramscope::bindings
