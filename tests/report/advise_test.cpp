// Every step promises figures; the request with the step applied must have exactly those.
#include "report/advise.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

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

report::AdvisedRequest advise(const Query& query, Verdict goal = Verdict::tight) {
    auto advised = report::advise(query, test::shared_catalog(), goal);
    REQUIRE(advised);
    return *advised;
}

Estimate estimate_of(const Query& query) {
    const auto resolved = catalog::resolve(query, test::shared_catalog());
    REQUIRE(resolved);
    return estimate(resolved->request);
}

const report::AdvisedStep* find_step(const report::AdvisedRequest& advised, ChangeKind kind) {
    for (const report::AdvisedStep& step : advised.steps) {
        if (step.step.n_changes == 1 && step.step.changes[0].kind == kind)
            return &step;
    }
    return nullptr;
}

std::string value_of(const report::AdvisedStep& step, Field field) {
    for (const report::FieldValue& value : step.set) {
        if (value.field == field)
            return value.value;
    }
    return "not set";
}

/// Compares a promise with the estimate of the changed request.
void check_promise(const Query& query, const Estimate& before,
                   const report::AdvisedRequest& advised, const report::AdvisedStep& step,
                   Verdict goal) {
    const Query changed = report::with_step(query, step);
    INFO(catalog::query_to_url(changed));
    const Estimate after = estimate_of(changed);
    CHECK(after.verdict == step.step.verdict);
    CHECK((after.verdict <= goal) == step.step.suffices);
    CHECK(after.total() == step.step.total);
    CHECK(after.decode_tokens_per_second.expected == step.step.decode_tokens_per_second.expected);
    const auto device = static_cast<std::size_t>(advised.advice.device);
    const auto same = std::min(device, after.devices.size() - 1);
    CHECK(before.devices[device].parts.total().expected -
              after.devices[same].parts.total().expected ==
          step.step.saved_bytes);
}

template <typename List>
const char* pick(std::mt19937& random, const List& list) {
    return list[random() % std::size(list)];
}

} // namespace

TEST_CASE("Nothing is advised when it fits", "[advice]") {
    // The default request: 5.5 GiB of weights and 1.3 GiB of cache on 12 GiB.
    const auto advised = advise(ask({}), Verdict::fits);
    CHECK(advised.advice.verdict == Verdict::fits);
    CHECK(advised.steps.empty());
    CHECK(advised.advice.device == -1);
}

TEST_CASE("Steps keep their promises and are ranked as documented", "[advice]") {
    std::mt19937 random(5);
    constexpr const char* models[] = {"glm-4-9b-0414",
                                      "qwen3-30b-a3b",
                                      "gemma-3-12b-it",
                                      "llama-3.3-70b-instruct",
                                      "gpt-oss-120b",
                                      "qwen3-8b",
                                      "deepseek-v3",
                                      "glm-4.5-air",
                                      "qwen3-next-80b-a3b-instruct"};
    constexpr const char* hardware[] = {"rtx-3060-12gb",
                                        "rtx-3090-24gb",
                                        "rtx-3090-24gb*2",
                                        "apple-m-max-64gb",
                                        "rtx-4060-8gb,rtx-3060-12gb",
                                        "cpu",
                                        "custom:16:448"};
    constexpr const char* artifacts[] = {"q8_0", "q4_k_m", "q6_k", "bf16"};
    constexpr const char* contexts[] = {"4096", "32768", "131072", "100000"};
    constexpr const char* types[] = {"f16", "f16", "q8_0"};
    constexpr const char* sequences[] = {"", "", "1", "4"};
    constexpr const char* engines[] = {"llama.cpp", "llama.cpp", "llama.cpp", "quick", "evidence"};
    constexpr const char* hosts[] = {"16", "64", "256", "0"};
    constexpr const char* flash[] = {"auto", "auto", "off"};
    constexpr const char* booleans[] = {"false", "false", "true"};
    int checked = 0;
    int combined = 0;
    for (int round = 0; round < 120; ++round) {
        Query query;
        const char* engine = pick(random, engines);
        REQUIRE(query.set(Field::engine, engine));
        REQUIRE(query.set(Field::model, pick(random, models)));
        REQUIRE(query.set(Field::hardware, pick(random, hardware)));
        REQUIRE(query.set(Field::artifact, pick(random, artifacts)));
        REQUIRE(query.set(Field::n_ctx, pick(random, contexts)));
        REQUIRE(query.set(Field::n_seq, pick(random, sequences)));
        REQUIRE(query.set(Field::host_memory_gib, pick(random, hosts)));
        REQUIRE(query.set(Field::type_k, pick(random, types)));
        if (std::string_view(engine) == "llama.cpp") {
            REQUIRE(query.set(Field::flash_attn, pick(random, flash)));
            REQUIRE(query.set(Field::swa_full, pick(random, booleans)));
        }
        if (!catalog::resolve(query, test::shared_catalog()))
            continue; // evidence has recorded files only
        INFO(catalog::query_to_url(query));
        const Verdict goal = random() % 2 == 0 ? Verdict::tight : Verdict::fits;
        const Estimate before = estimate_of(query);
        const auto advised = advise(query, goal);
        CHECK(advised.advice.verdict == before.verdict);
        CHECK(advised.advice.total == before.total());
        CHECK(advised.steps.empty() == (before.verdict <= goal || advised.steps.empty()));
        for (const report::AdvisedStep& step : advised.steps) {
            check_promise(query, before, advised, step, goal);
            combined += step.step.n_changes > 1 ? 1 : 0;
            ++checked;
        }
        for (std::size_t i = 1; i < advised.steps.size(); ++i) {
            const AdviceStep& better = advised.steps[i - 1].step;
            const AdviceStep& worse = advised.steps[i].step;
            CHECK(better.suffices >= worse.suffices);
            if (better.suffices && worse.suffices)
                CHECK(better.cost <= worse.cost);
        }
    }
    CHECK(checked > 300);
    CHECK(combined > 10);
}

TEST_CASE("Searched steps go just as far as needed", "[advice]") {
    // 70B in Q4_K_M is 40 GiB: neither a 24 GiB card nor its context is to blame, layers must
    // leave.
    const Query query = ask({{"model", "llama-3.3-70b-instruct"},
                             {"hardware", "rtx-3090-24gb"},
                             {"host_memory_gib", "64"},
                             {"n_ctx", "8192"}});
    const auto advised = advise(query);
    const auto* layers = find_step(advised, ChangeKind::gpu_layers);
    REQUIRE(layers != nullptr);
    CHECK(layers->step.suffices);
    const std::int64_t n = layers->step.changes[0].number;
    Query more = report::with_step(query, *layers);
    REQUIRE(more.set(Field::n_gpu_layers, std::to_string(n + 1)));
    CHECK(estimate_of(more).verdict > Verdict::tight);
    // A quarter of the layers' 40 GiB is on the host, so decoding takes several times as long.
    CHECK(layers->step.decode_tokens_per_second.expected <
          0.5 * advised.advice.decode_tokens_per_second.expected);

    // A dense model has no experts to move.
    CHECK(find_step(advised, ChangeKind::expert_layers) == nullptr);
}

TEST_CASE("A context that is too long is cut to the longest that fits", "[advice]") {
    const Query query = ask({{"model", "qwen3-8b"}, {"n_ctx", "131072"}});
    const auto advised = advise(query);
    const auto* context = find_step(advised, ChangeKind::context);
    REQUIRE(context != nullptr);
    CHECK(context->step.suffices);
    const auto n_ctx = context->step.changes[0].number;
    CHECK(n_ctx % 256 == 0);
    CHECK(n_ctx == estimate_of(query).max_context_tokens);
    CHECK(value_of(*context, Field::n_ctx) == std::to_string(n_ctx));

    // Q8_0 holds 34 bytes for 32 elements where F16 takes 64: 15/32 of the cache goes.
    const auto* types = find_step(advised, ChangeKind::kv_types);
    REQUIRE(types != nullptr);
    if (types->step.changes[0].type_v == StorageType::q8_0) {
        const Bytes f16_cache = 36LL * 2 * 8 * 128 * 131072 * 2;
        CHECK(types->step.saved_bytes >= f16_cache * 15 / 32);
    }
}

TEST_CASE("Flash attention is only advised when it is off", "[advice]") {
    // The scores of 32 heads, 512 x 32,768 of 4 bytes each, are 2 GiB that flash attention saves.
    const auto off = advise(ask({{"flash_attn", "off"}, {"hardware", "rtx-4060-8gb"}}));
    const auto* step = find_step(off, ChangeKind::flash_attention);
    REQUIRE(step != nullptr);
    CHECK(step->step.suffices);
    CHECK(step == off.steps.data()); // it costs nothing
    CHECK(step->step.saved_bytes > 1536 * mib);
    CHECK(value_of(*step, Field::flash_attn) == "on");
    const auto on = advise(ask({{"n_ctx", "131072"}, {"hardware", "rtx-4060-8gb"}}));
    CHECK(find_step(on, ChangeKind::flash_attention) == nullptr);
    // Values can only be quantised with flash attention.
    for (const report::AdvisedStep& each : off.steps) {
        bool flash = false;
        for (const Change& change : each.step.list()) {
            flash = flash || change.kind == ChangeKind::flash_attention;
            if (change.kind == ChangeKind::kv_types && !flash)
                CHECK(change.type_v == StorageType::f16);
        }
    }
}

TEST_CASE("Profiles are only advised what they know", "[advice]") {
    const auto quick = advise(ask({{"engine", "quick"}, {"n_ctx", "1048576"}}));
    CHECK_FALSE(quick.steps.empty());
    CHECK(find_step(quick, ChangeKind::gpu_layers) == nullptr);
    CHECK(find_step(quick, ChangeKind::micro_batch) == nullptr);
    CHECK(find_step(quick, ChangeKind::context) != nullptr);
}

TEST_CASE("Rows of a head must be whole blocks of a cache type", "[advice]") {
    // Phi-2 has heads of 80 elements, which blocks of 32 do not divide.
    const auto resolved = catalog::resolve(ask({{"model", "phi-2"}}), test::shared_catalog());
    REQUIRE(resolved);
    CHECK(accepts_kv_types(resolved->request, StorageType::f16, StorageType::f16));
    CHECK_FALSE(accepts_kv_types(resolved->request, StorageType::q8_0, StorageType::q8_0));
    const auto glm = catalog::resolve(ask({}), test::shared_catalog());
    REQUIRE(glm);
    CHECK(accepts_kv_types(glm->request, StorageType::q8_0, StorageType::q4_0));
}
