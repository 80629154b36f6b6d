#include "formats/windows.h"

#include <array>

namespace vramscope::formats {
namespace {

constexpr auto rules = std::to_array<WindowRule>({
    {"afmoe", 4},
    {"cohere2", 4},
    {"cohere2moe", 4, true},
    {"exaone-moe", 4, false, 128},
    {"exaone4", 4, false, 4096, 64},
    {"gemma2", 2, false, 4096},
    {"gemma3", 6},
    {"gemma3n", 5},
    {"gpt-oss", 2},
    {"lfm2", 0},
    {"llama4", 4, false, 8192, 0, true},
    {"mellum", 4},
    {"olmo2", 4},
    {"plamo3", 8},
    {"smallthinker", 4, true},
});

} // namespace

const WindowRule* find_window_rule(std::string_view gguf_arch) {
    for (const WindowRule& rule : rules) {
        if (rule.gguf_arch == gguf_arch)
            return &rule;
    }
    return nullptr;
}

} // namespace vramscope::formats
