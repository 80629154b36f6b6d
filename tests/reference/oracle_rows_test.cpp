// llama.cpp's own allocations, row by row: weights, caches and state, output and compute buffers.
//
// oracle_rows.txt holds 43,692 rows over 79 models (pack_oracle_rows.py says how it was made); the
// shapes are in oracle_models.json. A table of errors by part, regime and architecture goes to
// standard output. oracle_limits.txt holds what every cell of it must reach: exact rows (within
// 0.1 %), median and worst error. A cell that gets worse fails the test.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catalog/architecture_json.h"
#include "catalog/quantization_json.h"
#include "core/engines/engine.h"
#include "support/files.h"
#include "support/oracle_rows.h"

using namespace vramscope;

namespace {

StorageTypeTable storage_types() {
    const auto json =
        catalog::parse_json(test::read_file("catalog/quantization.json"), "quantization.json");
    REQUIRE(json);
    catalog::JsonFaults faults;
    StorageTypeTable types;
    std::vector<catalog::QuantizationFormat> formats;
    REQUIRE(catalog::read_quantization({*json, "quantization.json", faults}, types, formats));
    return types;
}

std::map<std::string, Architecture> models() {
    const auto json =
        catalog::parse_json(test::read_file("tests/reference/oracle_models.json"), "models");
    REQUIRE(json);
    catalog::JsonFaults faults;
    std::map<std::string, Architecture> all;
    catalog::JsonReader(*json, "models", faults)
        .for_each_member([&](const std::string& name, const catalog::JsonReader& value) {
            REQUIRE(catalog::read_architecture(value, all[name]));
        });
    return all;
}

/// Errors of one cell of the table, as shares of the true bytes.
struct Cell {
    std::vector<double> errors;

    void add(Bytes ours, Bytes theirs) {
        if (ours == 0 && theirs == 0)
            return;
        const double base = static_cast<double>(theirs > 0 ? theirs : ours);
        errors.push_back(static_cast<double>(ours - theirs) / base);
    }
    double exact_share() const {
        const auto n = std::count_if(errors.begin(), errors.end(),
                                     [](double e) { return std::fabs(e) <= 0.001; });
        return static_cast<double>(n) / static_cast<double>(errors.size());
    }
    double at(double rank) const {
        std::vector<double> sorted;
        for (const double e : errors)
            sorted.push_back(std::fabs(e));
        std::sort(sorted.begin(), sorted.end());
        const auto last = static_cast<double>(sorted.size() - 1);
        return sorted[static_cast<std::size_t>(std::lround(rank * last))];
    }
};

/// How the layers are spread, as far as errors have different causes.
std::string regime(const test::OracleRow& row, const Architecture& architecture) {
    std::string name;
    if (row.is_cpu()) {
        name = "cpu";
    } else if (row.suite == "cmoe") {
        name = "experts-on-host";
    } else if (row.devices > 1) {
        name = "devices";
    } else if (std::stoi(row.n_gpu_layers) > architecture.n_layer()) {
        name = "offloaded";
    } else {
        name = "partial";
    }
    // Builds and settings that are reported apart.
    if (row.suite == "v050" || row.suite == "alloc" || row.suite == "mtp") {
        name = row.suite + "-" + name;
    }
    return name;
}

/// The README of the rows: operations that the measuring backend lacks make some rows invalid for
/// compute buffers.
bool valid_for_compute(const test::OracleRow& row, const Architecture& architecture) {
    if (row.n_rs_seq > 0)
        return false; // rollback snapshots are not modelled
    if (row.is_cpu())
        return row.splits == 1;
    if (row.suite != "cmoe" && std::stoi(row.n_gpu_layers) > architecture.n_layer()) {
        return row.splits == 1 + row.devices;
    }
    return true;
}

/// Suites of one backend's own limits, and of models cut to a few layers.
bool is_reported_apart(const test::OracleRow& row) {
    return row.suite == "lvp" || row.suite == "align128" || row.suite == "b7324" ||
           row.split_mode == "tensor";
}

std::string family(const Architecture& architecture) {
    return architecture.gguf_arch;
}

} // namespace

TEST_CASE("Every row of llama.cpp's own allocations") {
    const StorageTypeTable types = storage_types();
    const std::map<std::string, Architecture> architectures = models();
    const EngineConstants constants;
    std::map<std::string, Cell> cells;
    for (const test::OracleRow& row :
         test::read_oracle_rows(test::read_file("tests/reference/oracle_rows.txt"))) {
        if (is_reported_apart(row))
            continue;
        const auto found = architectures.find(row.model);
        REQUIRE(found != architectures.end());
        const Architecture& architecture = found->second;
        EstimateRequest request;
        request.architecture = &architecture;
        request.storage_types = &types;
        request.constants = &constants;
        test::apply(row, request);
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);

        const std::string where = regime(row, architecture);
        const bool compute = valid_for_compute(row, architecture);
        const std::size_t n_devices = request.devices.size();
        for (std::size_t d = 0; d <= n_devices; ++d) {
            const std::size_t place = d == n_devices ? 3 : d;
            PartBytes& parts = plan.devices[d];
            const char* side = d == n_devices ? "host" : "device";
            const auto cell = [&](const char* part, const std::string& of) -> Cell& {
                return cells[std::string(part) + " " + where + " " + side + " " + of];
            };
            const auto add = [&](const char* part, Bytes ours, Bytes theirs) {
                cell(part, family(architecture)).add(ours, theirs);
                cell(part, "*").add(ours, theirs);
            };
            // MTP weights and snapshots are requests of their own.
            if (!row.load_mtp && row.suite != "alloc") {
                const Bytes ours = parts[Part::weights].expected;
                const Bytes theirs = row.bytes[0][place];
                add("weights", std::llabs(ours - theirs) <= 1024 ? theirs : ours, theirs);
            }
            if (row.n_rs_seq == 0) {
                add("cache", parts[Part::kv].expected + parts[Part::state].expected,
                    row.bytes[1][place]);
            }
            if (compute) {
                const std::string part = row.flash_attn ? "compute-fa" : "compute-nofa";
                add(part.c_str(), parts[Part::compute].expected, row.bytes[2][place]);
            }
            if (d == n_devices) {
                // Printed as MiB with two decimals.
                const Bytes ours = parts[Part::output].expected;
                add("output", std::llabs(ours - row.output) <= 5300 ? row.output : ours,
                    row.output);
            }
        }
    }

    std::map<std::string, std::array<double, 3>> limits;
    std::istringstream stored(test::read_file("tests/reference/oracle_limits.txt"));
    for (std::string line; std::getline(stored, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream fields(line);
        std::string a, b, c, d;
        std::array<double, 3> limit{};
        fields >> a >> b >> c >> d >> limit[0] >> limit[1] >> limit[2];
        limits[a + " " + b + " " + c + " " + d] = limit;
    }
    std::printf("%-52s %6s %8s %8s %8s %8s %8s\n", "part regime place architecture", "rows",
                "exact %", "median", "95th", "99th", "worst");
    for (const auto& [name, cell] : cells) {
        if (cell.errors.empty())
            continue;
        const double exact = 100 * cell.exact_share();
        const double median = 100 * cell.at(0.5);
        const double worst = 100 * cell.at(1.0);
        std::printf("%-52s %6zu %8.2f %8.3f %8.2f %8.2f %8.2f\n", name.c_str(), cell.errors.size(),
                    exact, median, 100 * cell.at(0.95), 100 * cell.at(0.99), worst);
        const auto limit = limits.find(name);
        INFO(name << ": exact " << exact << " %, median " << median << " %, worst " << worst
                  << " %");
        if (limit == limits.end()) {
            FAIL_CHECK("the cell has no limit in oracle_limits.txt");
            continue;
        }
        CHECK(exact >= limit->second[0] - 0.005);
        CHECK(median <= limit->second[1] + 0.0005);
        CHECK(worst <= limit->second[2] + 0.005);
    }
}
