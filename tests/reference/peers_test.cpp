// Ours beside other calculators, on the 24 cases that they were compared on (peers.tsv says how).
//
// Weights can be had in two ways: from the name of the mixture, or from the file, as calculators
// that read GGUF headers do. Two of the six files hold other types than their mixture gives, so
// both are shown. Prints the table: vramscope_tests "[peers]".
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/engines/engine.h"
#include "support/b10256_rows.h"
#include "support/catalog.h"
#include "support/files.h"
#include "support/reference_models.h"

using namespace vramscope;

namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, '\t');)
        fields.push_back(field);
    return fields;
}

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

TEST_CASE("Ours beside other calculators on 24 cases", "[peers]") {
    const test::ReferenceModels reference;
    const std::vector<test::B10256Row> rows = test::b10256_rows();
    std::istringstream table(test::read_file("tests/reference/peers.tsv"));
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> errors;
    // The figures are those of a model just loaded, before any cache is unpacked.
    EngineConstants constants = test::shared_catalog().constants;
    constants.unpacks_kv.fill(false);
    for (std::string line; std::getline(table, line);) {
        const std::vector<std::string> fields = split(line);
        if (line.starts_with("# model")) {
            names.assign(fields.begin() + 2, fields.end());
            std::printf("%-42s %9s %9s %9s", "case", "GiB", "ours", "by file");
            for (const std::string& name : names)
                std::printf(" %9.9s", name.c_str());
            std::printf("\n");
        }
        if (line.starts_with("#"))
            continue;
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const test::B10256Row& r) {
            return r.name == fields[0] && r.options == fields[1];
        });
        REQUIRE(row != rows.end());
        EstimateRequest request = reference.request(row->model);
        request.constants = &constants;
        test::apply(*row, request);
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);
        const PartBytes& device = plan.devices[0];
        constexpr double mib_bytes = 1024.0 * 1024.0;
        constexpr double cuda_context_mib = 325;
        const test::B10256Row::Place& printed = row->places[0];
        const double truth = printed.model + printed.context + printed.compute + cuda_context_mib;
        const double ours = static_cast<double>(device.total().expected) / mib_bytes;
        const double weights = static_cast<double>(device[Part::weights].expected) / mib_bytes;
        const double by_file = ours - weights + printed.model;
        const auto note = [&](const std::string& who, double estimate) {
            const double error = 100 * (estimate - truth) / truth;
            errors[who].push_back(std::fabs(error));
            return error;
        };
        std::printf("%-42s %9.2f %+8.2f%% %+8.2f%%", (row->name + " " + row->options).c_str(),
                    truth / 1024, note("ours", ours), note("by file", by_file));
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string& value = fields[i + 2];
            std::printf(" %8s%s", value.c_str(), value == "-" ? " " : "%");
            if (value != "-")
                errors[names[i]].push_back(std::fabs(std::stod(value)));
        }
        std::printf("\n");
    }
    std::printf("%-42s %9s %9s %9s\n", "calculator", "cases", "median", "worst");
    for (auto& [who, values] : errors) {
        std::printf("%-42s %9zu %8.2f%% %8.2f%%\n", who.c_str(), values.size(), middle(values),
                    *std::max_element(values.begin(), values.end()));
    }
    CHECK(errors["by file"].size() == 24);
    CHECK(middle(errors["by file"]) <= 0.1);
    CHECK(*std::max_element(errors["by file"].begin(), errors["by file"].end()) <= 0.2);
    CHECK(middle(errors["ours"]) <= 0.1);
}
