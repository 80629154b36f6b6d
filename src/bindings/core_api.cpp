#include "bindings/core_api.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "bindings/session.h"

namespace {

vramscope::bindings::Session& session() {
    static vramscope::bindings::Session instance;
    return instance;
}

} // namespace

char* vs_call(const char* json, std::size_t length) {
    const std::string answer = session().call(std::string_view(json, length));
    auto* copy = static_cast<char*>(std::malloc(answer.size() + 1));
    if (copy != nullptr)
        std::memcpy(copy, answer.c_str(), answer.size() + 1);
    return copy;
}
