#include "pages/drawings.h"

#include <algorithm>
#include <cmath>

#include "core/estimator.h"
#include "core/solve.h"
#include "core/speed.h"
#include "core/verdict.h"
#include "pages/html.h"
#include "report/architecture_text.h"

namespace vramscope::pages {
namespace {

using catalog::Field;

std::string whole(double value) {
    return std::to_string(static_cast<std::int64_t>(value + 0.5));
}

/// "136K", "1.2M": thousands, as people say a context.
std::string short_tokens(std::int64_t tokens) {
    constexpr std::int64_t thousand = 1000;
    constexpr std::int64_t million = thousand * thousand;
    if (tokens < thousand)
        return std::to_string(tokens);
    if (tokens < million)
        return std::to_string(tokens / thousand) + 'K';
    const std::int64_t tenths = tokens / (million / 10);
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0)
        text += '.' + std::to_string(tenths % 10);
    return text + 'M';
}

std::string rate_text(double rate) {
    if (rate >= 10)
        return whole(rate) + " tok/s";
    const std::string tenths = whole(rate * 10);
    return (tenths.size() < 2 ? "0." + tenths
                              : tenths.substr(0, tenths.size() - 1) + '.' + tenths.back()) +
           " tok/s";
}

/// Widths of Verdana's characters at 11 px, rounded; what a badge's text is stretched to, so that
/// every font fills the same room.
double text_width(std::string_view text) {
    double width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 && byte < 0xc0)
            continue; // the rest of a character
        if (c == ' ' || c == '.' || c == ',' || c == 'i' || c == 'l' || c == 'I' || c == 'j')
            width += 3.9;
        else if (c == 't' || c == 'f' || c == 'r' || c == '/' || c == '-' || c == '\'')
            width += 4.9;
        else if (c == 'm' || c == 'w' || c == 'M' || c == 'W')
            width += 10;
        else if (c >= 'A' && c <= 'Z')
            width += 7.8;
        else
            width += 6.9;
    }
    return width;
}

} // namespace

BadgeFigures badge_figures(const Site& site, const ModelEntry& entry,
                           const catalog::HardwareEntry& hardware) {
    BadgeFigures figures;
    catalog::Query query = entry.query;
    if (!query.set(Field::hardware, hardware.id))
        return figures;
    const auto resolved = catalog::resolve(query, site.catalog);
    if (!resolved)
        return figures;
    const MemoryPlan plan = plan_memory(resolved->request);
    figures.verdict = judge(resolved->request, plan).overall;
    figures.memory_bytes = mul(hardware.device.memory_bytes, std::max(1, hardware.count));
    figures.needed_bytes = accelerator_bytes(plan);
    figures.max_context_tokens = max_context_tokens(resolved->request);
    figures.tokens_per_second = decode_tokens_per_second(resolved->request, plan).expected;
    return figures;
}

std::string badge_text(const BadgeFigures& figures) {
    const std::string memory = whole(to_gib(figures.memory_bytes)) + " GB";
    std::string text;
    switch (figures.verdict) {
    case Verdict::fits:
        text = "fits " + memory;
        break;
    case Verdict::tight:
        text = "tight in " + memory;
        break;
    default:
        // What RAM would have to take is slow; a badge says what is missing.
        return "does not fit " + memory + " \u00b7 needs " +
               whole(std::ceil(to_gib(figures.needed_bytes))) + " GB";
    }
    if (figures.max_context_tokens < context_search_limit)
        text += " \u00b7 " + short_tokens(figures.max_context_tokens) + " ctx";
    if (figures.tokens_per_second > 0)
        text += " \u00b7 " + rate_text(figures.tokens_per_second);
    return text;
}

std::string badge_svg(const BadgeFigures& figures, const ModelEntry& entry,
                      std::string_view machine) {
    const std::string left = entry.resolved.quantization != nullptr
                                 ? entry.resolved.quantization->name
                                 : std::string("Vramscope");
    const std::string right = badge_text(figures);
    const std::string title = entry.model->name + ": " + right;
    const std::string about =
        entry.model->name + ", " + weights_name(entry) + ", " + std::to_string(entry.context) +
        " tokens of context on " + std::string(machine) + ": needs " +
        whole(to_gib(figures.needed_bytes) * 10)
            .insert(whole(to_gib(figures.needed_bytes) * 10).size() - 1, ".") +
        " GiB. Estimated by Vramscope.";
    constexpr double padding = 7;
    const double left_text = text_width(left);
    const double right_text = text_width(right);
    const double left_width = left_text + 2 * padding;
    const double width = left_width + right_text + 2 * padding;
    // White on these is at least 4.5 : 1, and they stand out from white and from black pages.
    const char* colour = figures.verdict == Verdict::fits    ? "#157a4f"
                         : figures.verdict == Verdict::tight ? "#8a5a00"
                                                             : "#b7323e";
    Html svg;
    svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                     {"width", whole(width)},
                     {"height", "20"},
                     {"viewBox", "0 0 " + whole(width) + " 20"},
                     {"role", "img"},
                     {"aria-labelledby", "t d"}});
    svg.element("title", {{"id", "t"}}, title).element("desc", {{"id", "d"}}, about);
    svg.raw("<clipPath id=\"c\"><rect width=\"" + whole(width) +
            "\" height=\"20\" rx=\"4\"/></clipPath><g clip-path=\"url(#c)\">");
    svg.raw("<rect width=\"" + whole(left_width) + "\" height=\"20\" fill=\"#3a4250\"/>");
    svg.raw("<rect x=\"" + whole(left_width) + "\" width=\"" + whole(width - left_width) +
            "\" height=\"20\" fill=\"" + colour + "\"/></g>");
    svg.raw("<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">");
    svg.open("text", {{"x", whole(padding)},
                      {"y", "14"},
                      {"textLength", whole(left_text)},
                      {"lengthAdjust", "spacingAndGlyphs"}});
    svg.text(left).close("text");
    svg.open("text", {{"x", whole(left_width + padding)},
                      {"y", "14"},
                      {"textLength", whole(right_text)},
                      {"lengthAdjust", "spacingAndGlyphs"}});
    svg.text(right).close("text").raw("</g></svg>\n");
    return svg.take();
}

std::string picture_svg(const Site& site, const ModelEntry& entry) {
    const report::Locale& locale = site.languages.front().locale;
    const Estimate& estimate = entry.estimate;
    const DeviceEstimate& device = estimate.devices.front();
    Html svg;
    const auto text = [&](int x, int y, int size, const char* weight, const char* fill,
                          std::string_view content, std::string_view anchor = no_value) {
        svg.open("text", {{"x", std::to_string(x)},
                          {"y", std::to_string(y)},
                          {"font-size", std::to_string(size)},
                          {"font-weight", weight},
                          {"fill", fill},
                          {"text-anchor", anchor}});
        svg.text(content).close("text");
    };
    svg.raw(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\" "
        "viewBox=\"0 0 1200 630\" font-family=\"system-ui,Segoe UI,Helvetica,Arial,sans-serif\">");
    svg.element("title", entry.model->name);
    svg.raw("<rect width=\"1200\" height=\"630\" fill=\"#0e1116\"/>");
    text(72, 96, 30, "600", "#7aa8ff", "Vramscope");
    const std::string& name = entry.model->name;
    const int size = name.size() <= 24 ? 72 : name.size() <= 34 ? 56 : 42;
    text(72, 200, size, "700", "#e8ebf1", name);
    const auto parameters = static_cast<double>(entry.parameters.total());
    text(72, 254, 30, "400", "#9aa4b5",
         report::parameters_text(parameters, locale) + " parameters \u00b7 " + weights_name(entry) +
             " \u00b7 " + locale.tokens_short(entry.context) + " context");
    // The bar: parts of the first device against its memory.
    const double whole_bytes =
        static_cast<double>(std::max(device.capacity_bytes, device.parts.total().expected));
    constexpr const char* colours[] = {"#5b8def", "#f0a840", "#b184f5",
                                       "#3fbfa6", "#78839a", "#78839a"};
    svg.raw("<clipPath id=\"b\"><rect x=\"72\" y=\"306\" width=\"1056\" height=\"44\" "
            "rx=\"10\"/></clipPath><g clip-path=\"url(#b)\">"
            "<rect x=\"72\" y=\"306\" width=\"1056\" height=\"44\" fill=\"#1d222b\"/>");
    double x = 72;
    for (std::size_t i = 0; i < part_count && whole_bytes > 0; ++i) {
        const double width =
            static_cast<double>(device.parts.parts[i].expected) / whole_bytes * 1056;
        svg.raw("<rect x=\"" + whole(x) + "\" y=\"306\" width=\"" + whole(width) +
                "\" height=\"44\" fill=\"" + colours[i] + "\"/>");
        x += width;
    }
    svg.raw("</g>");
    const bool fits = estimate.verdict == Verdict::fits;
    const std::string verdict(
        locale.text(std::string("verdict.") + vramscope::name(estimate.verdict)));
    text(72, 400, 28, "600", fits ? "#3ecf8e" : "#f0b64a",
         verdict + ": " + hardware_name(locale, *entry.hardware));
    const auto figure = [&](int column, std::string_view value, std::string_view label) {
        text(column, 500, 60, "700", "#e8ebf1", value);
        text(column, 548, 26, "400", "#9aa4b5", label);
    };
    figure(72, locale.bytes(entry.needed_bytes, report::ByteUnit::gib, 1), "memory needed");
    figure(460,
           estimate.max_context_tokens < context_search_limit
               ? short_tokens(estimate.max_context_tokens)
               : std::string(locale.text("figure.max_context.unbounded")),
           "largest context");
    const double rate = estimate.decode_tokens_per_second.expected;
    if (rate > 0)
        figure(800, rate_text(rate), "writing speed");
    svg.raw("</svg>\n");
    return svg.take();
}

} // namespace vramscope::pages
