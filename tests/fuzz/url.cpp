// A link's query, resolved against the whole catalog; what is read is written the same again.
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/request_fields.h"
#include "catalog/resolve.h"
#include "fuzz/support.h"

using namespace vramscope;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    fuzz::catalog();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view url(reinterpret_cast<const char*>(data), size);
    const auto query = catalog::query_from_url(url);
    if (!query) {
        if (query.error().message.empty())
            std::abort();
        return 0;
    }
    const std::string written = catalog::query_to_url(*query);
    const auto again = catalog::query_from_url(written);
    if (!again || catalog::query_to_url(*again) != written)
        std::abort();
    const auto resolved = catalog::resolve(*query, fuzz::catalog());
    if (!resolved && resolved.error().message.empty())
        std::abort();
    return 0;
}
