// A workspace spares work and memory, and changes no answer.
#include "core/workspace.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "support/allocations.h"
#include "support/catalog.h"

using namespace vramscope;

namespace {

class Requests {
public:
    explicit Requests(unsigned seed) : random_(seed) {}

    /// A random model on random hardware with random options.
    EstimateRequest next() {
        const catalog::Catalog& catalog = test::shared_catalog();
        for (;;) {
            catalog::Query query;
            const auto set = [&query](const char* key, const std::string& value) {
                REQUIRE(query.set(key, value));
            };
            set("model", catalog.models[below(catalog.models.size())].id);
            set("artifact", pick({"Q4_K_M", "Q8_0", "IQ2_XXS", "MXFP4_MOE"}));
            std::string hardware = catalog.hardware[below(catalog.hardware.size())].id;
            if (below(6) == 0)
                hardware += "," + catalog.hardware[below(catalog.hardware.size())].id;
            set("hardware", hardware);
            set("engine", pick({"llama.cpp", "llama.cpp", "llama.cpp", "ollama", "vllm", "mlx"}));
            set("n_ctx", std::to_string(1 + (below(4096) << below(9))));
            if (below(2) == 0)
                set("n_seq", std::to_string(1 + below(9)));
            if (below(3) == 0)
                set("kv_unified", pick({"true", "false"}));
            if (below(3) == 0)
                set("type_k", pick({"q8_0", "f32"}));
            if (below(4) == 0)
                set("flash_attn", "off");
            if (below(4) == 0)
                set("n_ubatch", std::to_string(64 << below(6)));
            if (below(6) == 0)
                set("n_gpu_layers", std::to_string(below(60)));
            if (below(8) == 0)
                set("n_cpu_moe", std::to_string(below(20)));
            if (below(4) == 0)
                set("swa_full", "true");
            if (auto resolved = catalog::resolve(query, catalog))
                return resolved->request;
        }
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    const char* pick(std::initializer_list<const char*> choices) {
        return choices.begin()[below(choices.size())];
    }
    std::mt19937 random_;
};

void check_equal(const Estimate& a, const Estimate& b) {
    REQUIRE(a.devices.size() == b.devices.size());
    for (std::size_t i = 0; i < a.devices.size(); ++i) {
        CHECK(a.devices[i].name == b.devices[i].name);
        CHECK(a.devices[i].parts.parts == b.devices[i].parts.parts);
        CHECK(a.devices[i].used_fraction == b.devices[i].used_fraction);
        CHECK(a.devices[i].verdict == b.devices[i].verdict);
    }
    CHECK(a.parts.parts == b.parts.parts);
    CHECK(a.verdict == b.verdict);
    CHECK(a.max_context_tokens == b.max_context_tokens);
    CHECK(a.max_sequences == b.max_sequences);
    CHECK(a.decode_tokens_per_second.expected == b.decode_tokens_per_second.expected);
    CHECK(a.prefill_tokens_per_second.high == b.prefill_tokens_per_second.high);
    CHECK(a.batches.size() == b.batches.size());
    CHECK(a.max_users == b.max_users);
    CHECK(a.serving.tokens == b.serving.tokens);
    CHECK(a.download_bytes == b.download_bytes);
    CHECK(a.parameters == b.parameters);
    CHECK(a.assumptions.size() == b.assumptions.size());
    REQUIRE(a.terms.size() == b.terms.size());
    for (std::size_t i = 0; i < a.terms.size(); ++i) {
        CHECK(a.terms[i].bytes == b.terms[i].bytes);
        CHECK(std::string_view(a.terms[i].formula) == b.terms[i].formula);
        for (std::size_t v = 0; v < a.terms[i].values.size(); ++v)
            CHECK(a.terms[i].values[v].value == b.terms[i].values[v].value);
    }
}

} // namespace

TEST_CASE("What a workspace holds changes no answer") {
    Requests requests(20261201);
    Workspace kept;
    Estimate out;
    for (int i = 0; i < 150; ++i) {
        const EstimateRequest request = requests.next();
        INFO(i);
        // Other contexts first, so that pieces of both sides are there.
        EstimateRequest other = request;
        for (const std::int64_t context : {request.options.n_ctx * 3, request.options.n_ctx / 2}) {
            other.options.n_ctx = std::max<std::int64_t>(context, 1);
            estimate(other, kept, out);
        }
        estimate(request, kept, out);
        check_equal(out, estimate(request));
    }
}

TEST_CASE("Another model at the same address is noticed") {
    Requests requests(7);
    EstimateRequest request = requests.next();
    Architecture architecture = *request.architecture;
    request.architecture = &architecture;
    Workspace kept;
    Estimate out;
    estimate(request, kept, out);
    architecture.n_vocab += 1024;
    architecture.layers.pop_back();
    estimate(request, kept, out);
    check_equal(out, estimate(request));
}

TEST_CASE("The second estimate of a model allocates nothing") {
    for (const char* model : {"glm-4-9b-0414", "deepseek-r1", "gemma-3-12b-it", "gpt-oss-120b"}) {
        for (const char* hardware : {"rtx-4090-24gb", "h100-80gb*8"}) {
            catalog::Query query;
            REQUIRE(query.set("model", model));
            REQUIRE(query.set("hardware", hardware));
            const auto resolved = catalog::resolve(query, test::shared_catalog());
            REQUIRE(resolved);
            Workspace kept;
            Estimate out;
            for (int i = 0; i < 3; ++i)
                estimate(resolved->request, kept, out);
            const std::size_t before = test::allocations();
            estimate(resolved->request, kept, out);
            const std::size_t behind = test::allocations();
            INFO(model << " " << hardware);
            CHECK(behind == before);
        }
    }
}
