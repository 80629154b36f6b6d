// Expected offsets follow from ggml-alloc.c's rules: best fit among freed blocks, the rest of the
// arena only when nothing else fits, neighbours merged.
#include "core/engines/graph/allocator.h"

#include <catch2/catch_test_macros.hpp>

#include "core/engines/graph/representative_layers.h"
#include "core/engines/graph/scheduler.h"

using namespace vramscope;
using namespace vramscope::graph;

namespace {

Tensor result(Op op, std::int64_t elements, std::initializer_list<Id> sources) {
    Tensor tensor;
    tensor.op = op;
    tensor.shape = {elements, 1, 1, 1};
    tensor.bytes = elements * 4;
    std::size_t i = 0;
    for (const Id source : sources)
        tensor.sources[i++] = source;
    return tensor;
}

Tensor stored(std::int64_t elements, std::int8_t backend) {
    Tensor tensor = result(Op::leaf, elements, {});
    tensor.is_weight = true;
    tensor.lies_on = backend;
    return tensor;
}

void schedule(Graph& graph, const SchedulerSettings& settings, Schedule& order) {
    SchedulerScratch scratch;
    graph::schedule(graph, settings, scratch, order);
}

/// Bytes of a backend's arena at the one context that these graphs are made for.
Bytes arena_bytes(const Graph& graph, const Schedule& order, std::size_t n_backends,
                  std::size_t backend) {
    AllocatorScratch scratch;
    StepRange range;
    return allocate(graph, order, n_backends, {16, 16}, scratch, range)[backend].at;
}

} // namespace

TEST_CASE("Blocks are rounded up and the smallest that fits is taken") {
    Arena arena;
    arena.reset(16);
    StepRange range;
    const auto take = [&](Bytes size) { return arena.take({size, 0}, range).at; };
    const Bytes a = take(100); // 112
    const Bytes b = take(40);  // 48
    const Bytes c = take(64);
    CHECK(a == 0);
    CHECK(b == 112);
    CHECK(c == 160);
    CHECK(arena.high_water().at == 224);
    arena.give_back({a, 0}, {100, 0}, range);
    arena.give_back({b, 0}, {40, 0}, range); // merges with the block before it: 160 bytes
    CHECK(take(150) == 0);
    CHECK(take(8) == 224); // nothing fits: the rest of the arena
    CHECK(arena.high_water().at == 240);
}

TEST_CASE("A sum overwrites its first operand when nobody else reads it") {
    Graph graph;
    const Id weight = graph.add(stored(0, 0));
    const Id a = graph.add(result(Op::mul_mat, 1000, {weight, weight}));
    const Id b = graph.add(result(Op::mul_mat, 1000, {weight, weight}));
    const Id sum = graph.add(result(Op::add, 1000, {a, b}));
    graph.expand(sum);
    Schedule order;
    schedule(graph, {}, order);
    CHECK(arena_bytes(graph, order, 1, 0) == 8000); // a and b; the sum lies on a

    // A second reader of both keeps them: three tensors at once.
    const Id product = graph.add(result(Op::mul, 1000, {a, b}));
    const Id both = graph.add(result(Op::add, 1000, {sum, product}));
    graph.expand(both);
    Schedule longer;
    schedule(graph, {}, longer);
    CHECK(arena_bytes(graph, longer, 1, 0) == 12'000);
}

TEST_CASE("Host weights of a large batch are copied to the first device, one split each") {
    Graph graph;
    const auto cpu = std::int8_t{1};
    const Id weight = graph.add(stored(5000, cpu));
    Tensor input = result(Op::leaf, 64, {});
    input.is_input = true;
    const Id x = graph.add(input);
    Tensor product = result(Op::mul_mat, 64, {weight, x});
    product.shape = {1, 64, 1, 1}; // 64 rows: worth the copy
    graph.expand(graph.add(product));
    SchedulerSettings settings;
    settings.n_backends = 2;
    Schedule order;
    schedule(graph, settings, order);
    CHECK(arena_bytes(graph, order, 2, 0) ==
          5000 * 4 + 2 * 64 * 4); // the weight's copy, the input's copy, the result
    CHECK(arena_bytes(graph, order, 2, 1) == 64 * 4); // the input itself

    settings.op_offload = false;
    Graph again;
    again.tensors = {graph[weight], graph[x], product};
    again.tensors[2].sources = {0, 1, none, none, none, none, none, none};
    for (Tensor& tensor : again.tensors)
        tensor.in_graph = false;
    again.expand(2);
    Schedule at_home;
    schedule(again, settings, at_home);
    CHECK(at_home.n_splits == 1);
    CHECK(arena_bytes(again, at_home, 2, 0) == 0);
}

TEST_CASE("Of repeated layers the first few stand for all") {
    std::vector<std::int32_t> chosen;
    std::vector<std::uint64_t> kinds(40, 7);
    kinds.push_back(8); // the last layer differs
    representative_layers(kinds, chosen);
    CHECK(chosen == std::vector<std::int32_t>{0, 1, 2, 3, 40});

    kinds.clear();
    for (int i = 0; i < 60; ++i)
        kinds.push_back(i % 6 == 5 ? 2u : 1u);
    representative_layers(kinds, chosen);
    CHECK(chosen.size() < 30);
    CHECK(chosen.front() == 0);
    for (std::size_t i = 0; i < 18; ++i)
        CHECK(kinds[static_cast<std::size_t>(chosen[i])] == kinds[i]);
}
