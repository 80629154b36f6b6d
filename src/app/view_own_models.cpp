// Models that are no catalog's: where one finds them again.
#include "app/view_context.h"
#include "catalog/search.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

Choice choice_of(const OwnModel& own, const report::Locale& locale) {
    Choice choice;
    choice.label = own.name;
    choice.detail = std::string(locale.text("own.yours"));
    if (own.parameters > 0) {
        choice.detail += std::string(locale.text("separator.dot")) +
                         report::parameters_text(own.parameters, locale);
    }
    choice.action = {Action::Kind::set_fields, {}, own.fields};
    return choice;
}

} // namespace

[[gnu::noinline]] void list_own_models(const ViewContext& context, Control& control) {
    for (const OwnModel& own : context.state.own_models) {
        Choice choice = choice_of(own, context.locale);
        choice.selected = own.model == context.state.query.text(catalog::Field::model);
        control.choices.push_back(std::move(choice));
    }
}

[[gnu::noinline]] void search_own_models(const ViewInput& input, ViewModel& view) {
    const std::vector<std::string> wanted = catalog::search_words(input.state.search);
    for (const OwnModel& own : input.state.own_models) {
        const std::vector<std::string> words = catalog::search_words(own.name);
        bool all = !wanted.empty();
        for (const std::string& word : wanted) {
            bool found = false;
            for (const std::string& known : words)
                found = found || known.starts_with(word);
            all = all && found;
        }
        if (all)
            view.search_results.push_back(choice_of(own, input.locale));
    }
}

} // namespace vramscope::app
