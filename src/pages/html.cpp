#include "pages/html.h"

namespace vramscope::pages {
namespace {

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
}

} // namespace

std::string escaped(std::string_view text) {
    std::string out;
    append_escaped(out, text);
    return out;
}

Html& Html::raw(std::string_view markup) {
    out_ += markup;
    return *this;
}

Html& Html::text(std::string_view text) {
    append_escaped(out_, text);
    return *this;
}

Html& Html::open(std::string_view tag, Attributes attributes) {
    out_ += '<';
    out_ += tag;
    for (const Attribute& attribute : attributes) {
        if (attribute.value.data() == nullptr)
            continue;
        out_ += ' ';
        out_ += attribute.name;
        out_ += "=\"";
        append_escaped(out_, attribute.value);
        out_ += '"';
    }
    out_ += '>';
    return *this;
}

Html& Html::close(std::string_view tag) {
    out_ += "</";
    out_ += tag;
    out_ += '>';
    return *this;
}

Html& Html::element(std::string_view tag, Attributes attributes, std::string_view content) {
    return open(tag, attributes).text(content).close(tag);
}

Html& Html::link(std::string_view address, std::string_view content) {
    return element("a", {{"href", address}}, content);
}

} // namespace vramscope::pages
