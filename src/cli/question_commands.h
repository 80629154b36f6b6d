// advise, fit, models, devices: the questions beyond one estimate, as commands.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "catalog/json_reader.h"
#include "cli/request_options.h"
#include "report/locale.h"

namespace CLI {
class App;
}

namespace vramscope::cli {

class QuestionCommands {
public:
    void add_to(CLI::App& app);

    /// Method of the command that was given ("advise"), or empty.
    std::string_view method() const;
    const RequestOptions& request() const;
    /// The call without its request: {"method": "models", "min_speed": 10}.
    catalog::Json call() const;

    /// An answer as lines of text. Tables are as wide as their longest cells.
    static std::string text(std::string_view method, const catalog::Json& answer,
                            const report::Locale& locale);

private:
    /// An option that goes into the call as it is typed: text, number or flag.
    struct Argument {
        std::string key;
        char kind; ///< 't' text, 'n' number, 'f' flag (yes or no)
        std::string value;
    };
    struct Command {
        std::string method;
        CLI::App* app = nullptr;
        RequestOptions request;
        std::deque<Argument> arguments; ///< options keep pointers to them
    };
    Command& add(CLI::App& app, const char* method, const char* help);
    static void option(Command& command, const char* key, char kind, const char* help);
    const Command* given() const;

    std::deque<Command> commands_;
};

} // namespace vramscope::cli
