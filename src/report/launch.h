// Commands that start the chosen model the way the estimate assumes: llama-server, an Ollama
// Modelfile with the server's environment, vLLM.
//
// Flags are those the engines document, and only what differs from the engine's default or what the
// figures depend on:
//   llama.cpp  tools/server/README.md (master of 2026)
//   Ollama     docs/modelfile.mdx, docs/faq.mdx; api/types.go for num_batch and num_gpu. Flash
//              attention, KV type and parallel requests are settings of the server, not of a
//              Modelfile
//   vLLM       docs/cli/serve, docs/features/quantization/gguf.md
//   SGLang     docs/advanced_features/server_arguments (November 2026)
//   MLX        mlx_lm/SERVER.md and server.py 0.31: no limit of the context, two of the requests
//   Transformers  docs/source/en/serve-cli (5.13): the model is named by each request
//   Docker     docs/docker.md of llama.cpp, docs/deployment/docker.md of vLLM, compose-spec
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "core/request.h"
#include "report/locale.h"

namespace vramscope::report {

struct LaunchInput {
    const catalog::Model& model;
    const catalog::Artifact* artifact;               ///< nullptr: no recorded file
    const catalog::QuantizationFormat* quantization; ///< may be nullptr
    const EstimateRequest& request;
    std::int64_t context_per_sequence = 0;
    std::int64_t sequences = 1;
};

struct Launch {
    std::string id;    ///< engine key: "llama.cpp", "ollama", "vllm"
    std::string title; ///< "llama.cpp · llama-server"
    std::string text; ///< what goes to the clipboard; empty when the engine cannot load the weights
    std::string note; ///< what to know first; may be empty
};

/// One entry per engine, in a fixed order: llama.cpp, Ollama, vLLM.
std::vector<Launch> launch_commands(const LaunchInput& input, const Locale& locale);

/// The others: SGLang, MLX, Transformers, Docker Compose.
std::vector<Launch> more_launch_commands(const LaunchInput& input, const Locale& locale);

} // namespace vramscope::report
