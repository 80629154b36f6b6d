#include "support/locale.h"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "support/files.h"

namespace vramscope::test {

std::string locale_text(std::string_view language) {
    return read_file("catalog/locales/" + std::string(language) + ".json");
}

const report::Locale& locale(std::string_view language) {
    static std::map<std::string, report::Locale, std::less<>> loaded;
    const auto known = loaded.find(language);
    if (known != loaded.end())
        return known->second;
    auto read = report::Locale::read(locale_text(language));
    if (!read)
        FAIL(read.error().message);
    return loaded.emplace(language, std::move(*read)).first->second;
}

} // namespace vramscope::test
