#include "cli/question_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace vramscope::cli {

using catalog::Json;
using report::ByteUnit;
using report::Locale;

QuestionCommands::Command& QuestionCommands::add(CLI::App& app, const char* method,
                                                 const char* help) {
    Command& command = commands_.emplace_back();
    command.method = method;
    command.app = app.add_subcommand(method, help);
    return command;
}

void QuestionCommands::option(Command& command, const char* key, char kind, const char* help) {
    Argument& argument = command.arguments.emplace_back(Argument{key, kind, {}});
    std::string dashed = key;
    std::ranges::replace(dashed, '_', '-');
    CLI::Option* made = command.app->add_option("--" + dashed, argument.value, help);
    made->group("Question");
    if (kind == 'f')
        made->expected(0, 1)->default_str("true");
}

void QuestionCommands::add_to(CLI::App& app) {
    Command& advise = add(app, "advise", "What to change so that a request fits");
    option(advise, "goal", 't', "tight (it runs; default) or fits (with room left)");
    advise.request.add_to(*advise.app);

    Command& fit = add(app, "fit", "What llama.cpp's automatic fit would do");
    option(fit, "keep_context", 'f', "The context was set and stays; else it is open");
    option(fit, "margin_mib", 'n', "MiB to leave free on each device; default 1024");
    option(fit, "min_context", 'n', "Smallest context it may choose; default 4096");
    fit.request.add_to(*fit.app);

    Command& models = add(app, "models", "What can I run? All models on the given hardware");
    option(models, "context", 'n', "Tokens of each user");
    option(models, "users", 'n', "Sequences at the same time");
    option(models, "min_size", 'n', "Least parameters, in 10^9");
    option(models, "max_size", 'n', "Most parameters, in 10^9");
    option(models, "family", 't', "Part of the family's, model's or provider's name");
    option(models, "license", 't', "Part of the licence's name");
    option(models, "vision", 'f', "Only with (true) or without (false) vision");
    option(models, "moe", 'f', "Only mixtures of experts (true) or dense models (false)");
    option(models, "min_context", 'n', "Tokens per user that must fit");
    option(models, "min_speed", 'n', "Tokens per second, one user");
    option(models, "worst_verdict", 't', "fits | tight | offload | does-not-fit; default tight");
    option(models, "worst_quality", 't', "lossless | near-lossless | good | fair | poor");
    option(
        models, "sort", 't',
        "rank | name | parameters | quality | verdict | total | max_context | decode | download");
    option(models, "descending", 'f', "Largest first");
    option(models, "limit", 'n', "Rows to print");
    models.request.add_to(*models.app);

    Command& devices = add(app, "devices", "What do I need? The hardware for the given model");
    option(devices, "context", 'n', "Tokens of each user");
    option(devices, "users", 'n', "Sequences at the same time");
    option(devices, "min_speed", 'n', "Tokens per second, one user");
    option(devices, "max_count", 'n', "Most equal devices together; default 8");
    option(devices, "vendor", 't', "Part of the vendor's name");
    option(devices, "worst_verdict", 't', "fits | tight | offload | does-not-fit; default tight");
    option(devices, "limit", 'n', "Rows to print");
    devices.request.add_to(*devices.app);
}

const QuestionCommands::Command* QuestionCommands::given() const {
    for (const Command& command : commands_) {
        if (command.app->parsed())
            return &command;
    }
    return nullptr;
}

std::string_view QuestionCommands::method() const {
    const Command* command = given();
    return command != nullptr ? std::string_view(command->method) : std::string_view();
}

const RequestOptions& QuestionCommands::request() const {
    return given()->request;
}

namespace {

/// 16,384 of "16k", as request fields take it; 0 when it is nothing of the kind.
double binary_thousands(std::string_view text) {
    if (text.size() < 2 || text.size() > 8 || (text.back() != 'k' && text.back() != 'K'))
        return 0;
    text.remove_suffix(1);
    double number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return 0;
        number = number * 10 + (c - '0');
    }
    return number * 1024;
}

} // namespace

Json QuestionCommands::call() const {
    const Command& command = *given();
    Json call = {{"method", command.method}};
    for (const Argument& argument : command.arguments) {
        if (argument.value.empty())
            continue;
        Json value = argument.value;
        if (argument.kind != 't') {
            // "10", "0.5", "true": what is none of them stays a text, which the call refuses by
            // name.
            const auto parsed = catalog::parse_json(argument.value, argument.key);
            const bool plain = parsed && (parsed->is_number() || parsed->is_boolean());
            const double thousands = plain ? 0 : binary_thousands(argument.value);
            if (thousands > 0)
                value = thousands;
            if (plain)
                value = *parsed;
        }
        call[argument.key] = std::move(value);
    }
    return call;
}

namespace {

/// Lines of cells; numbers stand to the right.
class Table {
public:
    explicit Table(std::string_view right) : right_(right) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text() const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()));
            for (std::size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], width_of(row[i]));
        }
        std::string out;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string space(widths[i] - width_of(row[i]), ' ');
                const bool right = i < right_.size() && right_[i] == 'r';
                line += (i > 0 ? "  " : "") + (right ? space + row[i] : row[i] + space);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + '\n';
        }
        return out;
    }

private:
    static std::size_t width_of(std::string_view text) {
        return static_cast<std::size_t>(std::ranges::count_if(
            text, [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80U; }));
    }
    std::string_view right_; ///< 'r' for each column of numbers
    std::vector<std::vector<std::string>> rows_;
};

std::string gib(const Json& bytes, const Locale& locale) {
    return locale.bytes(bytes.get<Bytes>(), ByteUnit::gib);
}

std::string rate(const Json& range, const Locale& locale) {
    const double value = range["expected"].get<double>();
    return value > 0
               ? locale.decimal(value, 1) + " " + std::string(locale.text("unit.tokens_per_second"))
               : "?";
}

std::string verdict(const Json& answer, const Locale& locale) {
    return std::string(locale.text("verdict." + answer["verdict"].get<std::string>()));
}

/// "n_ubatch=256 type_k=q8_0": the fields as an URL has them.
std::string settings(const Json& set) {
    std::string text;
    for (const auto& [key, value] : set.items()) {
        if (value.is_null())
            continue;
        text += (text.empty() ? "" : " ") + key + "=" +
                (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text;
}

std::string advice_text(const Json& answer, const Locale& locale) {
    std::string out = verdict(answer, locale);
    if (answer["missing_bytes"].get<Bytes>() > 0)
        out +=
            ": " + locale.format("verdict.detail.missing", {gib(answer["missing_bytes"], locale)});
    out += '\n';
    Table table("lrlr");
    for (const Json& step : answer["steps"]) {
        const Bytes saved = step["saved_bytes"].get<Bytes>();
        table.add({settings(step["set"]),
                   saved >= mib ? "\u2212" + gib(step["saved_bytes"], locale) : std::string(),
                   verdict(step, locale), rate(step["decode_tokens_per_second"], locale)});
    }
    return out + table.text();
}

std::string fit_text(const Json& answer, const Locale& locale) {
    std::string out = "--fit: " + answer["outcome"].get<std::string>() + '\n';
    Table table("lrr");
    for (const Json& device : answer["devices"]) {
        table.add({device["name"].get<std::string>(), gib(device["used_bytes"], locale),
                   "/ " + gib(device["target_bytes"], locale)});
    }
    table.add({"host", gib(answer["host_bytes"], locale)});
    out += table.text();
    for (const Json& argument : answer["arguments"])
        out += (argument == answer["arguments"].front() ? "" : " ") + argument.get<std::string>();
    return out + '\n';
}

std::string models_text(const Json& answer, const Locale& locale) {
    Table table("llrrrrl");
    for (const Json& row : answer["rows"]) {
        table.add({row["model"].get<std::string>(), row["artifact"].get<std::string>(),
                   locale.decimal(row["parameters"].get<double>() / 1e9, 1) + "B",
                   gib(row["total_bytes"]["expected"], locale),
                   locale.integer(row["max_context_tokens"].get<std::int64_t>()),
                   rate(row["decode_tokens_per_second"], locale), verdict(row, locale)});
    }
    return table.text();
}

std::string devices_text(const Json& answer, const Locale& locale) {
    Table table("lrrrrl");
    for (const Json& row : answer["rows"]) {
        table.add({row["hardware"].get<std::string>(),
                   locale.bytes(row["memory_bytes"].get<Bytes>(), ByteUnit::gib, 0),
                   locale.decimal(row["bandwidth_gb_per_s"].get<double>(), 0) + " GB/s",
                   locale.integer(row["max_context_tokens"].get<std::int64_t>()),
                   rate(row["decode_tokens_per_second"], locale), verdict(row, locale)});
    }
    return table.text();
}

} // namespace

std::string QuestionCommands::text(std::string_view method, const Json& answer,
                                   const Locale& locale) {
    if (method == "advise")
        return advice_text(answer, locale);
    if (method == "fit")
        return fit_text(answer, locale);
    return method == "models" ? models_text(answer, locale) : devices_text(answer, locale);
}

} // namespace vramscope::cli
