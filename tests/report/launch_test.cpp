#include <catch2/catch_test_macros.hpp>

#include "catalog/resolve.h"
#include "core/estimator.h"
#include "report/launch.h"
#include "support/catalog.h"
#include "support/locale.h"

using namespace vramscope;

namespace {

/// The commands for a query string, in English.
std::vector<report::Launch> commands(std::string_view url, bool others = false) {
    const auto query = catalog::query_from_url(url);
    REQUIRE(query);
    const auto resolved = catalog::resolve(*query, test::shared_catalog());
    REQUIRE(resolved);
    const Engine& engine = *find_engine(resolved->request.engine);
    const std::int64_t sequences = engine.sequences(resolved->request);
    const std::int64_t context = engine.context_is_shared
                                     ? resolved->request.options.n_ctx / sequences
                                     : resolved->request.options.n_ctx;
    const report::LaunchInput input{
        *resolved->model, resolved->artifact, resolved->quantization, resolved->request,
        context,          sequences};
    return others ? report::more_launch_commands(input, test::locale("en"))
                  : report::launch_commands(input, test::locale("en"));
}

/// SGLang, MLX, Transformers, Docker Compose.
std::vector<report::Launch> others(std::string_view url) {
    return commands(url, true);
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

// Flags: llama.cpp tools/server/README.md, Ollama docs/modelfile.mdx and docs/faq.mdx, vLLM
// docs/features/quantization/gguf.md and `vllm serve --help` (sources named in launch.h).
TEST_CASE("The default request starts in each engine") {
    const auto launches = commands("?");
    REQUIRE(launches.size() == 3);
    CHECK(launches[0].text ==
          "llama-server -hf unsloth/GLM-4-9B-0414-GGUF:Q4_K_M -c 32768 -np 1 \\\n"
          "  -ngl all --port 8080");
    CHECK(launches[1].text ==
          "# Save as Modelfile, then: ollama create glm-4-9b-0414:q4_k_m -f Modelfile\n"
          "FROM hf.co/unsloth/GLM-4-9B-0414-GGUF:Q4_K_M\n"
          "PARAMETER num_ctx 32768\n\n"
          "# Settings of the server, before it starts:\n"
          "# OLLAMA_NUM_PARALLEL=1 ollama serve");
    CHECK(launches[2].text == "vllm serve unsloth/GLM-4-9B-0414-GGUF:Q4_K_M \\\n"
                              "  --tokenizer zai-org/GLM-4-9B-0414 --max-model-len 32768 \\\n"
                              "  --max-num-seqs 1 --gpu-memory-utilization 0.9 --port 8000");
    CHECK(has(launches[2].note, "vllm-gguf-plugin"));
}

TEST_CASE("Sequences multiply llama.cpp's context and nobody else's") {
    const auto launches = commands("?n_ctx=32768&n_seq=4");
    CHECK(has(launches[0].text, "-c 32768 -np 4"));
    CHECK(has(launches[1].text, "PARAMETER num_ctx 8192"));
    CHECK(has(launches[1].text, "OLLAMA_NUM_PARALLEL=4"));
    CHECK(has(launches[2].text, "--max-model-len 8192"));
    CHECK(has(launches[2].text, "--max-num-seqs 4"));
}

TEST_CASE("A quantised cache is asked for in each engine's own way") {
    const auto launches = commands("?type_k=q8_0&type_v=q8_0");
    CHECK(has(launches[0].text, "-ctk q8_0"));
    CHECK(has(launches[0].text, "-ctv q8_0"));
    // A setting of Ollama's server; a Modelfile knows neither it nor flash_attn.
    CHECK(has(launches[1].text, "# OLLAMA_NUM_PARALLEL=1 OLLAMA_FLASH_ATTENTION=1 "
                                "OLLAMA_KV_CACHE_TYPE=q8_0 ollama serve"));
    CHECK(!has(launches[1].text, "PARAMETER flash_attn"));
    CHECK(has(launches[2].text, "--kv-cache-dtype fp8"));
    // Ollama has three types; what lies between is rounded up.
    CHECK(has(commands("?type_k=q5_1&type_v=q4_0")[1].text, "OLLAMA_KV_CACHE_TYPE=q8_0"));
    CHECK(has(commands("?type_k=q4_0&type_v=q4_0")[1].text, "OLLAMA_KV_CACHE_TYPE=q4_0"));
}

TEST_CASE("Options of llama.cpp become its flags") {
    const std::string text = commands("?flash_attn=on&n_ubatch=256&n_batch=1024&n_gpu_layers=20"
                                      "&kv_unified=true&swa_full=true&offload_kqv=false")[0]
                                 .text;
    for (const char* flag : {"-fa on", "-ub 256", "-b 1024", "-ngl 20", "--kv-unified",
                             "--swa-full", "--no-kv-offload"}) {
        INFO(flag);
        CHECK(has(text, flag));
    }
    CHECK(has(commands("?flash_attn=off")[0].text, "-fa off"));
    CHECK(has(commands("?cpu_moe=true")[0].text, "--cpu-moe"));
    CHECK(has(commands("?hardware=cpu")[0].text, "-ngl 0"));
    CHECK(has(commands("?hardware=rtx-3090-24gb*2&tensor_split=3,1.5")[0].text,
              "--tensor-split 3,1.5"));
    CHECK(has(commands("?n_gpu_layers=20")[1].text, "PARAMETER num_gpu 20"));
}

TEST_CASE("16-bit weights run from the original repository, at its recorded revision") {
    const auto launches = commands("?artifact=bf16");
    CHECK(has(launches[2].text, "vllm serve zai-org/GLM-4-9B-0414 \\\n  --revision "
                                "645b8482494e31b6b752272bf7f7f273ef0f3caf"));
    CHECK(has(launches[0].text, "-m GLM-4-9B-0414-BF16.gguf"));
    CHECK(!launches[0].note.empty());
}

TEST_CASE("What an engine cannot load has a reason instead of a command") {
    const auto launches = commands("?artifact=AWQ&engine=quick");
    CHECK(launches[0].text.empty());
    CHECK(has(launches[0].note, "AWQ"));
    CHECK(launches[1].text.empty());
    CHECK(launches[2].text.empty());
    CHECK(!launches[2].note.empty());
    CHECK(has(commands("?artifact=FP8&engine=quick")[2].text, "--quantization fp8"));
}

TEST_CASE("A model of one's own has no repository to start from") {
    const auto launches = commands(
        R"(?model={"n_embd":256,"n_vocab":1000,"native_context":4096,"mixers":{"a":{"kind":"full_attention","q_heads":4,"kv_heads":4,"head_dim":64}},"feed_forwards":{"d":{"kind":"dense","n_ff":512}},"layers":[{"count":2,"mixer":"a","feed_forward":"d"}]})");
    CHECK(has(launches[0].text, "-m custom-Q4_K_M.gguf"));
    CHECK(has(launches[2].text, "vllm serve ./custom-Q4_K_M.gguf "));
    CHECK(!has(launches[2].text, "--tokenizer"));
}

TEST_CASE("vLLM gets the devices and no more memory than is free") {
    CHECK(has(commands("?hardware=rtx-3090-24gb*2")[2].text, "--tensor-parallel-size 2"));
    CHECK(!has(commands("?")[2].text, "--tensor-parallel-size"));
    CHECK(has(commands("?reserved_gib=3")[2].text, "--gpu-memory-utilization 0.75"));
}

// docs.sglang.io advanced_features/server_arguments
TEST_CASE("SGLang is told context, requests, devices and cache type") {
    const auto launches = others("?engine=sglang&artifact=bf16&hardware=h100-80gb*2&n_ctx=16384&n_"
                                 "seq=8&type_k=q8_0&type_v=q8_0");
    REQUIRE(launches.size() == 4);
    CHECK(launches[0].id == "sglang");
    for (const char* part :
         {"python -m sglang.launch_server --model-path zai-org/GLM-4-9B-0414",
          "--revision 645b8482", "--context-length 16384", "--max-running-requests 8",
          "--kv-cache-dtype fp8_e5m2", "--tp-size 2", "--port 30000"}) {
        INFO(part << " in " << launches[0].text);
        CHECK(has(launches[0].text, part));
    }
    CHECK(has(others("?")[0].text, "--load-format gguf"));
    CHECK(has(others("?engine=sglang&artifact=fp8&hardware=h100-80gb")[0].text,
              "--quantization fp8"));
}

// mlx_lm/SERVER.md and server.py
TEST_CASE("MLX serves its own weights on a Mac, and says what it does not limit") {
    const auto launches = others("?model=gemma-4-e4b-it&engine=mlx&artifact=mlx-4bit"
                                 "&hardware=apple-m4-pro-48gb&n_ctx=8192&n_seq=2");
    INFO(launches[1].text << launches[1].note);
    CHECK(launches[1].text.starts_with("mlx_lm.server --model mlx-community/"));
    CHECK(has(launches[1].text, "--decode-concurrency 2 --prompt-concurrency 2"));
    CHECK(has(launches[1].note, "8,192 tokens"));
    CHECK(others("?")[1].text.empty());
    CHECK_FALSE(others("?")[1].note.empty());
}

// huggingface.co/docs/transformers/serve-cli
TEST_CASE("Transformers names the model in the request") {
    const auto launches = others("?engine=transformers&artifact=bf16&hardware=h100-80gb&n_seq=4");
    CHECK(launches[2].text == "# In requests: \"model\": \"zai-org/GLM-4-9B-0414\"\n"
                              "transformers serve --continuous-batching --attn-implementation sdpa "
                              "\\\n  --port 8000");
    CHECK(has(others("?engine=transformers&artifact=bnb-nf4&hardware=h100-80gb")[2].text,
              "--quantization bnb-4bit"));
    CHECK(others("?")[2].text.empty());
}

// docs/docker.md of llama.cpp, docs/deployment/docker.md of vLLM, compose-spec
TEST_CASE("Docker Compose runs the same command on the same devices") {
    CHECK(others("?hardware=rtx-3090-24gb*2")[3].text ==
          "# compose.yaml\nservices:\n  llm:\n    image: ghcr.io/ggml-org/llama.cpp:server-cuda\n"
          "    command: >-\n      -hf unsloth/GLM-4-9B-0414-GGUF:Q4_K_M -c 32768 -np 1 -ngl all "
          "--split-mode layer --port 8080 --host 0.0.0.0\n"
          "    ports:\n      - \"8080:8080\"\n    volumes:\n      - models:/models\n"
          "    environment:\n      LLAMA_CACHE: /models\n"
          "    deploy:\n      resources:\n        reservations:\n          devices:\n"
          "            - driver: nvidia\n              count: 2\n"
          "              capabilities: [gpu]\nvolumes:\n  models:\n");
    const std::string vllm = others("?engine=vllm&artifact=bf16&hardware=h100-80gb")[3].text;
    CHECK(has(vllm, "image: vllm/vllm-openai:latest"));
    CHECK(has(vllm, "      --model zai-org/GLM-4-9B-0414 --revision "));
    CHECK(has(vllm, "ipc: host"));
    CHECK(has(others("?hardware=rx-7900-xtx-24gb")[3].text, "server-rocm"));
    CHECK(has(others("?hardware=cpu")[3].text, "llama.cpp:server\n"));
    CHECK(has(others("?hardware=apple-m4-pro-48gb")[3].note, "Mac"));
}
