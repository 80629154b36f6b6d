// A config.json, and all that is made of it: a shape is sound, and its tensors can be walked.
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/tensors.h"
#include "formats/inspection.h"
#include "fuzz/support.h"

using namespace vramscope;
using namespace vramscope::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Inspector inspector(fuzz::storage_types());
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto kind = inspector.add_json(text, "config.json");
    if (!kind) {
        if (kind.error().message.empty())
            std::abort();
        return 0;
    }
    const auto inspection = inspector.result();
    if (!inspection)
        return 0;
    if (inspection->architecture) {
        if (find_fault(*inspection->architecture))
            std::abort();
        if (count_parameters(*inspection->architecture).total() < 0)
            std::abort();
    } else if (*kind == FileKind::config && inspection->notes.empty()) {
        std::abort(); // neither a shape nor a word about why
    }
    inspection_text(*inspection);
    inspection_json(*inspection);
    draft_entry(*inspection, {});
    inline_model(*inspection);
    return 0;
}
