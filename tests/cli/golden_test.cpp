// The printed figures of the reference pages through the command line's JSON.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <sstream>

#include "cli/commands.h"
#include "support/golden.h"

using namespace vramscope;

namespace {

catalog::Json run_json(const std::vector<std::string>& arguments) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const int status = cli::run(arguments, in, out, err);
    INFO(err.str());
    REQUIRE(status == cli::exit_done);
    const auto json = catalog::parse_json(out.str(), "output");
    REQUIRE(json);
    return *json;
}

catalog::Json through_command_line(const catalog::Json& call) {
    if (call["method"] == "catalog.show") {
        return run_json({"catalog", "show", call["id"].get<std::string>(), "--json"});
    }
    std::vector<std::string> arguments = {"estimate", "--json"};
    for (const auto& [key, value] : call["request"].items()) {
        arguments.push_back("--" + key);
        arguments.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    return run_json(arguments);
}

} // namespace

TEST_CASE("The command line gives every printed figure of the reference pages") {
    const test::GoldenCount count = test::check_golden(through_command_line);
    std::printf("reference pages, command line: %d of %d printed figures\n", count.equal,
                count.figures);
    CHECK(count.figures >= test::golden_figures_at_least);
}
