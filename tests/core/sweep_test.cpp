// Every answer of a sweep is that of an estimate of the pair.
#include "core/sweep.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "core/solve.h"
#include "core/verdict.h"
#include "support/catalog.h"

using namespace vramscope;

namespace {

struct Setting {
    const char* name;
    std::vector<std::pair<const char*, const char*>> fields;
    unsigned one_in; ///< of all pairs that were swept
    std::size_t every_model;
};

void check_pairs(const Setting& setting) {
    const catalog::Catalog& catalog = test::shared_catalog();
    catalog::Query query;
    for (const auto& [key, value] : setting.fields)
        REQUIRE(query.set(key, value));
    const auto resolved = catalog::resolve(query, catalog);
    REQUIRE(resolved);
    EstimateRequest request = resolved->request;
    std::vector<const Device*> devices;
    for (const catalog::HardwareEntry& entry : catalog.hardware) {
        if (entry.count <= 1)
            devices.push_back(&entry.device);
    }
    Sweep sweep(devices);
    Workspace workspace;
    std::mt19937 random(1);
    std::size_t compared = 0;
    for (std::size_t m = 0; m < catalog.models.size(); m += setting.every_model) {
        for (const char* format : {"bf16", "q4_k_m", "iq2_xxs"}) {
            catalog::set_model_and_weights(catalog.models[m], nullptr,
                                           catalog.find_quantization(format), true, request);
            sweep.select(request);
            const std::vector<SweepAnswer>& answers = sweep.answers();
            for (std::size_t d = 0; d < devices.size(); ++d) {
                if (random() % setting.one_in != 0)
                    continue;
                EstimateRequest single = request;
                single.devices.assign(1, *devices[d]);
                const MemoryPlan plan = plan_memory(single, workspace);
                ByteRange total;
                for (std::size_t i = 0; i < plan.n_devices; ++i)
                    total += plan.devices[i].total();
                INFO(setting.name << " " << catalog.models[m].id << " " << format << " "
                                  << devices[d]->name);
                CHECK(answers[d].total == total);
                CHECK(answers[d].verdict == judge(single, plan).overall);
                CHECK(answers[d].max_context_tokens == max_context_tokens(single, workspace));
                ++compared;
            }
        }
    }
    CHECK(compared > 20);
}

} // namespace

TEST_CASE("A sweep over all models and devices equals their estimates") {
    check_pairs({"default", {}, 700, 1});
}

TEST_CASE("So it does with other options") {
    check_pairs({"long context", {{"n_ctx", "131072"}, {"host_memory_gib", "64"}}, 80, 13});
    check_pairs({"quantised cache", {{"type_k", "q8_0"}, {"type_v", "q8_0"}}, 80, 13});
    check_pairs({"no flash attention", {{"flash_attn", "off"}, {"n_ubatch", "2048"}}, 80, 17});
    check_pairs({"experts on the host", {{"n_cpu_moe", "10"}}, 250, 41});
    check_pairs({"sequences", {{"n_seq", "3"}}, 250, 17});
    check_pairs({"ollama", {{"engine", "ollama"}}, 250, 17});
    check_pairs({"another engine", {{"engine", "mlx"}}, 250, 17});
}
