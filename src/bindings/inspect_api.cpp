#include "bindings/inspect_api.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "catalog/json_reader.h"
#include "formats/hub_links.h"
#include "formats/inspection.h"
#include "formats/intake.h"

namespace {

using namespace vramscope;
using catalog::Error;
using catalog::Json;
using nlohmann::ordered_json;

/// What one inspection keeps between calls. The table stays where it is: the readers point to it.
struct Inspecting {
    StorageTypeTable types;
    formats::Inspector inspector{types};
    std::optional<formats::Intake> intake;
};

std::unique_ptr<Inspecting>& current() {
    static std::unique_ptr<Inspecting> instance;
    return instance;
}

char* answer(const ordered_json& json) {
    const std::string text = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy != nullptr)
        std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}
char* done(ordered_json ok) {
    return answer({{"ok", std::move(ok)}});
}
char* failed(const Error& error) {
    return answer(
        {{"error", {{"code", error.code}, {"where", error.where}, {"message", error.message}}}});
}
char* out_of_order(std::string_view first) {
    return failed({"invalid-call", "inspect", "call " + std::string(first) + " first"});
}

/// What the open file wants, or what it turned out to be.
char* progress() {
    Inspecting& now = *current();
    formats::Intake& intake = *now.intake;
    if (intake.state() == formats::ReadState::wants_bytes) {
        const formats::ByteRequest wanted = intake.wanted();
        return done({{"state", "more"}, {"offset", wanted.offset}, {"bytes", wanted.bytes}});
    }
    if (intake.state() == formats::ReadState::failed) {
        const Error error = intake.error();
        now.intake.reset();
        return failed(error);
    }
    const auto kind = intake.give_to(now.inspector);
    now.intake.reset();
    if (!kind)
        return failed(kind.error());
    return done({{"state", "done"},
                 {"kind", formats::name(*kind)},
                 {"wanted", now.inspector.wanted_files()}});
}

/// What the two calls about links are given.
struct LinkCall {
    formats::Hubs hubs;
    formats::Link link;
    std::string list;
};
catalog::Result<LinkCall> link_call(const char* json, std::size_t length) {
    const auto parsed = catalog::parse_json({json, length}, "link");
    if (!parsed)
        return parsed.error();
    catalog::JsonFaults faults;
    const catalog::JsonReader reader(*parsed, "link", faults);
    std::string text;
    LinkCall call;
    reader.field("text", text, catalog::Need::required);
    reader.field("list", call.list);
    const auto hubs = reader.object("hubs", catalog::Need::required);
    if (!faults.empty())
        return faults.errors.front();
    auto known = formats::read_hubs(hubs->value().dump());
    if (!known)
        return known.error();
    call.hubs = std::move(*known);
    auto link = formats::read_link(text, call.hubs);
    if (!link)
        return link.error();
    call.link = std::move(*link);
    return call;
}

} // namespace

char* vs_inspect_link(const char* json, std::size_t length) {
    const auto call = link_call(json, length);
    return call ? done(formats::link_json(call->link)) : failed(call.error());
}

char* vs_inspect_choices(const char* json, std::size_t length) {
    const auto call = link_call(json, length);
    if (!call)
        return failed(call.error());
    const auto choices = formats::read_choices(call->list, call->link, call->hubs);
    if (!choices)
        return failed(choices.error());
    const formats::RemoteChoice* choice = formats::picked(*choices, call->link);
    return done({{"choices", formats::choices_json(*choices)},
                 {"picked", choice == nullptr ? -1 : choice - choices->data()}});
}

char* vs_inspect_start(const char* json, std::size_t length) {
    const auto parsed = catalog::parse_json({json, length}, "storage types");
    if (!parsed)
        return failed(parsed.error());
    auto made = std::make_unique<Inspecting>();
    catalog::JsonFaults faults;
    const catalog::JsonReader reader(*parsed, "storage types", faults);
    reader.for_each_member([&](const std::string& key, const catalog::JsonReader& entry) {
        const StorageType type = storage_type_from_name(key);
        if (type == StorageType::count_)
            return; // of a newer catalog
        BlockFormat& format = made->types.formats[static_cast<std::size_t>(type)];
        entry.field("block_elements", format.block_elements, 1, 65536, catalog::Need::required);
        entry.field("block_bytes", format.block_bytes, 1, 65536, catalog::Need::required);
    });
    if (!faults.empty())
        return failed(faults.errors.front());
    current() = std::move(made);
    return done(true);
}

char* vs_inspect_open(const char* json, std::size_t length) {
    if (!current())
        return out_of_order("start");
    const auto parsed = catalog::parse_json({json, length}, "file");
    if (!parsed)
        return failed(parsed.error());
    catalog::JsonFaults faults;
    const catalog::JsonReader reader(*parsed, "file", faults);
    std::string name;
    std::int64_t bytes = -1;
    reader.field("name", name, catalog::Need::required);
    reader.field("bytes", bytes, 0, bytes_limit);
    if (!faults.empty())
        return failed(faults.errors.front());
    current()->intake.emplace(current()->types, formats::shown(name, 255),
                              bytes < 0 ? formats::unknown_size
                                        : static_cast<std::uint64_t>(bytes));
    return progress();
}

char* vs_inspect_feed(const unsigned char* bytes, std::size_t length) {
    if (!current() || !current()->intake)
        return out_of_order("open");
    if (length == 0)
        current()->intake->finish();
    else
        current()->intake->feed({bytes, length});
    return progress();
}

char* vs_inspect_result() {
    if (!current())
        return out_of_order("start");
    const std::vector<std::string> wanted = current()->inspector.wanted_files();
    const auto inspection = current()->inspector.result();
    if (!inspection)
        return failed(inspection.error());
    ordered_json json = formats::inspection_json(*inspection);
    json["entry"] = formats::draft_entry(*inspection, {});
    json["wanted"] = wanted;
    json["model"] = formats::inline_model(*inspection);
    json["fields"] = formats::request_fields(*inspection);
    return done(std::move(json));
}
