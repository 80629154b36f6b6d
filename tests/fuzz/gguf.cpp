// A GGUF header fed in pieces, and all that is made of it. The first byte chooses the pieces.
#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "formats/inspection.h"
#include "fuzz/support.h"

using namespace vramscope;
using namespace vramscope::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1)
        return 0;
    const std::size_t step = data[0] < 128 ? size : std::size_t{data[0]} - 127;
    const bool size_known = (data[0] & 1U) != 0;
    ++data;
    --size;
    GgufReader reader(fuzz::storage_types(), "input",
                      size_known ? std::uint64_t{size} : unknown_size);
    while (reader.state() == ReadState::wants_bytes) {
        const ByteRequest wanted = reader.wanted();
        if (wanted.bytes == 0)
            std::abort(); // it would wait for ever
        if (wanted.offset >= size) {
            reader.finish();
            break;
        }
        const auto offset = static_cast<std::size_t>(wanted.offset);
        reader.feed({data + offset, std::min(step, size - offset)});
    }
    if (reader.state() == ReadState::failed) {
        if (reader.error().message.empty())
            std::abort();
        return 0;
    }
    if (reader.state() != ReadState::done)
        std::abort();
    Inspector inspector(fuzz::storage_types());
    inspector.add(reader.take_header(), "input", size);
    const auto inspection = inspector.result();
    if (!inspection)
        return 0;
    if (inspection_text(*inspection).empty() || inspection_json(*inspection).empty())
        std::abort();
    draft_entry(*inspection, {"fuzz"});
    inline_model(*inspection);
    return 0;
}
