// What an old link said, and where to report a wrong number.
#include "app/evidence.h"
#include "app/view_context.h"

namespace vramscope::app {

[[gnu::noinline]] void build_pin(const ViewContext& context, const Pin& pin, ViewModel& view) {
    const Pin now = pin_of(context.catalog, context.request, context.estimate);
    const bool same_figures =
        (pin.total_bytes < 0 || pin.total_bytes == now.total_bytes) &&
        (pin.max_context_tokens < 0 || pin.max_context_tokens == now.max_context_tokens);
    if (same_figures && pin.catalog == now.catalog && pin.engine == now.engine)
        return;
    const std::string engine = context.engine.key;
    const auto versions = [&](const Pin& of) {
        return of.catalog + (of.engine == "-" ? "" : ", " + engine + ' ' + of.engine);
    };
    std::string text = context.text("pin.made_with", {versions(pin), versions(now)});
    if (same_figures) {
        text += ' ' + context.owned_text("pin.same");
    } else {
        const auto figures = [&](const Pin& of) {
            std::string said = of.total_bytes < 0 ? "\u2014" : context.bytes(of.total_bytes);
            if (of.max_context_tokens >= 0)
                said += context.owned_text("separator.dot") + context.tokens(of.max_context_tokens);
            return said;
        };
        text += ' ' + context.text("pin.figures", {figures(pin), figures(now)});
    }
    view.messages.insert(view.messages.begin(),
                         {same_figures ? Tone::dim : Tone::warn, std::move(text)});
}

} // namespace vramscope::app
