// The catalog's own files: a snapshot, an architecture, and each sort of source. The first byte
// chooses.
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/architecture_json.h"
#include "catalog/catalog.h"
#include "catalog/sources.h"
#include "core/tensors.h"
#include "fuzz/support.h"

using namespace vramscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1)
        return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    static constexpr const char* paths[] = {"models/fuzz.json",  "hardware.json", "engines.json",
                                            "quantization.json", "formats.json",  "sources.json",
                                            "version.json"};
    switch (data[0] % 4) {
    case 0:
        if (const auto read = catalog::read_snapshot(text); !read && read.error().message.empty())
            std::abort();
        break;
    case 1:
        if (const auto architecture = catalog::read_architecture(text)) {
            if (find_fault(*architecture) || count_parameters(*architecture).total() < 0)
                std::abort();
        }
        break;
    default: {
        const std::size_t which = data[0] / 4 % std::size(paths);
        for (const catalog::Error& error : catalog::check_sources({{paths[which], text}})) {
            if (error.message.empty())
                std::abort();
        }
    }
    }
    return 0;
}
