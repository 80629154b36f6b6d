// Expected placements: llama.cpp load_tensors() as observed in 0.7.0 (output layer first, then the
// last layers; several devices by cumulative share).
#include "core/placement.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {
Tensor tensor(TensorRole role, std::int32_t layer) {
    Tensor made{};
    made.role = role;
    made.layer = layer;
    made.row_length = 64;
    made.rows = 64;
    made.depth = 1;
    return made;
}
} // namespace

TEST_CASE("The output layer is offloaded first, then the last layers") {
    const double one[] = {1.0};
    const LayerSplit none = LayerSplit::of(32, 0, one, 1);
    CHECK(none.output_device() == on_host);
    CHECK(none.device_of(31) == on_host);
    const LayerSplit head = LayerSplit::of(32, 1, one, 1);
    CHECK(head.output_device() == 0);
    CHECK(head.device_of(31) == on_host);
    const LayerSplit all_but_one = LayerSplit::of(32, 32, one, 1);
    CHECK(all_but_one.device_of(0) == on_host);
    CHECK(all_but_one.device_of(1) == 0);
    CHECK_FALSE(all_but_one.offloads_everything());
    const LayerSplit all = LayerSplit::of(32, 99, one, 1);
    CHECK(all.offloads_everything());
    CHECK(all.units_on(0) == 33);
}

TEST_CASE("Several devices share units by cumulative share; the last one gets the output layer") {
    const double equal[] = {1.0, 1.0};
    const LayerSplit halves = LayerSplit::of(32, 99, equal, 2);
    CHECK(halves.units_on(0) == 17); // 33 units: 0 … 16 have j / 33 < 1/2
    CHECK(halves.units_on(1) == 16);
    CHECK(halves.output_device() == 1);
    const double uneven[] = {3.0, 1.0};
    const LayerSplit quarters = LayerSplit::of(32, 99, uneven, 2);
    CHECK(quarters.units_on(0) == 25);
    const double zero_first[] = {0.0, 1.0};
    CHECK(LayerSplit::of(32, 99, zero_first, 2).units_on(0) == 0);
    CHECK(LayerSplit::of(32, 99, zero_first, 2).device_of(0) == 1);
}

TEST_CASE("Embeddings stay on the host, experts when asked to") {
    Architecture architecture;
    architecture.layers.resize(4);
    const double one[] = {1.0};
    const LayerSplit all = LayerSplit::of(4, 5, one, 1);
    ExpertPlacement experts;
    const auto place = [&](TensorRole role, std::int32_t layer) {
        return device_of(tensor(role, layer), architecture, all, experts);
    };
    CHECK(place(TensorRole::token_embd, -1) == on_host);
    CHECK(place(TensorRole::per_layer_token_embd, -1) == on_host);
    CHECK(place(TensorRole::output, -1) == 0);
    CHECK(place(TensorRole::ffn_up_exps, 1) == 0);
    experts.layers_on_host = 2;
    CHECK(place(TensorRole::ffn_up_exps, 1) == on_host);
    CHECK(place(TensorRole::ffn_up_exps, 2) == 0);
    CHECK(place(TensorRole::ffn_up_shexp, 1) == 0); // shared experts are not part of the banks
    experts.all_on_host = true;
    CHECK(place(TensorRole::ffn_down_exps, 3) == on_host);
    CHECK(place(TensorRole::attn_q, 0) == 0);
}
