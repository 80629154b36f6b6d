#include "app/evidence.h"

#include <algorithm>
#include <cstdlib>

#include "app/view_context.h"

#ifndef VRAMSCOPE_REPOSITORY_URL
#define VRAMSCOPE_REPOSITORY_URL ""
#endif

namespace vramscope::app {
namespace {

/// A version as it may stand in an address.
bool is_version(std::string_view text) {
    return !text.empty() && text.size() <= 24 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-' || c == '+';
    });
}

std::int64_t whole(std::string_view text) {
    const bool digits = !text.empty() && text.size() <= 15 &&
                        std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::strtoll(std::string(text).c_str(), nullptr, 10) : -1;
}

void add_encoded(std::string& out, std::string_view text) {
    constexpr const char* hex = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
        if (plain)
            out += c;
        else
            out += {'%', hex[byte >> 4U], hex[byte & 0xFU]};
    }
}

} // namespace

std::string_view engine_version(const EstimateRequest& request) {
    const catalog::FieldInfo& about = catalog::info(catalog::Field::engine_version);
    // The choices are llama.cpp's four, then vLLM's (catalog/resolve.cpp).
    constexpr std::size_t llama_cpp_versions = 4;
    std::size_t index = about.choices.size();
    if (request.engine == EngineId::llama_cpp || request.engine == EngineId::ollama)
        index = static_cast<std::size_t>(request.llama_cpp_version);
    if (request.engine == EngineId::vllm)
        index = llama_cpp_versions + static_cast<std::size_t>(request.vllm_version);
    return index < about.choices.size() ? std::string_view(about.choices[index]) : "-";
}

Pin pin_of(const catalog::Catalog& catalog, const EstimateRequest& request,
           const Estimate& estimate) {
    return {catalog.version, std::string(engine_version(request)), estimate.parts.total().expected,
            estimate.max_context_tokens};
}

std::string pin_text(const Pin& pin) {
    return pin.catalog + '~' + pin.engine + '~' + std::to_string(pin.total_bytes) + '~' +
           std::to_string(pin.max_context_tokens);
}

std::optional<Pin> read_pin(std::string_view text) {
    std::string_view parts[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t end = std::min(text.find('~'), text.size());
        parts[i] = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!is_version(parts[0]) || !text.empty())
        return std::nullopt;
    Pin pin{std::string(parts[0]), is_version(parts[1]) ? std::string(parts[1]) : "-",
            whole(parts[2]), whole(parts[3])};
    return pin;
}

std::string_view repository_url() {
    return VRAMSCOPE_REPOSITORY_URL;
}

[[gnu::noinline]] std::string report_url(std::string_view repository, std::string_view link,
                                         const ViewModel& view) {
    if (repository.empty())
        return {};
    std::string body = "Request: ";
    body += link;
    body += "\n\n" + view.verdict_text + ": " + view.verdict_detail + "\n";
    for (const Figure& part : view.parts)
        body += "- " + part.label + ": " + part.value + ' ' + part.unit + '\n';
    for (const Figure& figure : view.figures)
        body += "- " + figure.label + ": " + figure.value + ' ' + figure.unit + '\n';
    body += '\n' + view.footer + "\n\nMeasured instead (value, engine version, log):\n";
    std::string url(repository);
    url += "/issues/new?title=";
    add_encoded(url, "Wrong number: " + view.model_name);
    url += "&body=";
    add_encoded(url, body);
    return url;
}

} // namespace vramscope::app
