// Writing HTML: escaped text, attributes and elements, without white space that nobody reads.
//
// Pages carry no style attributes and no scripts, so that they work under the strictest content
// security policy; what varies with a figure (the length of a bar) is drawn as SVG.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace vramscope::pages {

/// & < > " as entities: right in text and in attributes, in HTML and in XML.
std::string escaped(std::string_view text);

struct Attribute {
    std::string_view name;
    std::string_view value; ///< left out when its data() is nullptr: see no_value
};
inline constexpr std::string_view no_value{};
using Attributes = std::initializer_list<Attribute>;

class Html {
public:
    /// As it is.
    Html& raw(std::string_view markup);
    Html& text(std::string_view text);
    Html& open(std::string_view tag, Attributes attributes = {});
    Html& close(std::string_view tag);
    /// <tag …>text</tag>
    Html& element(std::string_view tag, Attributes attributes, std::string_view text);
    Html& element(std::string_view tag, std::string_view text) { return element(tag, {}, text); }
    Html& link(std::string_view address, std::string_view text);

    const std::string& str() const { return out_; }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
};

} // namespace vramscope::pages
