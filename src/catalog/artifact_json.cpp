#include "catalog/artifact_json.h"

#include <array>
#include <charconv>
#include <utility>

#include "catalog/text_match.h"

namespace vramscope::catalog {
namespace {

constexpr Bytes most_bytes = Bytes{1} << 50;

bool read_number(std::string_view digits, int& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc{} && end == digits.data() + digits.size() && out >= 0;
}

void read_files(const JsonReader& list, Artifact& artifact) {
    list.for_each_element([&](const JsonReader& element) {
        if (element.is_string()) {
            const auto names = expand_file_names(element.value().get_ref<const std::string&>());
            if (names.empty())
                element.fault("is no usable pattern of file names");
            for (const std::string& name : names)
                artifact.files.push_back({name, 0});
            return;
        }
        if (!element.is_object()) {
            element.fault("expected a file name or an object, got " + describe(element.value()),
                          "wrong-type");
            return;
        }
        element.no_other_fields({"name", "bytes"});
        WeightFile file;
        element.field("name", file.name, Need::required);
        element.field("bytes", file.bytes, 1, most_bytes, Need::required);
        artifact.files.push_back(std::move(file));
    });
}

std::string upper_case(std::string text) {
    for (char& c : text) {
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    }
    return text;
}

/// "GGUF Q4_K_M (unsloth)"
std::string usual_name(const Artifact& artifact, const FileFormat* format) {
    std::string name = format != nullptr ? format->name : artifact.format;
    name += " " + upper_case(artifact.quantization);
    if (!artifact.publisher.empty())
        name += " (" + artifact.publisher + ")";
    return name;
}

/// Files that carry their own sizes must add up to the artifact's.
void check_file_bytes(const JsonReader& entry, const Artifact& artifact) {
    Bytes sum = 0;
    for (const WeightFile& file : artifact.files) {
        if (file.bytes == 0)
            return;
        sum = add(sum, file.bytes);
    }
    if (artifact.files.empty() || artifact.bytes_are_tensors || sum == artifact.bytes)
        return;
    entry.field_fault("bytes", "is " + std::to_string(artifact.bytes) +
                                   ", but the files add up to " + std::to_string(sum));
}

} // namespace

std::vector<std::string> expand_file_names(std::string_view pattern) {
    const std::size_t open = pattern.find('{');
    if (open == std::string_view::npos)
        return {std::string(pattern)};
    const std::size_t dots = pattern.find("..", open);
    const std::size_t close = pattern.find('}', open);
    if (dots == std::string_view::npos || close == std::string_view::npos || dots > close)
        return {};
    const std::string_view from_text = pattern.substr(open + 1, dots - open - 1);
    int from = 0;
    int to = 0;
    if (!read_number(from_text, from) ||
        !read_number(pattern.substr(dots + 2, close - dots - 2), to) || to < from ||
        to - from >= 1000) {
        return {};
    }
    std::vector<std::string> names;
    for (int i = from; i <= to; ++i) {
        std::string number = std::to_string(i);
        if (number.size() < from_text.size())
            number.insert(0, from_text.size() - number.size(), '0');
        names.push_back(std::string(pattern.substr(0, open)) + number +
                        std::string(pattern.substr(close + 1)));
    }
    return names;
}

void read_formats(const JsonReader& file, Catalog& catalog) {
    file.no_other_fields({"$schema", "about", "formats"});
    const auto list = file.array("formats", Need::required);
    if (!list)
        return;
    list->for_each_element([&](const JsonReader& entry) {
        entry.no_other_fields({"id", "name", "engines"});
        FileFormat format;
        if (entry.field("id", format.id, Need::required) && !is_id(format.id)) {
            entry.field_fault("id", "\"" + format.id + "\" must be lower-case letters and digits");
        }
        entry.field("name", format.name, Need::required);
        entry.field("engines", format.engines, Need::required);
        if (catalog.find_format(format.id) != nullptr) {
            entry.field_fault("id", "\"" + format.id + "\" occurs twice", "duplicate-id");
            return;
        }
        catalog.formats.push_back(std::move(format));
    });
}

Artifact read_artifact(const JsonReader& entry, const Catalog& catalog) {
    entry.no_other_fields({"id", "name", "format", "quantization", "publisher", "repo", "files",
                           "bytes", "bytes_are_tensors", "engines", "evidence", "source"});
    Artifact artifact;
    if (entry.field("id", artifact.id, Need::required) && !is_id(artifact.id)) {
        entry.field_fault("id",
                          "\"" + artifact.id + "\" must be lower-case letters, digits and dashes");
    }
    entry.field("format", artifact.format, Need::required);
    entry.field("quantization", artifact.quantization, Need::required);
    entry.field("repo", artifact.repo);
    artifact.publisher = artifact.repo.substr(0, artifact.repo.find('/'));
    entry.field("publisher", artifact.publisher);
    if (const auto files = entry.array("files"))
        read_files(*files, artifact);
    entry.field("bytes", artifact.bytes, 1, most_bytes, Need::required);
    entry.field("bytes_are_tensors", artifact.bytes_are_tensors);
    entry.field("source", artifact.source);
    enum class Kind : std::uint8_t { file, tensors, reported, theoretical };
    static constexpr std::array<const char*, 4> kinds = {"file-metadata", "tensor-metadata",
                                                         "reported", "theoretical"};
    Kind kind = Kind::reported;
    entry.field("evidence", kind, {kinds[0], kinds[1], kinds[2], kinds[3]}, Need::required);
    artifact.evidence = kinds[static_cast<std::size_t>(kind)];
    artifact.theoretical = kind == Kind::theoretical;
    check_file_bytes(entry, artifact);

    const FileFormat* format = catalog.find_format(artifact.format);
    if (format == nullptr && !artifact.format.empty()) {
        entry.field_fault("format", "\"" + artifact.format + "\" is not in formats.json",
                          "unknown-reference");
    }
    if (format != nullptr && !artifact.theoretical)
        artifact.engines = format->engines;
    entry.field("engines", artifact.engines);
    artifact.name = usual_name(artifact, format);
    entry.field("name", artifact.name);
    return artifact;
}

} // namespace vramscope::catalog
