// Published GGUF files (published_files.txt) against computed ones: the recipe's tensors, plus what
// a header holds (vocabulary, merges), plus or minus 0.05 %. Prints a table by family and the files
// that deviate, with the reason: vramscope_tests "[published]".
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "core/recipe.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;

namespace {

/// A vocabulary row in a header: its text, type and score, and its share of the merges. Seen: 25
/// bytes (Mistral, 32,768 rows) to 65 (gpt-oss, 201,088 rows).
constexpr double least_per_row = 14;
constexpr double most_per_row = 75;
constexpr double tolerance = 0.0005;

struct Family {
    int files = 0;
    int within = 0;
    double worst = 0; ///< percent, of those without a reason
};

} // namespace

TEST_CASE("Published files are the computed ones", "[published]") {
    const catalog::Catalog& catalog = test::shared_catalog();
    std::map<std::string, Family> families;
    std::istringstream lines(test::read_file("tests/reference/published_files.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        const bool deviates = line[0] == '!';
        std::istringstream words(deviates ? line.substr(1) : line);
        std::string id, quantisation, repository, file;
        Bytes bytes = 0;
        words >> id >> quantisation >> bytes >> repository >> file;
        std::string reason;
        std::getline(words, reason);
        INFO(line);
        const catalog::Model* model = catalog.find_model(id);
        REQUIRE(model != nullptr);
        const Mixture mixture =
            quantisation == "MXFP4" ? Mixture::mxfp4_moe : mixture_from_name(quantisation);
        REQUIRE(mixture != Mixture::count_);
        const double rows = model->architecture.vocab_rows_in_gguf();
        // What lies outside of tensors and header, for the better of both mixtures.
        double miss = 1e300;
        double per_row = 0;
        for (const bool imatrix : {false, true}) {
            const double rest =
                static_cast<double>(bytes - mixture_bytes(model->architecture, mixture, imatrix,
                                                          catalog.storage_types));
            const double header = std::clamp(rest, least_per_row * rows, most_per_row * rows);
            if (std::fabs(rest - header) < std::fabs(miss)) {
                miss = rest - header;
                per_row = rest / rows;
            }
        }
        const double error = miss / static_cast<double>(bytes);
        const bool within = std::fabs(error) <= tolerance;
        Family& family = families[model->architecture.gguf_arch];
        ++family.files;
        family.within += within ? 1 : 0;
        if (!within || deviates) {
            std::printf("%-34s %-7s %+8.3f %% (%.1f B a row) %s\n", id.c_str(),
                        quantisation.c_str(), 100 * error, per_row, reason.c_str());
        }
        if (!deviates) {
            family.worst = std::max(family.worst, 100 * std::fabs(error));
            CHECK(within);
        } else {
            CHECK_FALSE(reason.empty());
        }
    }
    std::printf("%-14s %6s %7s %9s\n", "family", "files", "within", "worst %");
    for (const auto& [name, family] : families) {
        std::printf("%-14s %6d %7d %9.3f\n", name.c_str(), family.files, family.within,
                    family.worst);
    }
}
