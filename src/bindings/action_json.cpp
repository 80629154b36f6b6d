#include "bindings/action_json.h"

#include "catalog/json_reader.h"

namespace vramscope::bindings {

catalog::Result<app::Action> action_from_json(std::string_view json) {
    const catalog::Result<catalog::Json> document = catalog::parse_json(json, "action");
    if (!document) return document.error();
    catalog::JsonFaults faults;
    const catalog::JsonReader reader(*document, "action", faults);
    app::Action action;
    // In the order of app::Action::Kind.
    reader.field("kind", action.kind,
                 {"none", "set_field", "set_fields", "set_language", "set_theme", "set_unit",
                  "select_tab", "search", "copy_text", "copy_link", "reset"},
                 catalog::Need::required);
    reader.field("key", action.key);
    reader.field("value", action.value);
    if (!faults.empty()) return faults.errors.front();
    return action;
}

}  // namespace vramscope::bindings
