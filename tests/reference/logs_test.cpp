// Real logs from people's machines (logs.txt): each part apart, then the card as a whole.
//
// What a card shows is file + caches + state + compute + what the engine does not count (the
// catalog's range for the backend). Weights come from the log where it prints them: most of these
// files are mixtures of their makers' own. Prints every case: vramscope_tests "[logs]".
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/engines/engine.h"
#include "support/catalog.h"
#include "support/files.h"

using namespace vramscope;

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;
constexpr double reason_needed_above = 3; // percent

struct Case {
    std::string id;
    std::map<std::string, std::string> fields;

    bool has(const std::string& key) const { return fields.contains(key); }
    std::string text(const std::string& key, const std::string& otherwise) const {
        const auto found = fields.find(key);
        return found == fields.end() ? otherwise : found->second;
    }
    double number(const std::string& key, double otherwise) const {
        return has(key) ? std::stod(fields.at(key)) : otherwise;
    }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    std::istringstream lines(test::read_file("tests/reference/logs.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream words(line);
        Case read;
        words >> read.id;
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            REQUIRE(equals != std::string::npos);
            read.fields[word.substr(0, equals)] = word.substr(equals + 1);
        }
        all.push_back(read);
    }
    return all;
}

Backend backend_of(const std::string& name) {
    static const std::map<std::string, Backend> names = {{"cuda", Backend::cuda},
                                                         {"rocm", Backend::rocm},
                                                         {"vulkan", Backend::vulkan},
                                                         {"metal", Backend::metal},
                                                         {"cpu", Backend::cpu}};
    return names.at(name);
}

EstimateRequest request_of(const Case& log) {
    const catalog::Catalog& catalog = test::shared_catalog();
    const catalog::Model* model = catalog.find_model(log.text("model", ""));
    REQUIRE(model != nullptr);
    EstimateRequest request;
    request.architecture = &model->architecture;
    request.storage_types = &catalog.storage_types;
    request.constants = &catalog.constants;
    request.weights.mixture = mixture_from_name(log.text("mixture", "Q4_K_M"));
    const std::string build = log.text("build", "");
    request.llama_cpp_version = build == "b7324"    ? LlamaCppVersion::b7324
                                : build == "b8200"  ? LlamaCppVersion::b8200
                                : build == "b10256" ? LlamaCppVersion::b10256
                                : build == "0.5.0"  ? LlamaCppVersion::v0_5_0
                                                    : LlamaCppVersion::v0_7_0;
    Options& options = request.options;
    options.n_ctx = static_cast<std::int64_t>(log.number("ctx", 4096));
    options.n_ubatch = static_cast<std::int32_t>(log.number("ub", 512));
    options.n_seq = static_cast<std::int32_t>(log.number("seq", 1));
    options.kv_unified = log.number("unified", 0) > 0;
    options.flash_attn = log.number("fa", 1) > 0 ? FlashAttention::on : FlashAttention::off;
    options.type_k = storage_type_from_name(log.text("k", "f16"));
    options.type_v = storage_type_from_name(log.text("v", "f16"));
    if (log.has("ngl"))
        options.n_gpu_layers = static_cast<std::int32_t>(log.number("ngl", 0));
    options.cpu_moe = log.has("cmoe");
    options.n_cpu_moe = static_cast<std::int32_t>(log.number("ncmoe", 0));
    if (log.has("outputs"))
        options.n_outputs_max = 0;
    const Backend backend = backend_of(log.text("backend", "cpu"));
    if (backend != Backend::cpu) {
        Device device;
        device.backend = backend;
        device.memory_bytes = device.usable_bytes = 96 * gib;
        request.devices.assign(static_cast<std::size_t>(log.number("gpus", 1)), device);
    }
    return request;
}

std::string spaced(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

/// Errors, averaged within a kind of model first, since a few kinds make up most logs.
struct ByKind {
    std::map<std::string, std::vector<double>> errors;
    void add(const std::string& kind, double error) { errors[kind].push_back(std::fabs(error)); }
    std::vector<double> means() const {
        std::vector<double> all;
        for (const auto& [kind, values] : errors) {
            double sum = 0;
            for (const double value : values)
                sum += value;
            all.push_back(sum / static_cast<double>(values.size()));
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

} // namespace

TEST_CASE("Real logs, part by part and card by card", "[logs]") {
    std::map<std::string, ByKind> parts;
    std::vector<double> widths;
    int held = 0;
    int cards = 0;
    int unseen_held = 0;
    std::vector<double> unseen; // errors of cards that were read after the constants were fixed
    std::printf("%-5s %-13s %-12s %12s %12s %8s\n", "case", "kind", "part", "predicted", "printed",
                "error");
    for (const Case& log : cases()) {
        INFO(log.id);
        const EstimateRequest request = request_of(log);
        MemoryPlan plan;
        llama_cpp_engine.plan(request, plan);
        const std::size_t n = request.devices.size();
        PartBytes device;
        for (std::size_t d = 0; d < std::max<std::size_t>(n, 1); ++d)
            device += plan.devices[d];
        const std::size_t host_entry = n;
        const auto in_mib = [](Bytes bytes) { return static_cast<double>(bytes) / bytes_per_mib; };
        const std::string kind = log.text("kind", "");
        const auto compare = [&](const char* part, const char* key, double ours) {
            if (!log.has(key))
                return;
            const double printed = log.number(key, 0);
            const double error = 100 * (ours - printed) / printed;
            std::printf("%-5s %-13s %-12s %12.2f %12.2f %+7.2f%%\n", log.id.c_str(), kind.c_str(),
                        part, ours, printed, error);
            parts[part].add(kind, error);
            const std::string reason = log.text("reason", "");
            if (std::fabs(error) > reason_needed_above) {
                CHECK_FALSE(reason.empty());
                std::printf("%-5s %-13s   %s\n", log.id.c_str(), kind.c_str(),
                            spaced(reason).c_str());
            }
        };
        // Caches that stay in main memory are printed without a device.
        const bool caches_on_host = log.number("ngl", 1) == 0;
        Bytes kv = device[Part::kv].expected;
        Bytes state = device[Part::state].expected;
        if (caches_on_host) {
            kv += plan.devices[host_entry][Part::kv].expected;
            state += plan.devices[host_entry][Part::state].expected;
        }
        const double state_mib = in_mib(state) * (1 + log.number("snap", 0));
        if (log.has("mixture"))
            compare("weights", "file", in_mib(device[Part::weights].expected));
        compare("kv", "kv", in_mib(kv));
        compare("state", "rs", state_mib);
        compare("kv+state", "kvrs", in_mib(kv) + state_mib);
        compare("compute", "compute", in_mib(device[Part::compute].expected));
        if (n > 0) {
            compare("host compute", "hostcompute",
                    in_mib(plan.devices[host_entry][Part::compute].expected));
        }
        if (!log.has("card"))
            continue;
        const double counted = log.number("file", in_mib(device[Part::weights].expected)) +
                               in_mib(kv) + state_mib + in_mib(device[Part::compute].expected) +
                               log.number("other", 0);
        const ByteRange& uncounted = device[Part::overhead];
        const double low = counted + in_mib(uncounted.low);
        const double expected = counted + in_mib(uncounted.expected);
        const double high = counted + in_mib(uncounted.high);
        const double card = log.number("card", 0);
        compare("card", "card", expected);
        std::printf("%-5s %-13s   counted %.0f, uncounted %.0f, range %.0f-%.0f\n", log.id.c_str(),
                    kind.c_str(), counted, card - counted, low, high);
        ++cards;
        const bool holds = card >= low && card <= high;
        held += holds ? 1 : 0;
        if (log.has("held")) {
            unseen.push_back(std::fabs(100 * (expected - card) / card));
            unseen_held += holds ? 1 : 0;
        }
        widths.push_back(100 * (high - low) / card);
    }
    // Levels reached, rounded up: percent.
    struct Limit {
        double median;
        double worst;
    };
    const std::map<std::string, Limit> limits = {
        {"weights", {0.1, 0.1}},   {"kv", {0.01, 0.1}},    {"state", {0.01, 0.3}},
        {"kv+state", {0.05, 0.2}}, {"compute", {1.6, 51}}, {"host compute", {0.03, 102}},
        {"card", {1.2, 8}}};
    for (const auto& [part, errors] : parts) {
        std::size_t rows = 0;
        std::vector<double> every;
        for (const auto& [kind, values] : errors.errors) {
            rows += values.size();
            every.insert(every.end(), values.begin(), values.end());
        }
        std::printf("%-13s %3zu figures: median %.2f %% (by kind %.2f %%), worst %.2f %%\n",
                    part.c_str(), rows, median(every), median(errors.means()),
                    *std::max_element(every.begin(), every.end()));
        CHECK(median(every) <= limits.at(part).median);
        CHECK(*std::max_element(every.begin(), every.end()) <= limits.at(part).worst);
    }
    std::printf("cards: the range holds %d of %d, median width %.1f %%\n", held, cards,
                median(widths));
    std::printf("of these held out: %d of %zu, median error %.2f %%, worst %.2f %%\n", unseen_held,
                unseen.size(), median(unseen), *std::max_element(unseen.begin(), unseen.end()));
    CHECK(held * 10 >= cards * 9);
    CHECK(median(widths) <= 8);
    CHECK(unseen_held == static_cast<int>(unseen.size()));
}
