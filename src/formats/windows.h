// Which layers of an architecture see a window only, when a file does not list them.
//
// llama.cpp and transformers know these patterns by the architecture's name; both say the same, so
// GGUF and config.json share this table. Source: llama.cpp src/models/*.cpp (b9793) and
// llama-hparams.cpp, set_swa_pattern.
#pragma once

#include <cstdint>
#include <string_view>

namespace vramscope::formats {

struct WindowRule {
    std::string_view gguf_arch;
    std::int32_t period = 0;       ///< one layer in so many sees everything; 0: none does
    bool global_first = false;     ///< the first of a period does, else the last
    std::int32_t usual_window = 0; ///< tokens when the file does not say; 0: then no windows at all
    std::int32_t only_layers = 0;  ///< the rule holds for models of so many layers only, 0 = all
    bool chunked = false;
};

/// The rule of that architecture, or nullptr: every layer sees everything unless the file lists
/// windowed layers itself.
const WindowRule* find_window_rule(std::string_view gguf_arch);

/// Whether layer `index` sees a window only, with one full layer in `period`.
constexpr bool is_windowed_layer(std::int64_t index, std::int64_t period, bool global_first) {
    if (period <= 0)
        return true;
    return global_first ? index % period != 0 : index % period < period - 1;
}

} // namespace vramscope::formats
