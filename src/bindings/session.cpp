#include "bindings/session.h"

#include "bindings/catalog_json.h"
#include "bindings/estimate_json.h"
#include "bindings/questions.h"
#include "bindings/request_json.h"
#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "catalog/sources.h"
#include "core/estimator.h"
#include "core/solve.h"
#include "report/recommend.h"

namespace vramscope::bindings {

using catalog::Catalog;
using catalog::Error;
using catalog::Json;
using catalog::Query;
using catalog::ResolvedRequest;
using catalog::Result;

namespace {

using Answer = Session::Answer;

Answer failed(Error error) {
    Answer answer;
    answer.errors.push_back(std::move(error));
    return answer;
}
Answer done(Json ok) {
    Answer answer;
    answer.ok = std::move(ok);
    return answer;
}

Error missing(std::string_view key, std::string_view what) {
    return {"invalid-call", std::string(key),
            "the call needs \"" + std::string(key) + "\": " + std::string(what)};
}

const std::string* text_argument(const Json& call, std::string_view key) {
    const auto found = call.find(key);
    return found != call.end() && found->is_string() ? &found->get_ref<const std::string&>()
                                                     : nullptr;
}

/// `request` (an object) or `url` (text); neither is the default request.
Result<Query> query_argument(const Json& call) {
    if (const std::string* url = text_argument(call, "url"))
        return catalog::query_from_url(*url);
    const auto found = call.find("request");
    return found == call.end() ? Result<Query>(Query()) : query_from_json(*found);
}

Result<ResolvedRequest> request_argument(const Json& call, const Catalog& catalog) {
    const Result<Query> query = query_argument(call);
    if (!query)
        return query.error();
    return catalog::resolve(*query, catalog);
}

Result<std::vector<catalog::SourceFile>> files_argument(const Json& call) {
    const auto found = call.find("files");
    std::vector<catalog::SourceFile> files;
    if (found != call.end() && found->is_array()) {
        for (const Json& file : *found) {
            const std::string* path = file.is_object() ? text_argument(file, "path") : nullptr;
            const std::string* content =
                file.is_object() ? text_argument(file, "content") : nullptr;
            if (path == nullptr || content == nullptr) {
                return missing("files", "a list of {path, content}");
            }
            files.push_back({*path, *content});
        }
        return files;
    }
    return missing("files", "a list of {path, content}");
}

Answer build(const Json& call) {
    const auto files = files_argument(call);
    if (!files)
        return failed(files.error());
    const auto snapshot = catalog::build_snapshot(*files);
    if (snapshot)
        return done({{"catalog", snapshot->catalog}, {"sources", snapshot->sources}});
    Answer answer;
    answer.errors = catalog::check_sources(*files);
    if (answer.errors.empty())
        answer.errors.push_back(snapshot.error());
    return answer;
}

Json error_json(const Error& error) {
    return {{"code", error.code}, {"where", error.where}, {"message", error.message}};
}

Answer check(const Json& call) {
    const auto files = files_argument(call);
    if (!files)
        return failed(files.error());
    Json faults = Json::array();
    for (const Error& error : catalog::check_sources(*files))
        faults.push_back(error_json(error));
    return done(std::move(faults));
}

Answer list(const Json& call, const Catalog& catalog) {
    const std::string* kind = text_argument(call, "kind");
    if (kind == nullptr)
        return failed(missing("kind", "what to list"));
    Result<Json> entries = list_json(catalog, *kind);
    return entries ? done(std::move(*entries)) : failed(entries.error());
}

Answer show(const Json& call, const Catalog& catalog) {
    const std::string* id = text_argument(call, "id");
    if (id == nullptr)
        return failed(missing("id", "which entry"));
    Result<Json> entry = show_json(catalog, *id);
    return entry ? done(std::move(*entry)) : failed(entry.error());
}

Answer make_estimate(const Json& call, const Catalog& catalog) {
    const Result<ResolvedRequest> request = request_argument(call, catalog);
    if (!request)
        return failed(request.error());
    return done(estimate_json(*request, estimate(request->request), catalog));
}

Answer solve(const Json& call, const Catalog& catalog) {
    const Result<ResolvedRequest> request = request_argument(call, catalog);
    if (!request)
        return failed(request.error());
    const std::string* what = text_argument(call, "what");
    if (what != nullptr && *what == "max-context") {
        return done({{"max_context_tokens", max_context_tokens(request->request)},
                     {"native_context", request->model->architecture.native_context}});
    }
    if (what != nullptr && *what == "max-sequences") {
        return done({{"max_sequences", max_sequences(request->request)}});
    }
    if (what != nullptr && *what == "max-users") {
        return done(capacity_json(capacity(request->request, max_sequences(request->request)),
                                  request->request.options.user_rate));
    }
    if (what != nullptr && *what == "hardware") {
        const auto* entry = report::recommended_hardware(request->request, catalog);
        return done({{"recommended_hardware", entry != nullptr ? Json(entry->id) : Json(nullptr)}});
    }
    return failed({"unknown-question", "what",
                   "solve answers max-context, max-sequences, max-users and hardware, not \"" +
                       (what != nullptr ? what->substr(0, 60) : std::string()) + "\""});
}

Json fields_json() {
    Json fields = Json::array();
    for (const catalog::FieldInfo& field : catalog::all_fields()) {
        constexpr const char* kinds[] = {"id", "integer", "real", "boolean", "choice", "list"};
        Json object = {{"key", field.key},
                       {"kind", kinds[static_cast<std::size_t>(field.kind)]},
                       {"unit", field.unit},
                       {"default", field.default_text},
                       {"help", help_key(field)}};
        if (field.maximum > field.minimum) {
            object["minimum"] = field.minimum;
            object["maximum"] = field.maximum;
        }
        if (!field.choices.empty()) {
            object["choices"] = Json::array();
            for (const char* choice : field.choices)
                object["choices"].push_back(choice);
        }
        if (!field.aliases.empty()) {
            object["aliases"] = Json::array();
            for (const char* alias : field.aliases)
                object["aliases"].push_back(alias);
        }
        fields.push_back(std::move(object));
    }
    return fields;
}

} // namespace

void Session::take(Catalog catalog) {
    catalog_ = std::move(catalog);
    has_catalog_ = true;
}

Answer Session::answer(const Json& call) {
    const std::string* method = call.is_object() ? text_argument(call, "method") : nullptr;
    if (method == nullptr) {
        return failed({"invalid-call", "method",
                       "a call is an object with \"method\", such as {\"method\": \"estimate\"}"});
    }
    if (*method == "version") {
        return done({{"version", VRAMSCOPE_VERSION},
                     {"schema", catalog::snapshot_schema},
                     {"catalog_version", catalog_.version},
                     {"catalog_date", catalog_.date},
                     {"catalog_hash", catalog_.hash}});
    }
    if (*method == "fields")
        return done(fields_json());
    if (*method == "catalog.build")
        return build(call);
    if (*method == "catalog.check")
        return check(call);
    if (*method == "catalog.load") {
        const std::string* text = text_argument(call, "text");
        if (text == nullptr)
            return failed(missing("text", "a snapshot's JSON text"));
        Result<Catalog> read = catalog::read_snapshot(*text);
        if (!read)
            return failed(read.error());
        take(std::move(*read));
        return done({{"models", catalog_.models.size()},
                     {"hardware", catalog_.hardware.size()},
                     {"hash", catalog_.hash}});
    }
    const auto no_catalog = [] {
        return failed({"no-catalog", "method",
                       "load a catalog first: {\"method\": \"catalog.load\", \"text\": …}"});
    };
    if (const Question question = find_question(*method)) {
        if (!has_catalog_)
            return no_catalog();
        const Result<Query> query = query_argument(call);
        if (!query)
            return failed(query.error());
        Result<Json> answered = question(*query, call, catalog_);
        return answered ? done(std::move(*answered)) : failed(answered.error());
    }
    using Method = Answer (*)(const Json&, const Catalog&);
    constexpr std::pair<std::string_view, Method> methods[] = {{"catalog.list", list},
                                                               {"catalog.show", show},
                                                               {"estimate", make_estimate},
                                                               {"solve", solve}};
    for (const auto& [name, run] : methods) {
        if (*method != name)
            continue;
        return has_catalog_ ? run(call, catalog_) : no_catalog();
    }
    return failed(
        {"unknown-method", "method", "there is no method \"" + method->substr(0, 60) + "\""});
}

std::string Session::call(std::string_view json) {
    const Result<Json> parsed = catalog::parse_json(json, "call");
    const Answer answered = parsed ? answer(*parsed) : failed(parsed.error());
    Json reply = Json::object();
    if (answered.errors.empty()) {
        reply["ok"] = answered.ok;
    } else {
        reply["error"] = error_json(answered.errors.front());
        if (answered.errors.size() > 1) {
            reply["error"]["errors"] = Json::array();
            for (const Error& error : answered.errors) {
                reply["error"]["errors"].push_back(error_json(error));
            }
        }
    }
    // Ids and names of other people's files may be broken UTF-8: replaced, never a throw.
    return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace vramscope::bindings
