// What kind of network an architecture is, as locale keys and short texts.
#pragma once

#include <string>
#include <vector>

#include "core/architecture.h"
#include "report/locale.h"

namespace vramscope::report {

/// "topology.dense", "topology.experts", "topology.hybrid", "topology.recurrent".
const char* topology_key(const Architecture& architecture);

/// The ways its layers mix tokens, most telling first, each once: "attention.gqa",
/// "attention.sliding_window" … With ".short" behind it a key names the abbreviation.
std::vector<const char*> attention_keys(const Architecture& architecture);

/// The same for one mixer; nullptr for a layer without one.
const char* attention_key(const Mixer& mixer);

/// The mixer whose cache grows with the whole context, or nullptr when none does.
const Mixer* global_attention(const Architecture& architecture);

/// "Grouped-query attention (GQA), sliding window".
std::string attention_text(const Architecture& architecture, const Locale& locale);

/// A parameter count as people write it: "9.40 B", "135 M".
std::string parameters_text(double parameters, const Locale& locale);

} // namespace vramscope::report
