#include "app/gpu_hint.h"

#include "app/view_context.h"
#include "core/ascii.h"

namespace vramscope::app {
namespace {

/// The next run of letters and digits; what comes before it is taken away.
std::string_view next_word(std::string_view& text) {
    const auto is_word = [](char c) {
        c = ascii::lower(c);
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    while (!text.empty() && !is_word(text.front()))
        text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end]))
        ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

bool is_memory(std::string_view word) {
    return word.size() > 2 && word.front() >= '0' && word.front() <= '9' &&
           ascii::equal_ignoring_case(word.substr(word.size() - 2), "gb");
}

/// Words of the name that follow each other in `renderer`; 0 when not all of them do.
int words_found(std::string_view name, std::string_view renderer) {
    for (std::string_view start = renderer; !start.empty(); next_word(start)) {
        std::string_view here = start;
        std::string_view rest = name;
        int count = 0;
        for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
            if (is_memory(word))
                continue;
            if (!ascii::equal_ignoring_case(word, next_word(here))) {
                count = 0;
                break;
            }
            ++count;
        }
        // A laptop's chip of the same name is another one.
        if (count > 0 && !ascii::equal_ignoring_case(next_word(here), "laptop"))
            return count;
    }
    return 0;
}

} // namespace

const catalog::HardwareEntry* device_in(std::string_view renderer,
                                        const catalog::Catalog& catalog) {
    const catalog::HardwareEntry* best = nullptr;
    int most = 1; // one word alone ("T4", "L4") says too little
    for (const catalog::HardwareEntry& entry : catalog.hardware) {
        if (entry.count > 1)
            continue;
        const int found = words_found(entry.device.name, renderer);
        const bool better = found > most || (found == most && best != nullptr &&
                                             entry.device.memory_bytes < best->device.memory_bytes);
        if (better) {
            best = &entry;
            most = found;
        }
    }
    return best;
}

[[gnu::noinline]] void build_gpu_hint(const ViewContext& context, ViewModel& view) {
    view.gpu_name = context.state.gpu_name;
    const catalog::HardwareEntry* entry = device_in(context.state.gpu_name, context.catalog);
    if (entry == nullptr || !context.locale.has("gpu.looks_like"))
        return;
    const bool used =
        context.resolved.hardware.size() == 1 && context.resolved.hardware.front() == entry;
    if (used)
        return;
    view.gpu_hint.label = context.text("gpu.looks_like", {entry->device.name});
    view.gpu_hint.tooltip = context.text("gpu.about", {context.state.gpu_name});
    view.gpu_hint.action = set_field(catalog::Field::hardware, entry->id);
    view.gpu_forget.label = context.text("gpu.forget", {});
    view.gpu_forget.action = {Action::Kind::detected_gpu, {}, {}};
}

} // namespace vramscope::app
