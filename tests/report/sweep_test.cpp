// Rows of a sweep equal the estimates of the requests that they name.
#include "report/sweep.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <iostream>
#include <set>

#include "core/estimator.h"
#include "support/catalog.h"

using namespace vramscope;
using catalog::Field;
using catalog::Query;

namespace {

Query ask(std::initializer_list<std::pair<const char*, const char*>> fields) {
    Query query;
    for (const auto& [key, value] : fields)
        REQUIRE(query.set(key, value));
    return query;
}

report::ModelSweep models(const Query& query, const report::ModelFilter& filter = {}) {
    auto sweep = report::ModelSweep::start(query, test::shared_catalog(), filter);
    REQUIRE(sweep);
    return std::move(*sweep);
}

Estimate estimate_of(const Query& query) {
    const auto resolved = catalog::resolve(query, test::shared_catalog());
    REQUIRE(resolved);
    return estimate(resolved->request);
}

void check_figures(const report::SweepFigures& figures, const Estimate& estimate) {
    CHECK(figures.verdict == estimate.verdict);
    CHECK(figures.total == estimate.total());
    CHECK(figures.max_context_tokens == estimate.max_context_tokens);
    CHECK(figures.decode_tokens_per_second.expected == estimate.decode_tokens_per_second.expected);
}

} // namespace

TEST_CASE("Rows of models equal their estimates", "[sweep]") {
    for (const auto& query :
         {ask({{"hardware", "rtx-3090-24gb"}, {"n_ctx", "8192"}}),
          ask({{"hardware", "rtx-3060-12gb*2"}, {"type_k", "q8_0"}, {"reserved_gib", "1"}}),
          ask({{"hardware", "apple-m-max-64gb"}, {"engine", "quick"}}),
          ask({{"hardware", "rtx-4090-24gb"}, {"engine", "evidence"}})}) {
        report::ModelFilter filter;
        filter.worst_verdict = Verdict::does_not_fit;
        report::ModelSweep sweep = models(query, filter);
        // Every 50th pair of the catalog, so that the test stays short.
        std::size_t checked = 0;
        for (std::size_t seen = 0; sweep.advance(50);) {
            const auto& rows = sweep.rows();
            if (rows.size() == seen)
                continue;
            seen = rows.size();
            const report::ModelRow& row = rows.back();
            Query named = query;
            REQUIRE(named.set(Field::model, row.model->id));
            REQUIRE(named.set(Field::artifact, row.request));
            INFO(catalog::query_to_url(named));
            const Estimate estimate = estimate_of(named);
            check_figures(row.figures, estimate);
            CHECK(row.download_bytes == estimate.download_bytes);
            CHECK(row.parameters == estimate.parameters);
            ++checked;
        }
        CHECK(checked >= 3);
    }
}

TEST_CASE("A sweep can be cut into slices of any size", "[sweep]") {
    const Query query = ask({{"hardware", "rtx-3060-12gb"}, {"n_ctx", "4096"}});
    report::ModelFilter filter;
    filter.family = "qwen3";
    report::ModelSweep whole = models(query, filter);
    while (whole.advance(100000)) {
    }
    report::ModelSweep sliced = models(query, filter);
    int calls = 0;
    // A clock that stops after three pairs each time.
    while (sliced.advance_until([n = 0]() mutable { return n++ == 3; }))
        ++calls;
    CHECK(calls > 50);
    REQUIRE(whole.rows().size() == sliced.rows().size());
    REQUIRE(!whole.rows().empty());
    for (std::size_t i = 0; i < whole.rows().size(); ++i) {
        CHECK(whole.rows()[i].model == sliced.rows()[i].model);
        CHECK(whole.rows()[i].request == sliced.rows()[i].request);
    }
    CHECK(whole.is_done());
    CHECK(whole.models_done() == whole.models_all());
}

TEST_CASE("The largest context can be left for later", "[sweep]") {
    const Query query = ask({{"hardware", "rtx-3060-12gb"}, {"n_ctx", "4096"}});
    report::ModelFilter filter;
    filter.family = "gemma";
    report::ModelSweep whole = models(query, filter);
    filter.find_max_context = false;
    report::ModelSweep later = models(query, filter);
    whole.advance(100000);
    later.advance(100000);
    REQUIRE(later.rows().size() == whole.rows().size());
    REQUIRE(!later.rows().empty());
    for (std::size_t i = 0; i < later.rows().size(); ++i) {
        CHECK(later.rows()[i].figures.max_context_tokens == 0);
        CHECK(later.max_context_of(later.rows()[i]) == whole.rows()[i].figures.max_context_tokens);
    }
}

TEST_CASE("Filters keep what they say", "[sweep]") {
    report::ModelFilter filter;
    filter.min_parameters = 2e9;
    filter.max_parameters = 35e9;
    filter.license = "apache";
    filter.experts = 1;
    filter.min_context = 65536;
    filter.min_tokens_per_second = 20;
    filter.worst_quality = 2;
    report::ModelSweep sweep =
        models(ask({{"hardware", "rtx-5090-32gb"}, {"n_ctx", "8192"}}), filter);
    while (sweep.advance(1000)) {
    }
    REQUIRE(!sweep.rows().empty());
    std::set<std::string> ids;
    for (const report::ModelRow& row : sweep.rows()) {
        INFO(row.model->id << " " << row.request);
        ids.insert(row.model->id);
        CHECK(row.parameters >= 2'000'000'000);
        CHECK(row.parameters <= 35'000'000'000);
        CHECK(row.active_parameters < row.parameters);
        CHECK(row.figures.decode_tokens_per_second.expected >= 20);
        CHECK(row.figures.max_context_tokens >= 65536);
        CHECK(row.figures.verdict <= Verdict::tight);
        CHECK(report::quality_rank(row.format) <= 2);
    }
    // 30B with 3B active in 4 bits is 17 GiB: a 32 GiB card is enough.
    CHECK(ids.contains("qwen3-30b-a3b"));
    CHECK_FALSE(ids.contains("llama-3.1-8b-instruct"));
}

TEST_CASE("Rows are ranked and sorted by any column", "[sweep]") {
    report::ModelSweep sweep = models(ask({{"hardware", "rtx-4090-24gb"}, {"n_ctx", "8192"}}));
    while (sweep.advance(1000)) {
    }
    std::vector<report::ModelRow> rows = sweep.take_rows();
    report::sort_rows(rows, report::ModelColumn::rank, false);
    CHECK(rows.front().figures.verdict == Verdict::fits);
    CHECK(report::quality_rank(rows.front().format) <= 2);
    // The largest models whose 4-bit weights fit 24 GiB have 27 to 40 billion parameters.
    CHECK(rows.front().parameters > 25'000'000'000);
    for (const char* name : {"name", "parameters", "quality", "verdict", "total", "max_context",
                             "decode", "download"}) {
        const report::ModelColumn column = report::model_column(name);
        REQUIRE(column != report::ModelColumn::count_);
        report::sort_rows(rows, column, true);
        const report::ModelRow first = rows.front();
        report::sort_rows(rows, column, false);
        if (column == report::ModelColumn::decode)
            CHECK(first.figures.decode_tokens_per_second.expected >=
                  rows.front().figures.decode_tokens_per_second.expected);
        if (column == report::ModelColumn::name)
            CHECK(first.model->name >= rows.front().model->name);
        if (column == report::ModelColumn::total)
            CHECK(first.figures.total.expected >= rows.front().figures.total.expected);
    }
    CHECK(report::model_column("colour") == report::ModelColumn::count_);
}

TEST_CASE("The hardware that does it, smallest memory first", "[sweep]") {
    const Query query = ask({{"model", "llama-3.3-70b-instruct"}, {"n_ctx", "8192"}});
    report::DeviceFilter filter;
    filter.min_tokens_per_second = 12;
    auto sweep = report::DeviceSweep::start(query, test::shared_catalog(), filter);
    REQUIRE(sweep);
    while (sweep->advance(7)) {
    }
    const auto rows = sweep->take_rows();
    REQUIRE(rows.size() > 10);
    bool two_3090 = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const report::DeviceRow& row = rows[i];
        INFO(row.request);
        // 70.6 billion parameters in Q4_K_M are 39.6 GiB.
        CHECK(row.memory_bytes > 40 * gib);
        CHECK(row.figures.verdict <= Verdict::tight);
        CHECK(row.figures.decode_tokens_per_second.expected >= 12);
        if (i > 0)
            CHECK(rows[i - 1].memory_bytes <= row.memory_bytes);
        two_3090 = two_3090 || row.request == "rtx-3090-24gb*2";
        if (i % 8 == 0) {
            Query named = query;
            REQUIRE(named.set(Field::hardware, row.request));
            const Estimate estimate = estimate_of(named);
            check_figures(row.figures, estimate);
            for (std::size_t d = 0; d < row.used_bytes.size(); ++d)
                CHECK(row.used_bytes[d] == estimate.devices[d].parts.total().expected);
        }
    }
    CHECK(two_3090);
}

TEST_CASE("Users share a context where the engine counts all sequences together", "[sweep]") {
    const Query llama = report::with_users(ask({}), 8192, 4);
    CHECK(llama.value(Field::n_ctx) == "32768");
    CHECK(llama.value(Field::n_seq) == "4");
    const Query quick = report::with_users(ask({{"engine", "quick"}}), 8192, 4);
    CHECK(quick.value(Field::n_ctx) == "8192");
}

// Not a check but a figure: vramscope_tests "[.sweep-speed]"
TEST_CASE("Estimates per second over the whole catalog", "[.sweep-speed]") {
    report::ModelFilter filter;
    filter.worst_verdict = Verdict::does_not_fit;
    for (const char* hardware :
         {"rtx-3060-12gb", "rtx-4090-24gb", "rtx-3090-24gb*2", "", "rtx-4090-24gb"}) {
        if (*hardware == '\0') {
            std::cout << "without the largest context: ";
            filter.find_max_context = false;
            continue;
        }
        report::ModelSweep sweep = models(ask({{"hardware", hardware}, {"n_ctx", "8192"}}), filter);
        double longest = 0;
        const auto start = std::chrono::steady_clock::now();
        bool more = true;
        while (more) {
            const auto before = std::chrono::steady_clock::now();
            more = sweep.advance(1);
            longest = std::max(longest, std::chrono::duration<double, std::milli>(
                                            std::chrono::steady_clock::now() - before)
                                            .count());
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::cout << hardware << ": " << sweep.estimates() << " rows in " << seconds << " s, "
                  << static_cast<double>(sweep.estimates()) / seconds << " rows/s, longest row "
                  << longest << " ms\n";
    }
    CHECK(true);
}
