#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "bindings/request_json.h"
#include "bindings/session.h"
#include "cli/catalog_files.h"
#include "cli/local_models.h"
#include "cli/model_files.h"
#include "cli/pages_command.h"
#include "cli/question_commands.h"
#include "cli/request_options.h"
#include "cli/text_output.h"

namespace vramscope::cli {

using bindings::Session;
using catalog::Error;
using catalog::Json;
using catalog::Query;
using catalog::Result;

namespace {

/// What all commands share.
struct Context {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    std::string catalog_path;
    std::string language = "en";
    bool json = false;

    std::string dump(const Json& value) const {
        return value.dump(json ? -1 : 2, ' ', false, Json::error_handler_t::replace);
    }
    Json error_json(const Error& error) const {
        return {
            {"error", {{"code", error.code}, {"where", error.where}, {"message", error.message}}}};
    }
    int fail(const Error& error) const {
        if (json)
            out << dump(error_json(error)) << '\n';
        err << "vramscope: " << error.message << '\n';
        return exit_fault;
    }
};

/// A session with the catalog, or the exit status after a message.
std::optional<int> open_session(const Context& context, Session& session) {
    Result<catalog::Catalog> catalog = load_catalog(context.catalog_path);
    if (!catalog)
        return context.fail(catalog.error());
    session.take(std::move(*catalog));
    return std::nullopt;
}

int run_estimate(const Context& context, const RequestOptions& options) {
    Result<Query> query = options.query();
    if (!query)
        return context.fail(query.error());
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const Result<bool> local = LocalModels(session.catalog()).resolve(*query);
    if (!local)
        return context.fail(local.error());
    if (!context.json) {
        const Result<report::Locale> locale = load_locale(context.language);
        if (!locale)
            return context.fail(locale.error());
        const Result<std::string> text = estimate_text(*query, session.catalog(), *locale);
        if (!text)
            return context.fail(text.error());
        context.out << *text;
        return exit_done;
    }
    const Session::Answer answer =
        session.answer(Json{{"method", "estimate"}, {"request", bindings::query_to_json(*query)}});
    if (!answer.errors.empty())
        return context.fail(answer.errors.front());
    context.out << context.dump(answer.ok) << '\n';
    return exit_done;
}

/// Requests whose model is a file are read as a query once more, since a file brings its artifact.
Result<bool> resolve_local_model(LocalModels& local, Json& request) {
    const auto model = request.is_object() ? request.find("model") : request.end();
    if (!request.is_object() || model == request.end() || !model->is_string())
        return false;
    const std::string& given = model->get_ref<const std::string&>();
    if (!names_a_file(given) && !names_a_link(given))
        return false;
    Result<Query> query = bindings::query_from_json(request);
    if (!query)
        return query.error();
    Result<bool> resolved = local.resolve(*query);
    if (resolved && *resolved)
        request = bindings::query_to_json(*query);
    return resolved;
}

/// One request object a line in, one Estimate a line out. A bad line is answered on its line and
/// the rest goes on.
int run_batch(Context& context, const std::string& path) {
    context.json = true;
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    std::ifstream file;
    if (path != "-") {
        file.open(path);
        if (!file) {
            return context.fail({"unreadable-file", path, "cannot read " + path});
        }
    }
    std::istream& lines = path == "-" ? context.in : file;
    LocalModels local(session.catalog());
    int status = exit_done;
    std::string line;
    while (std::getline(lines, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        Result<Json> request = catalog::parse_json(line, "request");
        Session::Answer answer;
        const Result<bool> named =
            request ? resolve_local_model(local, *request) : Result<bool>(false);
        if (!named) {
            answer.errors.push_back(named.error());
        } else if (request) {
            answer = session.answer(Json{{"method", "estimate"}, {"request", std::move(*request)}});
        } else {
            answer.errors.push_back(request.error());
        }
        if (!answer.errors.empty()) {
            status = exit_fault;
            context.out << context.dump(context.error_json(answer.errors.front())) << '\n';
        } else {
            context.out << context.dump(answer.ok) << '\n';
        }
    }
    context.out.flush();
    return status;
}

int run_solve(const Context& context, const std::string& what, const RequestOptions& options) {
    Result<Query> query = options.query();
    if (!query)
        return context.fail(query.error());
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const Result<bool> local = LocalModels(session.catalog()).resolve(*query);
    if (!local)
        return context.fail(local.error());
    const Session::Answer answer = session.answer(
        Json{{"method", "solve"}, {"what", what}, {"request", bindings::query_to_json(*query)}});
    if (!answer.errors.empty())
        return context.fail(answer.errors.front());
    if (context.json) {
        context.out << context.dump(answer.ok) << '\n';
    } else {
        for (const auto& [key, value] : answer.ok.items()) {
            context.out << key << ": " << context.dump(value) << '\n';
        }
    }
    return exit_done;
}

int run_question(const Context& context, const QuestionCommands& questions) {
    Result<Query> query = questions.request().query();
    if (!query)
        return context.fail(query.error());
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const Result<bool> local = LocalModels(session.catalog()).resolve(*query);
    if (!local)
        return context.fail(local.error());
    Json call = questions.call();
    call["request"] = bindings::query_to_json(*query);
    const Session::Answer answer = session.answer(call);
    if (!answer.errors.empty())
        return context.fail(answer.errors.front());
    if (context.json) {
        context.out << context.dump(answer.ok) << '\n';
        return exit_done;
    }
    const Result<report::Locale> locale = load_locale(context.language);
    if (!locale)
        return context.fail(locale.error());
    context.out << QuestionCommands::text(questions.method(), answer.ok, *locale);
    return exit_done;
}

int run_catalog_check(const Context& context) {
    const Result<std::string> folder = find_source_folder(context.catalog_path);
    if (!folder)
        return context.fail(folder.error());
    const auto files = read_source_files(*folder);
    if (!files)
        return context.fail(files.error());
    const std::vector<Error> faults = catalog::check_sources(*files);
    for (const Error& fault : faults) {
        context.err << fault.where << (fault.where.empty() ? "" : ": ") << fault.message << '\n';
    }
    context.out << files->size() << " files, " << faults.size()
                << (faults.size() == 1 ? " fault\n" : " faults\n");
    return faults.empty() ? exit_done : exit_fault;
}

int run_catalog_build(const Context& context, const std::string& out_path) {
    const Result<std::string> folder = find_source_folder(context.catalog_path);
    if (!folder)
        return context.fail(folder.error());
    const auto files = read_source_files(*folder);
    if (!files)
        return context.fail(files.error());
    const auto snapshot = catalog::build_snapshot(*files);
    if (!snapshot) {
        for (const Error& fault : catalog::check_sources(*files)) {
            context.err << fault.where << ": " << fault.message << '\n';
        }
        return context.fail(snapshot.error());
    }
    if (out_path.empty()) {
        context.out << snapshot->catalog;
        return exit_done;
    }
    const std::size_t slash = out_path.rfind('/');
    const std::string sources_path =
        (slash == std::string::npos ? "" : out_path.substr(0, slash + 1)) + "catalog-sources.json";
    for (const auto& [path, content] :
         {std::pair{out_path, snapshot->catalog}, std::pair{sources_path, snapshot->sources}}) {
        if (!write_file(path, content)) {
            return context.fail({"unwritable-file", path, "cannot write " + path});
        }
    }
    return exit_done;
}

/// What files hold; nothing of their data is read.
int run_inspect(const Context& context, const std::vector<std::string>& paths) {
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const auto inspection = inspect_files(paths, session.catalog().storage_types);
    if (!inspection)
        return context.fail(inspection.error());
    if (context.json) {
        context.out << formats::inspection_json(*inspection)
                           .dump(-1, ' ', false, Json::error_handler_t::replace)
                    << '\n';
    } else {
        context.out << formats::inspection_text(*inspection);
    }
    return exit_done;
}

/// A draft of a catalog entry, and on `err` what is left to do.
int run_catalog_add(const Context& context, const std::vector<std::string>& paths,
                    const std::string& source) {
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const auto inspection = inspect_files(paths, session.catalog().storage_types);
    if (!inspection)
        return context.fail(inspection.error());
    std::vector<std::string> sources;
    if (!source.empty())
        sources.push_back(source);
    if (sources.empty()) {
        for (const formats::InspectedFile& file : inspection->files) {
            const std::string name = file.name.substr(file.name.find_last_of('/') + 1);
            sources.push_back("note: " + name +
                              (inspection->hf_repo.empty() ? std::string(" (TODO: where from)")
                                                           : " of " + inspection->hf_repo));
        }
    }
    const auto entry = formats::draft_entry(*inspection, sources);
    context.out << entry.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    for (const std::string& note : inspection->notes)
        context.err << "! " << note << '\n';
    context.err << "Put this into catalog/models/<family>.json, replace every \"TODO\", and run "
                   "`vramscope catalog check`.\n";
    return inspection->architecture ? exit_done : exit_fault;
}

int run_catalog_query(const Context& context, const Json& call) {
    Session session;
    if (auto status = open_session(context, session))
        return *status;
    const Session::Answer answer = session.answer(call);
    if (!answer.errors.empty())
        return context.fail(answer.errors.front());
    if (context.json || !answer.ok.is_array()) {
        context.out << context.dump(answer.ok) << '\n';
    } else {
        for (const Json& entry : answer.ok) {
            context.out << entry["id"].get<std::string>();
            if (entry.contains("model"))
                context.out << "\t" << entry["model"].get<std::string>();
            if (entry.contains("name"))
                context.out << "\t" << entry["name"].get<std::string>();
            context.out << '\n';
        }
    }
    return exit_done;
}

} // namespace

int run(const std::vector<std::string>& arguments, std::istream& in, std::ostream& out,
        std::ostream& err) {
    Context context{in, out, err, {}, "en", false};
    CLI::App app{"Vramscope: what an open-weight language model needs, and whether it fits."};
    app.name("vramscope");
    app.set_version_flag("--version", VRAMSCOPE_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--catalog", context.catalog_path, "A snapshot file or a folder of sources");
    app.add_option("--lang", context.language, "Language of readable output: en, de, ja");
    app.add_flag("--json", context.json, "JSON instead of text");

    RequestOptions estimate_options;
    std::string batch;
    CLI::App* estimate = app.add_subcommand("estimate", "Estimate one request, or many");
    estimate_options.add_to(*estimate);
    estimate->add_option("--batch", batch,
                         "File of request objects, one a line; - reads the input");

    RequestOptions solve_options;
    std::string question;
    CLI::App* solve = app.add_subcommand("solve", "The most that fits");
    solve->add_option("what", question, "max-context, max-sequences, max-users or hardware")
        ->required();
    solve_options.add_to(*solve);

    std::vector<std::string> paths;
    CLI::App* inspect = app.add_subcommand(
        "inspect", "What a GGUF, safetensors file, index, config.json, a folder or a link holds");
    inspect
        ->add_option("files", paths,
                     "Files or links that belong together; parts and shards are found")
        ->required();

    QuestionCommands questions;
    questions.add_to(app);
    PagesCommand pages;
    pages.add_to(app);

    CLI::App* catalog = app.add_subcommand("catalog", "Look into the catalog, check or build it");
    catalog->require_subcommand(1);
    CLI::App* check = catalog->add_subcommand("check", "Find faults in the sources");
    std::string out_path;
    CLI::App* build = catalog->add_subcommand("build", "Pack the sources into one snapshot");
    build->add_option("--out", out_path,
                      "The snapshot's file; catalog-sources.json goes beside it. "
                      "Without: the snapshot goes to the output");
    std::string kind;
    CLI::App* list = catalog->add_subcommand("list", "Ids and names");
    list->add_option("kind", kind, "models, artifacts, hardware, engines or quantizations")
        ->required();
    std::string id;
    CLI::App* show = catalog->add_subcommand("show", "One entry with its sources");
    show->add_option("id", id, "Id of a model, device, engine or quantisation; model/artifact")
        ->required();

    std::string source;
    CLI::App* add = catalog->add_subcommand("add", "Draft an entry from a model's files");
    add->add_option("files", paths, "config.json, safetensors index or weights, or a GGUF")
        ->required();
    add->add_option("--source", source, "Where the files are from, as the entry's source");

    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
        const int status = app.exit(error, out, err);
        return status == 0 ? exit_done : exit_usage;
    }
    if (*estimate) {
        return batch.empty() ? run_estimate(context, estimate_options) : run_batch(context, batch);
    }
    if (pages.given()) {
        const Result<bool> done = pages.run(context.catalog_path, out);
        return done ? exit_done : context.fail(done.error());
    }
    if (!questions.method().empty())
        return run_question(context, questions);
    if (*solve)
        return run_solve(context, question, solve_options);
    if (*inspect)
        return run_inspect(context, paths);
    if (*add)
        return run_catalog_add(context, paths, source);
    if (*check)
        return run_catalog_check(context);
    if (*build)
        return run_catalog_build(context, out_path);
    if (*list)
        return run_catalog_query(context, Json{{"method", "catalog.list"}, {"kind", kind}});
    return run_catalog_query(context, Json{{"method", "catalog.show"}, {"id", id}});
}

} // namespace vramscope::cli
