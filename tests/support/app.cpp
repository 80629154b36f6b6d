#include "support/app.h"

#include <catch2/catch_test_macros.hpp>

#include "catalog/sources.h"
#include "support/catalog.h"

namespace vramscope::test {

app::App ready_app(std::string_view language) {
    static const std::string snapshot = [] {
        const auto built = catalog::build_snapshot(catalog_sources());
        if (!built)
            FAIL(built.error().message);
        return built->catalog;
    }();
    app::App app;
    REQUIRE(app.load_catalog(snapshot));
    REQUIRE(app.load_locale(locale_text(language)));
    app.apply({app::Action::Kind::set_language, {}, std::string(language)});
    return app;
}

const app::Figure& figure(const app::ViewModel& view, std::string_view id) {
    if (view.total.id == id)
        return view.total;
    for (const auto* list : {&view.parts, &view.figures}) {
        for (const app::Figure& candidate : *list) {
            if (candidate.id == id)
                return candidate;
        }
    }
    FAIL("no figure " << id);
    return view.total;
}

const app::Control& control(const app::ViewModel& view, std::string_view id) {
    for (const app::Control& candidate : view.controls) {
        if (candidate.id == id)
            return candidate;
    }
    FAIL("no control " << id);
    return view.controls.front();
}

} // namespace vramscope::test
