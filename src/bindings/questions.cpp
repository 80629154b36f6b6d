#include "bindings/questions.h"

#include <algorithm>
#include <optional>

#include "bindings/advice_json.h"
#include "core/decimal.h"
#include "core/engines/engine.h"
#include "report/sweep.h"

namespace vramscope::bindings {
namespace {

using catalog::Catalog;
using catalog::Error;
using catalog::Field;
using catalog::Json;
using catalog::Query;
using catalog::Result;

constexpr double token_limit = 1 << 30;
constexpr double user_limit = 4096;

/// Reads arguments of a call; the first fault is kept.
class Arguments {
public:
    explicit Arguments(const Json& call) : call_(call) {}

    double number(const char* key, double usual, double minimum, double maximum, bool whole) {
        const auto found = call_.find(key);
        if (found == call_.end() || found->is_null())
            return usual;
        const double value = found->is_number() ? found->get<double>() : minimum - 1;
        const bool is_whole = value == static_cast<double>(static_cast<std::int64_t>(value));
        if (value >= minimum && value <= maximum && (is_whole || !whole))
            return value;
        fail(key,
             std::string(whole ? "a whole number" : "a number") + " from " +
                 decimal_text(minimum, 12) + " to " + decimal_text(maximum, 12),
             *found);
        return usual;
    }
    std::int64_t integer(const char* key, std::int64_t usual, double minimum, double maximum) {
        return static_cast<std::int64_t>(
            number(key, static_cast<double>(usual), minimum, maximum, true));
    }
    std::string text(const char* key) {
        const auto found = call_.find(key);
        if (found == call_.end() || found->is_null())
            return {};
        if (found->is_string())
            return found->get<std::string>();
        fail(key, "a text", *found);
        return {};
    }
    /// 1, 0, or -1 when left out.
    int flag(const char* key) {
        const auto found = call_.find(key);
        if (found == call_.end() || found->is_null())
            return -1;
        if (found->is_boolean())
            return found->get<bool>() ? 1 : 0;
        fail(key, "true or false", *found);
        return -1;
    }
    /// Index of the text in `choices`, `usual` when left out.
    std::size_t choice(const char* key, std::span<const std::string_view> choices,
                       std::size_t usual) {
        const auto found = call_.find(key);
        if (found == call_.end() || found->is_null())
            return usual;
        if (found->is_string()) {
            const std::string& given = found->get_ref<const std::string&>();
            const auto known = std::ranges::find(choices, std::string_view(given));
            if (known != choices.end())
                return static_cast<std::size_t>(known - choices.begin());
        }
        std::string allowed = "one of";
        for (const std::string_view choice : choices)
            allowed += (allowed.back() == 'f' ? " " : ", ") + std::string(choice);
        fail(key, allowed, *found);
        return usual;
    }
    bool has(const char* key) const {
        const auto found = call_.find(key);
        return found != call_.end() && !found->is_null();
    }
    const std::optional<Error>& error() const { return error_; }

private:
    void fail(const char* key, const std::string& allowed, const Json& given) {
        if (!error_)
            error_ = Error{"invalid-value", key,
                           std::string(key) + ": expected " + allowed + ", got " +
                               catalog::describe(given)};
    }
    const Json& call_;
    std::optional<Error> error_;
};

constexpr std::string_view verdicts[] = {"fits", "tight", "offload", "does-not-fit"};

Verdict verdict_argument(Arguments& arguments, const char* key, Verdict usual) {
    return static_cast<Verdict>(arguments.choice(key, verdicts, static_cast<std::size_t>(usual)));
}

Result<Json> advise(const Query& query, const Json& call, const Catalog& catalog) {
    Arguments arguments(call);
    constexpr std::string_view goals[] = {"fits", "tight"};
    const auto goal = static_cast<Verdict>(arguments.choice("goal", goals, 1));
    if (arguments.error())
        return *arguments.error();
    const auto advised = report::advise(query, catalog, goal);
    if (!advised)
        return advised.error();
    return advice_json(*advised, goal);
}

Result<Json> fit(const Query& query, const Json& call, const Catalog& catalog) {
    const auto resolved = catalog::resolve(query, catalog);
    if (!resolved)
        return resolved.error();
    if (resolved->request.engine != EngineId::llama_cpp) {
        return Error{"no-automatic-fit", "engine",
                     "only llama.cpp fits a model to the devices by itself; " +
                         std::string(query.value(Field::engine)) + " is given as it is requested"};
    }
    Arguments arguments(call);
    FitOptions options;
    options.margin_bytes = mib * arguments.integer("margin_mib", 1024, 0, 1 << 30);
    options.min_context = arguments.integer("min_context", options.min_context, 1, token_limit);
    const int keep = arguments.flag("keep_context");
    if (arguments.error())
        return *arguments.error();
    if (keep == 1 || (keep < 0 && query.is_set(Field::n_ctx)))
        options.n_ctx = resolved->request.options.n_ctx;
    return fit_json(resolved->request, automatic_fit(resolved->request, options), options);
}

/// `context` and `users`, where given, replace the request's n_ctx and n_seq.
Query query_for_users(const Query& query, Arguments& arguments) {
    const std::int64_t users = arguments.integer("users", 1, 1, user_limit);
    const std::int64_t usual =
        std::strtoll(std::string(query.value(Field::n_ctx)).c_str(), nullptr, 10);
    const std::int64_t context = arguments.integer("context", usual, 1, token_limit);
    if (!arguments.has("users") && !arguments.has("context"))
        return query;
    return report::with_users(query, context, users);
}

Json figures_json(const report::SweepFigures& figures) {
    return {{"verdict", name(figures.verdict)},
            {"total_bytes", range_json(figures.total)},
            {"room_bytes", figures.room_bytes},
            {"max_context_tokens", figures.max_context_tokens},
            {"decode_tokens_per_second", range_json(figures.decode_tokens_per_second)}};
}

Json row_json(const report::ModelRow& row) {
    Json object = {{"model", row.model->id},
                   {"name", row.model->name},
                   {"artifact", row.request},
                   {"quantization", row.format != nullptr ? Json(row.format->id) : Json(nullptr)},
                   {"quality", row.format != nullptr ? Json(row.format->quality) : Json(nullptr)},
                   {"is_recorded", row.artifact != nullptr},
                   {"parameters", row.parameters},
                   {"active_parameters", row.active_parameters},
                   {"license", row.model->license},
                   {"native_context", row.model->architecture.native_context},
                   {"download_bytes", row.download_bytes}};
    object.update(figures_json(row.figures));
    return object;
}

Json row_json(const report::DeviceRow& row) {
    Json object = {{"hardware", row.request},
                   {"id", row.entry->id},
                   {"name", row.entry->device.name},
                   {"count", row.count},
                   {"memory_bytes", row.memory_bytes},
                   {"bandwidth_gb_per_s", row.bandwidth_gb_per_s},
                   {"unified", row.entry->device.unified},
                   {"used_bytes", row.used_bytes}};
    object.update(figures_json(row.figures));
    return object;
}

/// The first `limit` rows as JSON; how many there were stays in `all`.
template <typename Row>
Json rows_json(const std::vector<Row>& rows, std::size_t limit, std::size_t estimates) {
    Json list = Json::array();
    for (std::size_t i = 0; i < rows.size() && (limit == 0 || i < limit); ++i)
        list.push_back(row_json(rows[i]));
    return {{"rows", std::move(list)}, {"all", rows.size()}, {"estimates", estimates}};
}

Result<Json> models(const Query& query, const Json& call, const Catalog& catalog) {
    Arguments arguments(call);
    report::ModelFilter filter;
    filter.min_parameters = 1e9 * arguments.number("min_size", 0, 0, 1e6, false);
    filter.max_parameters = 1e9 * arguments.number("max_size", 0, 0, 1e6, false);
    filter.family = arguments.text("family");
    filter.license = arguments.text("license");
    filter.vision = arguments.flag("vision");
    filter.experts = arguments.flag("moe");
    filter.min_context = arguments.integer("min_context", 0, 0, token_limit);
    filter.min_tokens_per_second = arguments.number("min_speed", 0, 0, 1e9, false);
    filter.worst_verdict = verdict_argument(arguments, "worst_verdict", Verdict::tight);
    constexpr std::string_view qualities[] = {"lossless", "near-lossless", "good", "fair", "poor"};
    filter.worst_quality = static_cast<int>(arguments.choice("worst_quality", qualities, 4));
    const std::string sort = arguments.text("sort");
    const bool descending = arguments.flag("descending") == 1;
    const auto limit = static_cast<std::size_t>(arguments.integer("limit", 0, 0, 1e9));
    const Query asked = query_for_users(query, arguments);
    if (arguments.error())
        return *arguments.error();
    const report::ModelColumn column =
        sort.empty() ? report::ModelColumn::rank : report::model_column(sort);
    if (column == report::ModelColumn::count_) {
        return Error{"invalid-value", "sort",
                     "sort: expected one of rank, name, parameters, quality, verdict, total, "
                     "max_context, decode, download, got \"" +
                         sort.substr(0, 60) + "\""};
    }
    auto sweep = report::ModelSweep::start(asked, catalog, filter);
    if (!sweep)
        return sweep.error();
    while (sweep->advance(1000)) {
    }
    std::vector<report::ModelRow> rows = sweep->take_rows();
    report::sort_rows(rows, column, descending);
    return rows_json(rows, limit, sweep->estimates());
}

Result<Json> devices(const Query& query, const Json& call, const Catalog& catalog) {
    Arguments arguments(call);
    report::DeviceFilter filter;
    filter.min_tokens_per_second = arguments.number("min_speed", 0, 0, 1e9, false);
    filter.max_count = static_cast<std::int32_t>(
        arguments.integer("max_count", 8, 1, static_cast<double>(max_devices)));
    filter.vendor = arguments.text("vendor");
    filter.worst_verdict = verdict_argument(arguments, "worst_verdict", Verdict::tight);
    const auto limit = static_cast<std::size_t>(arguments.integer("limit", 0, 0, 1e9));
    const Query asked = query_for_users(query, arguments);
    if (arguments.error())
        return *arguments.error();
    auto sweep = report::DeviceSweep::start(asked, catalog, filter);
    if (!sweep)
        return sweep.error();
    while (sweep->advance(1000)) {
    }
    const std::vector<report::DeviceRow> rows = sweep->take_rows();
    return rows_json(rows, limit, sweep->estimates());
}

} // namespace

Question find_question(std::string_view method) {
    constexpr std::pair<std::string_view, Question> questions[] = {
        {"advise", advise}, {"fit", fit}, {"models", models}, {"devices", devices}};
    for (const auto& [name, question] : questions) {
        if (method == name)
            return question;
    }
    return nullptr;
}

} // namespace vramscope::bindings
