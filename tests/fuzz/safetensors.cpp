// A file of any kind as it comes in, mostly safetensors, or an index, and all that is made of it.
// The first byte chooses.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "formats/inspection.h"
#include "formats/intake.h"
#include "fuzz/support.h"

using namespace vramscope;
using namespace vramscope::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1)
        return 0;
    const std::uint8_t choice = data[0];
    ++data;
    --size;
    Inspector inspector(fuzz::storage_types());
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (choice == 0) {
        if (!inspector.add_json(text, "model.safetensors.index.json"))
            return 0;
    } else {
        // Without the eight bytes of length, which a mutation rarely gets right.
        const bool whole = (choice & 1U) != 0;
        Intake reader(fuzz::storage_types(), "input", unknown_size);
        std::vector<unsigned char> bytes;
        if (!whole) {
            for (std::size_t i = 0; i < 8; ++i)
                bytes.push_back(static_cast<unsigned char>(std::uint64_t{size} >> 8 * i & 0xFFU));
        }
        bytes.insert(bytes.end(), data, data + size);
        const std::size_t step = choice < 128 ? bytes.size() + 1 : std::size_t{choice} - 127;
        while (reader.state() == ReadState::wants_bytes) {
            const ByteRequest wanted = reader.wanted();
            if (wanted.bytes == 0)
                std::abort();
            if (wanted.offset >= bytes.size()) {
                reader.finish();
                break;
            }
            const auto offset = static_cast<std::size_t>(wanted.offset);
            reader.feed({bytes.data() + offset, std::min(step, bytes.size() - offset)});
        }
        if (reader.state() == ReadState::failed && reader.error().message.empty())
            std::abort();
        if (reader.state() != ReadState::done)
            return 0;
        if (!reader.give_to(inspector))
            return 0;
    }
    const auto inspection = inspector.result();
    if (!inspection)
        return 0;
    inspection_text(*inspection);
    inspection_json(*inspection);
    draft_entry(*inspection, {});
    inline_model(*inspection);
    return 0;
}
