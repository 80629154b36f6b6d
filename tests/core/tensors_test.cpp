// Parameter counts against the tensor counts that the checkpoints' publishers state.
#include "core/tensors.h"

#include <catch2/catch_test_macros.hpp>

using namespace vramscope;

namespace {

Mixer attention(int q_heads, int kv_heads, int head_dim) {
    Mixer m;
    m.q_heads = q_heads;
    m.kv_heads = kv_heads;
    m.head_dim_k = m.head_dim_v = head_dim;
    return m;
}

FeedForward dense(int n_ff) {
    FeedForward f;
    f.n_ff = n_ff;
    return f;
}

FeedForward experts(int count, int used, int n_ff, int shared = 0) {
    FeedForward f;
    f.kind = FeedForwardKind::experts;
    f.n_experts = count;
    f.n_experts_used = used;
    f.n_ff_expert = n_ff;
    f.n_ff_shared = shared;
    return f;
}

Architecture uniform(int n_embd, int n_vocab, int n_layer, const Mixer& mixer,
                     const FeedForward& feed_forward) {
    Architecture a;
    a.n_embd = n_embd;
    a.n_vocab = n_vocab;
    a.mixers = {mixer};
    a.feed_forwards = {feed_forward};
    a.layers.assign(static_cast<std::size_t>(n_layer), Layer{});
    return a;
}

Architecture glm_4_9b_0414() {
    Mixer m = attention(32, 2, 128);
    m.qkv_bias = true;
    FeedForward f = dense(13696);
    f.fused_gate_up = true;
    Architecture a = uniform(4096, 151552, 40, m, f);
    a.norms.after_mixer = a.norms.after_feed_forward = true;
    return a;
}

struct Sum {
    std::int64_t elements = 0;
    int tensors = 0;
};

Sum sum_of(const Architecture& a, Inventory inventory, TensorRole role) {
    Sum sum;
    auto visit = [&](const Tensor& tensor) {
        if (tensor.role != role)
            return;
        sum.elements += tensor.elements();
        ++sum.tensors;
    };
    for_each_tensor(a, inventory, visit);
    return sum;
}

} // namespace

TEST_CASE("Dense: GLM-4-9B-0414 has 9,400,279,040 parameters") {
    const ParameterCount count = count_parameters(glm_4_9b_0414());
    CHECK(count.total() == 9'400'279'040);
    CHECK(count.active == count.text);
    CHECK(count.embedding == 620'756'992);
    CHECK(count.mtp == 0);
}

TEST_CASE("A GGUF fuses and adds tensors, but holds the same numbers") {
    const Architecture glm = glm_4_9b_0414();
    CHECK(sum_of(glm, Inventory::gguf, TensorRole::ffn_gate).tensors == 0);
    CHECK(sum_of(glm, Inventory::checkpoint, TensorRole::ffn_gate).tensors == 40);
    CHECK(count_parameters(glm, Inventory::gguf).total() == 9'400'279'040);

    // Llama-3.1-8B: 8,030,261,248 elements, and 64 rope factors in the GGUF.
    Architecture llama = uniform(4096, 128256, 32, attention(32, 8, 128), dense(14336));
    llama.rope_factors = 64;
    CHECK(count_parameters(llama).total() == 8'030'261'248);
    CHECK(count_parameters(llama, Inventory::gguf).total() == 8'030'261'312);
}

TEST_CASE("Sliding windows, tied head, GGUF vocabulary: Gemma-3-27B") {
    Mixer global = attention(32, 16, 128);
    global.qk_norm = QkNorm::per_head;
    Mixer local = global;
    local.kind = MixerKind::sliding_window;
    local.window = 1024;
    Architecture a = uniform(5376, 262208, 62, global, dense(21504));
    a.mixers.push_back(local);
    for (std::size_t i = 0; i < a.layers.size(); ++i)
        a.layers[i].mixer = i % 6 == 5 ? 0 : 1;
    a.norms.after_mixer = a.norms.after_feed_forward = true;
    a.tied_embeddings = true;
    a.n_vocab_gguf = 262144;
    a.towers.push_back({"vision", 423'060'336});
    const ParameterCount count = count_parameters(a);
    CHECK(count.text == 27'009'346'304);
    CHECK(count.total() == 27'432'406'640);
    CHECK(count_parameters(a, Inventory::gguf).text == 27'009'346'304 - 64 * 5376);
    CHECK(sum_of(a, Inventory::gguf, TensorRole::output).tensors == 0);
}

TEST_CASE("Experts: all of them count, a few are active") {
    // Qwen3-30B-A3B: 30,532,122,624 elements, 3.3 B active.
    Mixer m = attention(32, 4, 128);
    m.qk_norm = QkNorm::per_head;
    const Architecture qwen = uniform(2048, 151936, 48, m, experts(128, 8, 768));
    CHECK(count_parameters(qwen).total() == 30'532'122'624);
    CHECK(count_parameters(qwen).active == 3'353'032'704);

    // gpt-oss-20b: 20,914,757,184 elements with biases and sinks everywhere.
    Mixer oss = attention(64, 8, 64);
    oss.qkv_bias = oss.output_bias = oss.sinks = true;
    FeedForward moe = experts(32, 4, 2880);
    moe.expert_bias = true;
    CHECK(count_parameters(uniform(2880, 201088, 24, oss, moe)).total() == 20'914'757'184);
}

TEST_CASE("Latent attention counts the same with and without absorbed tensors") {
    // DeepSeek-V2-Lite: 15,706,484,224 elements.
    Mixer m;
    m.kind = MixerKind::latent;
    m.q_heads = m.kv_heads = 16;
    m.head_dim_v = 128;
    m.kv_lora_rank = 512;
    m.qk_nope_head_dim = 128;
    m.qk_rope_head_dim = 64;
    m.absorbed = true;
    Architecture a = uniform(2048, 102400, 27, m, experts(64, 6, 1408, 2816));
    a.feed_forwards.push_back(dense(10944));
    a.layers[0].feed_forward = 1;
    CHECK(count_parameters(a).total() == 15'706'484'224);
    CHECK(count_parameters(a, Inventory::gguf).total() == 15'706'484'224);
    CHECK(sum_of(a, Inventory::gguf, TensorRole::attn_k_b).tensors == 27);
    CHECK(sum_of(a, Inventory::checkpoint, TensorRole::attn_kv_b).tensors == 27);
}

TEST_CASE("Gated delta net with an MTP layer: Qwen3-Next-80B-A3B") {
    Mixer full = attention(16, 2, 256);
    full.qk_norm = QkNorm::per_head;
    full.gate = AttentionGate::inside_q;
    Mixer delta;
    delta.kind = MixerKind::gated_delta_net;
    delta.d_conv = 4;
    delta.d_inner = 4096;
    delta.d_state = 128;
    delta.n_groups = 16;
    delta.dt_rank = 32;
    FeedForward moe = experts(512, 10, 512, 512);
    moe.shared_gate = true;
    Architecture a = uniform(2048, 151936, 48, full, moe);
    a.mixers.push_back(delta);
    for (std::size_t i = 0; i < a.layers.size(); ++i)
        a.layers[i].mixer = i % 4 == 3 ? 0 : 1;
    a.mtp_layers.push_back(Layer{});
    CHECK(count_parameters(a).text == 79'674'391'296);
    CHECK(count_parameters(a).total() == 81'324'862'720);
    CHECK(count_parameters(a, Inventory::gguf_without_mtp).total() == 79'674'391'296);
    CHECK(sum_of(a, Inventory::gguf, TensorRole::nextn).tensors == 4);
}

TEST_CASE("State space and convolution layers") {
    Mixer mamba;
    mamba.kind = MixerKind::mamba;
    mamba.d_conv = 4;
    mamba.d_inner = 2048;
    mamba.d_state = 16;
    mamba.dt_rank = 64;
    FeedForward nothing;
    nothing.kind = FeedForwardKind::none;
    Architecture mamba_370m = uniform(1024, 50280, 48, mamba, nothing);
    mamba_370m.tied_embeddings = true;
    CHECK(count_parameters(mamba_370m).total() == 371'516'416);

    // Falcon-H1-0.5B: attention and Mamba-2 side by side.
    Mixer both = attention(8, 2, 64);
    both.kind = MixerKind::attention_and_mamba2;
    both.d_conv = 4;
    both.d_inner = 1536;
    both.d_state = 128;
    both.n_groups = 1;
    both.dt_rank = 24;
    both.inner_norm = false;
    CHECK(count_parameters(uniform(1024, 32784, 36, both, dense(2048))).total() == 521'411'104);

    // LFM2-1.2B: ten convolution layers, six of attention.
    Mixer convolution;
    convolution.kind = MixerKind::short_convolution;
    convolution.d_conv = 3;
    Mixer m = attention(32, 8, 64);
    m.qk_norm = QkNorm::per_head;
    Architecture lfm = uniform(2048, 65536, 16, convolution, dense(8192));
    lfm.mixers.push_back(m);
    for (const std::size_t i : {2U, 5U, 8U, 10U, 12U, 14U})
        lfm.layers[i].mixer = 1;
    lfm.tied_embeddings = true;
    CHECK(count_parameters(lfm).total() == 1'170'340'608);
}

TEST_CASE("Compressed attention and hyper-connections: DeepSeek-V4-Flash") {
    // 284,332,240,471 elements without the three token-to-expert tables of 129,280 x 6.
    Mixer window;
    window.kind = MixerKind::compressed;
    window.q_heads = 64;
    window.head_dim_k = 512;
    window.q_lora_rank = 1024;
    window.window = 128;
    window.sinks = true;
    window.output_groups = 8;
    window.output_lora_rank = 1024;
    Mixer sparse = window;
    sparse.compress_ratio = 4;
    sparse.indexer_heads = 64;
    sparse.indexer_head_dim = 128;
    Mixer heavy = window;
    heavy.compress_ratio = 128;
    FeedForward routed = experts(256, 6, 2048, 2048);
    routed.router_bias = true;
    FeedForward hashed = experts(256, 6, 2048, 2048);
    hashed.hash_routed = true;
    Architecture a = uniform(4096, 129280, 43, window, routed);
    a.mixers = {window, sparse, heavy};
    a.feed_forwards = {routed, hashed};
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        a.layers[i].mixer = i < 2 ? 0 : i % 2 == 0 ? 1 : 2;
        a.layers[i].feed_forward = i < 3 ? 1 : 0;
    }
    a.hyper_connections = 4;
    a.mtp_layers.push_back(Layer{});
    a.mtp_own_embeddings = true;
    REQUIRE_FALSE(find_fault(a).has_value());
    CHECK(count_parameters(a).text == 284'332'240'471 + 3 * 129'280 * 6);
    CHECK(count_parameters(a).mtp == 7'669'110'651);
}

TEST_CASE("Layers that share a cache have no keys and values of their own") {
    Architecture a = uniform(1024, 32000, 4, attention(8, 2, 128), dense(4096));
    const std::int64_t all = count_parameters(a).total();
    a.layers[3].shares_kv = true;
    CHECK(all - count_parameters(a).total() == 2 * 1024 * 2 * 128);
    a.shared_kv_stored = true;
    CHECK(count_parameters(a).total() == all);
}

TEST_CASE("The walk goes in file order and numbers MTP layers behind the others") {
    Architecture a = uniform(1024, 32000, 3, attention(8, 2, 128), dense(4096));
    a.mtp_layers.push_back(Layer{});
    std::int32_t last = -1;
    int output_tensors = 0;
    auto visit = [&](const Tensor& tensor) {
        if (tensor.role == TensorRole::output)
            ++output_tensors;
        if (tensor.layer < 0)
            return;
        CHECK(tensor.layer >= last);
        CHECK(output_tensors == 0);
        last = tensor.layer;
    };
    for_each_tensor(a, Inventory::gguf, visit);
    CHECK(last == 3);
    CHECK(output_tensors == 1);
}

TEST_CASE("Absurd shapes saturate instead of overflowing") {
    const int width = 1 << 24;
    Architecture a = uniform(width, width, 4096, attention(width, width, width),
                             experts(65536, 65536, width, width));
    REQUIRE_FALSE(find_fault(a).has_value());
    CHECK(count_parameters(a).text == bytes_limit);
}
